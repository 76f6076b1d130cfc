// SPDX-License-Identifier: Apache-2.0
#include "diag/line_marker.h"

#include <string.h>

typedef struct {
  const char *at, *end;
} Cursor;

static void line_marker_skip_blanks(Cursor *cursor) {
  while (cursor->at < cursor->end &&
         (*cursor->at == ' ' || *cursor->at == '\t'))
    cursor->at++;
}

static bool skip_text(Cursor *cursor, const char *text) {
  size_t length = strlen(text);
  if ((size_t)(cursor->end - cursor->at) < length ||
      memcmp(cursor->at, text, length) != 0)
    return false;
  cursor->at += length;
  return true;
}

static bool line_marker_is_digit(const Cursor *cursor) {
  return cursor->at < cursor->end && *cursor->at >= '0' && *cursor->at <= '9';
}

// C limits line numbers to 2147483647.
static bool parse_line_number(Cursor *cursor, uint32_t *line) {
  if (!line_marker_is_digit(cursor))
    return false;
  uint64_t value = 0;
  for (; line_marker_is_digit(cursor); cursor->at++) {
    value = value * 10 + (uint64_t)(*cursor->at - '0');
    if (value > INT32_MAX)
      return false;
  }
  *line = (uint32_t)value;
  return true;
}

// After a backslash: up to three octal digits, or the character itself.
static char parse_escape(Cursor *cursor) {
  unsigned value = 0;
  int n_digits = 0;
  for (; n_digits < 3 && line_marker_is_digit(cursor) && *cursor->at < '8';
       n_digits++)
    value = value * 8 + (unsigned)(*cursor->at++ - '0');
  return n_digits > 0 ? (char)(unsigned char)value : *cursor->at++;
}

static const char *parse_name(Arena *arena, Cursor *cursor) {
  char *name = arena_alloc(arena, (size_t)(cursor->end - cursor->at) + 1);
  size_t length = 0;
  cursor->at++; // the quote
  while (cursor->at < cursor->end && *cursor->at != '"') {
    char c = *cursor->at++;
    if (c == '\\' && cursor->at < cursor->end)
      c = parse_escape(cursor);
    if (c != '\0')
      name[length++] = c;
  }
  return name;
}

bool line_marker_parse(Arena *arena, const char *text, size_t length,
                       LineMarker *out) {
  Cursor cursor = {text, text + length};
  *out = (LineMarker){0};
  line_marker_skip_blanks(&cursor);
  if (!skip_text(&cursor, "#"))
    return false;
  line_marker_skip_blanks(&cursor);
  if (skip_text(&cursor, "line"))
    line_marker_skip_blanks(&cursor);
  if (!parse_line_number(&cursor, &out->line))
    return false;
  line_marker_skip_blanks(&cursor);
  if (cursor.at < cursor.end && *cursor.at == '"')
    out->file = parse_name(arena, &cursor);
  return true;
}
