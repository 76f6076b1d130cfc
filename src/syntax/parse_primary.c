// SPDX-License-Identifier: Apache-2.0
// Primary expressions.
#include "syntax/parser.h"

static Expr *parse_primary_poison(Parser *cx) {
  return new_expr(cx, EXPR_POISON, cx->real.span);
}

static Expr *parse_bool(Parser *cx) {
  Expr *expr = new_expr(cx, EXPR_BOOL, cx->token.span);
  expr->u.bool_value = at(cx, TOK_TRUE);
  parser_advance(cx);
  return expr;
}

static Expr *parse_primary_name(Parser *cx) {
  Expr *expr = new_expr(cx, EXPR_NAME, cx->token.span);
  expr->u.name = cx->token.name;
  parser_advance(cx);
  return expr;
}

static void parse_primary_refuse(Parser *cx, Span span, const char *what,
                                 const char *instead) {
  if (!parser_is_reported(cx))
    DIAG_REPORT(cx->diags, DIAG_not_in_heddle, parser_place(cx, span), DS(what),
                DS(instead));
  parser_panic(cx);
}

// A type where a value is wanted.
static Expr *parse_primary_refuse_type(Parser *cx) {
  Expr *expr = parse_primary_poison(cx);
  if (parser_peek(cx, 1)->kind == TOK_LPAREN)
    parse_primary_refuse(cx, cx->token.span, "conversion written as a call",
                         "write (type)value, or (type){…} for vectors");
  else
    parser_expected(cx, "an expression");
  return expr;
}

// parenthesized: '(' expr ')'
static Expr *parse_parenthesized(Parser *cx) {
  Token opener = cx->token;
  parser_advance(cx);
  if (at(cx, TOK_LBRACE))
    parse_primary_refuse(cx, opener.span, "statements inside expressions",
                         "write a function");
  Expr *expr = parse_expr(cx);
  expect_close(cx, TOK_RPAREN, &opener);
  expr->has_parens = true;
  return expr;
}

// generic-assoc: (type-name | 'default') ':' assignment
static GenericAssoc parse_assoc(Parser *cx) {
  GenericAssoc assoc = {0};
  Span begin = cx->token.span;
  if (!accept(cx, TOK_DEFAULT))
    assoc.type = parse_type_name(cx);
  expect(cx, TOK_COLON);
  assoc.value = parse_assignment(cx);
  assoc.span = span_since(cx, begin);
  return assoc;
}

// generic: '_Generic' '(' assignment (',' generic-assoc)+ ')'
static Expr *parse_generic(Parser *cx) {
  Span begin = cx->token.span;
  parser_advance(cx);
  Token opener = cx->token;
  expect(cx, TOK_LPAREN);
  Expr *control = parse_assignment(cx);
  hd_vec(GenericAssoc) assocs = {0};
  Expr *expr = new_expr(cx, EXPR_GENERIC, begin);
  expr = expr_finish(cx, expr, control, NULL);
  expect(cx, TOK_COMMA);
  do {
    GenericAssoc assoc = parse_assoc(cx);
    VEC_PUSH(cx->arena, &assocs, assoc);
    expr = expr_finish(cx, expr, assoc.value, NULL);
  } while (accept(cx, TOK_COMMA));
  expect_close(cx, TOK_RPAREN, &opener);
  expr->span = span_since(cx, begin);
  if (expr->kind == EXPR_GENERIC) {
    expr->u.generic.control = control;
    expr->u.generic.assocs = assocs.data;
    expr->u.generic.n_assocs = assocs.count;
  }
  return expr;
}

// The first part of offsetof's path has no dot.
static Designator first_designator(Parser *cx) {
  Designator first = {0};
  first.name = expect_name(cx, "the name of a member", &first.span);
  return first;
}

// offsetof: '__builtin_offsetof' '(' type-name ',' name designator* ')'
static Expr *parse_primary_offsetof(Parser *cx) {
  Span begin = cx->token.span;
  parser_advance(cx);
  Token opener = cx->token;
  expect(cx, TOK_LPAREN);
  TypeSyntax *type = parse_type_name(cx);
  expect(cx, TOK_COMMA);
  Designator first = first_designator(cx);
  uint32_t n_rest;
  Designator *rest = parse_designators(cx, &n_rest);
  expect_close(cx, TOK_RPAREN, &opener);
  Expr *expr = new_expr(cx, EXPR_OFFSETOF, span_since(cx, begin));
  Designator *path = ARENA_ARRAY(cx->arena, Designator, n_rest + 1);
  path[0] = first;
  for (uint32_t i = 0; i < n_rest; i++)
    path[i + 1] = rest[i];
  expr->u.offset_of.type = type;
  expr->u.offset_of.path = path;
  expr->u.offset_of.n_path = n_rest + 1;
  return expr;
}

static Expr *expected_expression(Parser *cx) {
  Expr *expr = parse_primary_poison(cx);
  parser_expected(cx, "an expression");
  return expr;
}

// primary: name | number | char-constant | string | 'true' | 'false'
//        | parenthesized | generic | offsetof
Expr *parse_primary(Parser *cx) {
  switch ((int)cx->token.kind) {
  case TOK_NUMBER: return parse_number(cx);
  case TOK_CHAR: return parse_char(cx);
  case TOK_STRING: return parse_string(cx);
  case TOK_TRUE:
  case TOK_FALSE: return parse_bool(cx);
  case TOK_LPAREN: return parse_parenthesized(cx);
  case TOK_GENERIC: return parse_generic(cx);
  case TOK_OFFSETOF: return parse_primary_offsetof(cx);
  case TOK_PANIC: return parse_primary_poison(cx);
  default: break;
  }
  if (is_type_start(cx, 0))
    return parse_primary_refuse_type(cx);
  return at(cx, TOK_IDENT) ? parse_primary_name(cx) : expected_expression(cx);
}
