// SPDX-License-Identifier: Apache-2.0
// Unary operators, casts, and what follows a primary expression.
#include "cxx/cx_parser.h"

// --- Words with an operand -------------------------------------------------

// "(" type-id ")" if that is what stands here.
static CxType *try_parenthesized_type(CxParser *cx) {
  if (!cx_at(cx, CX_TOK_LPAREN))
    return NULL;
  CxAttempt attempt = cx_try(cx);
  CxType *type = NULL;
  cx->no_gt = false;
  cx_advance(cx);
  if (cx_at_type(cx, false))
    type = cx_parse_type_id(cx);
  bool is_good = type && cx_accept(cx, CX_TOK_RPAREN);
  if (!cx_try_end(cx, &attempt, is_good))
    return NULL;
  cx->no_gt = attempt.no_gt;
  return type;
}

// sizeof: "sizeof" ("(" type-id ")" | unary | "..." "(" ident ")")
static CxExpr *parse_sizeof(CxParser *cx) {
  Span begin = cx_span(cx);
  cx_advance(cx);
  if (cx_at(cx, CX_TOK_ELLIPSIS))
    return cx_parse_sizeof_pack(cx, begin);
  CxExpr *expr = cx_new_expr(cx, CX_EXPR_SIZEOF_TYPE, begin);
  expr->u.type = try_parenthesized_type(cx);
  CxExpr *operand = NULL;
  if (!expr->u.type) {
    expr->kind = CX_EXPR_SIZEOF_EXPR;
    operand = expr->u.operand = cx_parse_unary(cx);
  }
  expr->span = cx_since(cx, begin);
  return cx_finish(cx, expr, operand, NULL);
}

// alignof: "alignof" "(" type-id ")"
static CxExpr *parse_alignof(CxParser *cx) {
  Span begin = cx_span(cx);
  cx_advance(cx);
  CxExpr *expr = cx_new_expr(cx, CX_EXPR_ALIGNOF, begin);
  expr->u.type = try_parenthesized_type(cx);
  if (!expr->u.type) {
    cx_expected(cx, "a type in parentheses");
    expr->kind = CX_EXPR_POISON;
  }
  expr->span = cx_since(cx, begin);
  return expr;
}

// new and delete: what stands behind them is skipped.
static CxExpr *parse_new(CxParser *cx) {
  Span begin = cx_span(cx);
  cx_accept(cx, CX_TOK_COLON_COLON);
  cx_advance(cx);
  if (cx_at(cx, CX_TOK_LPAREN))
    cx_skip_brackets(cx);
  CxSpecs specs = {0};
  if (cx_at_type(cx, true)) {
    specs = cx_parse_specifiers(cx, NULL);
    if (specs.type)
      cx_parse_pointers(cx, specs.type, &specs);
  }
  while (cx_at(cx, CX_TOK_LBRACKET) || cx_at(cx, CX_TOK_LPAREN) ||
         cx_at(cx, CX_TOK_LBRACE))
    cx_skip_brackets(cx);
  return cx_unsupported_expr(
      cx, begin, "'new'; use a variable, or an array that is a parameter");
}

static CxExpr *parse_delete(CxParser *cx) {
  Span begin = cx_span(cx);
  cx_advance(cx);
  if (cx_at(cx, CX_TOK_LBRACKET))
    cx_skip_brackets(cx);
  cx_parse_unary(cx);
  return cx_unsupported_expr(cx, begin, "'delete'");
}

static CxExpr *parse_throw(CxParser *cx) {
  Span begin = cx_span(cx);
  cx_advance(cx);
  if (!cx_at(cx, CX_TOK_SEMICOLON) && !cx_at(cx, CX_TOK_RPAREN) &&
      !cx_at(cx, CX_TOK_COLON) && !cx_at(cx, CX_TOK_COMMA))
    cx_parse_assignment(cx);
  return cx_unsupported_expr(cx, begin, "exceptions");
}

// --- Casts -----------------------------------------------------------------

// Whether an operand may begin behind `(T)`.
static bool at_cast_operand(const CxParser *cx) {
  switch ((int)cx->kind) {
  case CX_TOK_EOF:
  case CX_TOK_RPAREN:
  case CX_TOK_RBRACKET:
  case CX_TOK_RBRACE:
  case CX_TOK_SEMICOLON:
  case CX_TOK_COMMA:
  case CX_TOK_COLON:
  case CX_TOK_QUESTION:
  case CX_TOK_DOT:
  case CX_TOK_ARROW:
  case CX_TOK_ELLIPSIS:
  case CX_TOK_EQ:
  case CX_TOK_GT:
  case CX_TOK_LT: return false;
  default: return true;
  }
}

// `(x *)` and `(x) y` of a name nobody knows are casts.
static bool at_unknown_cast(CxParser *cx) {
  if (!cx_at(cx, CX_TOK_LPAREN) || cx_peek(cx, 1) != CX_TOK_IDENT)
    return false;
  uint32_t close = cx->tokens[cx->pos].u.match;
  if (close + 1 >= cx->limit || close < cx->pos + 2)
    return false;
  unsigned next = cx->tokens[close + 1].kind;
  return cx->tokens[close - 1].kind == CX_TOK_STAR || next == CX_TOK_IDENT ||
         next == CX_TOK_NUMBER || next == CX_TOK_THIS || next == CX_TOK_LBRACE;
}

// cast: "(" type-id ")" (unary | init-list)
static CxExpr *parse_cast(CxParser *cx) {
  Span begin = cx_span(cx);
  CxAttempt attempt = cx_try(cx);
  bool is_unknown = at_unknown_cast(cx);
  cx->no_gt = false;
  cx_advance(cx);
  CxType *type = NULL;
  if (cx_at_type(cx, is_unknown))
    type = cx_parse_type_id(cx);
  bool is_good = type && cx_accept(cx, CX_TOK_RPAREN) && at_cast_operand(cx);
  if (!cx_try_end(cx, &attempt, is_good))
    return NULL;
  cx->no_gt = attempt.no_gt;
  if (cx_at(cx, CX_TOK_LBRACE)) {
    CxExpr *literal = cx_new_expr(cx, CX_EXPR_CONSTRUCT, begin);
    CxExpr **args = ARENA_NEW(cx->arena, CxExpr *);
    *args = cx_parse_init_list(cx);
    literal->u.construct.type = type;
    literal->u.construct.args = (CxExprList){args, 1};
    literal->u.construct.is_braced = true;
    literal->span = cx_since(cx, begin);
    return cx_parse_postfix(cx, cx_finish(cx, literal, *args, NULL));
  }
  CxExpr *expr = cx_new_expr(cx, CX_EXPR_CAST, begin);
  expr->u.cast.kind = CX_CAST_C;
  expr->u.cast.type = type;
  expr->u.cast.operand = cx_parse_unary(cx);
  expr->span = cx_since(cx, begin);
  return cx_finish(cx, expr, expr->u.cast.operand, NULL);
}

// --- Operators -------------------------------------------------------------

static bool prefix_operator(CxTokenKind kind, UnaryOp *op) {
  switch ((int)kind) {
  case CX_TOK_PLUS: *op = UNARY_PLUS; return true;
  case CX_TOK_MINUS: *op = UNARY_MINUS; return true;
  case CX_TOK_BANG: *op = UNARY_NOT; return true;
  case CX_TOK_TILDE: *op = UNARY_BIT_NOT; return true;
  case CX_TOK_AMP: *op = UNARY_ADDRESS; return true;
  case CX_TOK_STAR: *op = UNARY_DEREF; return true;
  case CX_TOK_PLUS_PLUS: *op = UNARY_PRE_INC; return true;
  case CX_TOK_MINUS_MINUS: *op = UNARY_PRE_DEC; return true;
  default: return false;
  }
}

static CxExpr *parse_prefix(CxParser *cx, UnaryOp op) {
  Span begin = cx_span(cx);
  cx_advance(cx);
  CxExpr *operand = cx_parse_unary(cx);
  CxExpr *expr =
      cx_new_expr(cx, CX_EXPR_UNARY, span_join(begin, operand->span));
  expr->operator_span = begin;
  expr->u.unary.op = op;
  expr->u.unary.operand = operand;
  return cx_finish(cx, expr, operand, NULL);
}

static CxExpr *parse_unary_inside(CxParser *cx) {
  UnaryOp op;
  if (prefix_operator(cx->kind, &op))
    return parse_prefix(cx, op);
  switch ((int)cx->kind) {
  case CX_TOK_SIZEOF: return parse_sizeof(cx);
  case CX_TOK_ALIGNOF: return parse_alignof(cx);
  case CX_TOK_NEW: return parse_new(cx);
  case CX_TOK_DELETE: return parse_delete(cx);
  case CX_TOK_THROW: return parse_throw(cx);
  case CX_TOK_COLON_COLON:
    if (cx_peek(cx, 1) == CX_TOK_NEW)
      return parse_new(cx);
    break;
  case CX_TOK_EXTENSION: cx_advance(cx); return cx_parse_unary(cx);
  case CX_TOK_LPAREN: {
    CxExpr *cast = parse_cast(cx);
    if (cast)
      return cast;
    break;
  }
  default: break;
  }
  return cx_parse_postfix(cx, cx_parse_primary(cx));
}

// unary: prefix unary | sizeof | cast | primary postfix
CxExpr *cx_parse_unary(CxParser *cx) {
  CxExpr *expr = NULL;
  if (cx_enter(cx))
    expr = parse_unary_inside(cx);
  cx_leave(cx);
  return expr ? expr : cx_new_expr(cx, CX_EXPR_POISON, cx_span(cx));
}

// --- Behind a primary expression -------------------------------------------

static CxExpr *parse_call(CxParser *cx, CxExpr *callee) {
  CxExpr *expr = cx_new_expr(cx, CX_EXPR_CALL, callee->span);
  expr->u.call.callee = callee;
  expr->u.call.args =
      cx_parse_arguments(cx, CX_TOK_RPAREN, &expr->u.call.parens);
  expr->span = cx_since(cx, callee->span);
  for (uint32_t i = 0; i < expr->u.call.args.count; i++)
    cx_finish(cx, expr, expr->u.call.args.data[i], NULL);
  return cx_finish(cx, expr, callee, NULL);
}

static CxExpr *parse_index(CxParser *cx, CxExpr *base) {
  CxExpr *expr = cx_new_expr(cx, CX_EXPR_INDEX, base->span);
  uint32_t opener = cx->pos;
  bool no_gt = cx->no_gt;
  cx_advance(cx);
  cx->no_gt = false;
  expr->u.index.base = base;
  expr->u.index.index = cx_parse_expr(cx);
  cx_expect_close(cx, CX_TOK_RBRACKET, opener);
  cx->no_gt = no_gt;
  expr->span = cx_since(cx, base->span);
  return cx_finish(cx, expr, base, expr->u.index.index);
}

static CxExpr *parse_member(CxParser *cx, CxExpr *base) {
  CxExpr *expr = cx_new_expr(cx, CX_EXPR_MEMBER, base->span);
  expr->operator_span = cx_span(cx);
  expr->u.member.base = base;
  expr->u.member.is_arrow = cx_at(cx, CX_TOK_ARROW);
  cx_advance(cx);
  expr->u.member.name = cx_parse_member_name(cx);
  if (!expr->u.member.name)
    expr->kind = CX_EXPR_POISON;
  expr->span = cx_since(cx, base->span);
  return cx_finish(cx, expr, base, NULL);
}

static CxExpr *parse_step(CxParser *cx, CxExpr *base, UnaryOp op) {
  CxExpr *expr = cx_new_expr(cx, CX_EXPR_UNARY, base->span);
  expr->operator_span = cx_span(cx);
  expr->u.unary.op = op;
  expr->u.unary.operand = base;
  cx_advance(cx);
  expr->span = cx_since(cx, base->span);
  return cx_finish(cx, expr, base, NULL);
}

// launch: "<<<" arguments ">>>" "(" arguments ")"
static CxExpr *parse_launch(CxParser *cx, CxExpr *callee) {
  CxExpr *expr = cx_new_expr(cx, CX_EXPR_LAUNCH, callee->span);
  CxExprVec config = {0};
  expr->u.launch.callee = callee;
  cx_advance(cx);
  bool no_gt = cx->no_gt;
  cx->no_gt = true;
  do
    VEC_PUSH(cx->arena, &config, cx_parse_assignment(cx));
  while (cx_accept(cx, CX_TOK_COMMA));
  for (int i = 0; i < 3; i++)
    cx_expect(cx, CX_TOK_GT);
  cx->no_gt = no_gt;
  expr->u.launch.config = CX_LIST(CxExprList, config);
  if (cx_at(cx, CX_TOK_LPAREN))
    expr->u.launch.args = cx_parse_arguments(cx, CX_TOK_RPAREN, NULL);
  else
    cx_expected(cx, "'('");
  expr->span = cx_since(cx, callee->span);
  return cx_finish(cx, expr, callee, NULL);
}

// postfix: (call | index | member | "++" | "--" | launch)*
CxExpr *cx_parse_postfix(CxParser *cx, CxExpr *base) {
  for (;;) {
    switch ((int)cx->kind) {
    case CX_TOK_LPAREN: base = parse_call(cx, base); break;
    case CX_TOK_LBRACKET: base = parse_index(cx, base); break;
    case CX_TOK_DOT:
    case CX_TOK_ARROW: base = parse_member(cx, base); break;
    case CX_TOK_PLUS_PLUS: base = parse_step(cx, base, UNARY_POST_INC); break;
    case CX_TOK_MINUS_MINUS: base = parse_step(cx, base, UNARY_POST_DEC); break;
    case CX_TOK_LAUNCH: base = parse_launch(cx, base); break;
    default: return base;
    }
  }
}
