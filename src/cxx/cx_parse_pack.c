// SPDX-License-Identifier: Apache-2.0
// Parameter packs: expansions, folds, their number.
#include "cxx/cx_parser.h"

#include <string.h>

// --- What is expanded ------------------------------------------------------

static bool parse_pack_is_member(const CxParser *cx, uint32_t at) {
  unsigned before = at > 0 ? cx->tokens[at - 1].kind : CX_TOK_EOF;
  return before == CX_TOK_DOT || before == CX_TOK_ARROW ||
         before == CX_TOK_COLON_COLON;
}

static void note_expansion(CxParser *cx, uint32_t begin, uint32_t end) {
  map_put(cx->arena, &cx->expansions, (uint64_t)begin + 1,
          (void *)((uintptr_t)end + 1));
}

// Behind the expansion that begins at `at`; 0: none does.
static uint32_t behind_expansion(const CxParser *cx, uint32_t at) {
  uintptr_t end = (uintptr_t)map_get(&cx->expansions, (uint64_t)at + 1);
  return end ? (uint32_t)(end - 1) : 0;
}

CxPackNames cx_pack_names(CxParser *cx, uint32_t begin) {
  hd_vec(const char *) names = {0};
  uint32_t end = cx->pos;
  for (uint32_t at = begin; at < end; at++) {
    uint32_t behind = at > begin ? behind_expansion(cx, at) : 0;
    if (behind > at && behind <= end) {
      at = behind - 1;
      continue;
    }
    if (cx->tokens[at].kind != CX_TOK_IDENT || parse_pack_is_member(cx, at))
      continue;
    const char *name = cx->tokens[at].u.name;
    bool is_known = false;
    for (uint32_t i = 0; i < names.count && !is_known; i++)
      is_known = names.data[i] == name;
    if (!is_known && names.count < SYNTAX_MAX_NESTING)
      VEC_PUSH(cx->arena, &names, name);
  }
  note_expansion(cx, begin, end);
  return (CxPackNames){names.data, names.count};
}

// init-clause "..."?
CxExpr *cx_parse_expansion(CxParser *cx, CxExpr *pattern, uint32_t begin) {
  if (!cx_at(cx, CX_TOK_ELLIPSIS))
    return pattern;
  CxExpr *expr = cx_new_expr(cx, CX_EXPR_EXPANSION, pattern->span);
  expr->u.expansion.pattern = pattern;
  expr->u.expansion.packs = cx_pack_names(cx, begin);
  cx_advance(cx);
  expr->span = cx_since(cx, pattern->span);
  return cx_finish(cx, expr, pattern, NULL);
}

// "sizeof" "..." "(" ident ")"
CxExpr *cx_parse_sizeof_pack(CxParser *cx, Span begin) {
  uint32_t first = cx->pos;
  cx_advance(cx);
  CxExpr *expr = cx_new_expr(cx, CX_EXPR_SIZEOF_PACK, begin);
  uint32_t opener = cx->pos;
  cx_expect(cx, CX_TOK_LPAREN);
  if (cx_at(cx, CX_TOK_IDENT)) {
    expr->u.name = cx_simple_name(cx, cx_token(cx)->u.name, cx_span(cx));
    cx_advance(cx);
  } else {
    expr->kind = CX_EXPR_POISON;
    cx_expected(cx, "the name of a parameter pack");
  }
  cx_expect_close(cx, CX_TOK_RPAREN, opener);
  note_expansion(cx, first, cx->pos);
  expr->span = cx_since(cx, begin);
  return expr;
}

// --- Folds -----------------------------------------------------------------

// (… op ...), (... op …), (… op ... op …): dots behind a name or a type are
// those of template arguments.
bool cx_at_fold(const CxParser *cx) {
  uint32_t end = cx->tokens[cx->pos].u.match;
  for (uint32_t at = cx->pos + 1; at < end && at < cx->limit;) {
    unsigned kind = cx->tokens[at].kind, before = cx->tokens[at - 1].kind;
    unsigned next = cx->tokens[at + 1].kind;
    bool is_dots = kind == CX_TOK_ELLIPSIS && before != CX_TOK_IDENT &&
                   before != CX_TOK_SIZEOF;
    if (is_dots && (at == cx->pos + 1 || at + 1 == end || next == before))
      return true;
    bool opens = kind == CX_TOK_LPAREN || kind == CX_TOK_LBRACKET ||
                 kind == CX_TOK_LBRACE;
    at = opens ? cx_behind_brackets(cx, at) : at + 1;
  }
  return false;
}

static void parse_side(CxParser *cx, CxExpr *fold, CxFoldSide *side) {
  uint32_t begin = cx->pos;
  side->expr = cx_parse_unary(cx);
  side->packs = cx_pack_names(cx, begin);
  cx_finish(cx, fold, side->expr, NULL);
}

static bool parse_pack_same_operator(const CxFoldOperator *a,
                                     const CxFoldOperator *b) {
  return a->is_comma == b->is_comma && a->is_assignment == b->is_assignment &&
         a->is_compound == b->is_compound && a->op == b->op;
}

// `op` "..." (op unary)?, the position is at the first operator
static void parse_behind_left(CxParser *cx, CxExpr *fold) {
  CxFoldOperator again;
  if (!cx_accept_fold_operator(cx, &fold->u.fold.op)) {
    cx_expected(cx, "an operator before '...'");
    return;
  }
  cx_expect(cx, CX_TOK_ELLIPSIS);
  if (cx_at(cx, CX_TOK_RPAREN) || cx->is_panicking)
    return;
  if (cx_accept_fold_operator(cx, &again) &&
      parse_pack_same_operator(&again, &fold->u.fold.op))
    parse_side(cx, fold, &fold->u.fold.right);
  else
    cx_expected(cx, "the same operator after '...'");
}

// fold: "(" unary op "..." (op unary)? ")" | "(" "..." op unary ")"
CxExpr *cx_parse_fold(CxParser *cx) {
  Span begin = cx_span(cx);
  uint32_t opener = cx->pos;
  bool no_gt = cx->no_gt;
  CxExpr *expr = cx_new_expr(cx, CX_EXPR_FOLD, begin);
  cx_advance(cx);
  cx->no_gt = false;
  if (cx_accept(cx, CX_TOK_ELLIPSIS)) {
    if (cx_accept_fold_operator(cx, &expr->u.fold.op))
      parse_side(cx, expr, &expr->u.fold.right);
    else
      cx_expected(cx, "an operator after '...'");
  } else {
    parse_side(cx, expr, &expr->u.fold.left);
    parse_behind_left(cx, expr);
  }
  cx_expect_close(cx, CX_TOK_RPAREN, opener);
  cx->no_gt = no_gt;
  expr->has_parens = true;
  expr->span = cx_since(cx, begin);
  if (!expr->u.fold.left.expr && !expr->u.fold.right.expr)
    expr->kind = CX_EXPR_POISON;
  return expr;
}
