// SPDX-License-Identifier: Apache-2.0
// Statements but loops (parse_loop.c) and group statements (parse_group.c).
#include "syntax/parser.h"

// --- Compound statements ---------------------------------------------------

// compound: '{' statement* '}'
// A `kernel` inside means that a `}` is missing: kernels don't nest.
Stmt *parse_compound(Parser *cx) {
  Token opener = cx->token;
  StmtVec items = {0};
  uint32_t n_open = cx->n_open;
  uint32_t mark = scope_open(cx);
  Stmt *stmt = new_stmt(cx, STMT_COMPOUND, opener.span);
  expect(cx, TOK_LBRACE);
  while (!at(cx, TOK_RBRACE) && !at(cx, TOK_PANIC) && !at_file_scope_word(cx)) {
    uint32_t begin = cx->real.span.begin;
    VEC_PUSH(cx->arena, &items, parse_statement(cx));
    if (at(cx, TOK_PANIC))
      recover_statement(cx, begin, n_open);
  }
  expect_close(cx, TOK_RBRACE, &opener);
  scope_close(cx, mark);
  stmt->span = span_since(cx, opener.span);
  stmt->u.compound.items = VEC_TO_LIST(StmtList, items);
  return stmt;
}

static bool marks_next(const Stmt *stmt) {
  return stmt->kind == STMT_CASE || stmt->kind == STMT_DEFAULT ||
         stmt->kind == STMT_LABEL || stmt->kind == STMT_PRAGMA;
}

static void refuse_declaration(Parser *cx) {
  if (!at_declaration(cx) || at_loop(cx) || at(cx, TOK_PANIC) ||
      parser_is_reported(cx))
    return;
  DIAG_REPORT(cx->diags, DIAG_expected, parser_place(cx, cx->token.span),
              DS("a statement"), DS("a declaration (put it into braces)"));
  cx->reported_at = cx->real.span.begin;
}

// body: statement, in which labels and pragmas take the statement behind them
Stmt *parse_body(Parser *cx) {
  StmtVec items = {0};
  Span begin = cx->real.span;
  refuse_declaration(cx);
  do
    VEC_PUSH(cx->arena, &items, parse_statement(cx));
  while (marks_next(VEC_LAST(&items)) && !at(cx, TOK_PANIC));
  if (items.count == 1)
    return items.data[0];
  Stmt *stmt = new_stmt(cx, STMT_COMPOUND, span_since(cx, begin));
  stmt->u.compound.items = VEC_TO_LIST(StmtList, items);
  stmt->u.compound.is_implicit = true;
  return stmt;
}

// --- Branches --------------------------------------------------------------

// condition: '(' expr ')'
static Expr *parse_condition(Parser *cx) {
  uint32_t n_open = cx->n_open;
  Token opener = cx->token;
  if (!expect(cx, TOK_LPAREN)) {
    recover_header(cx, n_open);
    return new_expr(cx, EXPR_POISON, cx->real.span);
  }
  Expr *condition = parse_expr(cx);
  expect_close(cx, TOK_RPAREN, &opener);
  if (at(cx, TOK_PANIC))
    recover_header(cx, n_open);
  return condition;
}

// if: 'if' condition body ('else' body)?
static void parse_stmt_if(Parser *cx, Stmt *stmt) {
  stmt->kind = STMT_IF;
  parser_advance(cx);
  stmt->u.if_stmt.condition = parse_condition(cx);
  stmt->u.if_stmt.then_stmt = parse_body(cx);
  if (accept(cx, TOK_ELSE))
    stmt->u.if_stmt.else_stmt = parse_body(cx);
}

// switch: 'switch' condition body
static void parse_stmt_switch(Parser *cx, Stmt *stmt) {
  stmt->kind = STMT_SWITCH;
  parser_advance(cx);
  stmt->u.switch_stmt.condition = parse_condition(cx);
  stmt->u.switch_stmt.body = parse_body(cx);
}

// case: 'case' conditional ':'
static void parse_case(Parser *cx, Stmt *stmt) {
  stmt->kind = STMT_CASE;
  parser_advance(cx);
  stmt->u.expr = parse_conditional(cx);
  if (at(cx, TOK_ELLIPSIS) && !parser_is_reported(cx)) {
    DIAG_REPORT(cx->diags, DIAG_not_in_heddle, parser_place(cx, cx->token.span),
                DS("case ranges"), DS("write one case a value, or 'if'"));
    parser_panic(cx);
  }
  expect(cx, TOK_COLON);
}

// --- Jumps and the rest ----------------------------------------------------

// return: 'return' expr? ';'
static void parse_stmt_return(Parser *cx, Stmt *stmt) {
  stmt->kind = STMT_RETURN;
  parser_advance(cx);
  if (!at(cx, TOK_SEMICOLON) && !at(cx, TOK_RBRACE))
    stmt->u.expr = parse_expr(cx);
  expect_semicolon(cx, "'return'");
}

// goto: 'goto' name ';'
static void parse_stmt_goto(Parser *cx, Stmt *stmt) {
  stmt->kind = STMT_GOTO;
  parser_advance(cx);
  stmt->u.label.name = expect_name(cx, "a label", &stmt->u.label.name_span);
  expect_semicolon(cx, "'goto'");
}

static void parse_jump(Parser *cx, Stmt *stmt, StmtKind kind,
                       const char *after) {
  stmt->kind = kind;
  parser_advance(cx);
  expect_semicolon(cx, after);
}

// label: name ':'
static void parse_stmt_label(Parser *cx, Stmt *stmt) {
  stmt->kind = STMT_LABEL;
  stmt->u.label.name = expect_name(cx, "a label", &stmt->u.label.name_span);
  expect(cx, TOK_COLON);
}

// expression-statement: expr ';'
static void parse_expr_stmt(Parser *cx, Stmt *stmt) {
  stmt->kind = STMT_EXPR;
  stmt->u.expr = parse_expr(cx);
  expect_semicolon(cx, "an expression");
}

static void parse_decl_stmt(Parser *cx, Stmt *stmt) {
  DeclVec decls = {0};
  stmt->kind = STMT_DECL;
  parse_declaration(cx, &decls, false);
  stmt->u.decls = VEC_TO_LIST(DeclList, decls);
}

// An `else` that no `if` took: its statement is read and dropped.
static void refuse_else(Parser *cx) {
  if (!parser_is_reported(cx))
    DIAG_REPORT0(cx->diags, DIAG_stray_else, parser_place(cx, cx->token.span));
  parser_advance(cx);
  parse_body(cx);
}

static void finish_default(Parser *cx, Stmt *stmt) {
  stmt->kind = STMT_DEFAULT;
  parser_advance(cx);
  expect(cx, TOK_COLON);
}

// What starts with a word that is no keyword, or with an operator.
static void parse_other(Parser *cx, Stmt *stmt) {
  bool is_label = at(cx, TOK_IDENT) && parser_peek(cx, 1)->kind == TOK_COLON;
  while (parse_foreign_words(cx)) {
  }
  if (is_label)
    parse_stmt_label(cx, stmt);
  else if (at_declaration(cx))
    parse_decl_stmt(cx, stmt);
  else if (at(cx, TOK_RBRACE) || at(cx, TOK_EOF))
    parser_expected(cx, "a statement");
  else if (!at(cx, TOK_PANIC))
    parse_expr_stmt(cx, stmt);
}

static void parse_stmt_by_keyword(Parser *cx, Stmt *stmt) {
  switch ((int)cx->token.kind) {
  case TOK_IF: parse_stmt_if(cx, stmt); break;
  case TOK_SWITCH: parse_stmt_switch(cx, stmt); break;
  case TOK_CASE: parse_case(cx, stmt); break;
  case TOK_DEFAULT: finish_default(cx, stmt); break;
  case TOK_RETURN: parse_stmt_return(cx, stmt); break;
  case TOK_GOTO: parse_stmt_goto(cx, stmt); break;
  case TOK_BREAK: parse_jump(cx, stmt, STMT_BREAK, "'break'"); break;
  case TOK_CONTINUE: parse_jump(cx, stmt, STMT_CONTINUE, "'continue'"); break;
  case TOK_ELSE: refuse_else(cx); break;
  case TOK_SEMICOLON:
    stmt->kind = STMT_EMPTY;
    parser_advance(cx);
    break;
  default: parse_other(cx, stmt); break;
  }
}

// Pragmas before a statement. True: one of them became a node, *kind.
static bool parse_leading_pragmas(Parser *cx, PragmaKind *kind) {
  while (at(cx, TOK_PRAGMA))
    if (parse_pragma(cx, kind))
      return true;
  return false;
}

static Stmt *parse_pragma_stmt(Parser *cx, Span begin, PragmaKind kind) {
  Stmt *stmt = new_stmt(cx, STMT_PRAGMA, span_since(cx, begin));
  stmt->u.pragma.kind = kind;
  return stmt;
}

static Stmt *parse_plain(Parser *cx) {
  if (at(cx, TOK_LBRACE))
    return parse_compound(cx);
  if (at_loop(cx))
    return parse_loop(cx);
  if (at_group_stmt(cx))
    return parse_group_stmt(cx);
  if (at(cx, TOK_ASM))
    return parse_asm(cx);
  Span begin = cx->real.span;
  Stmt *stmt = new_stmt(cx, STMT_POISON, begin);
  parse_stmt_by_keyword(cx, stmt);
  stmt->span = span_since(cx, begin);
  return stmt;
}

// statement: compound | if | switch | case | 'default' ':' | label | loop
//          | group-statement | asm | return | goto | 'break' ';'
//          | 'continue' ';' | declaration | expr? ';' | pragma
Stmt *parse_statement(Parser *cx) {
  Span begin = cx->real.span;
  PragmaKind kind;
  if (at(cx, TOK_PRAGMA)) {
    if (parse_leading_pragmas(cx, &kind))
      return parse_pragma_stmt(cx, begin, kind);
    if (at(cx, TOK_RBRACE) || at_file_scope_word(cx)) {
      parse_pragma_check_used(cx);
      return new_stmt(cx, STMT_EMPTY, begin);
    }
  }
  if (!at_loop(cx))
    parse_pragma_check_used(cx);
  Stmt *stmt =
      parser_enter(cx) ? parse_plain(cx) : new_stmt(cx, STMT_POISON, begin);
  parser_leave(cx);
  return stmt;
}
