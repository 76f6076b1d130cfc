// SPDX-License-Identifier: Apache-2.0
// Clauses: words after the parameters of kernels and functions, after the
// header of thread loops, and after asm.
#include "syntax/parser.h"

#include <string.h>

typedef struct {
  ClauseKind kind;
  const char *name;
  const char *where;
} ClauseRow;

static const ClauseRow clause_table[] = {
#define AST_CLAUSE(kind, spelling, where) {CLAUSE_##kind, spelling, where},
#include "syntax/ast.def"
};

enum { N_CLAUSES = sizeof(clause_table) / sizeof(clause_table[0]) };

static const ClauseRow *parse_clause_find(const char *name) {
  for (int i = 0; i < N_CLAUSES; i++)
    if (strcmp(clause_table[i].name, name) == 0)
      return &clause_table[i];
  return NULL;
}

static bool has_arguments(ClauseKind kind) {
  return kind != CLAUSE_HOST && kind != CLAUSE_TILE;
}

// The row of the clause that stands here, or NULL.
static const ClauseRow *row_here(Parser *cx) {
  if (!at(cx, TOK_IDENT))
    return NULL;
  const ClauseRow *row = parse_clause_find(cx->token.name);
  if (row && has_arguments(row->kind) && parser_peek(cx, 1)->kind != TOK_LPAREN)
    return NULL;
  return row;
}

bool at_clause(Parser *cx) {
  return row_here(cx) != NULL;
}

static void report_misplaced(Parser *cx, const ClauseRow *row,
                             const char *what) {
  if (parser_is_reported(cx))
    return;
  Diag *diag =
      DIAG_REPORT(cx->diags, DIAG_bad_clause, parser_place(cx, cx->token.span),
                  DS(row->name), DS(what));
  Text names = {.arena = cx->arena};
  for (const char *letter = row->where; *letter; letter++)
    text_printf(&names, "%s%s", names.length ? ", " : "",
                *letter == 'K'   ? "the parameters of a kernel"
                : *letter == 'F' ? "the parameters of a function"
                : *letter == 'L' ? "the header of a thread loop"
                                 : "asm");
  diag_note(cx->diags, diag, (Place){0}, "it belongs after %s",
            text_cstr(&names));
}

// --- tile and tune ---

// tile: 'tile' '(' conditional* ')'   (sema demands names and calls)
static void parse_clause_hints(Parser *cx, Clause *clause) {
  Token opener = cx->token;
  hd_vec(Expr *) hints = {0};
  expect(cx, TOK_LPAREN);
  while (at(cx, TOK_IDENT))
    VEC_PUSH(cx->arena, &hints, parse_conditional(cx));
  expect_close(cx, TOK_RPAREN, &opener);
  clause->args = VEC_TO_LIST(ExprList, hints);
}

// tune-names: name | '(' name (',' name)* ')'
static void parse_clause_names(Parser *cx, Clause *clause) {
  hd_vec(Expr *) names = {0};
  Token opener = cx->token;
  bool is_tuple = accept(cx, TOK_LPAREN);
  do {
    Expr *name = new_expr(cx, EXPR_NAME, cx->token.span);
    name->u.name = expect_name(cx, "a constexpr parameter", &name->span);
    VEC_PUSH(cx->arena, &names, name);
  } while (is_tuple && accept(cx, TOK_COMMA));
  if (is_tuple)
    expect_close(cx, TOK_RPAREN, &opener);
  clause->names = VEC_TO_LIST(ExprList, names);
}

static ExprList parse_clause_list(Parser *cx) {
  hd_vec(Expr *) list = {0};
  do
    VEC_PUSH(cx->arena, &list, parse_conditional(cx));
  while (accept(cx, TOK_COMMA));
  return VEC_TO_LIST(ExprList, list);
}

// tune: 'tune' '(' tune-names ':' conditional (',' conditional)*
//       (';' conditional (',' conditional)*)? ')'
// A value for several names is a parenthesized comma expression.
static void parse_clause_tune(Parser *cx, Clause *clause) {
  Token opener = cx->token;
  expect(cx, TOK_LPAREN);
  parse_clause_names(cx, clause);
  expect(cx, TOK_COLON);
  clause->args = parse_clause_list(cx);
  if (accept(cx, TOK_SEMICOLON))
    clause->conditions = parse_clause_list(cx);
  expect_close(cx, TOK_RPAREN, &opener);
}

// clause: word arguments? | 'tile' | tile | tune
static Clause parse_clause(Parser *cx, const ClauseRow *row) {
  Clause clause = {.kind = row->kind, .span = cx->token.span};
  Span parens;
  parser_advance(cx);
  if (row->kind == CLAUSE_TILE && at(cx, TOK_LPAREN))
    parse_clause_hints(cx, &clause);
  else if (row->kind == CLAUSE_TUNE)
    parse_clause_tune(cx, &clause);
  else if (has_arguments(row->kind))
    clause.args = parse_arguments(cx, &parens);
  clause.span = span_since(cx, clause.span);
  return clause;
}

// clauses: clause*
ClauseList parse_clauses(Parser *cx, char where, const char *what) {
  ClauseVec clauses = {0};
  const ClauseRow *row;
  while ((row = row_here(cx)) != NULL) {
    bool is_allowed = strchr(row->where, where) != NULL;
    if (!is_allowed)
      report_misplaced(cx, row, what);
    Clause clause = parse_clause(cx, row);
    if (is_allowed)
      VEC_PUSH(cx->arena, &clauses, clause);
  }
  return VEC_TO_LIST(ClauseList, clauses);
}
