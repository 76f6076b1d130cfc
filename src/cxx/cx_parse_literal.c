// SPDX-License-Identifier: Apache-2.0
// Numbers, characters and strings.
#include "cxx/cx_parser.h"

#include "base/utf8.h"
#include "syntax/lex_escape.h"
#include "syntax/number.h"
#include <string.h>

// --- Numbers ---------------------------------------------------------------

// A suffix of the user's (1.5_km): behind the first `_`.
static bool has_own_suffix(const char *text, uint32_t length) {
  return memchr(text, '_', length) != NULL;
}

CxExpr *cx_parse_number(CxParser *cx) {
  Span span = cx_span(cx);
  uint32_t length;
  const char *text = cx_token_text(cx, cx_token(cx), &length);
  if (has_own_suffix(text, length)) {
    cx_advance(cx);
    return cx_unsupported_expr(cx, span, "literals with a user-defined suffix");
  }
  NumberValue number = number_read(cx->arena, text, length);
  if (number.problem) {
    cx_problem(cx, number.problem_id, span, number.text, number.problem);
    cx_advance(cx);
    return cx_new_expr(cx, CX_EXPR_POISON, span);
  }
  cx_advance(cx);
  CxExpr *expr =
      cx_new_expr(cx, number.is_float ? CX_EXPR_FLOAT : CX_EXPR_INT, span);
  if (number.is_float) {
    expr->u.float_lit.value = number.float_value;
    expr->u.float_lit.digits = number.digits;
    expr->u.float_lit.suffix = number.suffix;
  } else {
    expr->u.int_lit.value = number.value;
    expr->u.int_lit.base = number.base;
    expr->u.int_lit.n_longs = number.n_longs;
    expr->u.int_lit.is_unsigned = number.is_unsigned;
  }
  return expr;
}

// --- The inside of quotes --------------------------------------------------

typedef struct {
  CxParser *cx;
  const char *text;
  uint32_t pos, end; // of the inside
  LiteralPrefix prefix;
  bool is_raw;
  bool has_suffix;
  Span span;
  bool is_bad; // was noted
} Quoted;

static uint32_t read_prefix(const char *text, LiteralPrefix *prefix) {
  switch (text[0]) {
  case 'U': *prefix = LITERAL_PREFIX_U32; return 1;
  case 'L': *prefix = LITERAL_PREFIX_WIDE; return 1;
  case 'u':
    *prefix = text[1] == '8' ? LITERAL_PREFIX_U8 : LITERAL_PREFIX_U16;
    return text[1] == '8' ? 2 : 1;
  default: *prefix = LITERAL_PREFIX_NONE; return 0;
  }
}

static Quoted parse_literal_open_quoted(CxParser *cx) {
  const CxToken *token = cx_token(cx);
  Quoted out = {.cx = cx, .span = {token->begin, token->end}};
  uint32_t length;
  out.text = cx_token_text(cx, token, &length);
  uint32_t at = read_prefix(out.text, &out.prefix);
  out.is_raw = out.text[at] == 'R';
  at += out.is_raw;
  char quote = out.text[at];
  uint32_t end = length;
  while (end > at + 1 && out.text[end - 1] != quote)
    end--;
  out.has_suffix = end < length;
  out.pos = at + 1;
  out.end = end - 1;
  if (!out.is_raw)
    return out;
  uint32_t n_delimiter = 0;
  while (out.text[out.pos] != '(') {
    out.pos++;
    n_delimiter++;
  }
  out.pos++;
  out.end -= n_delimiter + 1;
  return out;
}

static void note_escape(Quoted *quoted, const Escape *escape) {
  CxParser *cx = quoted->cx;
  const char *text = arena_strndup(cx->arena, quoted->text + quoted->pos,
                                   escape->n_bytes < 16 ? escape->n_bytes : 16);
  if (!quoted->is_bad)
    cx_problem(cx, DIAG_bad_escape, quoted->span, text, escape->problem);
  quoted->is_bad = true;
}

// The next character; *is_point: a code point, else a byte.
static uint32_t next_char(Quoted *quoted, bool *is_point) {
  const char *at = quoted->text + quoted->pos;
  uint32_t left = quoted->end - quoted->pos;
  if (*at == '\\' && !quoted->is_raw) {
    Escape escape = escape_read(at, left);
    if (escape.problem)
      note_escape(quoted, &escape);
    quoted->pos += escape.n_bytes;
    *is_point = escape.is_code_point;
    return escape.value;
  }
  Utf8Char c = utf8_decode(at, left);
  quoted->pos += c.size_bytes;
  *is_point = c.is_valid;
  return c.is_valid ? c.code_point : (unsigned char)*at;
}

static const char *const own_suffix = "literals with a user-defined suffix";

CxExpr *cx_parse_char(CxParser *cx) {
  Quoted quoted = parse_literal_open_quoted(cx);
  CxExpr *expr = cx_new_expr(cx, CX_EXPR_CHAR, quoted.span);
  bool is_point = false;
  uint32_t value = 0;
  if (quoted.pos < quoted.end)
    value = next_char(&quoted, &is_point);
  else
    cx_problem(cx, DIAG_bad_char_constant, quoted.span, "it is empty", NULL);
  if (quoted.pos < quoted.end && !quoted.is_bad)
    cx_problem(cx, DIAG_bad_char_constant, quoted.span,
               "it holds more than one character; strings take double quotes",
               NULL);
  bool is_narrow = quoted.prefix == LITERAL_PREFIX_NONE;
  if (is_narrow && is_point && value > 0x7f)
    cx_problem(cx, DIAG_bad_char_constant, quoted.span,
               "the character has several bytes: write U'…'", NULL);
  cx_advance(cx);
  expr->u.char_lit.value =
      is_narrow && value > 0x7f ? value | 0xffffff00u : value;
  expr->u.char_lit.prefix = quoted.prefix;
  return quoted.has_suffix ? cx_unsupported_expr(cx, quoted.span, own_suffix)
                           : expr;
}

static void add_string(Quoted *quoted, Text *out) {
  while (quoted->pos < quoted->end) {
    bool is_point;
    uint32_t value = next_char(quoted, &is_point);
    if (!is_point && value <= 0xff) {
      text_add_char(out, (char)value);
    } else if (value <= 0x10ffff) {
      char bytes[4];
      text_add_n(out, bytes, utf8_encode(value, bytes));
    }
  }
}

// string: ('"' char* '"')+
CxExpr *cx_parse_string(CxParser *cx) {
  Span begin = cx_span(cx);
  Text bytes = {.arena = cx->arena};
  LiteralPrefix prefix = LITERAL_PREFIX_NONE;
  bool has_suffix = false;
  while (cx_at(cx, CX_TOK_STRING)) {
    Quoted quoted = parse_literal_open_quoted(cx);
    if (quoted.prefix != LITERAL_PREFIX_NONE)
      prefix = quoted.prefix;
    has_suffix |= quoted.has_suffix;
    add_string(&quoted, &bytes);
    cx_advance(cx);
  }
  if (has_suffix)
    return cx_unsupported_expr(cx, begin, own_suffix);
  CxExpr *expr = cx_new_expr(cx, CX_EXPR_STRING, cx_since(cx, begin));
  expr->u.string_lit.bytes = text_cstr(&bytes);
  expr->u.string_lit.length = bytes.length;
  expr->u.string_lit.prefix = prefix;
  return expr;
}
