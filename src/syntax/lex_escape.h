// SPDX-License-Identifier: Apache-2.0
// Escape sequences of character constants, strings and identifiers.
#ifndef HD_SYNTAX_LEX_ESCAPE_H
#define HD_SYNTAX_LEX_ESCAPE_H

#include <stdbool.h>
#include <stdint.h>

// Bytes of the \uXXXX or \UXXXXXXXX at `text`, its value in *point; 0 if the
// digits are missing or name no character (C17 6.4.3).
uint32_t escape_read_universal(const char *text, uint32_t length,
                               uint32_t *point);

typedef struct {
  uint32_t value;
  uint32_t n_bytes;    // read, with the backslash; at least 1
  bool is_code_point;  // a character (\u), not a byte or unit (\x, \123)
  const char *problem; // or NULL
} Escape;

// The escape sequence at `text`, which starts with a backslash.
Escape escape_read(const char *text, uint32_t length);

#endif
