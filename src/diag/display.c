// SPDX-License-Identifier: Apache-2.0
#include "diag/display.h"

#include "base/utf8.h"
#include <stdio.h>
#include <string.h>

enum { TAB_COLUMNS = 4 };

// Characters that would make a line look like another one.
static bool is_deceptive(uint32_t c) {
  return (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2060 && c <= 0x2069) || c == 0xFEFF ||
         (c >= 0xE0000 && c <= 0xE0FFF);
}

static bool is_control(uint32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0);
}

// Writes the escape to `buffer`; false when the character shows as itself.
static bool escape(Utf8Char c, char byte, char *buffer, size_t size) {
  if (!c.is_valid)
    snprintf(buffer, size, "\\x%02x", (unsigned)(unsigned char)byte);
  else if (is_control(c.code_point))
    snprintf(buffer, size, "\\x%02x", (unsigned)c.code_point);
  else if (is_deceptive(c.code_point))
    snprintf(buffer, size, "\\u{%x}", (unsigned)c.code_point);
  else
    return false;
  return true;
}

// Adds one character; returns its columns.
static size_t add_character(Text *out, Utf8Char c, const char *bytes) {
  char buffer[16];
  if (escape(c, bytes[0], buffer, sizeof(buffer))) {
    if (out)
      text_add(out, buffer);
    return strlen(buffer);
  }
  if (out)
    text_add_n(out, bytes, c.size_bytes);
  return utf8_width(c.code_point);
}

size_t display_add(Text *out, const char *bytes, size_t length, size_t column) {
  for (size_t i = 0; i < length;) {
    Utf8Char c = utf8_decode(bytes + i, length - i);
    if (c.code_point == '\t') {
      size_t n_spaces = TAB_COLUMNS - column % TAB_COLUMNS;
      if (out)
        text_add_repeat(out, ' ', n_spaces);
      column += n_spaces;
    } else {
      column += add_character(out, c, bytes + i);
    }
    i += c.size_bytes;
  }
  return column;
}

void display_add_message(Text *out, const char *message, size_t indent) {
  size_t length = strlen(message);
  for (size_t i = 0; i < length;) {
    Utf8Char c = utf8_decode(message + i, length - i);
    if (c.code_point == '\n') {
      text_add_char(out, '\n');
      text_add_repeat(out, ' ', indent);
    } else if (c.code_point == '\t') {
      text_add_char(out, ' ');
    } else {
      add_character(out, c, message + i);
    }
    i += c.size_bytes;
  }
}

size_t display_count_characters(const char *bytes, size_t length) {
  size_t count = 0;
  for (size_t i = 0; i < length; count++)
    i += utf8_decode(bytes + i, length - i).size_bytes;
  return count;
}

size_t display_character_start(const char *bytes, size_t length,
                               size_t offset) {
  // A character has at most four bytes.
  for (size_t back = 1; back < 4 && back <= offset; back++) {
    size_t start = offset - back;
    Utf8Char c = utf8_decode(bytes + start, length - start);
    if (c.is_valid && c.size_bytes > back)
      return start;
  }
  return offset;
}
