// SPDX-License-Identifier: Apache-2.0
#include "cuda/form/cu_phase.h"
#include "cuda/form/cu_barrier.h"
#include "cuda/form/cu_local.h"
#include "cuda/form/cu_names.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_scope.h"
#include "cuda/form/cu_tree.h"

#include "cxx/cx_parse.h"

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

bool cu_has_phase(const CuContext *cu, const CuFunction *function) {
  static const char *const words[] = {"barrier.cluster.", "cluster_barrier_",
                                      "barrier_arrive()", "barrier_wait()"};

  if (!function->decl || !function->decl->u.function.has_body)
    return false;
  Span body = cx_tokens_span(cu->tree, function->decl->u.function.body);
  const char *text = source_text(cu->source) + body.begin;
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (memmem(text, body.end - body.begin, words[i], strlen(words[i])))
      return true;
  return false;
}
