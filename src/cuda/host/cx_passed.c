// SPDX-License-Identifier: Apache-2.0
#include "cuda/host/cx_passed.h"

#include "cuda/host/cx_guards.h"
#include "cuda/host/cx_host.h"
#include "cxx/cx_parser.h"

#include <ctype.h>
#include <string.h>

// ------------------------------------------------------------------- callees

// f, n::f, f<T> before the bracket: where it begins and its last name.
typedef struct {
  uint32_t first, last;
} Callee;

// The `<` of a template's arguments that end at `pos`; 0: they are none.
static uint32_t open_angle(const CxParser *cx, uint32_t pos) {
  for (uint32_t at = pos; at > 1; at--) {
    unsigned kind = cx_kind_at(cx, at);
    uint32_t end;
    if (cx_ends_statement(kind))
      return 0;
    if (kind == CX_TOK_LT && cx_looks_like_args(cx, at, &end) && end == pos + 1)
      return at;
  }
  return 0;
}

// False: nothing that is called.
static bool find_callee(const CxParser *cx, uint32_t open, Callee *out) {
  uint32_t last = open - 1;
  if (cx_kind_at(cx, last) == CX_TOK_GT)
    last = open_angle(cx, last) - 1;
  if (last >= open || cx_kind_at(cx, last) != CX_TOK_IDENT)
    return false;
  uint32_t first = last;
  while (first >= 2 && cx_kind_at(cx, first - 1) == CX_TOK_COLON_COLON &&
         cx_kind_at(cx, first - 2) == CX_TOK_IDENT)
    first -= 2;
  *out = (Callee){first, last};
  return true;
}

static const char *name_at(const CxParser *cx, uint32_t pos) {
  return cx->tokens[pos].u.name;
}

// int, dim3
static bool ends_type(unsigned kind) {
  return kind == CX_TOK_IDENT || kind == CX_TOK_GT || kind == CX_TOK_AUTO ||
         kind == CX_TOK_INT || kind == CX_TOK_UNSIGNED || kind == CX_TOK_LONG ||
         kind == CX_TOK_SHORT;
}

static uint32_t begin_of_statement(const CxParser *cx, uint32_t at) {
  while (at > 0 && !cx_ends_statement(cx_kind_at(cx, at - 1))) {
    uint32_t match = cx->tokens[at - 1].u.match;
    bool is_closer = cx_kind_at(cx, at - 1) == CX_TOK_RPAREN;
    at = is_closer && match < at ? match : at - 1;
  }
  return at;
}

// float *p(x), which is no product where a statement begins with it.
static bool is_pointer_declarator(const CxParser *cx, const Callee *callee) {
  uint32_t star = callee->first - 1;
  if (star < 2 || cx_kind_at(cx, star) != CX_TOK_STAR ||
      (!ends_type(cx_kind_at(cx, star - 1)) &&
       cx_kind_at(cx, star - 1) != CX_TOK_FLOAT &&
       cx_kind_at(cx, star - 1) != CX_TOK_DOUBLE))
    return false;
  uint32_t begin = begin_of_statement(cx, star);
  return begin + (cx_kind_at(cx, begin) == CX_TOK_CONST) == star - 1;
}

// dim3 grid(n), block(m): what stands before the names is a type.
static bool passed_is_declarator(const CxParser *cx, const Callee *callee) {
  if (ends_type(cx_kind_at(cx, callee->first - 1)))
    return true;
  if (is_pointer_declarator(cx, callee))
    return true;
  uint32_t open = cx_opener_before(cx, callee->first);
  bool is_next = cx_kind_at(cx, callee->first - 1) == CX_TOK_COMMA &&
                 (open == 0 || cx_kind_at(cx, open) == CX_TOK_LBRACE);
  uint32_t begin = is_next ? begin_of_statement(cx, callee->first) : 0;
  begin += cx_kind_at(cx, begin) == CX_TOK_CONST;
  return is_next && ends_type(cx_kind_at(cx, begin)) &&
         cx_kind_at(cx, begin + 1) == CX_TOK_IDENT;
}

static bool is_one_of(const char *name, const char *const *words) {
  for (; *words; words++)
    if (strcmp(name, *words) == 0)
      return true;
  return false;
}

static bool begins_with_any(const char *name, const char *const *words) {
  for (; *words; words++)
    if (strncmp(name, *words, strlen(*words)) == 0)
      return true;
  return false;
}

// Nothing but capitals.
static bool is_macro_name(const char *name) {
  for (const char *at = name; *at; at++)
    if (islower((unsigned char)*at))
      return false;
  return true;
}

bool cx_is_library(const char *space, const char *name) {
  static const char *const spaces[] = {"std", "torch",  "at",
                                       "c10", "thrust", NULL};
  static const char *const setters[] = {"tie", "swap", "exchange", "ref", NULL};
  static const char *const prefixes[] = {"cuda", "cublas",   "cufft", "curand",
                                         "nccl", "cusparse", NULL};
  static const char *const functions[] = {
      "min",    "max",     "ceil",   "ceilf",     "floor",      "sqrt",
      "pow",    "log2",    "abs",    "printf",    "fprintf",    "malloc",
      "calloc", "realloc", "memset", "memcpy",    "snprintf",   "sprintf",
      "exit",   "assert",  "dim3",   "make_int2", "make_uint2", NULL};
  if (space)
    return is_one_of(space, spaces) && !is_one_of(name, setters);
  return is_one_of(name, functions) || begins_with_any(name, prefixes) ||
         is_macro_name(name);
}

static bool is_library(const CxParser *cx, const Callee *callee) {
  const char *space =
      callee->first < callee->last ? name_at(cx, callee->first) : NULL;
  return cx_is_library(space, name_at(cx, callee->last));
}

// ---------------------------------------------------------------- parameters

static bool takes_reference(const CxDecl *function, uint32_t index) {
  const CxDeclList *params = &function->type->u.function.params;
  if (index >= params->count)
    return params->count > 0 && params->data[params->count - 1]->u.var.is_pack;
  const CxType *type = params->data[index]->type;
  return (type->kind == CX_TYPE_REFERENCE ||
          type->kind == CX_TYPE_RVALUE_REFERENCE) &&
         !(type->u.inner->quals & CX_QUAL_CONST);
}

// Which argument of the call the token is in.
static uint32_t passed_index_of(const CxParser *cx, uint32_t open,
                                uint32_t pos) {
  CxTokens rest = {open + 1, cx_behind_brackets(cx, open) - 1}, one;
  uint32_t n = 0;
  while (cx_split_argument(cx, &rest, &one) && one.end <= pos)
    n++;
  return n;
}

// ------------------------------------------------------------------- answers

// The brace begins a block, not a list.
static bool opens_block(const CxParser *cx, uint32_t open) {
  unsigned before = cx_kind_at(cx, open - 1);
  return cx_kind_at(cx, open) == CX_TOK_LBRACE &&
         (before == CX_TOK_RPAREN || before == CX_TOK_ELSE ||
          before == CX_TOK_DO || before == CX_TOK_SEMICOLON ||
          before == CX_TOK_RBRACE);
}

bool cx_call_around(const CxParser *cx, uint32_t pos, CxCall *out) {
  Callee callee;
  for (uint32_t open = cx_opener_before(cx, pos);
       open > 0 && open != CX_OPENER_FAR; open = cx_opener_before(cx, open)) {
    unsigned kind = cx_kind_at(cx, open);
    if (opens_block(cx, open))
      return false;
    if ((kind != CX_TOK_LPAREN && kind != CX_TOK_LBRACE) ||
        !find_callee(cx, open, &callee))
      continue;
    if (is_pointer_declarator(cx, &callee))
      return false;
    unsigned before = cx_kind_at(cx, callee.first - 1);
    bool is_variable = before == CX_TOK_IDENT || before == CX_TOK_GT;
    bool is_plain = before == CX_TOK_IDENT;
    *out =
        (CxCall){.name = name_at(cx, is_plain ? callee.first - 1 : callee.last),
                 .variable = is_variable ? name_at(cx, callee.last) : NULL,
                 .first = callee.first,
                 .open = open,
                 .index = passed_index_of(cx, open, pos),
                 .is_library = is_library(cx, &callee)};
    return true;
  }
  return false;
}

bool cx_may_be_set(const CxParser *cx, uint32_t pos, uint32_t end) {
  unsigned before = cx_kind_at(cx, pos - 1), next = cx_kind_at(cx, end);
  Callee callee;
  if ((before != CX_TOK_LPAREN && before != CX_TOK_COMMA) ||
      (next != CX_TOK_RPAREN && next != CX_TOK_COMMA))
    return false;
  uint32_t open = cx_opener_before(cx, pos);
  if (open == CX_OPENER_FAR)
    return true;
  if (open == 0 || cx_kind_at(cx, open) != CX_TOK_LPAREN ||
      !find_callee(cx, open, &callee) || passed_is_declarator(cx, &callee))
    return false;
  const char *name = name_at(cx, callee.last);
  bool is_seen = false;
  for (uint32_t i = 0; i < cx->bodies.count; i++) {
    const CxDecl *function = cx->bodies.data[i];
    if (function->name != name)
      continue;
    if (takes_reference(function, passed_index_of(cx, open, pos)))
      return true;
    is_seen = true;
  }
  unsigned dot = cx_kind_at(cx, callee.first - 1);
  bool is_method = dot == CX_TOK_DOT || dot == CX_TOK_ARROW;
  return !is_seen && !is_method && !is_library(cx, &callee);
}

// *p, p[i], p->a, p.a, or another name for what p refers to.
static bool leads_elsewhere(const CxParser *cx, CxTokens body,
                            const char *name) {
  for (uint32_t at = body.begin + 1; at < body.end; at++) {
    if (!cx_is_named(cx, at, name))
      continue;
    unsigned before = cx_kind_at(cx, at - 1), next = cx_kind_at(cx, at + 1);
    if (before == CX_TOK_STAR || before == CX_TOK_AMP ||
        next == CX_TOK_LBRACKET || next == CX_TOK_ARROW || next == CX_TOK_DOT)
      return true;
  }
  return false;
}

enum { MOST_STEPS = 1000 };

// What the call gives may be, or hold, what it was passed.
static bool gives_it_back(const CxParser *cx, CxTokens body,
                          const Callee *callee, uint32_t open) {
  unsigned behind = cx_kind_at(cx, cx_behind_brackets(cx, open));
  if (behind == CX_TOK_LBRACKET || behind == CX_TOK_ARROW ||
      cx_kind_at(cx, callee->first - 1) == CX_TOK_STAR)
    return true;
  uint32_t n_steps = 0;
  for (uint32_t at = callee->first;
       at > body.begin && !cx_ends_statement(cx_kind_at(cx, at - 1)); at--) {
    bool is_set = cx_kind_at(cx, at - 1) == CX_TOK_EQ;
    if (n_steps++ == MOST_STEPS ||
        (is_set && (cx_kind_at(cx, at - 2) != CX_TOK_IDENT ||
                    leads_elsewhere(cx, body, name_at(cx, at - 2)))))
      return true;
  }
  return false;
}

bool cx_is_lent(const CxParser *cx, CxTokens body, uint32_t amp) {
  static const char *const keepers[] = {"push_back", "emplace_back", "push",
                                        "emplace",   "insert",       NULL};
  uint32_t behind = cx_behind_members(cx, amp + 1);
  unsigned next = cx_kind_at(cx, behind);
  uint32_t open = cx_opener_before(cx, amp);
  Callee callee;
  return (next == CX_TOK_COMMA || next == CX_TOK_RPAREN) && open > 0 &&
         open != CX_OPENER_FAR && cx_kind_at(cx, open) == CX_TOK_LPAREN &&
         find_callee(cx, open, &callee) && !passed_is_declarator(cx, &callee) &&
         !is_one_of(name_at(cx, callee.last), keepers) &&
         !gives_it_back(cx, body, &callee, open);
}

bool cx_asks_size(const char *method) {
  static const char *const words[] = {"size", "numel", "stride", "dim",
                                      "rows", "cols",  "length", NULL};
  return is_one_of(method, words);
}

// x.size(0), x->data_ptr<float>()
static bool passed_is_asked(const CxParser *cx, uint32_t pos) {
  static const char *const words[] = {
      "sizes",       "strides", "data_ptr", "data",          "device",
      "options",     "type",    "dtype",    "contiguous",    "get_device",
      "scalar_type", "is_cuda", "defined",  "is_contiguous", NULL};
  bool is_member = cx_kind_at(cx, pos + 1) == CX_TOK_DOT ||
                   cx_kind_at(cx, pos + 1) == CX_TOK_ARROW;
  if (!is_member || cx_kind_at(cx, pos + 2) != CX_TOK_IDENT)
    return is_member && cx_kind_at(cx, pos + 2) == CX_TOK_TEMPLATE;
  const char *method = name_at(cx, pos + 2);
  return cx_asks_size(method) || is_one_of(method, words);
}

// f(x), where f leaves it as it is.
static bool passed_is_left(const CxParser *cx, uint32_t pos) {
  unsigned before = cx_kind_at(cx, pos - 1), next = cx_kind_at(cx, pos + 1);
  uint32_t open = cx_opener_before(cx, pos);
  return (before == CX_TOK_LPAREN || before == CX_TOK_COMMA) &&
         (next == CX_TOK_RPAREN || next == CX_TOK_COMMA) && open > 0 &&
         cx_kind_at(cx, open) == CX_TOK_LPAREN &&
         cx_kind_at(cx, open - 1) == CX_TOK_IDENT &&
         !cx_may_be_set(cx, pos, pos + 1);
}

bool cx_is_only_asked(const CxUnit *unit, const CxDecl *function,
                      const char *name, uint32_t from, uint32_t at) {
  const CxParser *cx = unit->parser;
  CxTokens body = function->u.function.body;
  uint32_t end = cx_behind_loops(unit, from, at);
  if (cx_may_jump_to(cx, function, at))
    return false;
  for (uint32_t pos = from; pos < end; pos++) {
    unsigned before = cx_kind_at(cx, pos - 1);
    bool is_member = before == CX_TOK_DOT || before == CX_TOK_ARROW ||
                     before == CX_TOK_COLON_COLON;
    if (cx_is_named(cx, pos, name) && !is_member && !passed_is_asked(cx, pos) &&
        !passed_is_left(cx, pos))
      return false;
  }
  return !cx_is_shared(cx, body, name);
}
