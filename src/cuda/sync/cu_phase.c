// SPDX-License-Identifier: Apache-2.0
#include "cuda/form/cu_phase.h"
#include "cuda/form/cu_barrier.h"
#include "cuda/form/cu_local.h"
#include "cuda/form/cu_names.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_scope.h"
#include "cuda/form/cu_tree.h"
#include "cxx/cx_parse.h"
#include "cxx/cx_parser.h"

#include <string.h>

static const CuType *token_type(CuContext *cu) {
  return cu_opaque_type(cu, CU_OPAQUE_TOKEN, "token", &cu->barriers.token_type);
}

// Beside the statements of the kernel or function, in front of them.
static CuVariable *cuda_cu_phase(CuContext *cu, Span span) {
  CuFrame *frame = cu->frame;
  if (frame->phase)
    return frame->phase;
  CuVariable *variable = cu_new_local(cu, "phase", token_type(cu));
  variable->is_changed = true;
  Decl *made = cu_new_decl(cu, DECL_VAR, variable->name, span, span);
  made->type = cu_new_type_syntax(cu, TYPE_TOKEN, span);
  variable->decl = variable->name->decl = made;
  map_put(cu->arena, &cu->prologue, MAP_KEY(variable->name->wanted), variable);
  VEC_PUSH(cu->arena, &frame->prologue, cu_decl_stmt(cu, made));
  frame->phase = variable;
  return variable;
}

static Expr *cluster(CuContext *cu, Span span) {
  return cu_word_call(cu, "this_cluster", NULL, NULL, span);
}

static Expr *phase_name(CuContext *cu, Span span) {
  return cu_name_expr(cu, cuda_cu_phase(cu, span)->name, span);
}

Expr *cu_phase_keep(CuContext *cu, Expr *arrival) {
  Span span = arrival->span;
  if (cu->frame->is_conditional) {
    cu_unsupported(cu, span, "half of a cluster's barrier in an expression",
                   "make it a statement of its own");
    return NULL;
  }
  cu->frame->held_phase = NULL;
  return cu_assign(cu, phase_name(cu, span), arrival, span);
}

CuValue cu_phase_arrive(CuContext *cu, Span span) {
  Expr *made = cu_phase_keep(
      cu, cu_word_call(cu, "arrive", cluster(cu, span), NULL, span));
  return made ? cu_rvalue(cu_basic(&cu->types, CU_VOID), made, span)
              : cu_poison(cu, span);
}

// The variable that got the last arrival, if its name means it here.
static CuVariable *held(CuContext *cu) {
  const CxDecl *decl = cu->frame->held_phase;
  CuEntityVec found = {0};
  if (!decl || !cu_lookup(cu, cu->scope, decl->name, &found))
    return NULL;
  const CuEntity *entity = found.data[0];
  return entity->decl == decl && entity->variable && entity->variable->name
             ? entity->variable
             : NULL;
}

CuValue cu_phase_wait(CuContext *cu, Span span) {
  CuVariable *variable = held(cu);
  Expr *token =
      variable ? cu_name_expr(cu, variable->name, span) : phase_name(cu, span);
  Expr *made = cu_word_call(cu, "wait", cluster(cu, span), token, span);
  return cu_rvalue(cu_basic(&cu->types, CU_VOID), made, span);
}

bool cu_is_cluster(const CuType *type) {
  const CuRecord *record = cu_plain(type)->u.record;
  return strcmp(record->shown, "cooperative_groups::cluster_group") == 0 ||
         strcmp(record->shown, "cluster_group") == 0;
}

void cu_phase_hold(CuContext *cu, const Expr *init, const CxDecl *decl) {
  if (init && map_has(&cu->notes.phases, MAP_KEY(init)))
    cu->frame->held_phase = decl;
}

// ------------------------------------------------------ halves in a body

enum { ARRIVES = 1, WAITS = 2 };

typedef struct {
  CuContext *cu;
  CuScope *scope;
  bool is_callee;
  unsigned own, called; // halves in the body; in functions that it calls
} Halves;

static unsigned halves_scan(Halves *h, const CxDecl *function);

static bool halves_is_half(unsigned halves) {
  return halves == ARRIVES || halves == WAITS;
}

static void halves_add_callee(Halves *h, const CxDecl *decl) {
  if (!decl || decl->kind != CX_DECL_FUNCTION)
    return;
  h->own |= cu_attribute(decl, "__heddle_phase_arrive") ? ARRIVES : 0;
  h->own |= cu_attribute(decl, "__heddle_phase_wait") ? WAITS : 0;
  Halves callee = {.cu = h->cu, .scope = h->scope, .is_callee = true};
  if (!h->is_callee)
    h->called |= halves_scan(&callee, decl);
}

// A name with `(` behind it. Methods without an argument are those of groups.
static void halves_add_call(Halves *h, const CxToken *name) {
  CuEntityVec found = {0};
  if (name[-1].kind == CX_TOK_DOT || name[-1].kind == CX_TOK_ARROW) {
    bool is_plain = name[2].kind == CX_TOK_RPAREN;
    if (is_plain && strcmp(name->u.name, "barrier_arrive") == 0)
      h->own |= ARRIVES;
    if (is_plain && strcmp(name->u.name, "barrier_wait") == 0)
      h->own |= WAITS;
    return;
  }
  if (!cu_lookup(h->cu, h->scope, name->u.name, &found))
    return;
  for (uint32_t i = 0; i < found.count; i++)
    halves_add_callee(h, found.data[i]->decl);
}

// Instructions of assembly.
static void halves_add_string(Halves *h, const CxToken *string) {
  static const struct {
    const char *op;
    unsigned half;
  } ops[] = {{"barrier.cluster.arrive", ARRIVES},
             {"barrier.cluster.wait", WAITS}};

  const char *text = source_text(h->cu->source) + string->begin;
  size_t length = string->end - string->begin;
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
    if (memmem(text, length, ops[i].op, strlen(ops[i].op)))
      h->own |= ops[i].half;
}

static unsigned halves_scan(Halves *h, const CxDecl *function) {
  const CxToken *tokens = h->cu->tree->parser->lexed.tokens.data;
  if (!function->u.function.has_body)
    return 0;
  CxTokens body = function->u.function.body;
  for (uint32_t i = body.begin + 1; i + 1 < body.end; i++) {
    const CxToken *token = &tokens[i];
    if (token->kind == CX_TOK_IDENT && token[1].kind == CX_TOK_LPAREN)
      halves_add_call(h, token);
    else if (token->kind == CX_TOK_STRING)
      halves_add_string(h, token);
  }
  return h->own;
}

bool cu_has_phase(CuContext *cu, const CuFunction *function) {
  Halves h = {.cu = cu, .scope = function->scope};
  return function->decl &&
         (halves_scan(&h, function->decl) != 0 || halves_is_half(h.called));
}
