// SPDX-License-Identifier: Apache-2.0
#include "syntax/parser.h"

#include "syntax/parse.h"
#include <string.h>

// --- Tokens ----------------------------------------------------------------

static void parse_core_set_token(Parser *cx, Token token) {
  cx->real = token;
  cx->token = token;
  if (cx->is_panicking)
    cx->token.kind = TOK_PANIC;
}

static Token parse_core_take_token(Parser *cx) {
  if (cx->ahead_first < cx->ahead.count)
    return cx->ahead.data[cx->ahead_first++];
  cx->ahead_first = cx->ahead.count = 0;
  return lexer_next(&cx->lexer);
}

static void count_bracket(Parser *cx) {
  TokenKind kind = cx->real.kind;
  if (kind == TOK_LPAREN || kind == TOK_LBRACKET)
    cx->n_open++;
  else if ((kind == TOK_RPAREN || kind == TOK_RBRACKET) && cx->n_open > 0)
    cx->n_open--;
}

static void skip_token(Parser *cx) {
  count_bracket(cx);
  cx->previous_end = cx->real.span.end;
  parse_core_set_token(cx, parse_core_take_token(cx));
}

void parser_advance(Parser *cx) {
  if (!cx->is_panicking)
    skip_token(cx);
}

const Token *parser_peek(Parser *cx, uint32_t n) {
  if (n == 0 || cx->is_panicking)
    return &cx->token;
  while (cx->ahead.count - cx->ahead_first < n)
    VEC_PUSH(cx->arena, &cx->ahead, lexer_next(&cx->lexer));
  return &cx->ahead.data[cx->ahead_first + n - 1];
}

void parser_init(Parser *cx, Arena *arena, Interner *interner,
                 DiagEngine *diags, SourceText *source) {
  *cx = (Parser){.arena = arena,
                 .interner = interner,
                 .diags = diags,
                 .source = source,
                 .errors_before = diag_error_count(diags),
                 .reported_at = UINT32_MAX};
#define WORD(id) cx->words.id = intern_cstr(interner, #id);
#include "syntax/word.def"
  lexer_init(&cx->lexer, arena, interner, diags, source);
  scope_add_builtins(cx);
  parse_core_set_token(cx, lexer_next(&cx->lexer));
}

bool accept(Parser *cx, TokenKind kind) {
  if (!at(cx, kind))
    return false;
  parser_advance(cx);
  return true;
}

// --- Errors ----------------------------------------------------------------

Place parser_place(const Parser *cx, Span span) {
  return source_place(cx->source, span);
}

void parser_panic(Parser *cx) {
  cx->reported_at = cx->real.span.begin;
  cx->is_panicking = true;
  cx->token.kind = TOK_PANIC;
}

bool parser_is_reported(const Parser *cx) {
  return cx->is_panicking || cx->reported_at == cx->real.span.begin ||
         (cx->lexer.error_end > 0 && cx->lexer.error_end >= cx->previous_end);
}

static const char *found_text(const Parser *cx) {
  return token_describe(cx->arena, cx->source, &cx->real);
}

void parser_expected(Parser *cx, const char *what) {
  if (!parser_is_reported(cx)) {
    Diag *diag =
        DIAG_REPORT(cx->diags, DIAG_expected, parser_place(cx, cx->real.span),
                    DS(what), DS(found_text(cx)));
    parser_note_habit(cx, diag);
  }
  parser_panic(cx);
}

bool expect(Parser *cx, TokenKind kind) {
  if (accept(cx, kind))
    return true;
  parser_expected(cx, token_kind_name(kind));
  return false;
}

Span expect_close(Parser *cx, TokenKind close, const Token *opener) {
  Span span = cx->real.span;
  if (accept(cx, close))
    return span;
  if (!parser_is_reported(cx)) {
    Diag *diag =
        DIAG_REPORT(cx->diags, DIAG_unclosed, parser_place(cx, span),
                    DS(token_kind_name(close)),
                    DS(token_kind_name(opener->kind)), DS(found_text(cx)));
    diag_label(cx->diags, diag, parser_place(cx, opener->span), "opened here");
    parser_note_habit(cx, diag);
  }
  parser_panic(cx);
  return (Span){cx->previous_end, cx->previous_end};
}

// At the end of the text before when the next token is `}` or on another line:
// there the `;` is missing.
void expect_semicolon(Parser *cx, const char *after) {
  if (accept(cx, TOK_SEMICOLON))
    return;
  const char *what = arena_printf(cx->arena, "';' after %s", after);
  bool is_end = cx->real.at_line_start || cx->real.kind == TOK_EOF ||
                cx->real.kind == TOK_RBRACE;
  if (parser_is_reported(cx) || !is_end) {
    parser_expected(cx, what);
    return;
  }
  uint32_t end = cx->previous_end;
  Place place = parser_place(cx, (Span){end > 0 ? end - 1 : 0, end});
  place.col = place.end_col;
  place.end_col = place.col + 1;
  Diag *diag = DIAG_REPORT(cx->diags, DIAG_expected, place, DS(what),
                           DS(found_text(cx)));
  Place insertion = place;
  insertion.end_col = insertion.col;
  diag_fix(cx->diags, diag, insertion, true, ";", "add the ';'");
  cx->reported_at = cx->real.span.begin;
}

const char *expect_name(Parser *cx, const char *what, Span *span) {
  *span = cx->real.span;
  if (at(cx, TOK_IDENT)) {
    const char *name = cx->token.name;
    parser_advance(cx);
    return name;
  }
  if (token_is_keyword(cx->token.kind)) {
    what = arena_printf(cx->arena, "%s (the word is reserved)", what);
  }
  parser_expected(cx, what);
  return NULL;
}

// --- Recovery --------------------------------------------------------------

static void end_panic(Parser *cx) {
  cx->is_panicking = false;
  cx->is_too_deep = false;
  cx->token = cx->real;
}

bool at_file_scope_word(const Parser *cx) {
  return cx->real.kind == TOK_KERNEL || cx->real.kind == TOK_EOF;
}

static bool parse_core_is_opener(TokenKind kind) {
  return kind == TOK_LPAREN || kind == TOK_LBRACKET || kind == TOK_LBRACE;
}

static bool parse_core_is_closer(TokenKind kind) {
  return kind == TOK_RPAREN || kind == TOK_RBRACKET || kind == TOK_RBRACE;
}

static bool starts_statement(TokenKind kind) {
  switch ((int)kind) {
  case TOK_IF:
  case TOK_FOR:
  case TOK_WHILE:
  case TOK_DO:
  case TOK_SWITCH:
  case TOK_RETURN:
  case TOK_BREAK:
  case TOK_CONTINUE:
  case TOK_GOTO:
  case TOK_CASE:
  case TOK_DEFAULT:
  case TOK_PARALLEL:
  case TOK_THREAD_GROUP:
  case TOK_SINGLE_THREAD:
  case TOK_SINGLE_WARP:
  case TOK_WARP_GROUP:
  case TOK_WITH:
  case TOK_PRODUCE:
  case TOK_CONSUME:
  case TOK_PRAGMA: return true;
  default: return false;
  }
}

static bool at_next_statement(const Parser *cx) {
  return cx->real.at_line_start && starts_statement(cx->real.kind);
}

// Skips a bracket and what it holds, up to its match or the end of what may
// stand inside. A `;` or a statement at the start of a line ends a list in
// parentheses that is not closed.
static void skip_brackets(Parser *cx) {
  uint32_t n_open = 0;
  uint32_t n_braces = 0;
  do {
    TokenKind kind = cx->real.kind;
    if (at_file_scope_word(cx))
      return;
    if (n_braces == 0 && n_open > 0 && cx->real.at_line_start &&
        starts_statement(kind))
      return;
    if (n_braces == 0 && kind == TOK_RBRACE)
      return;
    n_braces += kind == TOK_LBRACE;
    n_braces -= kind == TOK_RBRACE;
    n_open += parse_core_is_opener(kind);
    n_open -= parse_core_is_closer(kind) && n_open > 0;
    skip_token(cx);
  } while (n_open > 0);
}

void recover_statement(Parser *cx, uint32_t item_begin, uint32_t n_open) {
  for (;;) {
    TokenKind kind = cx->real.kind;
    bool is_first = cx->real.span.begin == item_begin;
    if (at_file_scope_word(cx) || kind == TOK_RBRACE)
      break;
    if (!is_first && !cx->is_too_deep && at_next_statement(cx))
      break;
    if (kind == TOK_SEMICOLON && !cx->is_too_deep) {
      skip_token(cx);
      break;
    }
    if (kind == TOK_LBRACE) {
      skip_brackets(cx);
      if (cx->n_open > n_open || cx->is_too_deep)
        continue; // braces inside an expression
      if (cx->real.kind == TOK_SEMICOLON)
        skip_token(cx);
      break;
    }
    if (parse_core_is_opener(kind))
      skip_brackets(cx);
    else
      skip_token(cx);
  }
  cx->n_open = n_open;
  end_panic(cx);
}

// A declaration starts at `kernel`, or with a word in the first column.
static bool at_first_column(const Parser *cx) {
  uint32_t begin = cx->real.span.begin;
  bool is_word = cx->real.kind == TOK_IDENT || token_is_keyword(cx->real.kind);
  return is_word && (begin == 0 || source_text(cx->source)[begin - 1] == '\n');
}

void recover_declaration(Parser *cx, uint32_t item_begin) {
  for (;;) {
    TokenKind kind = cx->real.kind;
    bool is_first = cx->real.span.begin == item_begin;
    if (kind == TOK_EOF || (!is_first && kind == TOK_KERNEL))
      break;
    if (!is_first && at_first_column(cx))
      break;
    bool is_end = kind == TOK_SEMICOLON;
    bool is_body = kind == TOK_LBRACE;
    if (is_body)
      skip_brackets(cx);
    else
      skip_token(cx);
    if (is_end ||
        (is_body && cx->real.kind != TOK_SEMICOLON && cx->real.at_line_start))
      break;
  }
  end_panic(cx);
}

bool recover_list(Parser *cx, TokenKind stop, uint32_t n_open) {
  for (;;) {
    TokenKind kind = cx->real.kind;
    if (cx->n_open <= n_open && (kind == stop || kind == TOK_COMMA)) {
      end_panic(cx);
      return true;
    }
    if (kind == TOK_LBRACE || kind == TOK_RBRACE || kind == TOK_SEMICOLON ||
        cx->n_open < n_open || at_file_scope_word(cx) || at_next_statement(cx))
      return false;
    skip_token(cx);
  }
}

void recover_header(Parser *cx, uint32_t n_open) {
  for (;;) {
    TokenKind kind = cx->real.kind;
    if (kind == TOK_RBRACE || at_file_scope_word(cx) || cx->is_too_deep)
      return;
    if (kind == TOK_LBRACE || at_next_statement(cx))
      break;
    skip_token(cx);
    if (kind == TOK_RPAREN && cx->n_open <= n_open)
      break;
  }
  cx->n_open = n_open;
  end_panic(cx);
}

void recover_to_body(Parser *cx, uint32_t n_open) {
  while (cx->is_panicking) {
    TokenKind kind = cx->real.kind;
    if (kind == TOK_SEMICOLON || kind == TOK_RBRACE || at_file_scope_word(cx))
      return;
    if (kind == TOK_LBRACE) {
      cx->n_open = n_open;
      end_panic(cx);
    } else {
      skip_token(cx);
    }
  }
}

// --- Nodes -----------------------------------------------------------------

bool parser_enter(Parser *cx) {
  cx->nesting++;
  if (cx->nesting <= SYNTAX_MAX_NESTING)
    return true;
  if (!parser_is_reported(cx))
    DIAG_REPORT(cx->diags, DIAG_too_nested, parser_place(cx, cx->real.span),
                DU(SYNTAX_MAX_NESTING));
  parser_panic(cx);
  cx->is_too_deep = true;
  return false;
}

void parser_leave(Parser *cx) {
  cx->nesting--;
}

// Beyond the limit the rest of the text is dropped.
static uint32_t parse_core_new_id(Parser *cx) {
  if (++cx->n_nodes == SYNTAX_MAX_NODES) {
    DIAG_REPORT(cx->diags, DIAG_too_many_nodes, parser_place(cx, cx->real.span),
                DU(SYNTAX_MAX_NODES));
    cx->is_too_big = true;
    cx->lexer.pos = cx->lexer.length;
    cx->ahead.count = cx->ahead_first = 0;
    cx->real.kind = TOK_EOF;
    parser_panic(cx);
  }
  return cx->n_nodes;
}

Span span_since(const Parser *cx, Span begin) {
  uint32_t end = cx->previous_end > begin.end ? cx->previous_end : begin.end;
  return (Span){begin.begin, end};
}

Expr *new_expr(Parser *cx, ExprKind kind, Span span) {
  Expr *expr = ARENA_NEW(cx->arena, Expr);
  expr->kind = kind;
  expr->id = parse_core_new_id(cx);
  expr->span = span;
  expr->depth = 1;
  return expr;
}

Stmt *new_stmt(Parser *cx, StmtKind kind, Span span) {
  Stmt *stmt = ARENA_NEW(cx->arena, Stmt);
  stmt->kind = kind;
  stmt->id = parse_core_new_id(cx);
  stmt->span = span;
  stmt->keyword = span;
  return stmt;
}

Decl *new_decl(Parser *cx, DeclKind kind, Span span) {
  Decl *decl = ARENA_NEW(cx->arena, Decl);
  decl->kind = kind;
  decl->id = parse_core_new_id(cx);
  decl->span = span;
  return decl;
}

TypeSyntax *new_type(Parser *cx, TypeSyntaxKind kind, Span span) {
  TypeSyntax *type = ARENA_NEW(cx->arena, TypeSyntax);
  type->kind = kind;
  type->id = parse_core_new_id(cx);
  type->span = span;
  type->depth = 1;
  return type;
}

Expr *expr_finish(Parser *cx, Expr *expr, const Expr *a, const Expr *b) {
  uint32_t depth = a ? a->depth : 0;
  if (b && b->depth > depth)
    depth = b->depth;
  if (depth < SYNTAX_MAX_EXPR_DEPTH) {
    if (depth + 1 > expr->depth)
      expr->depth = (uint16_t)(depth + 1);
    return expr;
  }
  Span first = {expr->span.begin, expr->span.begin + 1};
  if (!parser_is_reported(cx))
    DIAG_REPORT(cx->diags, DIAG_expr_too_deep, parser_place(cx, first),
                DU(SYNTAX_MAX_EXPR_DEPTH));
  parser_panic(cx);
  return new_expr(cx, EXPR_POISON, expr->span);
}
