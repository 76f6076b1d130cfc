// SPDX-License-Identifier: Apache-2.0
// Which of C's type words go together: `unsigned long int` and the like.
#ifndef HD_SYNTAX_PARSE_BUILTIN_H
#define HD_SYNTAX_PARSE_BUILTIN_H

#include "syntax/ast.h"
#include "syntax/lexer.h"

// The words so far. Zero-initialise.
typedef struct {
  uint32_t sum; // two bits a word
  uint32_t count;
} BuiltinWords;

bool builtin_is_word(TokenKind kind);
// Adds a word; false, and nothing is added, if it can't go with the others.
bool builtin_add(BuiltinWords *words, TokenKind kind);
// The type of one word or more.
BuiltinType builtin_result(const BuiltinWords *words);
const char *builtin_spelling_so_far(const BuiltinWords *words);

#endif
