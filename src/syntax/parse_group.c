// SPDX-License-Identifier: Apache-2.0
// Statements that change the current group, produce and consume, and asm.
#include "syntax/parser.h"

typedef struct {
  TokenKind token;
  StmtKind kind;
  bool may_lack_args;
} GroupRow;

static const GroupRow group_rows[] = {
    {TOK_THREAD_GROUP, STMT_THREAD_GROUP, false},
    {TOK_SINGLE_THREAD, STMT_SINGLE_THREAD, true},
    {TOK_SINGLE_WARP, STMT_SINGLE_WARP, true},
    {TOK_WARP_GROUP, STMT_WARP_GROUP, false},
    {TOK_WITH, STMT_WITH, false},
    {TOK_PRODUCE, STMT_PRODUCE, false},
    {TOK_CONSUME, STMT_CONSUME, false},
};

static const GroupRow *group_row(TokenKind kind) {
  for (size_t i = 0; i < sizeof(group_rows) / sizeof(GroupRow); i++)
    if (group_rows[i].token == kind)
      return &group_rows[i];
  return NULL;
}

bool at_group_stmt(const Parser *cx) {
  return group_row(cx->token.kind) != NULL;
}

// group-statement: ('thread_group' | 'warp_group' | 'with' | 'produce'
//                  | 'consume') arguments body
//                | ('single_thread' | 'single_warp') arguments? body
// A `(` after the latter two always opens the arguments.
Stmt *parse_group_stmt(Parser *cx) {
  const GroupRow *row = group_row(cx->token.kind);
  Span begin = cx->token.span;
  Span parens;
  uint32_t n_open = cx->n_open;
  Stmt *stmt = new_stmt(cx, row->kind, begin);
  parser_advance(cx);
  if (at(cx, TOK_LPAREN) || !row->may_lack_args)
    stmt->u.group.args = parse_arguments(cx, &parens);
  if (at(cx, TOK_PANIC))
    recover_header(cx, n_open);
  stmt->u.group.body = parse_body(cx);
  stmt->span = span_since(cx, begin);
  return stmt;
}

// asm-operand: ('[' name ']')? string '(' expr ')'
static AsmOperand parse_group_operand(Parser *cx) {
  AsmOperand operand = {0};
  Token opener = cx->token;
  if (accept(cx, TOK_LBRACKET)) {
    Span name_span;
    operand.name = expect_name(cx, "the name of an operand", &name_span);
    expect_close(cx, TOK_RBRACKET, &opener);
  }
  if (!at(cx, TOK_STRING))
    parser_expected(cx, "a constraint such as \"r\" or \"=r\"");
  operand.constraint = at(cx, TOK_STRING)
                           ? parse_string(cx)
                           : new_expr(cx, EXPR_POISON, cx->real.span);
  opener = cx->token;
  expect(cx, TOK_LPAREN);
  operand.value = parse_expr(cx);
  expect_close(cx, TOK_RPAREN, &opener);
  return operand;
}

// asm-operands: ':' (asm-operand (',' asm-operand)*)?
static AsmOperand *parse_group_operands(Parser *cx, uint32_t *count) {
  hd_vec(AsmOperand) operands = {0};
  if (accept(cx, TOK_COLON) && (at(cx, TOK_STRING) || at(cx, TOK_LBRACKET))) {
    do {
      AsmOperand operand = parse_group_operand(cx);
      VEC_PUSH(cx->arena, &operands, operand);
    } while (accept(cx, TOK_COMMA));
  }
  *count = operands.count;
  return operands.data;
}

static void refuse_clobbers(Parser *cx) {
  if (!at(cx, TOK_COLON) || parser_is_reported(cx))
    return;
  DIAG_REPORT(
      cx->diags, DIAG_not_in_heddle, parser_place(cx, cx->token.span),
      DS("list of clobbers"),
      DS("state the memory that it touches with reads(…) and writes(…)"));
  parser_panic(cx);
}

static void parse_asm_inside(Parser *cx, Stmt *stmt) {
  Token opener = cx->token;
  expect(cx, TOK_LPAREN);
  if (!at(cx, TOK_STRING))
    parser_expected(cx, "a string of instructions");
  stmt->u.asm_stmt.code = at(cx, TOK_STRING)
                              ? parse_string(cx)
                              : new_expr(cx, EXPR_POISON, cx->real.span);
  stmt->u.asm_stmt.outputs =
      parse_group_operands(cx, &stmt->u.asm_stmt.n_outputs);
  stmt->u.asm_stmt.inputs =
      parse_group_operands(cx, &stmt->u.asm_stmt.n_inputs);
  refuse_clobbers(cx);
  expect_close(cx, TOK_RPAREN, &opener);
}

// asm: 'asm' 'ptx' '(' string asm-operands? asm-operands? ')' clauses ';'
Stmt *parse_asm(Parser *cx) {
  Span begin = cx->token.span;
  Stmt *stmt = new_stmt(cx, STMT_ASM, begin);
  parser_advance(cx);
  if (at_word(cx, cx->words.ptx))
    stmt->u.asm_stmt.dialect = cx->token.name;
  else
    parser_expected(cx, "'ptx' after 'asm'");
  parser_advance(cx);
  parse_asm_inside(cx, stmt);
  stmt->u.asm_stmt.clauses = parse_clauses(cx, 'A', "asm");
  expect_semicolon(cx, "asm");
  stmt->span = span_since(cx, begin);
  return stmt;
}
