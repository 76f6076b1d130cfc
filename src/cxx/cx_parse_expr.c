// SPDX-License-Identifier: Apache-2.0
// Binary and assignment expressions.
#include "cxx/cx_parser.h"

typedef struct {
  BinaryOp op;
  int precedence; // 0: no operator
  uint32_t n_tokens;
  const char *unsupported; // or NULL
} Operator;

enum { PREC_MEMBER_POINTER = 11 };

static Operator parse_expr_shift_right(const CxParser *cx) {
  bool is_assignment = cx->tokens[cx->pos + 1].kind == CX_TOK_GE;
  if (is_assignment || cx->no_gt)
    return (Operator){0};
  return (Operator){BINARY_SHR, 8, 2, NULL};
}

static Operator operator_at(const CxParser *cx) {
  switch ((int)cx->kind) {
  case CX_TOK_DOT_STAR:
  case CX_TOK_ARROW_STAR:
    return (Operator){BINARY_MUL, PREC_MEMBER_POINTER, 1,
                      "pointers to members"};
  case CX_TOK_STAR: return (Operator){BINARY_MUL, 10, 1, NULL};
  case CX_TOK_SLASH: return (Operator){BINARY_DIV, 10, 1, NULL};
  case CX_TOK_PERCENT: return (Operator){BINARY_REM, 10, 1, NULL};
  case CX_TOK_PLUS: return (Operator){BINARY_ADD, 9, 1, NULL};
  case CX_TOK_MINUS: return (Operator){BINARY_SUB, 9, 1, NULL};
  case CX_TOK_SHL: return (Operator){BINARY_SHL, 8, 1, NULL};
  case CX_TOK_LT: return (Operator){BINARY_LT, 7, 1, NULL};
  case CX_TOK_LE: return (Operator){BINARY_LE, 7, 1, NULL};
  case CX_TOK_GE: return (Operator){BINARY_GE, 7, 1, NULL};
  case CX_TOK_EQ_EQ: return (Operator){BINARY_EQ, 6, 1, NULL};
  case CX_TOK_BANG_EQ: return (Operator){BINARY_NE, 6, 1, NULL};
  case CX_TOK_AMP: return (Operator){BINARY_BIT_AND, 5, 1, NULL};
  case CX_TOK_CARET: return (Operator){BINARY_BIT_XOR, 4, 1, NULL};
  case CX_TOK_PIPE: return (Operator){BINARY_BIT_OR, 3, 1, NULL};
  case CX_TOK_AMP_AMP: return (Operator){BINARY_LOG_AND, 2, 1, NULL};
  case CX_TOK_PIPE_PIPE: return (Operator){BINARY_LOG_OR, 1, 1, NULL};
  case CX_TOK_GT:
    if (cx_at_shift_right(cx))
      return parse_expr_shift_right(cx);
    if (cx->no_gt)
      return (Operator){0};
    return (Operator){BINARY_GT, 7, 1, NULL};
  default: return (Operator){0};
  }
}

// Takes the operator of one or two tokens.
static Span take_operator(CxParser *cx, const Operator *operator_) {
  Span span = cx_span(cx);
  for (uint32_t i = 0; i < operator_->n_tokens; i++)
    cx_advance(cx);
  return cx_since(cx, span);
}

// binary: unary (operator binary)*, by precedence
static CxExpr *parse_binary(CxParser *cx, int lowest) {
  CxExpr *left = cx_parse_unary(cx);
  for (;;) {
    Operator here = operator_at(cx);
    if (here.precedence < lowest || here.precedence == 0)
      return left;
    Span span = take_operator(cx, &here);
    CxExpr *right = parse_binary(cx, here.precedence + 1);
    CxExpr *expr =
        cx_new_expr(cx, here.unsupported ? CX_EXPR_UNSUPPORTED : CX_EXPR_BINARY,
                    span_join(left->span, right->span));
    expr->operator_span = span;
    if (here.unsupported) {
      expr->u.what = here.unsupported;
    } else {
      expr->u.binary.op = here.op;
      expr->u.binary.left = left;
      expr->u.binary.right = right;
    }
    left = cx_finish(cx, expr, left, right);
  }
}

// conditional: binary ("?" expr ":" assignment)?
CxExpr *cx_parse_conditional(CxParser *cx) {
  CxExpr *condition = parse_binary(cx, 1);
  if (!cx_at(cx, CX_TOK_QUESTION))
    return condition;
  Span question = cx_span(cx);
  bool no_gt = cx->no_gt;
  cx_advance(cx);
  cx->no_gt = false;
  CxExpr *if_true = cx_parse_expr(cx);
  cx->no_gt = no_gt;
  cx_expect(cx, CX_TOK_COLON);
  CxExpr *if_false = condition;
  if (cx_enter(cx))
    if_false = cx_parse_assignment(cx);
  cx_leave(cx);
  CxExpr *expr = cx_new_expr(cx, CX_EXPR_CONDITIONAL,
                             span_join(condition->span, if_false->span));
  expr->operator_span = question;
  expr->u.conditional.condition = condition;
  expr->u.conditional.if_true = if_true;
  expr->u.conditional.if_false = if_false;
  cx_finish(cx, expr, condition, if_true);
  return cx_finish(cx, expr, if_false, NULL);
}

typedef struct {
  bool is_assignment, is_compound;
  BinaryOp op;
  uint32_t n_tokens;
} Assignment;

static Assignment assignment_at(const CxParser *cx) {
  switch ((int)cx->kind) {
  case CX_TOK_EQ: return (Assignment){true, false, BINARY_ADD, 1};
  case CX_TOK_STAR_EQ: return (Assignment){true, true, BINARY_MUL, 1};
  case CX_TOK_SLASH_EQ: return (Assignment){true, true, BINARY_DIV, 1};
  case CX_TOK_PERCENT_EQ: return (Assignment){true, true, BINARY_REM, 1};
  case CX_TOK_PLUS_EQ: return (Assignment){true, true, BINARY_ADD, 1};
  case CX_TOK_MINUS_EQ: return (Assignment){true, true, BINARY_SUB, 1};
  case CX_TOK_SHL_EQ: return (Assignment){true, true, BINARY_SHL, 1};
  case CX_TOK_AMP_EQ: return (Assignment){true, true, BINARY_BIT_AND, 1};
  case CX_TOK_CARET_EQ: return (Assignment){true, true, BINARY_BIT_XOR, 1};
  case CX_TOK_PIPE_EQ: return (Assignment){true, true, BINARY_BIT_OR, 1};
  case CX_TOK_GT:
    if (!cx->no_gt && cx_at_shift_right(cx) &&
        cx->tokens[cx->pos + 1].kind == CX_TOK_GE)
      return (Assignment){true, true, BINARY_SHR, 2};
    return (Assignment){0};
  default: return (Assignment){0};
  }
}

// assignment: conditional (assign-op init-clause)?
CxExpr *cx_parse_assignment(CxParser *cx) {
  CxExpr *left = cx_parse_conditional(cx);
  Assignment here = assignment_at(cx);
  if (!here.is_assignment)
    return left;
  Span span = cx_span(cx);
  for (uint32_t i = 0; i < here.n_tokens; i++)
    cx_advance(cx);
  span = cx_since(cx, span);
  CxExpr *right = left;
  if (cx_enter(cx))
    right = cx_parse_init_clause(cx);
  cx_leave(cx);
  CxExpr *expr =
      cx_new_expr(cx, CX_EXPR_ASSIGN, span_join(left->span, right->span));
  expr->operator_span = span;
  expr->u.assign.is_compound = here.is_compound;
  expr->u.assign.op = here.op;
  expr->u.assign.left = left;
  expr->u.assign.right = right;
  return cx_finish(cx, expr, left, right);
}

bool cx_accept_fold_operator(CxParser *cx, CxFoldOperator *out) {
  *out = (CxFoldOperator){0};
  out->is_comma = cx_accept(cx, CX_TOK_COMMA);
  if (out->is_comma)
    return true;
  Assignment assigns = assignment_at(cx);
  Operator here = operator_at(cx);
  uint32_t n = assigns.is_assignment ? assigns.n_tokens : here.n_tokens;
  if (n == 0 || (!assigns.is_assignment && here.unsupported))
    return false;
  out->is_assignment = assigns.is_assignment;
  out->is_compound = assigns.is_compound;
  out->op = assigns.is_assignment ? assigns.op : here.op;
  for (uint32_t i = 0; i < n; i++)
    cx_advance(cx);
  return true;
}

// expr: assignment ("," assignment)*
CxExpr *cx_parse_expr(CxParser *cx) {
  CxExpr *first = cx_parse_assignment(cx);
  if (!cx_at(cx, CX_TOK_COMMA))
    return first;
  CxExprVec list = {0};
  VEC_PUSH(cx->arena, &list, first);
  CxExpr *expr = cx_new_expr(cx, CX_EXPR_COMMA, first->span);
  cx_finish(cx, expr, first, NULL);
  while (cx_accept(cx, CX_TOK_COMMA)) {
    CxExpr *next = cx_parse_assignment(cx);
    VEC_PUSH(cx->arena, &list, next);
    cx_finish(cx, expr, next, NULL);
    expr->span = span_join(expr->span, next->span);
  }
  expr->u.list = CX_LIST(CxExprList, list);
  return expr;
}

// --- Lists -----------------------------------------------------------------

CxExpr *cx_parse_init_clause(CxParser *cx) {
  return cx_at(cx, CX_TOK_LBRACE) ? cx_parse_init_list(cx)
                                  : cx_parse_assignment(cx);
}

// designator: "." ident "=" | "[" expr "]" "="
static void parse_designator(CxParser *cx, CxInitItem *item) {
  if (cx_at(cx, CX_TOK_DOT)) {
    cx_advance(cx);
    if (cx_at(cx, CX_TOK_IDENT)) {
      item->field = cx_token(cx)->u.name;
      cx_advance(cx);
    } else {
      cx_expected(cx, "the name of a member");
    }
  }
  if (cx_at(cx, CX_TOK_EQ))
    cx_advance(cx);
  else if (item->field && !cx_at(cx, CX_TOK_LBRACE))
    cx_expected(cx, "'='");
}

// init-list: "{" (designator? init-clause ("," …)* ","?)? "}"
CxExpr *cx_parse_init_list(CxParser *cx) {
  hd_vec(CxInitItem) items = {0};
  Span begin = cx_span(cx);
  uint32_t opener = cx->pos;
  CxExpr *expr = cx_new_expr(cx, CX_EXPR_INIT_LIST, begin);
  bool no_gt = cx->no_gt;
  if (cx_enter(cx)) {
    cx->no_gt = false;
    cx_expect(cx, CX_TOK_LBRACE);
    while (!cx_at(cx, CX_TOK_RBRACE) && !cx->is_panicking) {
      CxInitItem item = {.span = cx_span(cx)};
      if (cx_at(cx, CX_TOK_DOT))
        parse_designator(cx, &item);
      uint32_t first = cx->pos;
      item.value = cx_parse_init_clause(cx);
      item.value = cx_parse_expansion(cx, item.value, first);
      item.span = cx_since(cx, item.span);
      cx_finish(cx, expr, item.value, NULL);
      VEC_PUSH(cx->arena, &items, item);
      if (!cx_accept(cx, CX_TOK_COMMA))
        break;
    }
    cx_expect_close(cx, CX_TOK_RBRACE, opener);
    cx->no_gt = no_gt;
  }
  cx_leave(cx);
  expr->span = cx_since(cx, begin);
  expr->u.init_list.items = items.data;
  expr->u.init_list.n_items = items.count;
  return expr;
}

// An argument; a type where a built-in takes one.
static CxExpr *parse_argument(CxParser *cx, CxTokenKind close) {
  if (cx_at_type_word(cx)) {
    Span begin = cx_span(cx);
    CxAttempt attempt = cx_try(cx);
    CxType *type = cx_parse_type_id(cx);
    bool is_type = cx_at(cx, CX_TOK_COMMA) || cx_at(cx, close);
    if (cx_try_end(cx, &attempt, is_type)) {
      CxExpr *expr = cx_new_expr(cx, CX_EXPR_TYPE, cx_since(cx, begin));
      expr->u.type = type;
      return expr;
    }
  }
  uint32_t first = cx->pos;
  CxExpr *expr = cx_parse_init_clause(cx);
  return cx_parse_expansion(cx, expr, first);
}

// arguments: "(" (argument ("," argument)*)? ")", or within other brackets
CxExprList cx_parse_arguments(CxParser *cx, CxTokenKind close, Span *span) {
  CxExprVec args = {0};
  Span begin = cx_span(cx);
  uint32_t opener = cx->pos;
  bool no_gt = cx->no_gt;
  if (cx_enter(cx)) {
    cx->no_gt = false;
    cx_advance(cx);
    while (!cx_at(cx, close) && !cx->is_panicking) {
      VEC_PUSH(cx->arena, &args, parse_argument(cx, close));
      if (!cx_accept(cx, CX_TOK_COMMA))
        break;
    }
    cx_expect_close(cx, close, opener);
    cx->no_gt = no_gt;
  }
  cx_leave(cx);
  if (span)
    *span = cx_since(cx, begin);
  return CX_LIST(CxExprList, args);
}
