// SPDX-License-Identifier: Apache-2.0
#include "cxx/cx_dispatch.h"

#include "cxx/cx_parser.h"

#include <string.h>

// The bracket around `pos`; 0: none.
static uint32_t bracket_around(const CxParser *cx, uint32_t pos) {
  while (pos > 0) {
    unsigned kind = cx_kind_at(cx, --pos);
    if (kind == CX_TOK_LPAREN || kind == CX_TOK_LBRACE ||
        kind == CX_TOK_LBRACKET)
      return pos;
    bool is_closer = kind == CX_TOK_RPAREN || kind == CX_TOK_RBRACE ||
                     kind == CX_TOK_RBRACKET;
    if (is_closer && cx->tokens[pos].u.match < pos)
      pos = cx->tokens[pos].u.match;
  }
  return 0;
}

static const char *callee_of(const CxParser *cx, uint32_t open) {
  bool is_call = open > 0 && cx_kind_at(cx, open) == CX_TOK_LPAREN &&
                 cx_kind_at(cx, open - 1) == CX_TOK_IDENT;
  return is_call ? cx->tokens[open - 1].u.name : NULL;
}

CxChosen cx_chosen_type(const CxUnit *unit, const char *name, uint32_t at) {
  const CxParser *cx = unit->parser;
  bool is_index = strncmp(name, "index", strlen("index")) == 0;
  for (uint32_t open = bracket_around(cx, at); open > 0;
       open = bracket_around(cx, open)) {
    const char *callee = callee_of(cx, open);
    if (!callee || (!strstr(callee, "DISPATCH") && !strstr(callee, "SWITCH")))
      continue;
    if (is_index != (strstr(callee, "INDEX") != NULL))
      continue;
    return is_index || strstr(callee, "INTEGRAL") ? CX_CHOSEN_INT
                                                  : CX_CHOSEN_FLOAT;
  }
  return CX_CHOSEN_NONE;
}
