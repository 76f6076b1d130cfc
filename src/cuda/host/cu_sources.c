// SPDX-License-Identifier: Apache-2.0
// Note [Sources]
// Arrays in structs, constructors, bases and functions that make structs aren't
// followed member by member. What such a struct may hold is found as a set:
//
//   Arr a = {{x, y}};  a.p[i] = x + n;  k<<<…>>>(a)      x, y, x + n
//
// If two of the set lead into one array, any two pointers of the struct may. A
// value that one part had before, and another has now, counts as well, so that
// more is open than must be. A constructor, method or function of the file may
// make two pointers of one (Note [Several of one]), and one that is given the
// struct itself fills it with its other arguments:
//
//   Arr(T *x, int n) : a(x), b(x + n) {}      void fill(Arr &a, T *x, T *y)
//
// So does one of another file, of which nothing else is known: if it gets
// pointers, but fewer than the struct has, some may lead into one array. If it
// gets none, it allocates them, which is trusted to be done one by one. A loop
// that fills an array of pointers from one that stays makes several of it.
#include "cuda/host/cu_sources.h"

#include "cuda/host/cu_several.h"
#include "cuda/host/cx_guards.h"
#include "cuda/host/cx_host.h"
#include "cuda/host/cx_mentions.h"
#include "cuda/host/cx_passed.h"
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

// A function of the file, or a class by its constructors.
static void sources_note_function(Gather *g, const char *name) {
  const CxUnit *unit = g->reader->cu->tree;
  const CxParser *cx = unit->parser;
  for (uint32_t i = 0; name && i < cx->bodies.count; i++)
    if (cx->bodies.data[i]->name == name)
      g->out->is_repeated |= cu_makes_several(unit, cx->bodies.data[i]);
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

static bool sources_is_named_in(const CxParser *cx, CxTokens tokens,
                                const char *name) {
  for (uint32_t at = tokens.begin; at < tokens.end; at++)
    if (cx_is_named(cx, at, name))
      return true;
  return false;
}

static bool sources_is_pointer_param(const CxDecl *function, const char *name) {
  const CxDeclList *params = &function->type->u.function.params;
  for (uint32_t i = 0; i < params->count; i++)
    if (params->data[i]->name == name)
      return params->data[i]->type->kind == CX_TYPE_POINTER;
  return false;
}

// x of x, x + n, &x[n], (T *)x.
static const CxExpr *sources_base(const CxExpr *expr) {
  for (int i = 0; expr && i < MOST_DEPTH; i++) {
    if (expr->kind == CX_EXPR_CAST)
      expr = expr->u.cast.operand;
    else if (expr->kind == CX_EXPR_BINARY)
      expr = expr->u.binary.left;
    else if (expr->kind == CX_EXPR_UNARY && expr->u.unary.op == UNARY_ADDRESS &&
             expr->u.unary.operand->kind == CX_EXPR_INDEX)
      expr = expr->u.unary.operand->u.index.base;
    else
      return expr;
  }
  return expr;
}

// What a function that isn't seen gets.
typedef struct {
  uint32_t n_pointers, n_others; // others: members and the like
} Given;

static void sources_count_given(const Gather *g, const CxExpr *arg,
                                Given *given) {
  const CxExpr *base = sources_base(arg);
  const char *name = base ? cu_host_name(base) : NULL;
  const CxHostVar *var = name ? cu_host_local(g->reader, name) : NULL;
  bool is_pointer =
      var ? is_pointer_at(g, var)
          : name && sources_is_pointer_param(g->reader->launch->function, name);
  given->n_pointers += is_pointer;
  given->n_others +=
      base && !is_pointer &&
      (base->kind == CX_EXPR_MEMBER || base->kind == CX_EXPR_INDEX ||
       base->kind == CX_EXPR_CALL);
}

static void sources_note_given(Gather *g, const Given *given) {
  uint32_t n = given->n_pointers + given->n_others;
  if (given->n_pointers > 0 && (g->out->n_given == 0 || n < g->out->n_given))
    g->out->n_given = n;
}

static void sources_note_unseen(Gather *g, const char *space, const char *name,
                                const CxExprList *args) {
  Given given = {0};
  if (sources_has_function(g->reader->cu->tree->parser, name) ||
      cx_is_library(space, name))
    return;
  for (uint32_t i = 0; i < args->count; i++)
    sources_count_given(g, args->data[i], &given);
  sources_note_given(g, &given);
}

// … of tokens between commas, but for those that name the struct itself.
static void sources_note_unseen_at(Gather *g, const char *name, CxTokens args,
                                   const char *own) {
  const CxUnit *unit = g->reader->cu->tree;
  Given given = {0};
  CxTokens item;
  if (sources_has_function(unit->parser, name) || cx_is_library(NULL, name))
    return;
  while (cx_next_argument(unit, &args, &item))
    if (!own || !sources_is_named_in(unit->parser, item, own))
      sources_count_given(g, cu_host_parse(g->reader, item), &given);
  sources_note_given(g, &given);
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

// f(name, x, y), f(&name, x): a function fills it.
static void sources_add_filler(Gather *g, uint32_t pos, const char *name) {
  const CxUnit *unit = g->reader->cu->tree;
  const CxParser *cx = unit->parser;
  uint32_t open = cx_opener_before(cx, pos);
  CxTokens rest, item;
  bool is_call = open > 0 && open != CX_OPENER_FAR &&
                 cx_kind_at(cx, open - 1) == CX_TOK_IDENT &&
                 cx_arguments_at(unit, open, &rest);
  const char *function = is_call ? cx->tokens[open - 1].u.name : NULL;
  bool is_set =
      cx_kind_at(cx, pos - 1) == CX_TOK_AMP || cx_may_be_set(cx, pos, pos + 1);
  if (!is_call || !is_set || cx_is_library(NULL, function))
    return;
  sources_note_function(g, function);
  sources_note_unseen_at(g, function, rest, name);
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

// A loop of the function from `declared` on sets elements, at `pos`, to what
// stays the same in it.
static bool is_made_in_loop(const Gather *g, const CxExpr *value,
                            uint32_t declared, uint32_t pos) {
  const CxUnit *unit = g->reader->cu->tree;
  const CxParser *cx = unit->parser;
  const CxExpr *base = sources_base(value);
  const char *name = base ? cu_host_name(base) : NULL;
  uint32_t end = cx_behind_loops(unit, declared, pos), begin = declared;
  if (!name || end == pos)
    return false;
  for (uint32_t at = declared; at < pos; at++) {
    unsigned kind = cx_kind_at(cx, at);
    bool is_loop =
        kind == CX_TOK_FOR || kind == CX_TOK_WHILE || kind == CX_TOK_DO;
    if (is_loop && cx_behind_loops(unit, at, pos) != pos)
      begin = at; // the innermost one
  }
  return cx_is_kept(unit, g->reader->launch->function, (CxTokens){begin, end},
                    name);
}

// name.p[i] = value
static void sources_add_assigned(Gather *g, uint32_t pos, CxTokens target,
                                 CxTokens value, uint32_t declared) {
  const CxParser *cx = g->reader->cu->tree->parser;
  sources_add_tokens(g, value);
  for (uint32_t at = target.begin; at < target.end; at++)
    if (cx_kind_at(cx, at) == CX_TOK_LBRACKET)
      g->out->is_repeated |=
          is_made_in_loop(g, cu_host_parse(g->reader, value), declared, pos);
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
      sources_add_assigned(
          g, pos, (CxTokens){pos, behind},
          (CxTokens){behind + 1, sources_end_of(cx, behind, body.end)},
          declared);
    else if (is_member && cx_arguments_at(g->reader->cu->tree, behind, &args)) {
      sources_note_function(g, cx->tokens[behind - 1].u.name);
      sources_note_unseen_at(g, cx->tokens[behind - 1].u.name, args, NULL);
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
  const CuRecord *record = cu_pointer_record(g->reader, var);
  if (var->init_kind != CX_INIT_EQUAL && var->init_kind != CX_INIT_NONE &&
      record && record->has_constructor)
    sources_note_unseen_at(g, var->type, var->init, NULL);
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
  const CxName *name = callee->kind == CX_EXPR_NAME     ? callee->u.name
                       : callee->kind == CX_EXPR_MEMBER ? callee->u.member.name
                                                        : NULL;
  if (name) {
    const char *space = name->n_parts > 1 ? name->parts[0].name : NULL;
    sources_note_function(g, sources_last_part(name));
    sources_note_unseen(g, space, sources_last_part(name), &expr->u.call.args);
  }
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
  bool is_unclear =
      sources->n_given > 0 && sources->n_given < sources->n_pointers;
  sources->overlaps =
      sources->count == CU_MOST_SOURCES || sources->is_repeated || is_unclear;
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
