// SPDX-License-Identifier: Apache-2.0
#include "interp/fault.h"

#include "base/panic.h"
#include "base/text.h"

#include <inttypes.h>
#include <string.h>

static const struct {
  FaultKind kind;
  const char *text;
} faults[FAULT_CODE_COUNT] = {

#define FAULT(code, kind, text) [FAULT_CODE_##code] = {FAULT_##kind, text},
#include "interp/fault.def"
#undef FAULT
};

FaultKind fault_kind(FaultCode code) {
  return faults[code].kind;
}

static void fault_add_name(Text *out, const FaultArgs *args) {
  text_add(out, args->name ? args->name : "memory");
}

static void fault_add_index(Text *out, const FaultArgs *args) {
  for (uint32_t i = 0; i < args->n_index; i++)
    text_printf(out, "[%" PRId64 "]", args->index[i]);
}

static void add_element(Text *out, const FaultArgs *args) {
  fault_add_name(out, args);
  fault_add_index(out, args);
}

// What stands between two braces.
typedef struct {
  const char *text;
  size_t length;
} Placeholder;

static bool fault_is_word(Placeholder p, const char *word) {
  return p.length == strlen(word) && memcmp(p.text, word, p.length) == 0;
}

// {word NAME}: a row of the vocabulary, in the program's language.
static const char *fault_vocabulary_of(Placeholder p, Language language) {
  static const char mark[] = "word ";
  size_t length = strlen(mark);
  VocabularyWord word = WORD_COUNT;
  if (p.length > length && memcmp(p.text, mark, length) == 0)
    word = vocabulary_find(p.text + length, p.length - length);
  return word == WORD_COUNT ? NULL : vocabulary_word(language, word);
}

// A number, and the noun that it counts, if there is one.
static void fault_add_number(Text *out, int64_t number, Placeholder p) {
  text_printf(out, "%" PRId64, number);
  if (p.length > 1)
    text_printf(out, "%.*s%s", (int)p.length - 1, p.text + 1,
                text_plural(number));
}

static void add_argument(Text *out, const IrModule *module, Placeholder p,
                         const FaultArgs *args) {
  bool is_number = p.text[0] >= '0' && p.text[0] < '0' + (int)FAULT_NUMBERS &&
                   (p.length == 1 || (p.length > 2 && p.text[1] == ' '));
  const char *word = fault_vocabulary_of(p, module->language);
  if (word)
    text_add(out, word);
  else if (is_number)
    fault_add_number(out, args->numbers[p.text[0] - '0'], p);
  else if (fault_is_word(p, "name"))
    fault_add_name(out, args);
  else if (fault_is_word(p, "other"))
    text_add(out, args->other);
  else if (fault_is_word(p, "place"))
    text_add(out, ir_loc_text(module, args->place->loc, out->arena));
  else if (fault_is_word(p, "element"))
    add_element(out, args);
  else if (fault_is_word(p, "index"))
    fault_add_index(out, args);
  else if (fault_is_word(p, "stuck"))
    stuck_report_text(out, args->stuck);
  else
    HD_PANIC("nothing stands for {%.*s}", (int)p.length, p.text);
}

void fault_fill(Text *out, const IrModule *module, const char *format,
                const FaultArgs *args) {
  for (const char *at = format; *at;) {
    const char *open = strchr(at, '{');
    const char *close = open ? strchr(open, '}') : NULL;
    if (!close) {
      text_add(out, at);
      return;
    }
    text_printf(out, "%.*s", (int)(open - at), at);
    Placeholder p = {open + 1, (size_t)(close - open - 1)};
    add_argument(out, module, p, args);
    at = close + 1;
  }
}

const char *fault_text(Arena *arena, const IrModule *module,
                       const Fault *fault) {
  Text text = {.arena = arena};
  fault_fill(&text, module, faults[fault->code].text, &fault->args);
  return text_cstr(&text);
}
