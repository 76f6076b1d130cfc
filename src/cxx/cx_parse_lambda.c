// SPDX-License-Identifier: Apache-2.0
// Lambda expressions.
#include "cxx/cx_parser.h"

// capture: "this" | "*" "this" | "&"? ident ("=" assignment)?
static CxCapture parse_capture(CxParser *cx) {
  CxCapture capture = {.span = cx_span(cx)};
  capture.is_reference = cx_accept(cx, CX_TOK_AMP);
  if (cx_at(cx, CX_TOK_STAR) && cx_peek(cx, 1) == CX_TOK_THIS)
    cx_advance(cx);
  if (cx_accept(cx, CX_TOK_THIS)) {
    capture.is_this = true;
  } else if (cx_at(cx, CX_TOK_IDENT)) {
    capture.name = cx_token(cx)->u.name;
    cx_advance(cx);
    if (cx_accept(cx, CX_TOK_EQ))
      capture.init = cx_parse_init_clause(cx);
    if (capture.init)
      cx_scope_declare(cx, cx->scope, capture.name, CX_NAME_VALUE, NULL);
    cx_accept(cx, CX_TOK_ELLIPSIS);
  } else {
    cx_expected(cx, "a capture");
  }
  capture.span = cx_since(cx, capture.span);
  return capture;
}

// captures: "[" ("=" | "&")? capture ("," capture)* "]"
static void parse_captures(CxParser *cx, CxExpr *expr) {
  hd_vec(CxCapture) captures = {0};
  uint32_t opener = cx->pos;
  cx_advance(cx);
  bool is_default =
      cx_peek(cx, 1) == CX_TOK_COMMA || cx_peek(cx, 1) == CX_TOK_RBRACKET;
  if (is_default && cx_at(cx, CX_TOK_EQ))
    expr->u.lambda.capture_default = CX_CAPTURE_COPY;
  else if (is_default && cx_at(cx, CX_TOK_AMP))
    expr->u.lambda.capture_default = CX_CAPTURE_REFERENCE;
  if (expr->u.lambda.capture_default != CX_CAPTURE_NONE) {
    cx_advance(cx);
    cx_accept(cx, CX_TOK_COMMA);
  }
  while (!cx_at(cx, CX_TOK_RBRACKET) && !cx->is_panicking) {
    CxCapture capture = parse_capture(cx);
    VEC_PUSH(cx->arena, &captures, capture);
    if (!cx_accept(cx, CX_TOK_COMMA))
      break;
  }
  cx_expect_close(cx, CX_TOK_RBRACKET, opener);
  expr->u.lambda.captures = captures.data;
  expr->u.lambda.n_captures = captures.count;
}

static void parse_lambda_type(CxParser *cx, CxExpr *expr) {
  CxType *type = cx_new_type(cx, CX_TYPE_FUNCTION, cx_span(cx));
  CxSpecs specs = {0};
  type->u.function.result = cx_new_type(cx, CX_TYPE_AUTO, cx_span(cx));
  expr->u.lambda.type = type;
  while (cx_parse_attribute(cx, &specs) || cx_accept(cx, CX_TOK_DEVICE) ||
         cx_accept(cx, CX_TOK_HOST)) {
  }
  if (cx_at(cx, CX_TOK_LPAREN))
    type->u.function.params =
        cx_parse_params(cx, &type->u.function.is_variadic);
  for (;;) {
    if (cx_accept(cx, CX_TOK_MUTABLE)) {
      expr->u.lambda.is_mutable = true;
    } else if (cx_accept(cx, CX_TOK_NOEXCEPT)) {
      if (cx_at(cx, CX_TOK_LPAREN))
        cx_skip_brackets(cx);
    } else if (!cx_accept(cx, CX_TOK_CONSTEXPR) &&
               !cx_accept(cx, CX_TOK_DEVICE) && !cx_accept(cx, CX_TOK_HOST) &&
               !cx_parse_attribute(cx, &specs)) {
      break;
    }
  }
  if (cx_accept(cx, CX_TOK_ARROW)) {
    type->u.function.has_trailing = true;
    type->u.function.result = cx_parse_type_id(cx);
  }
}

// lambda: captures params? (mutable | constexpr | noexcept | attribute)*
//         ("->" type-id)? compound
CxExpr *cx_parse_lambda(CxParser *cx) {
  Span begin = cx_span(cx);
  CxExpr *expr = cx_new_expr(cx, CX_EXPR_LAMBDA, begin);
  CxScope *scope = cx->scope;
  bool no_gt = cx->no_gt;
  cx->no_gt = false;
  cx->scope = cx_scope_new(cx, CX_SCOPE_BLOCK, scope);
  parse_captures(cx, expr);
  if (cx_at(cx, CX_TOK_LT)) {
    cx_expected(cx, "the parameters of the lambda");
  } else if (!cx->is_panicking) {
    parse_lambda_type(cx, expr);
    cx_declare_params(cx, expr->u.lambda.type);
  }
  if (cx_at(cx, CX_TOK_LBRACE))
    expr->u.lambda.body = cx_parse_compound(cx);
  else
    cx_expected(cx, "the body of the lambda");
  if (!expr->u.lambda.body)
    expr->kind = CX_EXPR_POISON;
  cx->scope = scope;
  cx->no_gt = no_gt;
  expr->span = cx_since(cx, begin);
  return expr;
}

// --- Statements in an expression -------------------------------------------

static bool list_leaves(const CxStmtList *items);

// It returns, of the function around, or goes on elsewhere.
static bool parse_lambda_leaves(const CxStmt *stmt) {
  if (!stmt)
    return false;
  switch ((int)stmt->kind) {
  case CX_STMT_RETURN:
  case CX_STMT_GOTO: return true;
  case CX_STMT_COMPOUND: return list_leaves(&stmt->u.compound.items);
  case CX_STMT_IF:
    return parse_lambda_leaves(stmt->u.if_stmt.then_stmt) ||
           parse_lambda_leaves(stmt->u.if_stmt.else_stmt);
  case CX_STMT_FOR:
  case CX_STMT_WHILE:
  case CX_STMT_DO: return parse_lambda_leaves(stmt->u.loop.body);
  case CX_STMT_SWITCH: return parse_lambda_leaves(stmt->u.switch_stmt.body);
  default: return false;
  }
}

static bool list_leaves(const CxStmtList *items) {
  for (uint32_t i = 0; i < items->count; i++)
    if (parse_lambda_leaves(items->data[i]))
      return true;
  return false;
}

// ({ … }) of GNU C is the call of a lambda that gives what the last statement
// is.
CxExpr *cx_parse_statement_expr(CxParser *cx) {
  Span begin = cx_span(cx);
  uint32_t opener = cx->pos;
  cx_advance(cx);
  CxExpr *lambda = cx_new_expr(cx, CX_EXPR_LAMBDA, begin);
  lambda->u.lambda.capture_default = CX_CAPTURE_REFERENCE;
  CxType *type = cx_new_type(cx, CX_TYPE_FUNCTION, begin);
  type->u.function.result = cx_new_type(cx, CX_TYPE_AUTO, begin);
  lambda->u.lambda.type = type;
  CxScope *scope = cx->scope;
  bool no_gt = cx->no_gt;
  cx->no_gt = false;
  cx->scope = cx_scope_new(cx, CX_SCOPE_BLOCK, scope);
  CxStmt *body = cx_parse_compound(cx);
  lambda->u.lambda.body = body;
  cx->scope = scope;
  cx->no_gt = no_gt;
  cx_expect_close(cx, CX_TOK_RPAREN, opener);
  lambda->span = cx_since(cx, begin);
  if (!body || cx->is_panicking)
    return lambda;
  CxStmtList *items = &body->u.compound.items;
  if (list_leaves(items))
    return cx_unsupported_expr(cx, begin,
                               "leaving a statement inside an expression");
  CxStmt *last = items->count ? items->data[items->count - 1] : NULL;
  if (last && last->kind == CX_STMT_EXPR)
    last->kind = CX_STMT_RETURN;
  CxExpr *call = cx_new_expr(cx, CX_EXPR_CALL, begin);
  call->u.call.callee = lambda;
  call->span = lambda->span;
  return call;
}
