// SPDX-License-Identifier: Apache-2.0
// What isn't understood, but known: C++ that kernels seldom have, told by its
// name where the parser finds no place for it.
#include "cxx/cx_parser.h"

#include <string.h>

static const char *beyond_name_at(const CxParser *cx, uint32_t pos) {
  return cx_kind_at(cx, pos) == CX_TOK_IDENT ? cx->tokens[pos].u.name : "";
}

const char *cx_word_beyond(const CxParser *cx, uint32_t pos) {
  static const char *const words[][2] = {
      {"co_await", "coroutines"},
      {"co_yield", "coroutines"},
      {"co_return", "coroutines"},
      {"requires", "concepts and constraints"},
      {"concept", "concepts and constraints"}};

  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (strcmp(beyond_name_at(cx, pos), words[i][0]) == 0)
      return words[i][1];
  return NULL;
}

bool cx_at_coroutine(const CxParser *cx) {
  return strncmp(beyond_name_at(cx, cx->pos), "co_", 3) == 0 &&
         cx_word_beyond(cx, cx->pos) != NULL;
}

const char *cx_beyond(const CxParser *cx) {
  uint32_t at = cx->pos;
  unsigned before = at > 0 ? cx->tokens[at - 1].kind : CX_TOK_EOF;
  unsigned kind = cx_kind_at(cx, at), after = cx_kind_at(cx, at + 1);
  const char *word = cx_word_beyond(cx, at);
  if (!word && at > 0)
    word = cx_word_beyond(cx, at - 1);
  bool is_constrained = (kind == CX_TOK_AUTO && before == CX_TOK_IDENT) ||
                        (kind == CX_TOK_IDENT && after == CX_TOK_IDENT &&
                         (before == CX_TOK_LT || before == CX_TOK_COMMA));
  if (word || is_constrained)
    return word ? word : "concepts and constraints";
  if (kind == CX_TOK_COLON_COLON && after == CX_TOK_STAR)
    return "pointers to members";
  if (kind == CX_TOK_LT && before == CX_TOK_RBRACKET)
    return "templates of lambdas";
  bool is_label = (kind == CX_TOK_AMP_AMP && after == CX_TOK_IDENT) ||
                  (kind == CX_TOK_STAR && before == CX_TOK_GOTO);
  return is_label ? "addresses of labels" : NULL;
}
