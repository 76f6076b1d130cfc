// SPDX-License-Identifier: Apache-2.0
#include "diag/diag.h"

#include "base/panic.h"
#include "base/utf8.h"
#include "diag/diag_engine.h"
#include <string.h>
#include <strings.h>

enum { MAX_PLACEHOLDERS = 8, MAX_VALUE_BYTES = 240 };

typedef struct {
  const char *code;
  const char *name;
  const char *text;
} DiagRow;

static const DiagRow rows[] = {
#define DIAG(code, severity, id, text) [DIAG_##id] = {#code, #id, text},
#include "diag/diag.def"
#undef DIAG
};

const char *diag_code(DiagId id) {
  HD_ASSERT(id < DIAG_COUNT);
  return rows[id].code;
}

uint32_t diag_family(DiagId id) {
  const char *code = diag_code(id) + strlen("HD");
  return (uint32_t)(code[0] - '0') * 10 + (uint32_t)(code[1] - '0');
}

const char *diag_name(DiagId id) {
  HD_ASSERT(id < DIAG_COUNT);
  return rows[id].name;
}

const char *severity_name(Severity severity) {
  switch (severity) {
  case SEVERITY_ERROR: return "error";
  case SEVERITY_WARNING: return "warning";
  case SEVERITY_NOTE: return "note";
  }
  HD_PANIC("severity %d", (int)severity);
}

DiagId diag_find(const char *code_or_name) {
  for (DiagId id = 0; id < DIAG_COUNT; id++) {
    if (strcasecmp(code_or_name, rows[id].code) == 0 ||
        strcmp(code_or_name, rows[id].code + 2) == 0 ||
        strcmp(code_or_name, rows[id].name) == 0)
      return id;
  }
  return DIAG_COUNT;
}

// `{name:s}` in a text, or `{name:u noun}`, whose noun is in the plural unless
// the number is 1; `length` covers the braces, 0: none starts here.
typedef struct {
  const char *name, *noun;
  size_t name_length, noun_length;
  size_t length;
  int kind; // of DiagArg
} Placeholder;

static int kind_of_letter(char letter) {
  switch (letter) {
  case 's': return DIAG_ARG_TEXT;
  case 'd': return DIAG_ARG_SIGNED;
  case 'u': return DIAG_ARG_UNSIGNED;
  default: return 0;
  }
}

static Placeholder parse_placeholder(const char *text) {
  const Placeholder none = {0};
  if (text[0] != '{')
    return none;
  size_t name_length =
      strspn(text + 1, "abcdefghijklmnopqrstuvwxyz_0123456789");
  const char *after = text + 1 + name_length;
  if (name_length == 0 || after[0] != ':' || !kind_of_letter(after[1]))
    return none;
  Placeholder found = {.name = text + 1,
                       .name_length = name_length,
                       .kind = kind_of_letter(after[1])};
  found.noun = after + 2;
  if (*found.noun == ' ' && found.kind != DIAG_ARG_TEXT)
    found.noun_length = strcspn(found.noun, "}");
  if (found.noun[found.noun_length] != '}')
    return none;
  found.length = name_length + 4 + found.noun_length;
  return found;
}

// Cut where a character ends, so that what was valid stays so.
static void add_value_text(Text *out, const char *value) {
  size_t length = strlen(value);
  if (length <= MAX_VALUE_BYTES) {
    text_add_n(out, value, length);
    return;
  }
  size_t end = 0;
  while (end < MAX_VALUE_BYTES)
    end += utf8_decode(value + end, length - end).size_bytes;
  text_add_n(out, value, end);
  text_add(out, "...");
}

static void diag_table_add_value(Text *out, const DiagArg *arg) {
  switch (arg->kind) {
  case DIAG_ARG_TEXT:
    add_value_text(out, arg->u.text ? arg->u.text : "?");
    break;
  case DIAG_ARG_SIGNED:
    text_printf(out, "%lld", (long long)arg->u.number);
    break;
  case DIAG_ARG_UNSIGNED:
    text_printf(out, "%llu", (unsigned long long)arg->u.unumber);
    break;
  }
}

typedef struct {
  DiagId id;
  Placeholder seen[MAX_PLACEHOLDERS];
  size_t n_seen;
} Names;

// The number of the value for a placeholder: that of the same name, or the
// next.
static size_t diag_table_number_of(Names *names,
                                   const Placeholder *placeholder) {
  for (size_t i = 0; i < names->n_seen; i++) {
    const Placeholder *seen = &names->seen[i];
    if (seen->name_length == placeholder->name_length &&
        memcmp(seen->name, placeholder->name, seen->name_length) == 0)
      return i;
  }
  if (names->n_seen == MAX_PLACEHOLDERS)
    HD_PANIC("%s has too many placeholders", diag_code(names->id));
  names->seen[names->n_seen] = *placeholder;
  return names->n_seen++;
}

const char *diag_format(Arena *arena, DiagId id, const DiagArg *args,
                        size_t n_args) {
  HD_ASSERT(id < DIAG_COUNT);
  Text out = {.arena = arena};
  Names names = {.id = id};
  for (const char *at = rows[id].text; *at;) {
    Placeholder placeholder = parse_placeholder(at);
    if (placeholder.length == 0) {
      text_add_char(&out, *at++);
      continue;
    }
    size_t number = diag_table_number_of(&names, &placeholder);
    if (number >= n_args || (int)args[number].kind != placeholder.kind)
      HD_PANIC("%s: no value of the right kind for {%.*s}", diag_code(id),
               (int)placeholder.name_length, placeholder.name);
    diag_table_add_value(&out, &args[number]);
    if (placeholder.noun_length > 0)
      text_printf(&out, "%.*s%s", (int)placeholder.noun_length,
                  placeholder.noun, text_plural(args[number].u.number));
    at += placeholder.length;
  }
  if (names.n_seen != n_args)
    HD_PANIC("%s: %zu values for %zu placeholders", diag_code(id), n_args,
             names.n_seen);
  return text_cstr(&out);
}
