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
void text_printf(Text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
// The text so far, "" when empty; valid until the next addition.
const char *text_cstr(const Text *text);

// Adds `string` as a JSON string with quotes and escapes; invalid UTF-8
// becomes U+FFFD.
void text_add_json(Text *text, const char *string);

// Edit distance with a cap, for "did you mean". Returns the candidate nearest
// to `name` within a third of its length, or NULL.
const char *text_nearest(const char *name, const char *const *candidates,
                         size_t count);

#endif
