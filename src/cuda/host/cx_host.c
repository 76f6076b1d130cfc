// SPDX-License-Identifier: Apache-2.0
// What the tokens of host functions say about their variables.
#include "cuda/host/cx_host.h"

#include "cuda/host/cx_passed.h"
#include "cuda/host/cx_writes.h"
#include "cxx/cx_parser.h"

#include <string.h>

bool cx_assigns_at(const CxParser *cx, uint32_t pos) {
  unsigned kind = cx_kind_at(cx, pos);
  bool is_shift_right =
      kind == CX_TOK_GT && cx_kind_at(cx, pos + 1) == CX_TOK_GE;
  return (kind >= CX_TOK_EQ && kind <= CX_TOK_PIPE_EQ) || is_shift_right ||
         kind == CX_TOK_PLUS_PLUS || kind == CX_TOK_MINUS_MINUS;
}

// `&x`, not `a & x`: what stands in front of the `&` ends no operand.
static bool is_address_of(const CxParser *cx, uint32_t amp) {
  unsigned kind = cx_kind_at(cx, amp - 1);
  return kind != CX_TOK_IDENT && kind != CX_TOK_NUMBER &&
         kind != CX_TOK_RBRACKET;
}

uint32_t cx_behind_members(const CxParser *cx, uint32_t pos) {
  while (cx_kind_at(cx, pos + 1) == CX_TOK_DOT &&
         cx_kind_at(cx, pos + 2) == CX_TOK_IDENT)
    pos += 2;
  return pos + 1;
}

static bool host_begins_with(const CxParser *cx, uint32_t pos,
                             const char *word) {
  return cx_kind_at(cx, pos) == CX_TOK_IDENT &&
         strncmp(cx->tokens[pos].u.name, word, strlen(word)) == 0;
}

uint32_t cx_opener_before(const CxParser *cx, uint32_t pos) {
  enum { MOST_STEPS = 4000 };

  uint32_t n_steps = 0;
  for (uint32_t at = pos; at > 0;) {
    if (n_steps++ == MOST_STEPS)
      return CX_OPENER_FAR;
    unsigned kind = cx_kind_at(cx, --at);
    bool is_closer = kind == CX_TOK_RPAREN || kind == CX_TOK_RBRACKET ||
                     kind == CX_TOK_RBRACE;
    if (kind == CX_TOK_LPAREN || kind == CX_TOK_LBRACKET ||
        kind == CX_TOK_LBRACE)
      return at;
    if (kind == CX_TOK_SEMICOLON || (is_closer && cx->tokens[at].u.match >= at))
      return 0;
    if (is_closer)
      at = cx->tokens[at].u.match;
  }
  return 0;
}

// The `{` of `void *args[] = {…}`.
static bool opens_pointers(const CxParser *cx, uint32_t at) {
  if (at < 6 || cx_kind_at(cx, at) != CX_TOK_LBRACE ||
      cx_kind_at(cx, at - 1) != CX_TOK_EQ ||
      cx_kind_at(cx, at - 2) != CX_TOK_RBRACKET)
    return false;
  uint32_t open = cx->tokens[at - 2].u.match;
  return open >= 3 && cx_kind_at(cx, open - 2) == CX_TOK_STAR &&
         cx_kind_at(cx, open - 3) == CX_TOK_VOID;
}

// The `&` of `void *args[] = {&x}`, and of cudaLaunchKernelEx(&config, …):
// launches leave what they point to as it is.
static bool is_for_launch(const CxParser *cx, uint32_t amp) {
  uint32_t at = cx_opener_before(cx, amp);
  if (at > 0 && cx_kind_at(cx, at) == CX_TOK_LPAREN)
    return host_begins_with(cx, at - 1, "cudaLaunchKernelEx");
  return opens_pointers(cx, at);
}

// The `&` of the second argument of memcpy, cudaMemcpy, cudaMemcpyToSymbol,
// ..., which is only read.
static bool host_is_copied(const CxParser *cx, uint32_t amp) {
  uint32_t open = cx_opener_before(cx, amp), at = open + 1;
  if (open == 0 || open == CX_OPENER_FAR ||
      cx_kind_at(cx, open) != CX_TOK_LPAREN ||
      (!host_begins_with(cx, open - 1, "cudaMemcpy") &&
       !host_begins_with(cx, open - 1, "memcpy")))
    return false;
  while (at < amp && cx_kind_at(cx, at) != CX_TOK_COMMA) {
    unsigned kind = cx_kind_at(cx, at);
    bool opens = kind == CX_TOK_LPAREN || kind == CX_TOK_LBRACKET;
    at = opens ? cx_behind_brackets(cx, at) : at + 1;
  }
  return at + 1 == amp;
}

bool cx_changes_at(const CxParser *cx, uint32_t pos) {
  unsigned before = cx_kind_at(cx, pos - 1);
  bool is_member = before == CX_TOK_DOT || before == CX_TOK_ARROW ||
                   before == CX_TOK_COLON_COLON;
  if (is_member || before == CX_TOK_STAR) // *x = e leaves x as it is
    return false;
  bool is_extracted =
      before == CX_TOK_GT && cx_kind_at(cx, pos - 2) == CX_TOK_GT;
  bool is_address = before == CX_TOK_AMP && is_address_of(cx, pos - 1) &&
                    !is_for_launch(cx, pos - 1) && !host_is_copied(cx, pos - 1);
  uint32_t behind = cx_behind_members(cx, pos);
  return cx_assigns_at(cx, behind) || cx_may_be_set(cx, pos, behind) ||
         before == CX_TOK_PLUS_PLUS || before == CX_TOK_MINUS_MINUS ||
         is_extracted || is_address;
}

static uint32_t count_changes(const CxParser *cx, CxTokens tokens,
                              const char *name) {
  uint32_t n = 0;
  for (uint32_t at = tokens.begin; at < tokens.end; at++)
    n += cx_is_named(cx, at, name) && cx_changes_at(cx, at);
  return n;
}

bool cx_declares_at(const CxParser *cx, uint32_t pos) {
  unsigned before = cx_kind_at(cx, pos - 1);
  return before == CX_TOK_IDENT || before == CX_TOK_AUTO ||
         before == CX_TOK_INT || before == CX_TOK_UNSIGNED ||
         before == CX_TOK_LONG || before == CX_TOK_SHORT;
}

bool cx_is_declared_in(const CxParser *cx, CxTokens tokens, const char *name) {
  for (uint32_t at = tokens.begin; at < tokens.end; at++)
    if (cx_is_named(cx, at, name) && cx_declares_at(cx, at))
      return true;
  return false;
}

// cudaGetDevice(&x), scanf("%d", &x): a function that is done with the address
// when it returns.
static bool is_for_call(const CxParser *cx, uint32_t amp) {
  uint32_t at = cx_opener_before(cx, amp);
  return at > 0 && cx_kind_at(cx, at) == CX_TOK_LPAREN &&
         (host_begins_with(cx, at - 1, "cuda") ||
          host_begins_with(cx, at - 1, "scanf") ||
          host_begins_with(cx, at - 1, "sscanf") ||
          host_begins_with(cx, at - 1, "fscanf"));
}

// `int &r = x`, but of a const type.
static bool is_referred(const CxParser *cx, uint32_t at) {
  return cx_kind_at(cx, at - 1) == CX_TOK_EQ &&
         cx_kind_at(cx, at - 2) == CX_TOK_IDENT &&
         cx_kind_at(cx, at - 3) == CX_TOK_AMP &&
         cx_kind_at(cx, at - 5) != CX_TOK_CONST;
}

// `&x`, but for what is done with it at once.
static bool is_passed_on(const CxParser *cx, uint32_t at) {
  return cx_kind_at(cx, at - 1) == CX_TOK_AMP && is_address_of(cx, at - 1) &&
         !is_for_launch(cx, at - 1) && !is_for_call(cx, at - 1);
}

bool cx_is_shared(const CxParser *cx, CxTokens body, const char *name) {
  enum { MOST_LENT = 64 };

  uint32_t n_lent = 0;
  for (uint32_t at = body.begin + 1; at < body.end; at++) {
    if (!cx_is_named(cx, at, name))
      continue;
    bool is_passed = is_passed_on(cx, at);
    if (is_referred(cx, at) ||
        (is_passed && (n_lent++ == MOST_LENT || !cx_is_lent(cx, body, at - 1))))
      return true;
  }
  return false;
}

bool cx_is_address_passed(const CxParser *cx, CxTokens tokens,
                          const char *name) {
  for (uint32_t at = tokens.begin; at < tokens.end; at++)
    if (cx_is_named(cx, at, name) && is_passed_on(cx, at))
      return true;
  return false;
}

// 0: not found.
static uint32_t label_at(const CxParser *cx, CxTokens body, const char *name) {
  for (uint32_t at = body.begin + 1; at + 1 < body.end; at++) {
    unsigned before = cx_kind_at(cx, at - 1);
    if (cx_is_named(cx, at, name) && cx_kind_at(cx, at + 1) == CX_TOK_COLON &&
        (cx_ends_statement(before) || before == CX_TOK_COLON))
      return at;
  }
  return 0;
}

bool cx_may_jump_to(const CxParser *cx, const CxDecl *function, uint32_t at) {
  enum { MOST_JUMPS = 64 };

  CxTokens body = function->u.function.body;
  uint32_t n = 0;
  for (uint32_t pos = body.begin; pos + 1 < body.end; pos++) {
    if (cx_kind_at(cx, pos) != CX_TOK_GOTO)
      continue;
    if (n++ == MOST_JUMPS || cx_kind_at(cx, pos + 1) != CX_TOK_IDENT ||
        label_at(cx, body, cx->tokens[pos + 1].u.name) <= at)
      return true;
  }
  return false;
}

bool cx_is_from_occupancy(const CxUnit *unit, CxTokens tokens,
                          const char *name) {
  const CxParser *cx = unit->parser;
  for (uint32_t at = tokens.begin; at < tokens.end; at++) {
    uint32_t open =
        cx_is_named(cx, at, name) && cx_kind_at(cx, at - 1) == CX_TOK_AMP
            ? cx_opener_before(cx, at - 1)
            : 0;
    if (open > 0 && cx_kind_at(cx, open) == CX_TOK_LPAREN &&
        host_begins_with(cx, open - 1, "cudaOccupancy"))
      return true;
  }
  return false;
}

bool cx_is_kept(const CxUnit *unit, const CxDecl *function, CxTokens tokens,
                const char *name) {
  const CxParser *cx = unit->parser;
  CxTokens body = function->u.function.body;
  return !cx_is_shared(cx, body, name) &&
         !cx_is_declared_in(cx, tokens, name) &&
         count_changes(cx, tokens, name) == 0;
}

// --- Allocations -----------------------------------------------------------

// f<a, b>(c)
static uint32_t behind_template(const CxParser *cx, uint32_t pos) {
  uint32_t end;
  bool is_template = cx_kind_at(cx, pos) == CX_TOK_IDENT &&
                     cx_kind_at(cx, pos + 1) == CX_TOK_LT &&
                     cx_looks_like_args(cx, pos + 1, &end) &&
                     cx_kind_at(cx, end) == CX_TOK_LPAREN;
  return is_template ? end : pos + 1;
}

static uint32_t end_of_argument(const CxParser *cx, uint32_t pos,
                                uint32_t end) {
  while (pos < end && cx_kind_at(cx, pos) != CX_TOK_COMMA) {
    unsigned kind = cx_kind_at(cx, pos);
    bool is_opener = kind == CX_TOK_LPAREN || kind == CX_TOK_LBRACKET ||
                     kind == CX_TOK_LBRACE;
    pos = is_opener ? cx_behind_brackets(cx, pos) : behind_template(cx, pos);
  }
  return pos < end ? pos : end;
}

bool cx_next_argument(const CxUnit *unit, CxTokens *rest, CxTokens *out) {
  return cx_split_argument(unit->parser, rest, out);
}

bool cx_split_argument(const CxParser *cx, CxTokens *rest, CxTokens *out) {
  if (rest->begin >= rest->end)
    return false;
  uint32_t end = end_of_argument(cx, rest->begin, rest->end);
  *out = (CxTokens){rest->begin, end};
  rest->begin = end < rest->end ? end + 1 : end;
  return true;
}

static bool is_allocator(const char *name) {
  return strcmp(name, "cudaMalloc") == 0 ||
         strcmp(name, "cudaMallocManaged") == 0 ||
         strcmp(name, "cudaMallocAsync") == 0;
}

// The call at `pos`: cudaMalloc((void **)&name, bytes).
static bool allocates(const CxParser *cx, uint32_t pos, const char *name,
                      CxTokens *bytes) {
  if (cx_kind_at(cx, pos) != CX_TOK_IDENT ||
      cx_kind_at(cx, pos + 1) != CX_TOK_LPAREN ||
      !is_allocator(cx->tokens[pos].u.name))
    return false;
  uint32_t end = cx_behind_brackets(cx, pos + 1) - 1;
  uint32_t comma = end_of_argument(cx, pos + 2, end);
  bool is_this = comma >= pos + 4 && comma < end &&
                 cx_kind_at(cx, comma - 1) == CX_TOK_IDENT &&
                 cx_kind_at(cx, comma - 2) == CX_TOK_AMP &&
                 cx->tokens[comma - 1].u.name == name;
  *bytes = (CxTokens){comma + 1, end_of_argument(cx, comma + 1, end)};
  return is_this;
}

bool cx_find_allocation(const CxUnit *unit, const CxDecl *function,
                        const char *name, CxTokens *bytes) {
  const CxParser *cx = unit->parser;
  CxTokens body = function->u.function.body;
  if (count_changes(cx, (CxTokens){body.begin + 1, body.end}, name) != 1)
    return false;
  for (uint32_t at = body.begin + 1; at < body.end; at++) {
    if (allocates(cx, at, name, bytes))
      return true;
  }
  return false;
}

uint32_t cx_find_pitch(const CxUnit *unit, const CxDecl *function,
                       const char *name, uint32_t at, CxTokens *bytes) {
  const CxParser *cx = unit->parser;
  CxTokens body = function->u.function.body;
  if (count_changes(cx, (CxTokens){body.begin + 1, body.end}, name) != 1)
    return 0;
  for (uint32_t pos = at; pos > body.begin; pos--) {
    bool is_call = cx_kind_at(cx, pos) == CX_TOK_LPAREN &&
                   host_begins_with(cx, pos - 1, "cudaMallocPitch");
    CxTokens rest = {pos + 1, is_call ? cx_behind_brackets(cx, pos) - 1 : pos};
    CxTokens pointer, pitch;
    if (is_call && cx_split_argument(cx, &rest, &pointer) &&
        cx_split_argument(cx, &rest, &pitch) &&
        cx_split_argument(cx, &rest, bytes) && pitch.end >= pitch.begin + 2 &&
        cx_kind_at(cx, pitch.end - 2) == CX_TOK_AMP &&
        cx_is_named(cx, pitch.end - 1, name))
      return pos;
  }
  return 0;
}

bool cx_find_pointers(const CxUnit *unit, const CxDecl *function,
                      const char *name, uint32_t at, CxTokens *list) {
  const CxParser *cx = unit->parser;
  for (uint32_t pos = at; pos > function->u.function.body.begin; pos--) {
    if (!opens_pointers(cx, pos) ||
        !cx_is_named(cx, cx->tokens[pos - 2].u.match - 1, name))
      continue;
    *list = (CxTokens){pos, cx_behind_brackets(cx, pos)};
    return cx_is_inside(unit, pos, at);
  }
  return false;
}

// The `[` behind the name in `dim3 name[2] = {…}` at token `pos`.
static bool declares_dims(const CxParser *cx, uint32_t pos) {
  uint32_t behind = cx_kind_at(cx, pos + 1) == CX_TOK_LBRACKET
                        ? cx_behind_brackets(cx, pos + 1)
                        : 0;
  return host_begins_with(cx, pos - 1, "dim3") && behind > 0 &&
         cx_kind_at(cx, behind) == CX_TOK_EQ &&
         cx_kind_at(cx, behind + 1) == CX_TOK_LBRACE;
}

// name[i] is only read.
static bool reads_element(const CxParser *cx, uint32_t pos) {
  if (cx_kind_at(cx, pos + 1) != CX_TOK_LBRACKET)
    return false;
  uint32_t last = cx_behind_brackets(cx, pos + 1) - 1;
  unsigned before = cx_kind_at(cx, pos - 1);
  return !cx_assigns_at(cx, cx_behind_members(cx, last)) &&
         before != CX_TOK_AMP && before != CX_TOK_PLUS_PLUS &&
         before != CX_TOK_MINUS_MINUS && !cx_may_be_set(cx, pos, last + 1);
}

bool cx_find_dims(const CxUnit *unit, const CxDecl *function, const char *name,
                  uint32_t at, CxTokens *list) {
  const CxParser *cx = unit->parser;
  CxTokens body = function->u.function.body;
  uint32_t found = 0;
  for (uint32_t pos = body.begin + 1; pos < body.end; pos++) {
    unsigned before = cx_kind_at(cx, pos - 1);
    if (!cx_is_named(cx, pos, name) || before == CX_TOK_DOT ||
        before == CX_TOK_ARROW)
      continue;
    bool is_one = declares_dims(cx, pos);
    if ((is_one && found > 0) || (!is_one && !reads_element(cx, pos)))
      return false;
    found = is_one ? pos : found;
  }
  if (found == 0 || found > at || !cx_is_inside(unit, found, at))
    return false;
  uint32_t open = cx_behind_brackets(cx, found + 1) + 1;
  *list = (CxTokens){open + 1, cx_behind_brackets(cx, open) - 1};
  return true;
}

CxTokens cx_inside_braces(const CxUnit *unit, CxTokens tokens) {
  const CxParser *cx = unit->parser;
  uint32_t begin = tokens.begin, end = tokens.end;
  if (begin >= end || cx_kind_at(cx, begin) != CX_TOK_LBRACE ||
      cx_behind_brackets(cx, begin) != end)
    return tokens;
  end--;
  end -= end > begin + 1 && cx_kind_at(cx, end - 1) == CX_TOK_COMMA;
  return (CxTokens){begin + 1, end};
}
