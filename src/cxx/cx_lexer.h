// SPDX-License-Identifier: Apache-2.0
// Text to tokens, all at once: the parser looks far ahead, and skips bodies by
// the partner of their bracket.
//
// Any bytes may come in. What is no token is a CX_TOK_BAD, about which nobody
// complains unless the parser gets there. Line markers and pragmas other than
// those about unrolling are dropped.
#ifndef HD_CXX_CX_LEXER_H
#define HD_CXX_CX_LEXER_H

#include "base/intern.h"
#include "base/map.h"
#include "base/vec.h"
#include "cxx/cx_ast.h"
#include "diag/source.h"

typedef enum {

#define CX_CLASS(kind, name)     CX_TOK_##kind,
#define CX_PUNCT(kind, spelling) CX_TOK_##kind,
#define CX_WORD(kind, spelling)  CX_TOK_##kind,
#include "cxx/cx_token.def"
} CxTokenKind;

typedef struct {
  uint8_t kind; // CxTokenKind
  bool at_line_start;
  bool is_joined; // nothing stands between it and the token before
  uint32_t begin, end;

  union {
    const char *name; // IDENT and words: interned
    // Brackets: the index of the partner. An opening one without partner has
    // the end of the tokens; a closing one, itself.
    uint32_t match;
  } u;
} CxToken;

typedef hd_vec(CxToken) CxTokenVec;

// __heddle_comment(…), which the loader makes of `// heddle: …`: taken out of
// the stream, at the token that follows.
typedef struct {
  uint32_t position;
  Span span;
  uint32_t begin, end; // tokens inside the parentheses
} CxComment;

// A brace without partner: the first one.
typedef struct {
  bool is_found;
  Span span;   // of what was found instead, or of the stray one
  Span opener; // {0,0}: stray
} CxUnbalanced;

typedef struct {
  // The file up to EOF, at `n_main` - 1; then pieces taken out of it or added
  // later, each ended by an EOF.
  CxTokenVec tokens;
  uint32_t n_main;
  hd_vec(CxComment) comments;
  hd_vec(uint32_t) launches; // indices of <<<, and of words cudaLaunch…
  hd_vec(CxMissing) missing;
  CxUnbalanced unbalanced;
} CxLexed;

// Reserved words by their interned spelling; made once for a unit.
typedef struct {
  Map kinds;
  const char *comment, *unroll;
} CxWords;

void cx_words_init(CxWords *words, Arena *arena, Interner *interner);

void cx_lex(CxLexed *out, Arena *arena, Interner *interner,
            const CxWords *words, SourceText *source);

// Adds the tokens of a text that is not of the file, with `span` as the place
// of all. Gives the index of the first; an EOF is behind the last. Names,
// numbers and quotes keep their own text: see cx_lex_text_of.
uint32_t cx_lex_more(CxLexed *lexed, Arena *arena, Interner *interner,
                     const CxWords *words, const char *text, Span span);

const char *cx_token_kind_name(CxTokenKind kind);
bool cx_token_is_word(CxTokenKind kind);

#endif
