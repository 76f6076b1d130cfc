// SPDX-License-Identifier: Apache-2.0
#include "syntax/parse_builtin.h"

#include "syntax/parse.h"

// Words may come in any order (C17 6.7.2), so they are counted: two bits a
// word, and a sum names a combination.
enum {
  WORD_VOID = 1 << 0,
  WORD_BOOL = 1 << 2,
  WORD_CHAR = 1 << 4,
  WORD_SHORT = 1 << 6,
  WORD_INT = 1 << 8,
  WORD_LONG = 1 << 10,
  WORD_FLOAT = 1 << 12,
  WORD_DOUBLE = 1 << 14,
  WORD_HALF = 1 << 16,
  WORD_SIGNED = 1 << 18,
  WORD_UNSIGNED = 1 << 20,
  WORD_COMPLEX = 1 << 22,
};

typedef struct {
  uint32_t sum;
  BuiltinType type;
} Combination;

#define LONG_LONG (2 * WORD_LONG)

static const Combination combinations[] = {
    {WORD_VOID, BUILTIN_VOID},
    {WORD_BOOL, BUILTIN_BOOL},
    {WORD_CHAR, BUILTIN_CHAR},
    {WORD_SIGNED | WORD_CHAR, BUILTIN_SCHAR},
    {WORD_UNSIGNED | WORD_CHAR, BUILTIN_UCHAR},
    {WORD_SHORT, BUILTIN_SHORT},
    {WORD_SHORT | WORD_INT, BUILTIN_SHORT},
    {WORD_SIGNED | WORD_SHORT, BUILTIN_SHORT},
    {WORD_SIGNED | WORD_SHORT | WORD_INT, BUILTIN_SHORT},
    {WORD_UNSIGNED | WORD_SHORT, BUILTIN_USHORT},
    {WORD_UNSIGNED | WORD_SHORT | WORD_INT, BUILTIN_USHORT},
    {WORD_INT, BUILTIN_INT},
    {WORD_SIGNED, BUILTIN_INT},
    {WORD_SIGNED | WORD_INT, BUILTIN_INT},
    {WORD_UNSIGNED, BUILTIN_UINT},
    {WORD_UNSIGNED | WORD_INT, BUILTIN_UINT},
    {WORD_LONG, BUILTIN_LONG},
    {WORD_LONG | WORD_INT, BUILTIN_LONG},
    {WORD_SIGNED | WORD_LONG, BUILTIN_LONG},
    {WORD_SIGNED | WORD_LONG | WORD_INT, BUILTIN_LONG},
    {WORD_UNSIGNED | WORD_LONG, BUILTIN_ULONG},
    {WORD_UNSIGNED | WORD_LONG | WORD_INT, BUILTIN_ULONG},
    {LONG_LONG, BUILTIN_LLONG},
    {LONG_LONG | WORD_INT, BUILTIN_LLONG},
    {WORD_SIGNED | LONG_LONG, BUILTIN_LLONG},
    {WORD_SIGNED | LONG_LONG | WORD_INT, BUILTIN_LLONG},
    {WORD_UNSIGNED | LONG_LONG, BUILTIN_ULLONG},
    {WORD_UNSIGNED | LONG_LONG | WORD_INT, BUILTIN_ULLONG},
    {WORD_HALF, BUILTIN_HALF},
    {WORD_FLOAT, BUILTIN_FLOAT},
    {WORD_DOUBLE, BUILTIN_DOUBLE},
    {WORD_LONG | WORD_DOUBLE, BUILTIN_LDOUBLE},
};

enum { N_COMBINATIONS = sizeof(combinations) / sizeof(combinations[0]) };

static uint32_t parse_builtin_word_of(TokenKind kind) {
  switch ((int)kind) {
  case TOK_VOID: return WORD_VOID;
  case TOK_BOOL:
  case TOK_BOOL_C99: return WORD_BOOL;
  case TOK_CHAR_TYPE: return WORD_CHAR;
  case TOK_SHORT: return WORD_SHORT;
  case TOK_INT: return WORD_INT;
  case TOK_LONG: return WORD_LONG;
  case TOK_FLOAT: return WORD_FLOAT;
  case TOK_DOUBLE: return WORD_DOUBLE;
  case TOK_FLOAT16: return WORD_HALF;
  case TOK_SIGNED: return WORD_SIGNED;
  case TOK_UNSIGNED: return WORD_UNSIGNED;
  case TOK_COMPLEX:
  case TOK_IMAGINARY: return WORD_COMPLEX;
  default: return 0;
  }
}

bool builtin_is_word(TokenKind kind) {
  return parse_builtin_word_of(kind) != 0;
}

static const Combination *find_sum(uint32_t sum) {
  for (int i = 0; i < N_COMBINATIONS; i++)
    if (combinations[i].sum == sum)
      return &combinations[i];
  return NULL;
}

// Every part of a combination is one too, in whatever order it is written.
bool builtin_add(BuiltinWords *words, TokenKind kind) {
  uint32_t sum = words->sum + parse_builtin_word_of(kind);
  if (!find_sum(sum))
    return false;
  words->sum = sum;
  words->count++;
  return true;
}

BuiltinType builtin_result(const BuiltinWords *words) {
  const Combination *row = find_sum(words->sum);
  return row ? row->type : BUILTIN_INT;
}

const char *builtin_spelling_so_far(const BuiltinWords *words) {
  return ast_builtin_spelling(builtin_result(words));
}
