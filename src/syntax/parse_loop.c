// SPDX-License-Identifier: Apache-2.0
// Loops, those over threads included.
#include "syntax/parser.h"

static bool at_thread_for(Parser *cx) {
  return at_word(cx, cx->words.thread) && parser_peek(cx, 1)->kind == TOK_FOR;
}

static bool at_constexpr_for(Parser *cx) {
  return at(cx, TOK_CONSTEXPR) && parser_peek(cx, 1)->kind == TOK_FOR;
}

bool at_loop(Parser *cx) {
  return at(cx, TOK_FOR) || at_constexpr_for(cx) || at(cx, TOK_WHILE) ||
         at(cx, TOK_DO) || at(cx, TOK_PARALLEL) || at_thread_for(cx);
}

// for-init: declaration | expr? ';'
static Stmt *parse_for_init(Parser *cx) {
  Span begin = cx->token.span;
  if (accept(cx, TOK_SEMICOLON))
    return NULL;
  Stmt *stmt = new_stmt(cx, STMT_EXPR, begin);
  if (at_declaration(cx)) {
    DeclVec decls = {0};
    stmt->kind = STMT_DECL;
    parse_declaration(cx, &decls, false);
    stmt->u.decls = VEC_TO_LIST(DeclList, decls);
  } else {
    stmt->u.expr = parse_expr(cx);
    expect(cx, TOK_SEMICOLON);
  }
  stmt->span = span_since(cx, begin);
  return stmt;
}

// for-header: '(' for-init expr? ';' expr? ')'
static void parse_for_header(Parser *cx, Stmt *stmt) {
  uint32_t n_open = cx->n_open;
  Token opener = cx->token;
  if (expect(cx, TOK_LPAREN)) {
    stmt->u.loop.init = parse_for_init(cx);
    if (!at(cx, TOK_SEMICOLON))
      stmt->u.loop.condition = parse_expr(cx);
    expect(cx, TOK_SEMICOLON);
    if (!at(cx, TOK_RPAREN))
      stmt->u.loop.step = parse_expr(cx);
    expect_close(cx, TOK_RPAREN, &opener);
  }
  if (at(cx, TOK_PANIC))
    recover_header(cx, n_open);
  stmt->u.loop.header = span_since(cx, opener.span);
}

// for: 'for' for-header clauses body
// Clauses stand after the header of thread loops only.
static void parse_for(Parser *cx, Stmt *stmt) {
  uint32_t mark = scope_open(cx);
  expect(cx, TOK_FOR);
  parse_for_header(cx, stmt);
  if (stmt->kind != STMT_FOR)
    stmt->u.loop.clauses =
        parse_clauses(cx, 'L', "the header of a thread loop");
  stmt->u.loop.body = parse_body(cx);
  scope_close(cx, mark);
}

// parallel-for: 'parallel' ('(' 'block' ')')? for
// thread-for: 'thread' for
static void parse_thread_loop(Parser *cx, Stmt *stmt) {
  bool is_parallel = at(cx, TOK_PARALLEL);
  stmt->kind = is_parallel ? STMT_PARALLEL_FOR : STMT_THREAD_FOR;
  parser_advance(cx);
  if (is_parallel && at(cx, TOK_LPAREN)) {
    Token opener = cx->token;
    parser_advance(cx);
    stmt->u.loop.is_block = at_word(cx, cx->words.block);
    if (!stmt->u.loop.is_block)
      parser_expected(cx, "'block'");
    parser_advance(cx);
    expect_close(cx, TOK_RPAREN, &opener);
  }
  stmt->keyword = span_join(stmt->keyword, cx->real.span);
  parse_for(cx, stmt);
}

// constexpr-for: 'constexpr' for
static void parse_constexpr_loop(Parser *cx, Stmt *stmt) {
  parser_advance(cx);
  stmt->u.loop.is_constexpr = true;
  stmt->keyword = span_join(stmt->keyword, cx->real.span);
  parse_for(cx, stmt);
}

static Expr *parse_loop_condition(Parser *cx, Stmt *stmt) {
  uint32_t n_open = cx->n_open;
  Token opener = cx->token;
  Expr *condition = NULL;
  if (expect(cx, TOK_LPAREN)) {
    condition = parse_expr(cx);
    expect_close(cx, TOK_RPAREN, &opener);
  }
  if (at(cx, TOK_PANIC))
    recover_header(cx, n_open);
  stmt->u.loop.header = span_since(cx, opener.span);
  return condition ? condition : new_expr(cx, EXPR_POISON, cx->real.span);
}

// while: 'while' condition body
static void parse_loop_while(Parser *cx, Stmt *stmt) {
  stmt->kind = STMT_WHILE;
  parser_advance(cx);
  stmt->u.loop.condition = parse_loop_condition(cx, stmt);
  stmt->u.loop.body = parse_body(cx);
}

// do: 'do' body 'while' condition ';'
static void parse_loop_do(Parser *cx, Stmt *stmt) {
  Token opener = cx->token;
  stmt->kind = STMT_DO;
  parser_advance(cx);
  stmt->u.loop.body = parse_body(cx);
  if (at(cx, TOK_WHILE)) {
    parser_advance(cx);
    stmt->u.loop.condition = parse_loop_condition(cx, stmt);
    expect_semicolon(cx, "'do … while (…)'");
  } else {
    expect_close(cx, TOK_WHILE, &opener);
    stmt->u.loop.condition = new_expr(cx, EXPR_POISON, cx->real.span);
  }
}

// loop: for | constexpr-for | while | do | parallel-for | thread-for
Stmt *parse_loop(Parser *cx) {
  Span begin = cx->token.span;
  Stmt *stmt = new_stmt(cx, STMT_FOR, begin);
  stmt->u.loop.unroll = cx->unroll;
  cx->unroll = (UnrollPragma){0};
  if (at(cx, TOK_WHILE))
    parse_loop_while(cx, stmt);
  else if (at(cx, TOK_DO))
    parse_loop_do(cx, stmt);
  else if (at(cx, TOK_FOR))
    parse_for(cx, stmt);
  else if (at_constexpr_for(cx))
    parse_constexpr_loop(cx, stmt);
  else
    parse_thread_loop(cx, stmt);
  stmt->span = span_since(cx, begin);
  return stmt;
}
