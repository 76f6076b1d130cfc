// SPDX-License-Identifier: Apache-2.0
// Casts, prefix operators, and what follows a primary expression.
#include "syntax/parser.h"

// --- Prefix ----------------------------------------------------------------

typedef struct {
  bool is_found;
  UnaryOp op;
} UnaryRow;

static UnaryRow prefix_row(TokenKind kind) {
  switch ((int)kind) {
  case TOK_PLUS: return (UnaryRow){true, UNARY_PLUS};
  case TOK_MINUS: return (UnaryRow){true, UNARY_MINUS};
  case TOK_BANG: return (UnaryRow){true, UNARY_NOT};
  case TOK_TILDE: return (UnaryRow){true, UNARY_BIT_NOT};
  case TOK_AMP: return (UnaryRow){true, UNARY_ADDRESS};
  case TOK_STAR: return (UnaryRow){true, UNARY_DEREF};
  case TOK_PLUS_PLUS: return (UnaryRow){true, UNARY_PRE_INC};
  case TOK_MINUS_MINUS: return (UnaryRow){true, UNARY_PRE_DEC};
  default: return (UnaryRow){0};
  }
}

static Expr *make_unary(Parser *cx, UnaryOp op, Span begin, Span operator_span,
                        Expr *operand) {
  Expr *expr = new_expr(cx, EXPR_UNARY, span_since(cx, begin));
  expr->operator_span = operator_span;
  expr->u.unary.op = op;
  expr->u.unary.operand = operand;
  return expr_finish(cx, expr, operand, NULL);
}

// compound-literal: '(' type-name ')' init-list
static Expr *parse_compound_literal(Parser *cx, Span begin, TypeSyntax *type) {
  Expr *init = parse_init_list(cx);
  Expr *expr = new_expr(cx, EXPR_COMPOUND, span_since(cx, begin));
  expr->u.compound.type = type;
  expr->u.compound.init = init;
  return expr_finish(cx, expr, init, NULL);
}

// At '(' of a type name: '(' type-name ')'
static TypeSyntax *parse_type_in_parens(Parser *cx) {
  Token opener = cx->token;
  parser_advance(cx);
  TypeSyntax *type = parse_type_name(cx);
  expect_close(cx, TOK_RPAREN, &opener);
  return type;
}

// cast: '(' type-name ')' cast | compound-literal postfix* | unary
Expr *parse_cast(Parser *cx) {
  if (!at(cx, TOK_LPAREN) || !is_type_start(cx, 1))
    return parse_unary(cx);
  Span begin = cx->token.span;
  parser_enter(cx);
  TypeSyntax *type = parse_type_in_parens(cx);
  Expr *expr;
  if (at(cx, TOK_LBRACE)) {
    expr = parse_postfix(cx, parse_compound_literal(cx, begin, type));
  } else {
    Expr *operand = parse_cast(cx);
    expr = new_expr(cx, EXPR_CAST, span_since(cx, begin));
    expr->u.cast.type = type;
    expr->u.cast.operand = operand;
    expr = expr_finish(cx, expr, operand, NULL);
  }
  parser_leave(cx);
  return expr;
}

// sizeof: 'sizeof' ('(' type-name ')' | unary)
// `sizeof (T){…}` is the size of the compound literal.
static Expr *parse_unary_sizeof(Parser *cx) {
  Span begin = cx->token.span;
  parser_advance(cx);
  Expr *operand;
  if (at(cx, TOK_LPAREN) && is_type_start(cx, 1)) {
    Span parens = cx->token.span;
    TypeSyntax *type = parse_type_in_parens(cx);
    if (!at(cx, TOK_LBRACE)) {
      Expr *expr = new_expr(cx, EXPR_SIZEOF_TYPE, span_since(cx, begin));
      expr->u.type = type;
      return expr;
    }
    operand = parse_postfix(cx, parse_compound_literal(cx, parens, type));
  } else {
    operand = parse_unary(cx);
  }
  Expr *expr = new_expr(cx, EXPR_SIZEOF_EXPR, span_since(cx, begin));
  expr->u.operand = operand;
  return expr_finish(cx, expr, operand, NULL);
}

// alignof: '_Alignof' '(' type-name ')'
static Expr *parse_unary_alignof(Parser *cx) {
  Span begin = cx->token.span;
  parser_advance(cx);
  if (!at(cx, TOK_LPAREN))
    parser_expected(cx, "'(' and a type after '_Alignof'");
  TypeSyntax *type = parse_type_in_parens(cx);
  Expr *expr = new_expr(cx, EXPR_ALIGNOF, span_since(cx, begin));
  expr->u.type = type;
  return expr;
}

// unary: prefix-operator cast | sizeof | alignof | primary postfix*
Expr *parse_unary(Parser *cx) {
  Span begin = cx->token.span;
  UnaryRow row = prefix_row(cx->token.kind);
  if (!row.is_found && !at(cx, TOK_SIZEOF) && !at(cx, TOK_ALIGNOF))
    return parse_postfix(cx, parse_primary(cx));
  Expr *expr;
  if (!parser_enter(cx)) {
    expr = new_expr(cx, EXPR_POISON, begin);
  } else if (row.is_found) {
    parser_advance(cx);
    expr = make_unary(cx, row.op, begin, begin, parse_cast(cx));
  } else {
    expr =
        at(cx, TOK_SIZEOF) ? parse_unary_sizeof(cx) : parse_unary_alignof(cx);
  }
  parser_leave(cx);
  return expr;
}

// --- Postfix ---------------------------------------------------------------

// An argument may be a type name. `float(x)` is none: parse_primary says what
// to write instead.
static Expr *parse_unary_argument(Parser *cx) {
  bool has_own_parens = at(cx, TOK_TYPEOF) || at(cx, TOK_ATOMIC);
  bool is_call = parser_peek(cx, 1)->kind == TOK_LPAREN && !has_own_parens;
  if (!is_type_start(cx, 0) || is_call)
    return parse_assignment(cx);
  Span begin = cx->token.span;
  TypeSyntax *type = parse_type_name(cx);
  Expr *expr = new_expr(cx, EXPR_TYPE, span_since(cx, begin));
  expr->u.type = type;
  return expr;
}

// arguments: '(' (argument (',' argument)*)? ')'
ExprList parse_arguments(Parser *cx, Span *parens) {
  Token opener = cx->token;
  ExprVec args = {0};
  expect(cx, TOK_LPAREN);
  if (!at(cx, TOK_RPAREN)) {
    do
      VEC_PUSH(cx->arena, &args, parse_unary_argument(cx));
    while (accept(cx, TOK_COMMA));
  }
  expect_close(cx, TOK_RPAREN, &opener);
  *parens = span_since(cx, opener.span);
  return VEC_TO_LIST(ExprList, args);
}

static Expr *parse_unary_call(Parser *cx, Span begin, Expr *callee) {
  Span parens;
  ExprList args = parse_arguments(cx, &parens);
  Expr *expr = new_expr(cx, EXPR_CALL, span_since(cx, begin));
  expr->u.call.callee = callee;
  expr->u.call.args = args;
  expr->u.call.parens = parens;
  for (uint32_t i = 0; i < args.count; i++)
    expr = expr_finish(cx, expr, args.data[i], NULL);
  return expr_finish(cx, expr, callee, NULL);
}

static void report_section(Parser *cx, Span span) {
  if (!parser_is_reported(cx))
    DIAG_REPORT0(cx->diags, DIAG_bad_section, parser_place(cx, span));
  parser_panic(cx);
}

// C's comma operator would take the last one; no one means that.
static void refuse_index_comma(Parser *cx) {
  if (!at(cx, TOK_COMMA) || parser_is_reported(cx))
    return;
  DIAG_REPORT(cx->diags, DIAG_not_in_heddle, parser_place(cx, cx->token.span),
              DS("comma in a subscript"), DS("write a[i][j]"));
  parser_panic(cx);
}

// The inside of a subscript: expr | conditional ':' conditional | ':'
static void parse_subscript_inside(Parser *cx, Subscript *subscript) {
  Span colon = cx->token.span;
  if (accept(cx, TOK_COLON)) {
    subscript->is_section = true;
    if (!at(cx, TOK_RBRACKET))
      report_section(cx, colon);
    return;
  }
  Expr *first = parse_assignment(cx);
  colon = cx->token.span;
  if (!accept(cx, TOK_COLON)) {
    subscript->index = first;
    refuse_index_comma(cx);
    return;
  }
  subscript->is_section = true;
  subscript->lo = first;
  if (at(cx, TOK_RBRACKET))
    report_section(cx, colon);
  subscript->len = parse_assignment(cx);
}

// subscript: '[' inside ']'
static Subscript parse_subscript(Parser *cx) {
  Token opener = cx->token;
  Subscript subscript = {0};
  parser_advance(cx);
  parse_subscript_inside(cx, &subscript);
  expect_close(cx, TOK_RBRACKET, &opener);
  subscript.span = span_since(cx, opener.span);
  return subscript;
}

// index: base subscript+
static Expr *parse_unary_index(Parser *cx, Span begin, Expr *base) {
  hd_vec(Subscript) subscripts = {0};
  Expr *expr = new_expr(cx, EXPR_INDEX, begin);
  expr->u.index.base = base;
  expr = expr_finish(cx, expr, base, NULL);
  while (at(cx, TOK_LBRACKET)) {
    Subscript one = parse_subscript(cx);
    VEC_PUSH(cx->arena, &subscripts, one);
    expr = expr_finish(cx, expr, one.index, one.lo);
    expr = expr_finish(cx, expr, one.len, NULL);
  }
  expr->span = span_since(cx, begin);
  if (expr->kind == EXPR_INDEX) {
    expr->u.index.subscripts = subscripts.data;
    expr->u.index.n_subscripts = subscripts.count;
  }
  return expr;
}

static Expr *parse_unary_member(Parser *cx, Span begin, Expr *base) {
  Span operator_span = cx->token.span;
  bool is_arrow = at(cx, TOK_ARROW);
  Span name_span;
  parser_advance(cx);
  const char *name = expect_name(cx, "the name of a member", &name_span);
  ExprKind kind = name ? EXPR_MEMBER : EXPR_POISON;
  Expr *expr = new_expr(cx, kind, span_since(cx, begin));
  if (!name)
    return expr;
  expr->operator_span = operator_span;
  expr->u.member.base = base;
  expr->u.member.name = name;
  expr->u.member.name_span = name_span;
  expr->u.member.is_arrow = is_arrow;
  return expr_finish(cx, expr, base, NULL);
}

// postfix: arguments | subscript | '.' name | '->' name | '++' | '--'
Expr *parse_postfix(Parser *cx, Expr *base) {
  // A parenthesis before the base belongs to what is built on it.
  Span begin = base->has_parens
                   ? (Span){base->span.begin > 0 ? base->span.begin - 1 : 0,
                            base->span.end}
                   : base->span;
  Expr *expr = base;
  for (;;) {
    Span operator_span = cx->token.span;
    switch ((int)cx->token.kind) {
    case TOK_LPAREN: expr = parse_unary_call(cx, begin, expr); break;
    case TOK_LBRACKET: expr = parse_unary_index(cx, begin, expr); break;
    case TOK_DOT:
    case TOK_ARROW: expr = parse_unary_member(cx, begin, expr); break;
    case TOK_PLUS_PLUS:
      parser_advance(cx);
      expr = make_unary(cx, UNARY_POST_INC, begin, operator_span, expr);
      break;
    case TOK_MINUS_MINUS:
      parser_advance(cx);
      expr = make_unary(cx, UNARY_POST_DEC, begin, operator_span, expr);
      break;
    default: return expr;
    }
  }
}
