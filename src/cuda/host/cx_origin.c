// SPDX-License-Identifier: Apache-2.0
#include "cuda/host/cx_origin.h"

#include "cuda/host/cx_host.h"
#include "cxx/cx_parser.h"

#include <string.h>

// ------------------------------------------------------------------ values

// T(x) of a type by its name, min(a, b): what goes in decides.
static bool origin_is_arithmetic(const char *name) {
  static const char *const words[] = {"min",   "max",   "ceil", "ceilf",
                                      "floor", "sqrt",  "abs",  "pow",
                                      "log2",  "round", "dim3"};
  size_t n = strlen(name);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(name, words[i]) == 0)
      return true;
  return n > 2 && strcmp(name + n - 2, "_t") == 0;
}

static bool origin_is_in_file(const CxParser *cx, const char *name) {
  for (uint32_t i = 0; i < cx->bodies.count; i++)
    if (cx->bodies.data[i]->name == name)
      return true;
  return false;
}

CxOrigin cx_origin_of_value(const CxUnit *unit, CxTokens value) {
  const CxParser *cx = unit->parser;
  CxOrigin origin = CX_ORIGIN_NONE;
  for (uint32_t at = value.begin; at + 1 < value.end; at++) {
    const char *name =
        cx_kind_at(cx, at) == CX_TOK_IDENT ? cx->tokens[at].u.name : NULL;
    bool is_call = name && cx_kind_at(cx, at + 1) == CX_TOK_LPAREN;
    if (!is_call || origin_is_arithmetic(name))
      continue;
    if (!origin_is_in_file(cx, name))
      return CX_ORIGIN_GIVEN;
    origin = CX_ORIGIN_MADE;
  }
  return origin;
}

// ----------------------------------------------------------------- changes

static bool origin_names(const CxParser *cx, CxTokens tokens,
                         const char *name) {
  for (uint32_t at = tokens.begin; at < tokens.end; at++)
    if (cx_is_named(cx, at, name))
      return true;
  return false;
}

// The statement at `pos` is done where a condition on `name` holds.
static bool origin_is_tested(const CxParser *cx, uint32_t pos,
                             const char *name) {
  uint32_t at = pos - (cx_kind_at(cx, pos - 1) == CX_TOK_LBRACE) - 1;
  if (cx_kind_at(cx, at) != CX_TOK_RPAREN)
    return false;
  uint32_t open = cx->tokens[at].u.match;
  return open > 0 && open < at && cx_kind_at(cx, open - 1) == CX_TOK_IF &&
         origin_names(cx, (CxTokens){open + 1, at}, name);
}

static uint32_t origin_end_of_value(const CxParser *cx, uint32_t at) {
  for (; at < cx->limit; at++) {
    unsigned kind = cx_kind_at(cx, at);
    if (kind == CX_TOK_SEMICOLON || kind == CX_TOK_RPAREN ||
        kind == CX_TOK_COMMA || kind == CX_TOK_RBRACE)
      break;
    if (kind == CX_TOK_LPAREN || kind == CX_TOK_LBRACKET)
      at = cx_behind_brackets(cx, at) - 1;
  }
  return at;
}

// Variables but `name` stand in the value.
static bool origin_names_others(const CxParser *cx, CxTokens value,
                                const char *name) {
  for (uint32_t at = value.begin; at < value.end; at++)
    if (cx_kind_at(cx, at) == CX_TOK_IDENT && !cx_is_named(cx, at, name) &&
        cx_kind_at(cx, at + 1) != CX_TOK_LPAREN)
      return true;
  return false;
}

// ++, --, +=, -= at `op`, or before the name: any number leads to any other.
static bool origin_is_counted(const CxParser *cx, uint32_t op) {
  unsigned first = cx_kind_at(cx, op - 2), kind = cx_kind_at(cx, op);
  return first == CX_TOK_PLUS_PLUS || first == CX_TOK_MINUS_MINUS ||
         kind == CX_TOK_PLUS_PLUS || kind == CX_TOK_MINUS_MINUS ||
         kind == CX_TOK_PLUS_EQ || kind == CX_TOK_MINUS_EQ;
}

// By the change at `pos`. What is added may be from outside, too.
static CxOrigin origin_of_change(const CxUnit *unit, uint32_t pos,
                                 const char *name, CxOrigin before) {
  const CxParser *cx = unit->parser;
  uint32_t op = pos + 1;
  unsigned kind = cx_kind_at(cx, op);
  bool is_counted = origin_is_counted(cx, op);
  if (!is_counted && !cx_assigns_at(cx, op))
    return CX_ORIGIN_GIVEN;
  CxTokens value = {op + 1, origin_end_of_value(cx, op + 1)};
  bool has_value = kind != CX_TOK_PLUS_PLUS && kind != CX_TOK_MINUS_MINUS &&
                   cx_assigns_at(cx, op);
  if (has_value && cx_origin_of_value(unit, value) == CX_ORIGIN_GIVEN)
    return CX_ORIGIN_GIVEN;
  if (is_counted)
    return has_value && origin_names_others(cx, value, name) ? CX_ORIGIN_GIVEN
                                                             : before;
  if (origin_is_tested(cx, pos, name))
    return CX_ORIGIN_MADE;
  if (kind != CX_TOK_EQ || origin_names(cx, value, name))
    return origin_names_others(cx, value, name) ? CX_ORIGIN_GIVEN
                                                : CX_ORIGIN_MADE;
  return before != CX_ORIGIN_GIVEN ? CX_ORIGIN_MADE : before;
}

CxOrigin cx_origin_of_changes(const CxUnit *unit, CxTokens tokens,
                              const char *name, CxOrigin before) {
  const CxParser *cx = unit->parser;
  CxOrigin origin = before;
  for (uint32_t pos = tokens.begin; pos < tokens.end; pos++)
    if (cx_is_named(cx, pos, name) && cx_changes_at(cx, pos))
      origin = origin_of_change(unit, pos, name, origin);
  return origin;
}
