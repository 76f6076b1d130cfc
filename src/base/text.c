// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include "base/panic.h"
#include "base/utf8.h"
#include <stdio.h>
#include <string.h>

// Room for `more` bytes and the NUL.
static void text_reserve(Text *text, size_t more) {
  size_t needed = text->length + more + 1;
  HD_ASSERT(needed > more);
  if (needed <= text->capacity)
    return;
#ifdef HD_STRESS
  size_t grown = text->capacity < 128 ? needed : text->capacity / 4 * 5;
#else
  size_t grown = text->capacity * 2 < 64 ? 64 : text->capacity * 2;
#endif
  grown = grown < needed ? needed : grown;
  char *data = arena_alloc(text->arena, grown);
  if (text->length)
    memcpy(data, text->data, text->length);
  text->data = data;
  text->capacity = grown;
}

void text_add_n(Text *text, const char *bytes, size_t length) {
  text_reserve(text, length);
  if (length)
    memcpy(text->data + text->length, bytes, length);
  text->length += length;
  text->data[text->length] = '\0';
}

void text_add(Text *text, const char *string) {
  text_add_n(text, string, strlen(string));
}

void text_add_char(Text *text, char c) {
  text_add_n(text, &c, 1);
}

void text_add_repeat(Text *text, char c, size_t count) {
  text_reserve(text, count);
  memset(text->data + text->length, c, count);
  text->length += count;
  text->data[text->length] = '\0';
}

void text_vprintf(Text *text, const char *format, va_list args) {
  va_list measured;
  va_copy(measured, args);
  int length = vsnprintf(NULL, 0, format, measured);
  va_end(measured);
  HD_ASSERT(length >= 0);
  text_reserve(text, (size_t)length);
  vsnprintf(text->data + text->length, (size_t)length + 1, format, args);
  text->length += (size_t)length;
}

void text_printf(Text *text, const char *format, ...) {
  va_list args;
  va_start(args, format);
  text_vprintf(text, format, args);
  va_end(args);
}

const char *text_cstr(const Text *text) {
  return text->data ? text->data : "";
}

// One character of a JSON string.
static void add_json_char(Text *text, Utf8Char c, const char *bytes) {
  static const char escaped[] = "\"\\\b\f\n\r\t";
  static const char letters[] = "\"\\bfnrt";
  const char *found = NULL;
  if (c.code_point != 0 && c.code_point < 0x80)
    found = strchr(escaped, (int)c.code_point);
  if (found) {
    text_add_char(text, '\\');
    text_add_char(text, letters[found - escaped]);
  } else if (c.code_point < 0x20 || c.code_point == 0x7F) {
    text_printf(text, "\\u%04x", (unsigned)c.code_point);
  } else if (!c.is_valid) {
    text_add(text, "\xEF\xBF\xBD");
  } else {
    text_add_n(text, bytes, c.size_bytes);
  }
}

void text_add_json_n(Text *text, const char *bytes, size_t length) {
  text_add_char(text, '"');
  for (size_t i = 0; i < length;) {
    Utf8Char c = utf8_decode(bytes + i, length - i);
    add_json_char(text, c, bytes + i);
    i += c.size_bytes;
  }
  text_add_char(text, '"');
}

void text_add_json(Text *text, const char *string) {
  text_add_json_n(text, string, strlen(string));
}
