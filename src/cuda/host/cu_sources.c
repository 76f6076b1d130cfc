// SPDX-License-Identifier: Apache-2.0
// Note [Sources]
// Arrays in structs, constructors, bases and functions that make structs aren't
// followed member by member. What such a struct may hold is found as a set:
//
//   Arr a = {{x, y}};  a.p[i] = x + n;  k<<<…>>>(a)      x, y, x + n
//
// If two of the set lead into one array, any two pointers of the struct may. A
// value that one part had before, and another has now, counts as well, so that
// more is open than must be. A constructor, method or function of the file that
// is given a pointer and names it twice may make two of it, and one that is
// given the struct itself fills it with its other arguments:
//
//   Arr(T *x, int n) : a(x), b(x + n) {}      void fill(Arr &a, T *x, T *y)
#include "cuda/host/cu_sources.h"

#include "cuda/host/cx_host.h"
#include "cuda/host/cx_mentions.h"
#include "cxx/cx_parse.h"
#include "cxx/cx_parser.h"

#include <string.h>

enum { MOST_DEPTH = 12, MOST_STEPS = 400 };

typedef struct {
  const CuHostReader *reader;
  CuSources *out;
  uint32_t depth, n_steps;
} Gather;

static void sources_add(Gather *g, const CxExpr *expr, bool is_whole);

// ----------------------------------------------------------------- numbers

static bool is_number_word(const char *word) {
  static const char *const words[] = {
      "int",    "unsigned", "long",    "short",   "char",     "bool",
      "float",  "double",   "size_t",  "int32_t", "uint32_t", "int64_t",
      "signed", "uint64_t", "uint8_t", "dim3"};
  for (size_t i = 0; word && i < sizeof words / sizeof *words; i++)
    if (strcmp(words[i], word) == 0)
      return true;
  return false;
}

static bool sources_is_number_param(const CxDecl *function, const char *name) {
  const CxDeclList *params = &function->type->u.function.params;
  for (uint32_t i = 0; i < params->count; i++)
    if (params->data[i]->name == name)
      return params->data[i]->type->kind == CX_TYPE_BUILTIN;
  return false;
}

static bool is_pointer_at(const Gather *g, const CxHostVar *var) {
  const CxParser *cx = g->reader->cu->tree->parser;
  return cx_kind_at(cx, var->at - 1) == CX_TOK_STAR;
}

static bool sources_is_number(const Gather *g, const char *name) {
  const CxHostVar *var = cu_host_local(g->reader, name);
  if (!var)
    return sources_is_number_param(g->reader->launch->function, name);
  return is_number_word(var->type) && !is_pointer_at(g, var);
}

// --------------------------------------------------------------- functions

// The parameter stands there, no member of that name: `: x(x)`, `this->x = x`.
static bool sources_names_param(const CxParser *cx, uint32_t pos,
                                const char *name) {
  unsigned before = cx_kind_at(cx, pos - 1), next = cx_kind_at(cx, pos + 1);
  bool is_member = before == CX_TOK_DOT || before == CX_TOK_ARROW ||
                   before == CX_TOK_COLON_COLON;
  bool is_target = (before == CX_TOK_COLON || before == CX_TOK_COMMA) &&
                   (next == CX_TOK_LPAREN || next == CX_TOK_LBRACE);
  return cx_is_named(cx, pos, name) && !is_member && !is_target;
}

// How often it stands there; *last: the last place.
static uint32_t sources_count_names(const CxParser *cx, CxTokens body,
                                    const char *name, uint32_t *last) {
  uint32_t n = 0;
  for (uint32_t pos = body.begin; pos < body.end; pos++) {
    if (!sources_names_param(cx, pos, name))
      continue;
    *last = pos;
    n++;
  }
  return n;
}

// T *q = x, auto q = x + n, where `pos` stands in the value: q; NULL: it isn't.
static const char *sources_copied_to(const CxParser *cx, CxTokens body,
                                     uint32_t pos) {
  for (; pos > body.begin + 2 && !cx_ends_statement(cx_kind_at(cx, pos)); pos--)
    if (cx_kind_at(cx, pos) == CX_TOK_EQ &&
        cx_kind_at(cx, pos - 1) == CX_TOK_IDENT &&
        (cx_kind_at(cx, pos - 2) == CX_TOK_STAR ||
         cx_kind_at(cx, pos - 2) == CX_TOK_AUTO))
      return cx->tokens[pos - 1].u.name;
  return NULL;
}

// The pointer is named twice, or a copy of it: there, and at its declaration.
static bool sources_repeats_name(const CxParser *cx, CxTokens body,
                                 const char *name) {
  uint32_t last = body.begin, other;
  uint32_t n = sources_count_names(cx, body, name, &last);
  const char *copy = n == 1 ? sources_copied_to(cx, body, last) : NULL;
  return n > 1 || (copy && sources_count_names(cx, body, copy, &other) > 2);
}

static bool sources_repeats_param(const CxParser *cx, const CxDecl *function) {
  const CxDeclList *params = &function->type->u.function.params;
  for (uint32_t i = 0; i < params->count; i++) {
    const CxDecl *param = params->data[i];
    if (param->type->kind == CX_TYPE_POINTER && param->name &&
        sources_repeats_name(cx, function->u.function.body, param->name))
      return true;
  }
  return false;
}

// A function of the file, or a class by its constructors.
static void sources_note_function(Gather *g, const char *name) {
  const CxParser *cx = g->reader->cu->tree->parser;
  for (uint32_t i = 0; name && i < cx->bodies.count; i++)
    if (cx->bodies.data[i]->name == name)
      g->out->is_repeated |= sources_repeats_param(cx, cx->bodies.data[i]);
}

static const char *sources_last_part(const CxName *name) {
  return name->parts[name->n_parts - 1].name;
}

static bool sources_has_function(const CxParser *cx, const char *name) {
  for (uint32_t i = 0; i < cx->bodies.count; i++)
    if (cx->bodies.data[i]->name == name)
      return true;
  return false;
}

// --------------------------------------------------------------- variables

// `pos` stands behind what is assigned to, or called for: name.a[i].b
static uint32_t sources_behind_path(const CxParser *cx, uint32_t pos) {
  for (;;) {
    unsigned kind = cx_kind_at(cx, pos);
    if (kind == CX_TOK_DOT && cx_kind_at(cx, pos + 1) == CX_TOK_IDENT)
      pos += 2;
    else if (kind == CX_TOK_LBRACKET)
      pos = cx_behind_brackets(cx, pos);
    else
      return pos;
  }
}

static void sources_add_tokens(Gather *g, CxTokens tokens) {
  const CxUnit *unit = g->reader->cu->tree;
  CxTokens rest = cx_inside_braces(unit, tokens), item;
  bool is_list = rest.begin != tokens.begin;
  while (is_list && cx_next_argument(unit, &rest, &item))
    sources_add_tokens(g, item);
  if (!is_list)
    sources_add(g, cu_host_parse(g->reader, tokens), false);
}

static void sources_add_arguments(Gather *g, CxTokens rest) {
  CxTokens item;
  while (cx_next_argument(g->reader->cu->tree, &rest, &item))
    sources_add_tokens(g, item);
}

static bool sources_is_named_in(const CxParser *cx, CxTokens tokens,
                                const char *name) {
  for (uint32_t at = tokens.begin; at < tokens.end; at++)
    if (cx_is_named(cx, at, name))
      return true;
  return false;
}

// f(name, x, y), f(&name, x): a function of the file fills it.
static void sources_add_filler(Gather *g, uint32_t pos, const char *name) {
  const CxUnit *unit = g->reader->cu->tree;
  const CxParser *cx = unit->parser;
  uint32_t open = cx_opener_before(cx, pos);
  CxTokens rest, item;
  bool is_call = open > 0 && open != CX_OPENER_FAR &&
                 cx_kind_at(cx, open - 1) == CX_TOK_IDENT &&
                 cx_arguments_at(unit, open, &rest);
  const char *function = is_call ? cx->tokens[open - 1].u.name : NULL;
  if (!is_call || !sources_has_function(cx, function))
    return;
  sources_note_function(g, function);
  while (cx_next_argument(unit, &rest, &item))
    if (!sources_is_named_in(cx, item, name))
      sources_add_tokens(g, item);
}

static uint32_t sources_end_of(const CxParser *cx, uint32_t pos, uint32_t end) {
  while (pos < end && cx_kind_at(cx, pos) != CX_TOK_SEMICOLON) {
    unsigned kind = cx_kind_at(cx, pos);
    bool opens = kind == CX_TOK_LPAREN || kind == CX_TOK_LBRACE ||
                 kind == CX_TOK_LBRACKET;
    pos = opens ? cx_behind_brackets(cx, pos) : pos + 1;
  }
  return pos;
}

// Whatever the function assigns to it, or passes to its methods.
static void sources_add_writes(Gather *g, const char *name, uint32_t declared) {
  const CxParser *cx = g->reader->cu->tree->parser;
  CxTokens body = g->reader->launch->function->u.function.body;
  for (uint32_t pos = body.begin + 1; pos < body.end; pos++) {
    unsigned before = cx_kind_at(cx, pos - 1);
    if (!cx_is_named(cx, pos, name) || pos == declared ||
        before == CX_TOK_DOT || before == CX_TOK_ARROW ||
        before == CX_TOK_COLON_COLON)
      continue;
    uint32_t behind = sources_behind_path(cx, pos + 1);
    bool is_member = behind > pos + 1;
    CxTokens args;
    if (cx_kind_at(cx, behind) == CX_TOK_EQ && !cx_declares_at(cx, pos))
      sources_add_tokens(
          g, (CxTokens){behind + 1, sources_end_of(cx, behind, body.end)});
    else if (is_member && cx_arguments_at(g->reader->cu->tree, behind, &args)) {
      sources_note_function(g, cx->tokens[behind - 1].u.name);
      sources_add_arguments(g, args);
    } else if (!is_member) {
      sources_add_filler(g, pos, name);
    }
  }
}

static void sources_add_variable(Gather *g, const char *name) {
  const CxHostVar *var = cu_host_local(g->reader, name);
  if (!var)
    return;
  if (var->init_kind == CX_INIT_EQUAL)
    sources_add_tokens(g, var->init);
  else if (var->init_kind != CX_INIT_NONE)
    sources_add_arguments(g, var->init);
  sources_note_function(g, var->type);
  sources_add_writes(g, name, var->at);
}

// -------------------------------------------------------------- expressions

static void sources_push(Gather *g, const CxExpr *expr) {
  if (g->out->count < CU_MOST_SOURCES)
    g->out->data[g->out->count++] = expr;
}

static void sources_add_list(Gather *g, const CxExprList *list) {
  for (uint32_t i = 0; i < list->count; i++)
    sources_add(g, list->data[i], false);
}

static void add_name(Gather *g, const CxExpr *expr, bool is_whole) {
  const char *name = cu_host_name(expr);
  const CxHostVar *var = name ? cu_host_local(g->reader, name) : NULL;
  bool is_struct =
      var && (is_whole || (!is_pointer_at(g, var) &&
                           cu_pointer_record(g->reader, var) != NULL));
  if (is_struct)
    sources_add_variable(g, name);
  else if (!name || !sources_is_number(g, name))
    sources_push(g, expr);
}

static void add_call(Gather *g, const CxExpr *expr) {
  const CxExpr *callee = expr->u.call.callee;
  if (callee->kind == CX_EXPR_NAME)
    sources_note_function(g, sources_last_part(callee->u.name));
  if (callee->kind == CX_EXPR_MEMBER)
    sources_note_function(g, sources_last_part(callee->u.member.name));
  if (expr->u.call.args.count)
    sources_add_list(g, &expr->u.call.args);
  else
    sources_push(g, expr);
}

static void sources_add(Gather *g, const CxExpr *expr, bool is_whole) {
  while (expr && expr->kind == CX_EXPR_CAST)
    expr = expr->u.cast.operand;
  if (!expr || g->depth >= MOST_DEPTH || ++g->n_steps > MOST_STEPS)
    return;
  g->depth++;
  switch ((int)expr->kind) {
  case CX_EXPR_INT:
  case CX_EXPR_FLOAT:
  case CX_EXPR_CHAR:
  case CX_EXPR_BOOL:
  case CX_EXPR_NULLPTR: break;
  case CX_EXPR_INIT_LIST:
    for (uint32_t i = 0; i < expr->u.init_list.n_items; i++)
      sources_add(g, expr->u.init_list.items[i].value, false);
    break;
  case CX_EXPR_COMMA: sources_add_list(g, &expr->u.list); break;
  case CX_EXPR_CONSTRUCT:
    if (expr->u.construct.type->kind == CX_TYPE_NAMED)
      sources_note_function(
          g, sources_last_part(expr->u.construct.type->u.named.name));
    sources_add_list(g, &expr->u.construct.args);
    break;
  case CX_EXPR_CALL: add_call(g, expr); break;
  case CX_EXPR_ASSIGN: sources_add(g, expr->u.assign.right, is_whole); break;
  case CX_EXPR_CONDITIONAL:
    sources_add(g, expr->u.conditional.if_true, is_whole);
    sources_add(g, expr->u.conditional.if_false, is_whole);
    break;
  case CX_EXPR_NAME: add_name(g, expr, is_whole); break;
  case CX_EXPR_MEMBER:
    if (is_whole)
      sources_add(g, expr->u.member.base, true);
    else
      sources_push(g, expr);
    break;
  case CX_EXPR_INDEX:
    if (is_whole)
      sources_add(g, expr->u.index.base, true);
    else
      sources_push(g, expr);
    break;
  default: sources_push(g, expr); break;
  }
  g->depth--;
}

void cu_find_sources(const CuHostReader *reader, const CxExpr *arg,
                     CuSources *out) {
  *out = (CuSources){.count = 0};
  Gather g = {.reader = reader, .out = out};
  sources_add(&g, arg, true);
}

bool cu_sources_overlap(const CuHostReader *reader, CuSources *sources) {
  if (sources->is_asked)
    return sources->overlaps;
  sources->is_asked = true;
  sources->overlaps = sources->count == CU_MOST_SOURCES || sources->is_repeated;
  for (uint32_t i = 0; i < sources->count; i++)
    for (uint32_t k = 0; k < i && !sources->overlaps; k++)
      sources->overlaps =
          cu_compare_pointers(reader, sources->data[i], sources->data[k]) !=
          CU_POINTERS_APART;
  return sources->overlaps;
}

bool cu_sources_meet(const CuHostReader *reader, const CuSources *a,
                     const CuSources *b) {
  for (uint32_t i = 0; i < a->count; i++)
    for (uint32_t k = 0; k < b->count; k++)
      if (cu_compare_pointers(reader, a->data[i], b->data[k]) !=
          CU_POINTERS_APART)
        return true;
  return false;
}
