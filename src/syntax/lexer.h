// SPDX-License-Identifier: Apache-2.0
// Text to tokens, one at a time. The text is the preprocessor's output or a
// file without directives; line markers are skipped (SourceText reads them)
// and unknown pragmas dropped with a warning.
//
// Any bytes may come in: what is no token is reported once and skipped.
#ifndef HD_SYNTAX_LEXER_H
#define HD_SYNTAX_LEXER_H

#include "base/intern.h"
#include "base/map.h"
#include "diag/diag.h"
#include "diag/source.h"

typedef enum {

#define TOK_CLASS(kind, name)       TOK_##kind,
#define TOK_PUNCT(kind, spelling)   TOK_##kind,
#define TOK_KEYWORD(kind, spelling) TOK_##kind,
#include "syntax/token.def"
  TOK_COUNT
} TokenKind;

typedef struct {
  TokenKind kind;
  Span span;
  const char *name;   // IDENT and keywords: interned, escapes resolved
  bool at_line_start; // first on its line
  bool is_bad;        // was reported: unterminated and the like
} Token;

typedef struct {
  Arena *arena;
  Interner *interner;
  DiagEngine *diags;
  SourceText *source;
  const char *text;
  uint32_t length;
  uint32_t pos;
  uint32_t error_end; // end of the last text that was reported as wrong
  bool in_pragma;
  bool at_line_start;
  Map keywords; // interned spelling -> its row
} Lexer;

void lexer_init(Lexer *lexer, Arena *arena, Interner *interner,
                DiagEngine *diags, SourceText *source);
// After the end of the text it returns TOK_EOF for ever.
Token lexer_next(Lexer *lexer);

// Whether `c` may be part of an identifier, for code points above 127.
bool lexer_is_ident_point(uint32_t code_point);

// How messages name a kind: "';'", "'while'", "identifier".
const char *token_kind_name(TokenKind kind);
bool token_is_keyword(TokenKind kind);
// The text of a token, from `arena`; long or odd texts are shortened.
const char *token_describe(Arena *arena, const SourceText *source,
                           const Token *token);

// One line a token: line:column, kind, text.
void tokens_print(Arena *arena, Interner *interner, DiagEngine *diags,
                  SourceText *source, Text *out);

#endif
