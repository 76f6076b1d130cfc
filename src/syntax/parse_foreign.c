// SPDX-License-Identifier: Apache-2.0
// Words of other languages, as foreign.def lists them.
#include "syntax/parser.h"

#include "syntax/parse.h"
#include <string.h>

typedef enum {
  FOREIGN_SKIP,
  FOREIGN_SKIP_ARGS,
  FOREIGN_ANGLES,
  FOREIGN_STOP,
  FOREIGN_TYPE,
  FOREIGN_NAME,
} ForeignAction;

typedef struct {
  const char *word;
  ForeignAction action;
  const char *hint;
} Foreign;

static const Foreign foreign_table[] = {
#define FOREIGN(word, action, hint) {#word, FOREIGN_##action, hint},
#include "syntax/foreign.def"
#undef FOREIGN
};

static const Foreign *find_foreign(const char *word) {
  for (size_t i = 0; i < sizeof(foreign_table) / sizeof(Foreign); i++)
    if (strcmp(foreign_table[i].word, word) == 0)
      return &foreign_table[i];
  return NULL;
}

const char *syntax_foreign_hint(const char *word) {
  const Foreign *row = find_foreign(word);
  return row ? row->hint : NULL;
}

// Skips a bracket of `open` and what it holds, if it stands here.
static void skip_balanced(Parser *cx, TokenKind open, TokenKind close) {
  uint32_t depth = 0;
  do {
    if (at(cx, TOK_EOF) || at(cx, TOK_PANIC) || at(cx, TOK_SEMICOLON) ||
        (depth == 0 && !at(cx, open)))
      return;
    depth += at(cx, open);
    depth -= at(cx, close);
    parser_advance(cx);
  } while (depth > 0);
}

static void parse_foreign_report(Parser *cx, const Foreign *row) {
  if (!parser_is_reported(cx))
    DIAG_REPORT(cx->diags, DIAG_foreign_word, parser_place(cx, cx->token.span),
                DS(row->word), DS(row->hint));
}

// Whether what follows makes the word a specifier, not an ordinary name: a
// word or, for words with parentheses or <…>, those.
static bool is_specifier_use(Parser *cx, const Foreign *row) {
  const Token *next = parser_peek(cx, 1);
  bool is_word = next->kind == TOK_IDENT || token_is_keyword(next->kind);
  switch (row->action) {
  case FOREIGN_SKIP: return is_word || next->kind == TOK_STAR;
  case FOREIGN_SKIP_ARGS: return next->kind == TOK_LPAREN;
  case FOREIGN_ANGLES: return next->kind == TOK_LT;
  case FOREIGN_STOP:
    return is_word || next->kind == TOK_COLON || next->kind == TOK_LBRACE;
  case FOREIGN_TYPE: return is_word;
  case FOREIGN_NAME: break;
  }
  return false;
}

bool parse_foreign_words(Parser *cx) {
  if (!at(cx, TOK_IDENT) || scope_is_type(cx, cx->token.name))
    return false;
  const Foreign *row = find_foreign(cx->token.name);
  if (!row || row->action == FOREIGN_TYPE || !is_specifier_use(cx, row))
    return false;
  parse_foreign_report(cx, row);
  if (row->action == FOREIGN_STOP) {
    parser_panic(cx);
    return true;
  }
  parser_advance(cx);
  if (row->action == FOREIGN_SKIP_ARGS)
    skip_balanced(cx, TOK_LPAREN, TOK_RPAREN);
  else if (row->action == FOREIGN_ANGLES)
    skip_balanced(cx, TOK_LT, TOK_GT);
  cx->reported_at = cx->real.span.begin;
  return true;
}
