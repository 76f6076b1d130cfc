// SPDX-License-Identifier: Apache-2.0
// Building text of unknown length.
#ifndef HD_BASE_TEXT_H
#define HD_BASE_TEXT_H

#include "base/arena.h"
#include <stdbool.h>

// Zero-initialise with {.arena = …}. `data` is always NUL-terminated once
// anything was added; NULL before.
typedef struct {
  Arena *arena;
  char *data;
  size_t length;
  size_t capacity;
} Text;

void text_add(Text *text, const char *string);
void text_add_n(Text *text, const char *bytes, size_t length);
void text_add_char(Text *text, char c);
void text_add_repeat(Text *text, char c, size_t count);
void text_printf(Text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void text_vprintf(Text *text, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
// The text so far, "" when empty; valid until the next addition.
const char *text_cstr(const Text *text);

// Adds `string` as a JSON string with quotes and escapes; invalid UTF-8
// becomes U+FFFD.
void text_add_json(Text *text, const char *string);
void text_add_json_n(Text *text, const char *bytes, size_t length);

// For "did you mean": the candidate nearest to `name` (edits, without regard to
// case) within a third of its length, the first of equals; NULL when none is
// near or `name` itself is the only one.
const char *text_nearest(const char *name, const char *const *candidates,
                         size_t count);

// The ending of a noun that is counted: "" of 1, else "s".
static inline const char *text_plural(int64_t count) {
  return count == 1 ? "" : "s";
}

#endif
