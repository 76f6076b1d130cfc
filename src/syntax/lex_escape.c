// SPDX-License-Identifier: Apache-2.0
#include "syntax/lex_escape.h"

#include "base/panic.h"

static int lex_escape_hex_digit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return -1;
}

uint32_t escape_read_universal(const char *text, uint32_t length,
                               uint32_t *point) {
  HD_ASSERT(length > 0 && text[0] == '\\');
  uint32_t n = text[1] == 'u' ? 6 : 10;
  uint32_t value = 0;
  if (length < n)
    return 0;
  for (uint32_t i = 2; i < n; i++) {
    int digit = lex_escape_hex_digit(text[i]);
    if (digit < 0)
      return 0;
    value = value << 4 | (uint32_t)digit;
  }
  bool is_surrogate = value >= 0xd800 && value <= 0xdfff;
  if (value < 0xa0 || value > 0x10ffff || is_surrogate)
    return 0;
  *point = value;
  return n;
}

static Escape read_hex(const char *text, uint32_t length) {
  Escape escape = {.n_bytes = 2};
  while (escape.n_bytes < length &&
         lex_escape_hex_digit(text[escape.n_bytes]) >= 0) {
    if (escape.value >> 28)
      escape.problem = "it does not fit in 32 bits";
    escape.value = escape.value << 4 |
                   (uint32_t)lex_escape_hex_digit(text[escape.n_bytes]);
    escape.n_bytes++;
  }
  if (escape.n_bytes == 2)
    escape.problem = "hexadecimal digits must follow \\x";
  return escape;
}

static Escape read_octal(const char *text, uint32_t length) {
  Escape escape = {.n_bytes = 1};
  while (escape.n_bytes < length && escape.n_bytes < 4 &&
         text[escape.n_bytes] >= '0' && text[escape.n_bytes] <= '7') {
    escape.value = escape.value << 3 | (uint32_t)(text[escape.n_bytes] - '0');
    escape.n_bytes++;
  }
  return escape;
}

static Escape read_universal(const char *text, uint32_t length) {
  Escape escape = {.is_code_point = true, .n_bytes = 2};
  uint32_t n = escape_read_universal(text, length, &escape.value);
  if (n)
    escape.n_bytes = n;
  else
    escape.problem = "\\u takes four and \\U eight hexadecimal digits of a "
                     "character that needs no simpler spelling";
  return escape;
}

Escape escape_read(const char *text, uint32_t length) {
  HD_ASSERT(length > 0 && text[0] == '\\');
  static const char names[] = "abfnrtv\\'\"?";
  static const char values[] = "\a\b\f\n\r\t\v\\'\"?";
  if (length < 2)
    return (Escape){.n_bytes = 1, .problem = "nothing follows the backslash"};
  if (text[1] == 'x')
    return read_hex(text, length);
  if (text[1] == 'u' || text[1] == 'U')
    return read_universal(text, length);
  if (text[1] >= '0' && text[1] <= '7')
    return read_octal(text, length);
  for (int i = 0; names[i]; i++)
    if (names[i] == text[1])
      return (Escape){.n_bytes = 2, .value = (unsigned char)values[i]};
  return (Escape){.n_bytes = 2, .problem = "C has no such escape sequence"};
}
