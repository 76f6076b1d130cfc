// SPDX-License-Identifier: Apache-2.0
#include "syntax/load/source_scan.h"

#include "base/utf8.h"
#include <string.h>

// --- Directives ------------------------------------------------------------

typedef struct {
  const char *text;
  size_t pos, length;
} Scan;

static char source_scan_char_at(const Scan *scan, size_t offset) {
  size_t at = scan->pos + offset;
  return at < scan->length ? scan->text[at] : '\0';
}

static bool source_scan_is_word_char(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z') || c == '_';
}

static size_t source_scan_word_length(const Scan *scan) {
  size_t n = 0;
  while (source_scan_is_word_char(source_scan_char_at(scan, n)))
    n++;
  return n;
}

static void source_scan_skip_line(Scan *scan) {
  while (scan->pos < scan->length && source_scan_char_at(scan, 0) != '\n')
    scan->pos++;
}

static void skip_quoted(Scan *scan) {
  char quote = source_scan_char_at(scan, 0);
  scan->pos++;
  while (scan->pos < scan->length && source_scan_char_at(scan, 0) != '\n') {
    char c = source_scan_char_at(scan, 0);
    scan->pos += c == '\\' ? 2 : 1;
    if (c == quote)
      return;
  }
}

static void skip_block_comment(Scan *scan) {
  scan->pos += 2;
  while (scan->pos < scan->length && !(source_scan_char_at(scan, 0) == '*' &&
                                       source_scan_char_at(scan, 1) == '/'))
    scan->pos++;
  scan->pos += 2;
}

static bool is_predefined_macro(const char *word, size_t length) {
  static const char *const names[] = {
      "__LINE__",   "__FILE__",      "__DATE__",         "__TIME__",
      "__HEDDLE__", "_Pragma",       "__COUNTER__",      "__INCLUDE_LEVEL__",
      "__STDC__",   "__BASE_FILE__", "__STDC_VERSION__", "__TIMESTAMP__"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
    if (strlen(names[i]) == length && memcmp(names[i], word, length) == 0)
      return true;
  return false;
}

// At `#`: whether this is a directive to be obeyed. Leaves pragmas behind.
static bool is_directive(Scan *scan) {
  scan->pos++;
  while (source_scan_char_at(scan, 0) == ' ' ||
         source_scan_char_at(scan, 0) == '\t')
    scan->pos++;
  bool is_pragma = source_scan_word_length(scan) == 6 &&
                   memcmp(scan->text + scan->pos, "pragma", 6) == 0;
  source_scan_skip_line(scan);
  return !is_pragma;
}

// Takes a number whole, with its digit separators, so that they open no quote.
static void source_scan_skip_number(Scan *scan) {
  while (source_scan_is_word_char(source_scan_char_at(scan, 0)) ||
         source_scan_char_at(scan, 0) == '.' ||
         (source_scan_char_at(scan, 0) == '\'' &&
          source_scan_is_word_char(source_scan_char_at(scan, 1))))
    scan->pos++;
}

bool source_needs_preprocessor(const char *text, size_t length) {
  Scan scan = {text, 0, length};
  bool is_line_start = true;
  if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
    scan.pos = 3; // a byte order mark
  while (scan.pos < length) {
    char c = source_scan_char_at(&scan, 0);
    bool is_blank = c == ' ' || (c >= '\t' && c <= '\r');
    if (c == '#' && is_line_start && is_directive(&scan))
      return true;
    if (c == '/' && source_scan_char_at(&scan, 1) == '/') {
      source_scan_skip_line(&scan);
    } else if (c == '/' && source_scan_char_at(&scan, 1) == '*') {
      skip_block_comment(&scan);
      continue; // a comment is a blank: a `#` may follow it
    } else if (c == '"' || c == '\'') {
      skip_quoted(&scan);
    } else if (c >= '0' && c <= '9') {
      source_scan_skip_number(&scan);
    } else if (source_scan_is_word_char(c)) {
      size_t n = source_scan_word_length(&scan);
      if (is_predefined_macro(text + scan.pos, n))
        return true;
      scan.pos += n;
    } else if (c != '#' || !is_line_start) {
      scan.pos++;
    }
    is_line_start = c == '\n' || (is_line_start && (is_blank || c == '#'));
  }
  return false;
}

// --- Text or not -----------------------------------------------------------

static const char *bad_byte(Arena *arena, const char *text, size_t length,
                            size_t at) {
  unsigned char byte = (unsigned char)text[at];
  bool is_utf16 =
      at == 0 && length >= 2 &&
      (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0);
  if (is_utf16)
    return "it seems to be UTF-16: save it as UTF-8";
  return arena_printf(arena, "byte 0x%02x is not UTF-8 here", byte);
}

static const char *bad_control(Arena *arena, unsigned char byte) {
  return arena_printf(arena, "byte 0x%02x makes it look like a binary file",
                      byte);
}

static bool source_scan_is_control(unsigned char c) {
  return (c < ' ' && !(c >= '\t' && c <= '\r')) || c == 0x7f;
}

const char *source_find_bad_text(Arena *arena, const char *text, size_t length,
                                 size_t *offset) {
  size_t i = 0;
  while (i < length) {
    unsigned char c = (unsigned char)text[i];
    *offset = i;
    if (source_scan_is_control(c))
      return bad_control(arena, c);
    if (c < 0x80) {
      i++;
      continue;
    }
    Utf8Char point = utf8_decode(text + i, length - i);
    if (!point.is_valid)
      return bad_byte(arena, text, length, i);
    i += point.size_bytes;
  }
  return NULL;
}

// --- Continued lines -------------------------------------------------------

// Bytes of the backslash and line end at `at`, 0 if there is none.
static size_t splice_length(const char *at, size_t left) {
  if (left >= 2 && at[0] == '\\' && at[1] == '\n')
    return 2;
  return left >= 3 && memcmp(at, "\\\r\n", 3) == 0 ? 3 : 0;
}

static bool has_splice(const char *text, size_t length) {
  const char *at = text;
  const char *end = text + length;
  while ((at = memchr(at, '\\', (size_t)(end - at))) != NULL) {
    if (splice_length(at, (size_t)(end - at)))
      return true;
    at++;
  }
  return false;
}

// The newlines taken out are put behind the joined line.
const char *source_join_lines(Arena *arena, const char *text, size_t *length) {
  size_t left = *length;
  if (!has_splice(text, left))
    return text;
  char *joined = arena_alloc(arena, left + 1);
  size_t n = 0;
  size_t n_owed = 0;
  for (size_t i = 0; i < left;) {
    size_t splice = splice_length(text + i, left - i);
    if (splice) {
      n_owed++;
      i += splice;
      continue;
    }
    char c = text[i++];
    joined[n++] = c;
    for (; c == '\n' && n_owed > 0; n_owed--)
      joined[n++] = '\n';
  }
  *length = n;
  return joined;
}

static void plain(char *text, size_t from, size_t to) {
  for (size_t i = from; i < to; i++)
    if ((unsigned char)text[i] >= 0x80)
      text[i] = '?';
}

void source_plain_comments(Arena *arena, char *text, size_t length) {
  size_t bad = 0;
  if (!source_find_bad_text(arena, text, length, &bad))
    return;
  Scan scan = {.text = text, .length = length};
  while (scan.pos < length) {
    size_t begin = scan.pos;
    char next = source_scan_char_at(&scan, 1);
    if (source_scan_char_at(&scan, 0) == '/' && next == '/')
      source_scan_skip_line(&scan);
    else if (source_scan_char_at(&scan, 0) == '/' && next == '*')
      skip_block_comment(&scan);
    else if (source_scan_char_at(&scan, 0) == '"' ||
             source_scan_char_at(&scan, 0) == '\'') {
      skip_quoted(&scan);
      continue;
    } else {
      scan.pos++;
      continue;
    }
    plain(text, begin, scan.pos < length ? scan.pos : length);
  }
}
