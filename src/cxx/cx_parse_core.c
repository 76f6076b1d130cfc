// SPDX-License-Identifier: Apache-2.0
// Tokens, errors and nodes of the C++ parser.
#include "cxx/cx_parser.h"

#include "cxx/cx_missing.h"

#include <string.h>

// --- Tokens ----------------------------------------------------------------

// How many tokens attempts may take for each token of the file.
enum { MAX_TRIED_EACH = 40, MAX_TRIED_FREE = 100000 };

static void set_kind(CxParser *cx) {
  cx->kind = cx->is_panicking       ? CX_TOK_PANIC
             : cx->pos >= cx->limit ? CX_TOK_EOF
                                    : (CxTokenKind)cx->tokens[cx->pos].kind;
}

const CxToken *cx_token(const CxParser *cx) {
  return &cx->tokens[cx->pos < cx->limit ? cx->pos : cx->limit];
}

void cx_go_to(CxParser *cx, uint32_t pos) {
  cx->pos = pos < cx->limit ? pos : cx->limit;
  set_kind(cx);
}

static void stop_trying(CxParser *cx) {
  if (cx->tried >
      MAX_TRIED_FREE + (uint64_t)cx->lexed.tokens.count * MAX_TRIED_EACH) {
    cx_problem(cx, DIAG_too_nested, cx_span(cx), NULL, NULL);
    cx->limit = cx->pos;
  }
}

void cx_advance(CxParser *cx) {
  if (cx->is_panicking || cx->pos >= cx->limit)
    return;
  cx->last_end = cx->tokens[cx->pos].end;
  cx->pos++;
  if (cx->trying) {
    cx->tried++;
    stop_trying(cx);
  }
  set_kind(cx);
}

CxTokenKind cx_peek(const CxParser *cx, uint32_t n) {
  uint64_t at = (uint64_t)cx->pos + n;
  if (cx->is_panicking)
    return CX_TOK_PANIC;
  return at < cx->limit ? (CxTokenKind)cx->tokens[at].kind : CX_TOK_EOF;
}

bool cx_accept(CxParser *cx, CxTokenKind kind) {
  if (cx->kind != kind)
    return false;
  cx_advance(cx);
  return true;
}

bool cx_at_name(const CxParser *cx, const char *name) {
  return cx->kind == CX_TOK_IDENT && cx->tokens[cx->pos].u.name == name;
}

bool cx_at_shift_right(const CxParser *cx) {
  return cx->kind == CX_TOK_GT && cx->pos + 1 < cx->limit &&
         cx->tokens[cx->pos + 1].is_joined &&
         (cx->tokens[cx->pos + 1].kind == CX_TOK_GT ||
          cx->tokens[cx->pos + 1].kind == CX_TOK_GE);
}

const char *cx_token_text(const CxParser *cx, const CxToken *token,
                          uint32_t *length) {
  bool is_quoted = token->kind == CX_TOK_NUMBER || token->kind == CX_TOK_CHAR ||
                   token->kind == CX_TOK_STRING;
  if (is_quoted && token->u.name) {
    *length = (uint32_t)strlen(token->u.name);
    return token->u.name;
  }
  *length = token->end - token->begin;
  return source_text(cx->source) + token->begin;
}

// The token behind what opens at `pos`. What isn't closed ends where what is
// around it ends.
uint32_t cx_behind_brackets(const CxParser *cx, uint32_t pos) {
  const CxToken *token = &cx->tokens[pos];
  uint32_t match = token->u.match;
  if (match >= cx->limit)
    return cx->limit;
  bool is_own = cx->tokens[match].kind == token->kind + 1;
  return is_own ? match + 1 : match > pos ? match : pos + 1;
}

void cx_skip_brackets(CxParser *cx) {
  if (cx->is_panicking || cx->pos >= cx->limit)
    return;
  uint32_t behind = cx_behind_brackets(cx, cx->pos);
  cx->last_end = cx->tokens[behind > 0 ? behind - 1 : 0].end;
  cx_go_to(cx, behind);
}

Span cx_span(const CxParser *cx) {
  const CxToken *token = cx_token(cx);
  return (Span){token->begin, token->end};
}

Span cx_since(const CxParser *cx, Span begin) {
  uint32_t end = cx->last_end > begin.end ? cx->last_end : begin.end;
  return (Span){begin.begin, end};
}

// --- Errors ----------------------------------------------------------------

bool cx_is_reported(const CxParser *cx) {
  return cx->is_panicking || cx->reported_at == cx->pos;
}

CxProblem *cx_problem(CxParser *cx, DiagId id, Span span, const char *first,
                      const char *second) {
  CxProblem *problem = ARENA_NEW(cx->arena, CxProblem);
  *problem = (CxProblem){.id = id,
                         .span = span,
                         .args = {first, second},
                         .n_args = second  ? 2
                                   : first ? 1
                                           : 0,
                         .next = cx->problems};
  cx->problems = problem;
  cx->reported_at = cx->pos;
  return problem;
}

void cx_panic(CxParser *cx) {
  cx->reported_at = cx->pos;
  cx->is_panicking = true;
  cx->kind = CX_TOK_PANIC;
}

void cx_end_panic(CxParser *cx) {
  cx->is_panicking = false;
  cx->is_too_deep = false;
  set_kind(cx);
}

static const char *parse_core_describe(CxParser *cx) {
  enum { MAX_SHOWN = 48 };

  const CxToken *token = cx_token(cx);
  uint32_t length;
  CxTokenKind kind =
      cx->pos < cx->limit ? (CxTokenKind)token->kind : CX_TOK_EOF;
  if (kind == CX_TOK_EOF)
    return token->kind == CX_TOK_EOF && cx->limit + 1 == cx->lexed.n_main
               ? "end of file"
               : "the end";
  if (kind == CX_TOK_PRAGMA || kind == CX_TOK_PRAGMA_END)
    return cx_token_kind_name(kind);
  const char *text = cx_token_text(cx, token, &length);
  if (kind == CX_TOK_IDENT) {
    text = token->u.name;
    length = (uint32_t)strlen(text);
  }
  if (length > MAX_SHOWN)
    return kind == CX_TOK_STRING  ? "a string"
           : kind == CX_TOK_IDENT ? "a long identifier"
                                  : "a long token";
  return arena_printf(cx->arena, kind == CX_TOK_STRING ? "%.*s" : "'%.*s'",
                      (int)length, text);
}

// A token that is none: says what is wrong with it itself.
static bool report_bad_token(CxParser *cx) {
  const CxToken *token = cx_token(cx);
  if (cx->pos >= cx->limit || token->kind != CX_TOK_BAD)
    return false;
  uint32_t length;
  const char *text = cx_token_text(cx, token, &length);
  bool is_string = length > 0 && memchr(text, '"', length) != NULL;
  bool is_quote = is_string || (length > 0 && memchr(text, '\'', length));
  if (is_quote)
    cx_problem(cx, DIAG_unterminated, cx_span(cx),
               is_string ? "this string" : "this character constant", "line");
  else
    cx_problem(cx, DIAG_bad_character, cx_span(cx),
               arena_printf(cx->arena, "'%.*s'", (int)length, text), NULL);
  return true;
}

static bool report_beyond(CxParser *cx) {
  const char *what = cx->pos < cx->limit ? cx_beyond(cx) : NULL;
  if (what)
    cx_problem(cx, DIAG_cuda_not_supported, cx_span(cx), what, "");
  return what != NULL;
}

void cx_expected(CxParser *cx, const char *what) {
  if (!cx_is_reported(cx) && !report_bad_token(cx) && !report_beyond(cx))
    cx_problem(cx, DIAG_expected, cx_span(cx), what, parse_core_describe(cx));
  cx_panic(cx);
}

bool cx_expect(CxParser *cx, CxTokenKind kind) {
  if (cx_accept(cx, kind))
    return true;
  cx_expected(cx, cx_token_kind_name(kind));
  return false;
}

bool cx_expect_close(CxParser *cx, CxTokenKind close, uint32_t opener) {
  if (cx_accept(cx, close))
    return true;
  if (!cx_is_reported(cx) && !report_bad_token(cx) && !report_beyond(cx)) {
    const CxToken *token = &cx->tokens[opener];
    CxProblem *problem =
        cx_problem(cx, DIAG_unclosed, cx_span(cx), cx_token_kind_name(close),
                   cx_token_kind_name((CxTokenKind)token->kind));
    problem->args[2] = parse_core_describe(cx);
    problem->n_args = 3;
    problem->opener = (Span){token->begin, token->end};
  }
  cx_panic(cx);
  return false;
}

// At the end of the text before when the next token is `}` or on another line.
void cx_expect_semicolon(CxParser *cx, const char *after) {
  if (cx_accept(cx, CX_TOK_SEMICOLON))
    return;
  const char *what = arena_printf(cx->arena, "';' after %s", after);
  const CxToken *token = cx_token(cx);
  bool is_end = cx->kind == CX_TOK_EOF || cx->kind == CX_TOK_RBRACE ||
                token->at_line_start;
  if (cx_is_reported(cx) || !is_end || cx->last_end == 0) {
    cx_expected(cx, what);
    return;
  }
  CxProblem *problem =
      cx_problem(cx, DIAG_expected, (Span){cx->last_end - 1, cx->last_end},
                 what, parse_core_describe(cx));
  problem->is_behind = true;
}

// --- Attempts --------------------------------------------------------------

CxAttempt cx_try(CxParser *cx) {
  cx->trying++;
  return (CxAttempt){.pos = cx->pos,
                     .problems = cx->problems,
                     .reported_at = cx->reported_at,
                     .nesting = cx->nesting,
                     .scope = cx->scope,
                     .no_gt = cx->no_gt};
}

bool cx_try_end(CxParser *cx, const CxAttempt *attempt, bool is_good) {
  cx->trying--;
  if (is_good && !cx->is_panicking && cx->problems == attempt->problems)
    return true;
  cx->problems = attempt->problems;
  cx->reported_at = attempt->reported_at;
  cx->nesting = attempt->nesting;
  cx->scope = attempt->scope;
  cx->no_gt = attempt->no_gt;
  cx->pos = attempt->pos;
  cx_end_panic(cx);
  return false;
}

// --- Nodes -----------------------------------------------------------------

bool cx_enter(CxParser *cx) {
  cx->nesting++;
  if (cx->nesting <= SYNTAX_MAX_NESTING)
    return true;
  if (!cx_is_reported(cx))
    cx_problem(cx, DIAG_too_nested, cx_span(cx), NULL, NULL);
  cx_panic(cx);
  cx->is_too_deep = true;
  return false;
}

void cx_leave(CxParser *cx) {
  cx->nesting--;
}

// Beyond the limit the rest of the text is dropped.
static uint32_t new_id(CxParser *cx) {
  if (++cx->n_nodes == SYNTAX_MAX_NODES) {
    cx_problem(cx, DIAG_too_many_nodes, cx_span(cx), NULL, NULL);
    cx->limit = cx->pos;
    cx_panic(cx);
  }
  return cx->n_nodes;
}

CxExpr *cx_new_expr(CxParser *cx, CxExprKind kind, Span span) {
  CxExpr *expr = ARENA_NEW(cx->arena, CxExpr);
  expr->kind = kind;
  expr->id = new_id(cx);
  expr->span = span;
  expr->depth = 1;
  return expr;
}

CxStmt *cx_new_stmt(CxParser *cx, CxStmtKind kind, Span span) {
  CxStmt *stmt = ARENA_NEW(cx->arena, CxStmt);
  stmt->kind = kind;
  stmt->id = new_id(cx);
  stmt->span = span;
  stmt->keyword = span;
  return stmt;
}

CxDecl *cx_new_decl(CxParser *cx, CxDeclKind kind, Span span) {
  CxDecl *decl = ARENA_NEW(cx->arena, CxDecl);
  decl->kind = kind;
  decl->id = new_id(cx);
  decl->span = span;
  decl->scope = cx->scope;
  return decl;
}

CxType *cx_new_type(CxParser *cx, CxTypeKind kind, Span span) {
  CxType *type = ARENA_NEW(cx->arena, CxType);
  type->kind = kind;
  type->id = new_id(cx);
  type->span = span;
  type->depth = 1;
  return type;
}

CxExpr *cx_finish(CxParser *cx, CxExpr *expr, const CxExpr *a,
                  const CxExpr *b) {
  uint32_t deepest = a ? a->depth : 0;
  if (b && b->depth > deepest)
    deepest = b->depth;
  if (deepest + 1 <= SYNTAX_MAX_EXPR_DEPTH) {
    if (expr->depth < deepest + 1)
      expr->depth = (uint16_t)(deepest + 1);
    return expr;
  }
  if (!cx_is_reported(cx))
    cx_problem(cx, DIAG_expr_too_deep, expr->span, NULL, NULL);
  cx_panic(cx);
  return cx_new_expr(cx, CX_EXPR_POISON, expr->span);
}

CxExpr *cx_unsupported_expr(CxParser *cx, Span span, const char *what) {
  CxExpr *expr = cx_new_expr(cx, CX_EXPR_UNSUPPORTED, cx_since(cx, span));
  expr->u.what = what;
  return expr;
}

// --- Problems told ---------------------------------------------------------

static uint64_t limit_of(DiagId id) {
  return id == DIAG_too_nested       ? SYNTAX_MAX_NESTING
         : id == DIAG_expr_too_deep  ? SYNTAX_MAX_EXPR_DEPTH
         : id == DIAG_too_many_nodes ? SYNTAX_MAX_NODES
                                     : 0;
}

static void parse_core_report(CxUnit *unit, const CxProblem *problem) {
  CxParser *cx = unit->parser;
  DiagArg args[3] = {DS(problem->args[0]), DS(problem->args[1]),
                     DS(problem->args[2])};
  uint32_t n_args = problem->n_args;
  if (limit_of(problem->id)) {
    args[0] = DU(limit_of(problem->id));
    n_args = 1;
  }
  Place place = source_place(cx->source, problem->span);
  if (problem->is_behind) {
    place.col = place.end_col;
    place.end_col = place.col + 1;
  }
  Diag *diag = diag_report(cx->diags, problem->id, place, args, n_args);
  if (problem->id == DIAG_undeclared_name)
    cx_note_missing(unit, diag, problem->args[0]);
  if (problem->opener.end)
    diag_label(cx->diags, diag, source_place(cx->source, problem->opener),
               "opened here");
  if (problem->is_behind) {
    place.end_col = place.col;
    diag_fix(cx->diags, diag, place, true, ";", "add the ';'");
  }
}

void cx_report_problems(CxUnit *unit, const CxProblem *problems) {
  for (const CxProblem *at = problems; at; at = at->next)
    parse_core_report(unit, at);
}
