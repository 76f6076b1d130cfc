// SPDX-License-Identifier: Apache-2.0
// UTF-8 as it comes from users: possibly broken, never trusted.
#ifndef HD_BASE_UTF8_H
#define HD_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UTF8_REPLACEMENT UINT32_C(0xFFFD)

typedef struct {
  uint32_t code_point; // UTF8_REPLACEMENT when not valid
  uint32_t size_bytes; // consumed; 1 when not valid, at least 1
  bool is_valid;
} Utf8Char;

// The character at the start of `bytes`; `length` is at least 1. Overlong
// forms, surrogates and values above U+10FFFF are not valid.
Utf8Char utf8_decode(const char *bytes, size_t length);

// Writes the bytes of a valid code point to `out` and returns their number.
size_t utf8_encode(uint32_t code_point, char out[4]);

// Columns that a terminal gives the character: 2 for East Asian wide and for
// emoji, 0 for combining marks and zero-width characters, else 1. Control
// characters are the caller's concern.
unsigned utf8_width(uint32_t code_point);

#endif
