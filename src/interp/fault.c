// SPDX-License-Identifier: Apache-2.0
#include "interp/fault.h"

#include "base/panic.h"

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

static void add_element(Text *out, const FaultArgs *args) {
  fault_add_name(out, args);
  for (uint32_t i = 0; i < args->n_index; i++)
    text_printf(out, "[%" PRId64 "]", args->index[i]);
}

// `word`: between the braces.
static void add_argument(Text *out, const IrModule *module, const char *word,
                         size_t length, const FaultArgs *args) {
  bool is_number =
      length == 1 && word[0] >= '0' && word[0] < '0' + (int)FAULT_NUMBERS;
  if (is_number)
    text_printf(out, "%" PRId64, args->numbers[word[0] - '0']);
  else if (strncmp(word, "name", length) == 0)
    fault_add_name(out, args);
  else if (strncmp(word, "other", length) == 0)
    text_add(out, args->other);
  else if (strncmp(word, "place", length) == 0)
    text_add(out, ir_loc_text(module, args->place->loc, out->arena));
  else if (strncmp(word, "element", length) == 0)
    add_element(out, args);
  else
    HD_PANIC("nothing stands for {%.*s}", (int)length, word);
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
    add_argument(out, module, open + 1, (size_t)(close - open - 1), args);
    at = close + 1;
  }
}

const char *fault_text(Arena *arena, const IrModule *module,
                       const Fault *fault) {
  Text text = {.arena = arena};
  fault_fill(&text, module, faults[fault->code].text, &fault->args);
  return text_cstr(&text);
}
