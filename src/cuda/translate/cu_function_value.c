// SPDX-License-Identifier: Apache-2.0
// Functions as values that are known where the program is translated:
// arguments of templates, parameters and variables that are pointers to
// functions. Nothing of them is left in Heddle C: a call of such a value is one
// of the function, and a function that gets one is translated for it.
#include "cuda/form/cu_function.h"
#include "cuda/form/cu_lambda.h"
#include "cuda/form/cu_overload.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_value.h"

// The function that a pointer or reference of type `to` leads to, or NULL.
static const CuType *target_of(const CuType *to) {
  const CuType *type = cu_plain(cu_referred(to));
  if (type->kind == CU_POINTER)
    type = cu_plain(type->u.inner);
  return type->kind == CU_FUNCTION ? type : NULL;
}

bool cu_is_function_pointer(const CuType *type) {
  return target_of(type) != NULL;
}

static bool has_signature(const CuFunction *function, const CuType *type) {
  bool fits = function->n_params == type->u.function.n_params &&
              (!function->result ||
               cu_plain(function->result) == cu_plain(type->u.function.result));
  for (uint32_t i = 0; fits && i < function->n_params; i++)
    fits = cu_plain(function->params[i].type) ==
           cu_plain(type->u.function.params[i]);
  return fits;
}

// That of several with this signature.
static CuFunction *function_with(CuContext *cu, CuOverloads *set,
                                 const CuType *type) {
  uint32_t n = type->u.function.n_params;
  CuValue *args = ARENA_ARRAY(cu->arena, CuValue, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    const CuType *param = type->u.function.params[i];
    args[i].type = cu_referred(param);
    args[i].is_lvalue = param->kind == CU_REFERENCE && !param->is_rvalue;
  }
  CuTrial trial = cu_trial_begin(cu);
  CuFunction *function =
      cu_choose_quietly(cu, set, NULL, (CuValues){args, n}, false);
  cu_trial_end(cu, trial);
  return function && has_signature(function, type) ? function : NULL;
}

static CuFunction *only_function(CuContext *cu, const CuOverloads *set) {
  bool is_only = set->found.count == 1 && !set->has_args &&
                 set->found.data[0]->kind == CU_ENTITY_FUNCTION &&
                 !set->found.data[0]->decl->n_templates;
  return is_only ? cu_instance(cu, set->found.data[0], (CuArgs){NULL, 0})
                 : NULL;
}

CuValue cu_function_constant(CuContext *cu, CuValue value, const CuType *to) {
  CuOverloads *set = value.overloads;
  const CuType *type = to ? target_of(to) : NULL;
  if (!set || value.object || (to && !type))
    return value;
  CuFunction *function =
      type ? function_with(cu, set, type) : only_function(cu, set);
  if (!function || function->record)
    return value;
  if (!function->as_constant) {
    CuClosure *closure = ARENA_NEW(cu->arena, CuClosure);
    CuType *made = cu_new_type(&cu->types, CU_LAMBDA);
    made->u.lambda = closure;
    closure->type = made;
    closure->overloads = set;
    closure->only = function;
    closure->scope = cu->scope;
    closure->name = function->entity->name;
    function->as_constant = made;
  }
  return (CuValue){.type = function->as_constant, .span = value.span};
}

const CuType *cu_signature(CuContext *cu, const CuType *type) {
  const CuClosure *closure =
      cu_is(cu_plain(type), CU_LAMBDA) ? cu_plain(type)->u.lambda : NULL;
  CuFunction *function = closure ? closure->only : NULL;
  if (closure && closure->overloads && !function)
    function = only_function(cu, closure->overloads);
  if (!function || !function->result)
    return NULL;
  const CuType **params =
      ARENA_ARRAY(cu->arena, const CuType *, function->n_params + 1);
  for (uint32_t i = 0; i < function->n_params; i++)
    params[i] = cu_plain(function->params[i].type);
  return cu_function(&cu->types, function->result, params, function->n_params);
}
