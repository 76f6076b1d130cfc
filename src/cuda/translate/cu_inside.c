// SPDX-License-Identifier: Apache-2.0
// Variables of a function around, seen from inside another: lambdas, functions
// of local classes.
#include "cuda/form/cu_local.h"
#include "cuda/form/cu_names.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_spot.h"
#include "cuda/form/cu_texture.h"

static bool is_needed_name(const CuFunction *function, const char *name) {
  for (uint32_t i = 0; i < function->needs.count; i++)
    if (function->needs.data[i].inner->name->wanted == name)
      return true;
  return false;
}

// By a variable of this very function.
static bool is_own_name(const CuContext *cu, const CuFunction *function,
                        const char *name) {
  const CuFrame *frame = cu_real_frame(cu->frame);
  for (const CuScope *scope = cu->scope; scope && scope->kind == CU_SCOPE_BLOCK;
       scope = cu_block_around(scope)) {
    const CuVariable *variable = map_get(&scope->spelled, MAP_KEY(name));
    if (variable && variable->frame == frame)
      return true;
  }
  return is_needed_name(function, name);
}

// A parameter's, as which it is added: the source may have the same name for
// another parameter, or for a variable that comes later.
static const char *inner_name(CuContext *cu, const CuFunction *function,
                              const char *wanted, CuVariable *inner) {
  const char *name = wanted;
  for (uint32_t i = 2; is_own_name(cu, function, name); i++)
    name = intern_cstr(cu->names, cu_format(cu, "%s_%u", wanted, i));
  CuScope *body = NULL;
  for (CuScope *scope = cu->scope;
       scope && scope->kind == CU_SCOPE_BLOCK && scope != function->scope;
       scope = scope->caller ? scope->caller : scope->parent)
    body = scope;
  if (body)
    map_put(cu->arena, &body->spelled, MAP_KEY(name), inner);
  return name;
}

// Arrays are passed as pointers to their first element, groups as groups, all
// else as a pointer unless it never changes.
static CuVariable *inner_variable(CuContext *cu, CuFunction *function,
                                  CuVariable *outer) {
  CuVariable *inner = ARENA_NEW(cu->arena, CuVariable);
  inner->type = outer->type;
  inner->seen_as = outer->seen_as;
  inner->frame = cu_real_frame(cu->frame);
  inner->is_shared = outer->is_shared;
  inner->constant = outer->constant;
  inner->spot = outer->spot && outer->spot->element ? NULL : outer->spot;
  const char *wanted = inner_name(cu, function, outer->name->wanted, inner);
  inner->name = cu_new_name(cu, wanted, true);
  inner->name->outer = outer->name;
  if (cu_is_texture(outer->type))
    cu_texture_same(cu, inner, outer);
  const CuType *type = cu_referred(outer->type);
  bool by_value = type->kind == CU_ARRAY || cu_is_opaque(type) ||
                  outer->is_copy || outer->constant.kind != CU_NOT_CONST;
  inner->is_copy = outer->is_copy;
  inner->holds = by_value ? CU_HOLDS_VALUE : CU_HOLDS_POINTER;
  CuNeed need = {.outer = outer, .inner = inner};
  VEC_PUSH(cu->arena, &function->needs, need);
  return inner;
}

CuVariable *cu_seen_from_here(CuContext *cu, CuVariable *variable, Span span) {
  CuFrame *frame = cu_real_frame(cu->frame);
  if (!variable->frame || variable->frame == frame ||
      variable->holds == CU_HOLDS_CLOSURE ||
      variable->holds == CU_HOLDS_SUBSTITUTE)
    return variable;
  CuFunction *function = frame ? frame->function : NULL;
  if (!function || function->is_kernel) {
    CuVariable *again = function ? cu_texture_again(cu, variable) : NULL;
    if (!again && function)
      again = cu_shared_again(cu, variable, span);
    if (again)
      return again;
    cu_unsupported(cu, span, "this use of a variable of another function",
                   "pass it as an argument");
    return NULL;
  }
  for (uint32_t i = 0; i < function->needs.count; i++) {
    if (function->needs.data[i].outer == variable)
      return function->needs.data[i].inner;
  }
  return inner_variable(cu, function, variable);
}

void cu_note_made(CuContext *cu, const CuVariable *variable) {
  CuFrame *frame = cu_real_frame(cu->frame);
  CuFunction *function = frame ? frame->function : NULL;
  for (uint32_t i = 0; function && i < function->needs.count; i++)
    if (function->needs.data[i].outer == variable)
      function->needs.data[i].is_made = true;
}
