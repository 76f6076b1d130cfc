// SPDX-License-Identifier: Apache-2.0
// What the tokens of host functions say about their variables.
#include "cuda/cx_host.h"

#include "cuda/cx_parser.h"

#include <string.h>

static unsigned kind_at(const CxParser *cx, uint32_t pos) {
  return pos < cx->limit ? cx->tokens[pos].kind : CX_TOK_EOF;
}

static bool is_assignment(const CxParser *cx, uint32_t pos) {
  unsigned kind = kind_at(cx, pos);
  bool is_shift_right = kind == CX_TOK_GT && kind_at(cx, pos + 1) == CX_TOK_GE;
  return (kind >= CX_TOK_EQ && kind <= CX_TOK_PIPE_EQ) || is_shift_right ||
         kind == CX_TOK_PLUS_PLUS || kind == CX_TOK_MINUS_MINUS;
}

// `&x`, not `a & x`: what stands in front of the `&` ends no operand.
static bool is_address_of(const CxParser *cx, uint32_t amp) {
  unsigned kind = kind_at(cx, amp - 1);
  return kind != CX_TOK_IDENT && kind != CX_TOK_NUMBER &&
         kind != CX_TOK_RBRACKET;
}

static bool changes_at(const CxParser *cx, uint32_t pos) {
  unsigned before = kind_at(cx, pos - 1), next = kind_at(cx, pos + 1);
  bool is_member = before == CX_TOK_DOT || before == CX_TOK_ARROW ||
                   before == CX_TOK_COLON_COLON;
  if (is_member || before == CX_TOK_STAR) // *x = e leaves x as it is
    return false;
  bool is_extracted = before == CX_TOK_GT && kind_at(cx, pos - 2) == CX_TOK_GT;
  bool is_field = next == CX_TOK_DOT && is_assignment(cx, pos + 3);
  return is_assignment(cx, pos + 1) || before == CX_TOK_PLUS_PLUS ||
         before == CX_TOK_MINUS_MINUS || is_extracted || is_field ||
         (before == CX_TOK_AMP && is_address_of(cx, pos - 1));
}

static bool names(const CxParser *cx, uint32_t pos, const char *name) {
  return kind_at(cx, pos) == CX_TOK_IDENT && cx->tokens[pos].u.name == name;
}

static uint32_t count_changes(const CxParser *cx, CxTokens tokens,
                              const char *name, uint32_t declared_at) {
  uint32_t n = 0;
  for (uint32_t at = tokens.begin; at < tokens.end; at++)
    n += at != declared_at && names(cx, at, name) && changes_at(cx, at);
  return n;
}

uint32_t cx_count_changes(const CxUnit *unit, const CxDecl *function,
                          const char *name, uint32_t declared_at) {
  CxTokens body = function->u.function.body;
  return count_changes(unit->parser, (CxTokens){body.begin + 1, body.end}, name,
                       declared_at);
}

// `int x`, `T x`: another variable of that name, from here on.
static bool declares_at(const CxParser *cx, uint32_t pos) {
  unsigned before = kind_at(cx, pos - 1);
  return before == CX_TOK_IDENT || before == CX_TOK_AUTO ||
         before == CX_TOK_INT || before == CX_TOK_UNSIGNED ||
         before == CX_TOK_LONG || before == CX_TOK_SHORT;
}

bool cx_is_kept(const CxUnit *unit, const CxDecl *function, CxTokens tokens,
                const char *name) {
  const CxParser *cx = unit->parser;
  CxTokens body = function->u.function.body;
  for (uint32_t at = body.begin + 1; at < body.end; at++) {
    bool is_inside = at >= tokens.begin && at < tokens.end;
    bool is_address =
        kind_at(cx, at - 1) == CX_TOK_AMP && is_address_of(cx, at - 1);
    if (names(cx, at, name) &&
        (is_address || (is_inside && declares_at(cx, at))))
      return false;
  }
  return count_changes(cx, tokens, name, 0) == 0;
}

// --- Allocations -----------------------------------------------------------

static uint32_t end_of_argument(const CxParser *cx, uint32_t pos,
                                uint32_t end) {
  while (pos < end && kind_at(cx, pos) != CX_TOK_COMMA) {
    unsigned kind = kind_at(cx, pos);
    bool is_opener = kind == CX_TOK_LPAREN || kind == CX_TOK_LBRACKET ||
                     kind == CX_TOK_LBRACE;
    pos = is_opener ? cx_behind_brackets(cx, pos) : pos + 1;
  }
  return pos;
}

static bool is_allocator(const char *name) {
  return strcmp(name, "cudaMalloc") == 0 ||
         strcmp(name, "cudaMallocManaged") == 0 ||
         strcmp(name, "cudaMallocAsync") == 0;
}

// The call at `pos`: cudaMalloc((void **)&name, bytes).
static bool allocates(const CxParser *cx, uint32_t pos, const char *name,
                      CxTokens *bytes) {
  if (kind_at(cx, pos) != CX_TOK_IDENT ||
      kind_at(cx, pos + 1) != CX_TOK_LPAREN ||
      !is_allocator(cx->tokens[pos].u.name))
    return false;
  uint32_t end = cx_behind_brackets(cx, pos + 1) - 1;
  uint32_t comma = end_of_argument(cx, pos + 2, end);
  bool is_this = comma >= pos + 4 && comma < end &&
                 kind_at(cx, comma - 1) == CX_TOK_IDENT &&
                 kind_at(cx, comma - 2) == CX_TOK_AMP &&
                 cx->tokens[comma - 1].u.name == name;
  *bytes = (CxTokens){comma + 1, end_of_argument(cx, comma + 1, end)};
  return is_this;
}

bool cx_find_allocation(const CxUnit *unit, const CxDecl *function,
                        const char *name, CxTokens *bytes) {
  const CxParser *cx = unit->parser;
  CxTokens body = function->u.function.body;
  if (cx_count_changes(unit, function, name, 0) != 1)
    return false;
  for (uint32_t at = body.begin + 1; at < body.end; at++) {
    if (allocates(cx, at, name, bytes))
      return true;
  }
  return false;
}
