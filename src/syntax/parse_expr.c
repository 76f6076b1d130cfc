// SPDX-License-Identifier: Apache-2.0
// Operators of two and three operands, and initialisers.
#include "syntax/parse.h"
#include "syntax/parser.h"

// --- Binary operators ------------------------------------------------------

typedef struct {
  bool is_found;
  BinaryOp op;
  int precedence;
} BinaryRow;

static BinaryRow parse_expr_row_of(BinaryOp op) {
  return (BinaryRow){true, op, ast_binary_precedence(op)};
}

static BinaryRow binary_row(TokenKind kind) {
  switch ((int)kind) {
  case TOK_STAR: return parse_expr_row_of(BINARY_MUL);
  case TOK_SLASH: return parse_expr_row_of(BINARY_DIV);
  case TOK_PERCENT: return parse_expr_row_of(BINARY_REM);
  case TOK_PLUS: return parse_expr_row_of(BINARY_ADD);
  case TOK_MINUS: return parse_expr_row_of(BINARY_SUB);
  case TOK_SHL: return parse_expr_row_of(BINARY_SHL);
  case TOK_SHR: return parse_expr_row_of(BINARY_SHR);
  case TOK_LT: return parse_expr_row_of(BINARY_LT);
  case TOK_LE: return parse_expr_row_of(BINARY_LE);
  case TOK_GT: return parse_expr_row_of(BINARY_GT);
  case TOK_GE: return parse_expr_row_of(BINARY_GE);
  case TOK_EQ_EQ: return parse_expr_row_of(BINARY_EQ);
  case TOK_BANG_EQ: return parse_expr_row_of(BINARY_NE);
  case TOK_AMP: return parse_expr_row_of(BINARY_BIT_AND);
  case TOK_CARET: return parse_expr_row_of(BINARY_BIT_XOR);
  case TOK_PIPE: return parse_expr_row_of(BINARY_BIT_OR);
  case TOK_AMP_AMP: return parse_expr_row_of(BINARY_LOG_AND);
  case TOK_PIPE_PIPE: return parse_expr_row_of(BINARY_LOG_OR);
  default: return (BinaryRow){0};
  }
}

// binary: cast (binary-operator cast)*
// Operators of the same row of ast.def's `prec` bind to the left. The tree of
// a + a + … grows to the left without recursion here.
static Expr *parse_expr_binary(Parser *cx, int least) {
  Span begin = cx->token.span;
  Expr *left = parse_cast(cx);
  for (;;) {
    BinaryRow row = binary_row(cx->token.kind);
    if (!row.is_found || row.precedence < least)
      return left;
    Span operator_span = cx->token.span;
    parser_advance(cx);
    Expr *right = parse_expr_binary(cx, row.precedence + 1);
    Expr *expr = new_expr(cx, EXPR_BINARY, span_since(cx, begin));
    expr->operator_span = operator_span;
    expr->u.binary.op = row.op;
    expr->u.binary.left = left;
    expr->u.binary.right = right;
    left = expr_finish(cx, expr, left, right);
  }
}

// conditional: binary ('?' expr ':' conditional)?
Expr *parse_conditional(Parser *cx) {
  Span begin = cx->token.span;
  Expr *condition = parse_expr_binary(cx, 1);
  if (!at(cx, TOK_QUESTION))
    return condition;
  Span operator_span = cx->token.span;
  parser_enter(cx);
  parser_advance(cx);
  Expr *if_true = parse_expr(cx);
  expect(cx, TOK_COLON);
  Expr *if_false = parse_conditional(cx);
  parser_leave(cx);
  Expr *expr = new_expr(cx, EXPR_CONDITIONAL, span_since(cx, begin));
  expr->operator_span = operator_span;
  expr->u.conditional.condition = condition;
  expr->u.conditional.if_true = if_true;
  expr->u.conditional.if_false = if_false;
  expr = expr_finish(cx, expr, condition, if_true);
  return expr_finish(cx, expr, if_false, NULL);
}

// --- Assignment and comma --------------------------------------------------

typedef struct {
  bool is_found;
  bool is_compound;
  BinaryOp op;
} AssignRow;

static AssignRow assign_row(TokenKind kind) {
  switch ((int)kind) {
  case TOK_EQ: return (AssignRow){true, false, BINARY_ADD};
  case TOK_STAR_EQ: return (AssignRow){true, true, BINARY_MUL};
  case TOK_SLASH_EQ: return (AssignRow){true, true, BINARY_DIV};
  case TOK_PERCENT_EQ: return (AssignRow){true, true, BINARY_REM};
  case TOK_PLUS_EQ: return (AssignRow){true, true, BINARY_ADD};
  case TOK_MINUS_EQ: return (AssignRow){true, true, BINARY_SUB};
  case TOK_SHL_EQ: return (AssignRow){true, true, BINARY_SHL};
  case TOK_SHR_EQ: return (AssignRow){true, true, BINARY_SHR};
  case TOK_AMP_EQ: return (AssignRow){true, true, BINARY_BIT_AND};
  case TOK_CARET_EQ: return (AssignRow){true, true, BINARY_BIT_XOR};
  case TOK_PIPE_EQ: return (AssignRow){true, true, BINARY_BIT_OR};
  default: return (AssignRow){0};
  }
}

// assignment: conditional (assignment-operator assignment)?
// C allows only a unary expression on the left; sema says what can't be
// assigned to, which makes the better message.
Expr *parse_assignment(Parser *cx) {
  Span begin = cx->token.span;
  if (!parser_enter(cx)) {
    parser_leave(cx);
    return new_expr(cx, EXPR_POISON, begin);
  }
  Expr *left = parse_conditional(cx);
  AssignRow row = assign_row(cx->token.kind);
  if (row.is_found) {
    Span operator_span = cx->token.span;
    parser_advance(cx);
    Expr *right = parse_assignment(cx);
    Expr *expr = new_expr(cx, EXPR_ASSIGN, span_since(cx, begin));
    expr->operator_span = operator_span;
    expr->u.assign.is_compound = row.is_compound;
    expr->u.assign.op = row.op;
    expr->u.assign.left = left;
    expr->u.assign.right = right;
    left = expr_finish(cx, expr, left, right);
  }
  parser_leave(cx);
  return left;
}

// expr: assignment (',' assignment)*
Expr *parse_expr(Parser *cx) {
  Span begin = cx->token.span;
  Expr *first = parse_assignment(cx);
  if (!at(cx, TOK_COMMA))
    return first;
  ExprVec operands = {0};
  VEC_PUSH(cx->arena, &operands, first);
  while (accept(cx, TOK_COMMA))
    VEC_PUSH(cx->arena, &operands, parse_assignment(cx));
  Expr *expr = new_expr(cx, EXPR_COMMA, span_since(cx, begin));
  expr->u.list = VEC_TO_LIST(ExprList, operands);
  for (uint32_t i = 0; i < operands.count; i++)
    expr = expr_finish(cx, expr, operands.data[i], NULL);
  return expr;
}

// --- Initialisers ----------------------------------------------------------

// initializer: assignment | init-list
Expr *parse_initializer(Parser *cx) {
  return at(cx, TOK_LBRACE) ? parse_init_list(cx) : parse_assignment(cx);
}

// designator: '.' name | '[' conditional ']'
static Designator parse_expr_designator(Parser *cx) {
  Span begin = cx->token.span;
  Designator designator = {0};
  if (accept(cx, TOK_DOT)) {
    Span name_span;
    designator.name = expect_name(cx, "the name of a member", &name_span);
  } else {
    Token opener = cx->token;
    expect(cx, TOK_LBRACKET);
    designator.index = parse_conditional(cx);
    expect_close(cx, TOK_RBRACKET, &opener);
  }
  designator.span = span_since(cx, begin);
  return designator;
}

Designator *parse_designators(Parser *cx, uint32_t *count) {
  hd_vec(Designator) path = {0};
  while (at(cx, TOK_DOT) || at(cx, TOK_LBRACKET))
    VEC_PUSH(cx->arena, &path, parse_expr_designator(cx));
  *count = path.count;
  return path.data;
}

// init-item: (designator+ '=')? initializer
static InitItem parse_init_item(Parser *cx) {
  InitItem item = {0};
  if (at(cx, TOK_DOT) || at(cx, TOK_LBRACKET)) {
    item.designators = parse_designators(cx, &item.n_designators);
    expect(cx, TOK_EQ);
  }
  item.value = parse_initializer(cx);
  return item;
}

// init-list: '{' (init-item (',' init-item)* ','?)? '}'
Expr *parse_init_list(Parser *cx) {
  Token opener = cx->token;
  hd_vec(InitItem) items = {0};
  Expr *expr = new_expr(cx, EXPR_INIT_LIST, opener.span);
  if (parser_enter(cx)) {
    expect(cx, TOK_LBRACE);
    while (!at(cx, TOK_RBRACE) && !at(cx, TOK_PANIC)) {
      InitItem item = parse_init_item(cx);
      VEC_PUSH(cx->arena, &items, item);
      expr = expr_finish(cx, expr, item.value, NULL);
      if (!accept(cx, TOK_COMMA))
        break;
    }
    expect_close(cx, TOK_RBRACE, &opener);
  }
  parser_leave(cx);
  expr->span = span_since(cx, opener.span);
  if (expr->kind == EXPR_INIT_LIST) {
    expr->u.init_list.items = items.data;
    expr->u.init_list.n_items = items.count;
  }
  return expr;
}
