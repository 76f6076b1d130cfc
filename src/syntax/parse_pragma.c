// SPDX-License-Identifier: Apache-2.0
// Pragmas. The lexer gives the words of the line and then TOK_PRAGMA_END; it
// has dropped all pragmas but unroll, heddle and STDC.
#include "syntax/parser.h"

// Skips to the end of the line, in panic or not, and ends a panic.
static void finish_line(Parser *cx) {
  if (cx->is_panicking) {
    cx->is_panicking = false;
    cx->token = cx->real;
  }
  while (!at(cx, TOK_PRAGMA_END) && !at(cx, TOK_EOF))
    parser_advance(cx);
  accept(cx, TOK_PRAGMA_END);
}

static void report_pragma(Parser *cx, const char *name, const char *why) {
  if (!parser_is_reported(cx))
    DIAG_REPORT(cx->diags, DIAG_bad_pragma, parser_place(cx, cx->token.span),
                DS(name), DS(why));
  parser_panic(cx);
}

// unroll: 'unroll' ('(' conditional ')' | conditional)?
static void parse_pragma_unroll(Parser *cx, Span begin) {
  parse_pragma_check_used(cx);
  parser_advance(cx);
  cx->unroll = (UnrollPragma){.is_present = true, .span = begin};
  if (!at(cx, TOK_PRAGMA_END))
    cx->unroll.count = parse_conditional(cx);
  cx->unroll.span = span_since(cx, begin);
}

static bool parse_fp_contract(Parser *cx, PragmaKind *kind) {
  const Words *words = &cx->words;
  bool is_known = true;
  parser_advance(cx);
  if (at_word(cx, words->ON))
    *kind = PRAGMA_FP_CONTRACT_ON;
  else if (at_word(cx, words->OFF))
    *kind = PRAGMA_FP_CONTRACT_OFF;
  else if (at(cx, TOK_DEFAULT) || at_word(cx, words->DEFAULT))
    *kind = PRAGMA_FP_CONTRACT_DEFAULT;
  else
    is_known = false;
  if (!is_known)
    report_pragma(cx, "STDC FP_CONTRACT", "ON, OFF or DEFAULT must follow");
  parser_advance(cx);
  return is_known;
}

// stdc: 'STDC' 'FP_CONTRACT' ('ON' | 'OFF' | 'DEFAULT') | 'STDC' anything
static bool parse_stdc(Parser *cx, PragmaKind *kind) {
  parser_advance(cx);
  if (at_word(cx, cx->words.FP_CONTRACT))
    return parse_fp_contract(cx, kind);
  if (at(cx, TOK_IDENT))
    DIAG_REPORT(cx->diags, DIAG_unknown_pragma,
                parser_place(cx, cx->token.span),
                DS(arena_printf(cx->arena, "STDC %s", cx->token.name)));
  else
    report_pragma(cx, "STDC", "FP_CONTRACT must follow");
  parser_panic(cx);
  return false;
}

// work: ('flops' | 'bytes') '(' expr ')'
static void parse_work(Parser *cx) {
  Expr **slot = at_word(cx, cx->words.flops) ? &cx->flops : &cx->bytes;
  parser_advance(cx);
  Token opener = cx->token;
  expect(cx, TOK_LPAREN);
  *slot = parse_expr(cx);
  expect_close(cx, TOK_RPAREN, &opener);
}

// heddle: 'heddle' ('fast_math' | work+)
static bool parse_heddle(Parser *cx, PragmaKind *kind) {
  const Words *words = &cx->words;
  parser_advance(cx);
  if (at_word(cx, words->fast_math)) {
    parser_advance(cx);
    *kind = PRAGMA_FAST_MATH;
    return true;
  }
  if (!at_word(cx, words->flops) && !at_word(cx, words->bytes))
    report_pragma(cx, "heddle",
                  "fast_math, flops(expr) or bytes(expr) must follow");
  while (at_word(cx, words->flops) || at_word(cx, words->bytes))
    parse_work(cx);
  return false;
}

// pragma: '#pragma' (unroll | stdc | heddle) end-of-line
bool parse_pragma(Parser *cx, PragmaKind *kind) {
  Span begin = cx->token.span;
  const char *name = "heddle";
  bool is_node = false;
  parser_advance(cx);
  if (at_word(cx, cx->words.unroll)) {
    name = "unroll";
    parse_pragma_unroll(cx, begin);
  } else if (at_word(cx, cx->words.STDC)) {
    name = "STDC";
    is_node = parse_stdc(cx, kind);
  } else {
    is_node = parse_heddle(cx, kind);
  }
  if (!at(cx, TOK_PRAGMA_END) && !at(cx, TOK_PANIC))
    report_pragma(cx, name, "the line must end here");
  if (at(cx, TOK_PANIC))
    cx->unroll = (UnrollPragma){0};
  finish_line(cx);
  return is_node;
}

void parse_pragma_check_used(Parser *cx) {
  if (cx->unroll.is_present && !cx->is_panicking)
    DIAG_REPORT(cx->diags, DIAG_bad_pragma, parser_place(cx, cx->unroll.span),
                DS("unroll"), DS("no loop follows it"));
  cx->unroll = (UnrollPragma){0};
}
