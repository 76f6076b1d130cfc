// SPDX-License-Identifier: Apache-2.0
// Character constants and strings (numbers: parse_number.c).
#include "syntax/parser.h"

#include "base/text.h"
#include "base/utf8.h"
#include "syntax/lex_escape.h"
#include <string.h>

// The inside of a quoted token.
typedef struct {
  Parser *cx;
  const char *text; // of the whole unit
  uint32_t pos, end;
  LiteralPrefix prefix;
  bool is_bad; // was reported
} Quoted;

static LiteralPrefix parse_literal_read_prefix(const char *text,
                                               uint32_t *n_bytes) {
  *n_bytes = 1;
  switch (text[0]) {
  case 'U': return LITERAL_PREFIX_U32;
  case 'L': return LITERAL_PREFIX_WIDE;
  case 'u':
    if (text[1] != '8')
      return LITERAL_PREFIX_U16;
    *n_bytes = 2;
    return LITERAL_PREFIX_U8;
  default: *n_bytes = 0; return LITERAL_PREFIX_NONE;
  }
}

static Quoted open_quoted(Parser *cx, const Token *token) {
  Quoted quoted = {.cx = cx, .text = source_text(cx->source)};
  uint32_t n_prefix;
  quoted.prefix =
      parse_literal_read_prefix(quoted.text + token->span.begin, &n_prefix);
  quoted.pos = token->span.begin + n_prefix + 1;
  quoted.end = token->span.end - 1;
  return quoted;
}

typedef struct {
  uint32_t value;
  bool is_code_point; // else a byte or unit of \x or \123
} QuotedChar;

static uint32_t unit_limit(LiteralPrefix prefix) {
  switch (prefix) {
  case LITERAL_PREFIX_NONE:
  case LITERAL_PREFIX_U8: return 0xff;
  case LITERAL_PREFIX_U16: return 0xffff;
  case LITERAL_PREFIX_U32:
  case LITERAL_PREFIX_WIDE: break;
  }
  return UINT32_MAX;
}

static void report_escape(Quoted *quoted, uint32_t n_bytes, const char *why) {
  Parser *cx = quoted->cx;
  Span span = {quoted->pos, quoted->pos + n_bytes};
  const char *text =
      n_bytes <= 16
          ? arena_strndup(cx->arena, quoted->text + quoted->pos, n_bytes)
          : "\\x…";
  DIAG_REPORT(cx->diags, DIAG_bad_escape, parser_place(cx, span), DS(text),
              DS(why));
  quoted->is_bad = true;
}

static QuotedChar next_escape(Quoted *quoted) {
  Escape escape =
      escape_read(quoted->text + quoted->pos, quoted->end - quoted->pos);
  const char *problem = escape.problem;
  bool is_wide = unit_limit(quoted->prefix) > 0xff;
  bool is_surrogate = escape.value >= 0xd800 && escape.value <= 0xdfff;
  if (!problem && !escape.is_code_point &&
      escape.value > unit_limit(quoted->prefix))
    problem = "it does not fit in one character";
  if (!problem && is_wide && (is_surrogate || escape.value > 0x10ffff))
    problem = "no character has this number";
  if (problem)
    report_escape(quoted, escape.n_bytes, problem);
  quoted->pos += escape.n_bytes;
  return (QuotedChar){escape.value, escape.is_code_point};
}

// The next character or escape; there is one.
static QuotedChar parse_literal_next_char(Quoted *quoted) {
  if (quoted->text[quoted->pos] == '\\')
    return next_escape(quoted);
  Utf8Char c =
      utf8_decode(quoted->text + quoted->pos, quoted->end - quoted->pos);
  if (!c.is_valid && !quoted->is_bad) {
    Span span = {quoted->pos, quoted->pos + 1};
    DIAG_REPORT(quoted->cx->diags, DIAG_bad_character,
                parser_place(quoted->cx, span), DS("that is not UTF-8"));
    quoted->is_bad = true;
  }
  quoted->pos += c.size_bytes;
  return (QuotedChar){c.code_point, true};
}

static void report_char(Parser *cx, Span span, const char *why) {
  DIAG_REPORT(cx->diags, DIAG_bad_char_constant, parser_place(cx, span),
              DS(why));
}

// Why the only character of the constant can't be its value, or NULL.
static const char *char_problem(LiteralPrefix prefix, QuotedChar c) {
  if (!c.is_code_point)
    return NULL;
  if (prefix == LITERAL_PREFIX_NONE && c.value > 0x7f)
    return "the character has several bytes: write U'…'";
  if (prefix == LITERAL_PREFIX_U8 && c.value > 0x7f)
    return "the character has several bytes: write U'…'";
  if (prefix == LITERAL_PREFIX_U16 && c.value > 0xffff)
    return "the character needs 32 bits: write U'…'";
  return NULL;
}

// char-constant: prefix? "'" char "'"
Expr *parse_char(Parser *cx) {
  Token token = cx->token;
  Expr *expr = new_expr(cx, EXPR_POISON, token.span);
  parser_advance(cx);
  if (token.is_bad)
    return expr;
  Quoted quoted = open_quoted(cx, &token);
  if (quoted.pos == quoted.end) {
    report_char(cx, token.span, "it is empty");
    return expr;
  }
  QuotedChar c = parse_literal_next_char(&quoted);
  if (quoted.is_bad)
    return expr;
  const char *problem = char_problem(quoted.prefix, c);
  if (!problem && quoted.pos != quoted.end)
    problem = "it holds more than one character; strings take double quotes";
  if (problem) {
    report_char(cx, token.span, problem);
    return expr;
  }
  bool is_signed = quoted.prefix == LITERAL_PREFIX_NONE && c.value > 0x7f;
  expr->kind = EXPR_CHAR;
  expr->u.char_lit.value = is_signed ? c.value | 0xffffff00u : c.value;
  expr->u.char_lit.prefix = quoted.prefix;
  return expr;
}

// Appends one string token; false if something was reported.
static bool parse_literal_add_string(Parser *cx, const Token *token,
                                     Text *out) {
  Quoted quoted = open_quoted(cx, token);
  while (quoted.pos < quoted.end) {
    QuotedChar c = parse_literal_next_char(&quoted);
    bool is_byte = !c.is_code_point && c.value <= 0xff &&
                   unit_limit(quoted.prefix) == 0xff;
    if (is_byte) {
      text_add_char(out, (char)c.value);
    } else if (c.value <= 0x10ffff) {
      char bytes[4];
      text_add_n(out, bytes, utf8_encode(c.value, bytes));
    }
  }
  return !quoted.is_bad;
}

// string: (prefix? '"' char* '"')+
Expr *parse_string(Parser *cx) {
  Span begin = cx->token.span;
  Text bytes = {.arena = cx->arena};
  LiteralPrefix prefix = LITERAL_PREFIX_NONE;
  bool is_good = true;
  while (at(cx, TOK_STRING)) {
    Token token = cx->token;
    parser_advance(cx);
    if (token.is_bad) {
      is_good = false;
      continue;
    }
    LiteralPrefix own = open_quoted(cx, &token).prefix;
    if (own != LITERAL_PREFIX_NONE && prefix != LITERAL_PREFIX_NONE &&
        own != prefix && is_good) {
      report_char(cx, token.span,
                  "strings of different prefixes can't be "
                  "joined");
      is_good = false;
    }
    if (own != LITERAL_PREFIX_NONE)
      prefix = own;
    is_good = parse_literal_add_string(cx, &token, &bytes) && is_good;
  }
  Expr *expr =
      new_expr(cx, is_good ? EXPR_STRING : EXPR_POISON, span_since(cx, begin));
  if (is_good) {
    expr->u.string_lit.bytes = text_cstr(&bytes);
    expr->u.string_lit.length = bytes.length;
    expr->u.string_lit.prefix = prefix;
  }
  return expr;
}
