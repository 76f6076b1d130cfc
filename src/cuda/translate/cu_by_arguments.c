// SPDX-License-Identifier: Apache-2.0
#include "cuda/form/cu_by_arguments.h"

#include "cuda/form/cu_depend.h"
#include "cuda/form/cu_pack.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_scope.h"

static void add_friends(CuContext *cu, CuRecord *record, const char *name,
                        CuEntityVec *found) {
  if (record->opaque || !cu_complete_record(cu, record))
    return;
  if (record->friends)
    cu_lookup_in(cu, record->friends, name, found);
  for (uint32_t i = 0; i < record->fields.count; i++)
    if (record->fields.data[i].base)
      add_friends(cu, record->fields.data[i].base, name, found);
}

// The namespaces of a class are those of its bases, too.
static void add_class(CuContext *cu, CuRecord *record, const char *name,
                      uint32_t at, CuEntityVec *found) {
  cu_lookup_by_argument(cu, record->entity->scope, name, at, found);
  if (record->opaque || !cu_complete_record(cu, record))
    return;
  for (uint32_t i = 0; i < record->fields.count; i++)
    if (record->fields.data[i].base)
      add_class(cu, record->fields.data[i].base, name, at, found);
}

// What the arguments of a call lead to: `at` is where it stands, 0 if it
// depends on parameters of a template, whose instances see what is declared
// behind them.
static void add_namespace(CuContext *cu, const CuType *type, const char *name,
                          uint32_t at, CuEntityVec *found) {
  while (type->kind == CU_POINTER || type->kind == CU_REFERENCE ||
         type->kind == CU_ARRAY)
    type = type->kind == CU_ARRAY ? type->u.array.element : type->u.inner;
  if (type->kind == CU_RECORD) {
    CuRecord *record = type->u.record;
    add_class(cu, record, name, at, found);
    add_friends(cu, record, name, found);
    CuArgs args = cu_flat_args(cu, (CuArgs){record->args, record->n_args});
    for (uint32_t i = 0; i < args.count; i++) {
      if (args.data[i].is_type && !args.data[i].template)
        add_namespace(cu, args.data[i].type, name, at, found);
    }
  } else if (type->kind == CU_ENUM) {
    cu_lookup_by_argument(cu, type->u.enumeration->outer, name, at, found);
  }
}

static void by_arguments_add_once(CuContext *cu, CuEntity *entity,
                                  CuEntityVec *found) {
  for (uint32_t i = 0; i < found->count; i++)
    if (found->data[i] == entity)
      return;
  VEC_PUSH(cu->arena, found, entity);
}

void cu_keep_functions(CuEntityVec *found) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < found->count; i++) {
    if (found->data[i]->kind == CU_ENTITY_FUNCTION)
      found->data[n++] = found->data[i];
  }
  found->count = n;
}

// Nothing but what the file declares behind the call.
static bool is_all_later(CuContext *cu, const CuOverloads *set) {
  for (uint32_t i = 0; i < set->found.count; i++)
    if (!cu_is_later(cu, set->found.data[i], set->part->span.begin))
      return false;
  return true;
}

// Only a call that depends on parameters of templates waits for them.
static bool by_arguments_depends(CuContext *cu, const CuOverloads *set,
                                 CuValues args) {
  if (!cu_is_of_template(cu->scope))
    return false;
  if (cu_args_depend(cu, set->part))
    return true;
  for (uint32_t i = 0; i < args.count; i++)
    if (!args.data[i].written || cu_expr_depends(cu, args.data[i].written))
      return true;
  return false;
}

void cu_add_by_arguments(CuContext *cu, CuOverloads *set, CuValues args) {
  if (set->is_qualified || !set->part->name)
    return;
  for (uint32_t i = 0; i < set->found.count; i++) {
    if (set->found.data[i]->scope->kind != CU_SCOPE_NAMESPACE &&
        set->found.data[i]->scope->kind != CU_SCOPE_TEMPLATE)
      return; // a member hides them
  }
  uint32_t at = by_arguments_depends(cu, set, args) ? 0 : set->part->span.begin;
  CuEntityVec led = {0};
  for (uint32_t i = 0; i < args.count; i++)
    add_namespace(cu, args.data[i].type, set->part->name, at, &led);
  cu_keep_functions(&led);
  if (led.count && is_all_later(cu, set))
    set->found.count = 0;
  for (uint32_t i = 0; i < led.count; i++)
    by_arguments_add_once(cu, led.data[i], &set->found);
  cu_keep_functions(&set->found);
}
