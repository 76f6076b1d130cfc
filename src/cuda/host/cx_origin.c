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

// What reads a number that somebody else chose.
static bool origin_reads_input(const char *name) {
  static const char *const words[] = {
      "scanf", "sscanf",   "fscanf",  "atoi",
      "atol",  "atoll",    "strtol",  "stoi",
      "stol",  "stoul",    "strtoul", "strtoll",
      "stoll", "stoull",   "fread",   "getenv",
      "rand",  "strtoull", "read",    "strlen",
      "atof",  "strtod",   "strtof",  "getCmdLineArgumentInt"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(name, words[i]) == 0)
      return true;
  return false;
}

static bool origin_is_member(const CxParser *cx, uint32_t pos) {
  unsigned before = cx_kind_at(cx, pos - 1);
  return before == CX_TOK_DOT || before == CX_TOK_ARROW;
}

// What the function at `pos` gives or sets. x.size() of whatever x is any.
static CxOrigin origin_of_function(const CxParser *cx, uint32_t pos) {
  const char *name = cx->tokens[pos].u.name;
  if (origin_is_arithmetic(name))
    return CX_ORIGIN_NONE;
  if (origin_is_in_file(cx, name))
    return CX_ORIGIN_MADE;
  return origin_is_member(cx, pos) || origin_reads_input(name)
             ? CX_ORIGIN_GIVEN
             : CX_ORIGIN_ASKED;
}

static bool origin_is_call(const CxParser *cx, uint32_t pos) {
  return cx_kind_at(cx, pos) == CX_TOK_IDENT &&
         cx_kind_at(cx, pos + 1) == CX_TOK_LPAREN;
}

// An element has a value that its array got, whoever chose the index.
static bool origin_is_index(const CxParser *cx, uint32_t pos) {
  return cx_kind_at(cx, pos) == CX_TOK_LBRACKET &&
         cx_kind_at(cx, pos - 1) == CX_TOK_IDENT;
}

// By the functions alone.
static CxOrigin origin_of_calls(const CxParser *cx, CxTokens value) {
  CxOrigin origin = CX_ORIGIN_NONE;
  for (uint32_t at = value.begin; at + 1 < value.end; at++) {
    if (at > value.begin && origin_is_index(cx, at)) {
      at = cx_behind_brackets(cx, at) - 1;
      continue;
    }
    CxOrigin found =
        origin_is_call(cx, at) ? origin_of_function(cx, at) : CX_ORIGIN_NONE;
    if (found == CX_ORIGIN_GIVEN)
      return found;
    origin = found > origin ? found : origin;
  }
  return origin;
}

CxOrigin cx_origin_of_value(const CxUnit *unit, CxTokens value) {
  const CxParser *cx = unit->parser;
  CxOrigin origin = origin_of_calls(cx, value);
  bool is_more = value.end > value.begin + 1;
  for (uint32_t at = value.begin; at < value.end && origin != CX_ORIGIN_GIVEN;
       at++) {
    if (at > value.begin && origin_is_index(cx, at))
      at = cx_behind_brackets(cx, at) - 1;
    if (cx_kind_at(cx, at) != CX_TOK_IDENT || origin_is_call(cx, at))
      continue;
    CxOrigin found = origin_is_member(cx, at)
                         ? cx_origin_of_member(unit, cx->tokens[at].u.name)
                     : is_more && cx_kind_at(cx, at + 1) != CX_TOK_DOT &&
                             cx_kind_at(cx, at + 1) != CX_TOK_ARROW
                         ? CX_ORIGIN_MADE
                         : CX_ORIGIN_NONE;
    if (found == CX_ORIGIN_GIVEN)
      return found;
    origin = found > origin ? found : origin;
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
  for (uint32_t at = value.begin; at < value.end; at++) {
    if (cx_kind_at(cx, at) == CX_TOK_SIZEOF &&
        cx_kind_at(cx, at + 1) == CX_TOK_LPAREN)
      at = cx_behind_brackets(cx, at + 1) - 1;
    if (cx_kind_at(cx, at) == CX_TOK_IDENT && !cx_is_named(cx, at, name) &&
        cx_kind_at(cx, at + 1) != CX_TOK_LPAREN)
      return true;
  }
  return false;
}

// ++, --, +=, -= at `op`, or before the name: any number leads to any other.
static bool origin_is_counted(const CxParser *cx, uint32_t op) {
  unsigned first = cx_kind_at(cx, op - 2), kind = cx_kind_at(cx, op);
  return first == CX_TOK_PLUS_PLUS || first == CX_TOK_MINUS_MINUS ||
         kind == CX_TOK_PLUS_PLUS || kind == CX_TOK_MINUS_MINUS ||
         kind == CX_TOK_PLUS_EQ || kind == CX_TOK_MINUS_EQ;
}

// f(&x), or something else that sets it.
static CxOrigin origin_of_address(const CxParser *cx, uint32_t pos) {
  uint32_t open = cx_opener_before(cx, pos);
  bool is_call =
      open > 1 && open != CX_OPENER_FAR && origin_is_call(cx, open - 1);
  CxOrigin origin =
      is_call ? origin_of_function(cx, open - 1) : CX_ORIGIN_GIVEN;
  return origin == CX_ORIGIN_NONE ? CX_ORIGIN_MADE : origin;
}

// What the file has made may be put there again.
static CxOrigin origin_set_there(CxOrigin origin, CxOrigin before) {
  return origin == CX_ORIGIN_GIVEN || before < origin ? origin : before;
}

// By the change at `pos`. What is added may be from outside, too.
static CxOrigin origin_of_change(const CxParser *cx, uint32_t pos,
                                 const char *name, CxOrigin before) {
  uint32_t op = pos + 1;
  unsigned kind = cx_kind_at(cx, op);
  bool is_counted = origin_is_counted(cx, op);
  if (!is_counted && !cx_assigns_at(cx, op))
    return before == CX_ORIGIN_NONE || cx_kind_at(cx, pos - 1) == CX_TOK_AMP
               ? origin_set_there(origin_of_address(cx, pos), before)
               : before; // f(x), which may take a reference
  CxTokens value = {op + 1, origin_end_of_value(cx, op + 1)};
  bool has_value = kind != CX_TOK_PLUS_PLUS && kind != CX_TOK_MINUS_MINUS &&
                   cx_assigns_at(cx, op);
  if (has_value && origin_of_calls(cx, value) == CX_ORIGIN_GIVEN)
    return CX_ORIGIN_GIVEN;
  if (is_counted)
    return has_value && origin_names_others(cx, value, name) ? CX_ORIGIN_GIVEN
                                                             : before;
  if (origin_is_tested(cx, pos, name))
    return CX_ORIGIN_MADE;
  bool is_by_itself = kind != CX_TOK_EQ || origin_names(cx, value, name);
  if (is_by_itself && (before == CX_ORIGIN_ASKED || before == CX_ORIGIN_UNSEEN))
    return before; // and the grid may be of that, too
  if (is_by_itself)
    return origin_names_others(cx, value, name) ? CX_ORIGIN_GIVEN
                                                : CX_ORIGIN_MADE;
  return before == CX_ORIGIN_NONE ? CX_ORIGIN_MADE : before;
}

// ------------------------------------------------------------------- tests

// x % 32, x & 31
static bool origin_asks_for_multiple(const CxParser *cx, CxTokens condition,
                                     const char *name) {
  for (uint32_t at = condition.begin; at + 1 < condition.end; at++) {
    unsigned op = cx_kind_at(cx, at + 1);
    if (cx_is_named(cx, at, name) && !origin_is_member(cx, at) &&
        (op == CX_TOK_PERCENT || op == CX_TOK_AMP))
      return true;
  }
  return false;
}

static bool origin_is_end(const CxParser *cx, uint32_t at) {
  unsigned kind = cx_kind_at(cx, at);
  const char *name = kind == CX_TOK_IDENT ? cx->tokens[at].u.name : "";
  return kind == CX_TOK_RETURN || kind == CX_TOK_THROW ||
         strcmp(name, "exit") == 0 || strcmp(name, "abort") == 0;
}

// The statement at `at` ends the program or the function.
static bool origin_ends(const CxUnit *unit, uint32_t at) {
  const CxParser *cx = unit->parser;
  uint32_t end = cx_kind_at(cx, at) == CX_TOK_LBRACE
                     ? cx_behind_brackets(cx, at)
                     : origin_end_of_value(cx, at);
  for (; at < end; at++)
    if (origin_is_end(cx, at))
      return true;
  return false;
}

// What `name` gets at `pos` is refused behind it unless it is a multiple of
// something: `if (n % 32) exit(1);` in the same block, which ends before `end`
// and launches nothing. Around a launch such a test is a guard (cx_guards.h).
static bool origin_is_refused(const CxUnit *unit, uint32_t pos, uint32_t end,
                              const char *name) {
  const CxParser *cx = unit->parser;
  bool is_found = false;
  for (uint32_t at = pos, depth = 0; at < end; at++) {
    unsigned kind = cx_kind_at(cx, at);
    if (kind == CX_TOK_LAUNCH)
      return false;
    if (kind == CX_TOK_RBRACE && depth == 0)
      return is_found;
    depth += kind == CX_TOK_LBRACE;
    depth -= kind == CX_TOK_RBRACE;
    if (kind != CX_TOK_IF || depth > 0 ||
        cx_kind_at(cx, at + 1) != CX_TOK_LPAREN)
      continue;
    uint32_t behind = cx_behind_brackets(cx, at + 1);
    is_found |=
        origin_asks_for_multiple(cx, (CxTokens){at + 2, behind - 1}, name) &&
        origin_ends(unit, behind);
  }
  return false;
}

CxOrigin cx_origin_of_changes(const CxUnit *unit, CxTokens tokens,
                              const char *name, CxOrigin before) {
  const CxParser *cx = unit->parser;
  CxOrigin origin = before;
  for (uint32_t pos = tokens.begin; pos < tokens.end; pos++) {
    if (!cx_is_named(cx, pos, name) || !cx_changes_at(cx, pos))
      continue;
    CxOrigin changed = origin_of_change(cx, pos, name, origin);
    bool is_refused = changed == CX_ORIGIN_GIVEN && origin != changed &&
                      origin_is_refused(unit, pos, tokens.end, name);
    origin = is_refused ? CX_ORIGIN_MADE : changed;
  }
  return origin;
}

// ----------------------------------------------------------------- members

// n, which the file sets by what reads it from outside somewhere.
static bool origin_has_given(const CxUnit *unit, CxTokens value) {
  const CxParser *cx = unit->parser;
  const CxTokens all = {1, cx->limit};
  if (origin_of_calls(cx, value) == CX_ORIGIN_GIVEN)
    return true;
  for (uint32_t at = value.begin; at < value.end; at++)
    if (cx_kind_at(cx, at) == CX_TOK_IDENT && !origin_is_call(cx, at) &&
        !origin_is_member(cx, at) &&
        cx_origin_of_changes(unit, all, cx->tokens[at].u.name,
                             CX_ORIGIN_NONE) == CX_ORIGIN_GIVEN)
      return true;
  return false;
}

// By x.name = e, x->name += e, f(&x.name) at `pos`; NONE: it is read.
static CxOrigin origin_of_member_at(const CxUnit *unit, uint32_t pos) {
  const CxParser *cx = unit->parser;
  if (origin_is_counted(cx, pos + 1) || cx_assigns_at(cx, pos + 1)) {
    const CxTokens value = {pos + 2, origin_end_of_value(cx, pos + 2)};
    return origin_has_given(unit, value) ? CX_ORIGIN_GIVEN : CX_ORIGIN_MADE;
  }
  uint32_t begin = pos;
  while (origin_is_member(cx, begin) && begin > 2)
    begin -= 2;
  return cx_kind_at(cx, begin - 1) == CX_TOK_AMP &&
                 cx_kind_at(cx, begin - 2) != CX_TOK_IDENT
             ? origin_of_address(cx, begin)
             : CX_ORIGIN_NONE;
}

CxOrigin cx_origin_of_member(const CxUnit *unit, const char *name) {
  enum { MOST_WRITES = 16 };

  const CxParser *cx = unit->parser;
  CxOrigin origin = CX_ORIGIN_UNSEEN;
  uint32_t n_writes = 0;
  for (uint32_t pos = 2; pos + 1 < cx->limit && n_writes < MOST_WRITES; pos++) {
    CxOrigin found = cx_is_named(cx, pos, name) && origin_is_member(cx, pos)
                         ? origin_of_member_at(unit, pos)
                         : CX_ORIGIN_NONE;
    if (found == CX_ORIGIN_GIVEN)
      return found;
    n_writes += found != CX_ORIGIN_NONE;
    origin = found > origin ? found : origin;
  }
  return origin;
}
