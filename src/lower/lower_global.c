// SPDX-License-Identifier: Apache-2.0
// Objects of file scope, and the shape of objects in general.
#include "lower/lower_internal.h"
#include <string.h>

void lower_shape(Lowering *lw, IrObject *object, const Type *type) {
  while (type_is(type, TY_ARRAY) && object->rank < IR_MAX_RANK) {
    if (type->u.array.extent >= 0)
      object->extents[object->rank] =
          lower_host_const(lw, type->u.array.extent);
    object->rank++;
    type = type->u.array.element;
  }
  HD_ASSERT(!type_is(type, TY_ARRAY));
  object->element_bytes = (uint32_t)type->size_bytes;
  object->layout = LAYOUT_UNDECIDED;
}

static bool same_image(const IrObject *object, const TVar *var) {
  if (object->space !=
          (var->kind == TVAR_GLOBAL ? SPACE_GLOBAL : SPACE_CONSTANT) ||
      strcmp(object->name, var->name) != 0)
    return false;
  if (var->kind == TVAR_GLOBAL)
    return true; // one for the whole program, whatever the specialisation
  return object->initial_bytes == var->image_bytes &&
         (var->image_bytes == 0 ||
          memcmp(object->initial, var->image, var->image_bytes) == 0);
}

static IrObject *lower_global_find(const Lowering *lw, const TVar *var) {
  for (uint32_t i = 0; i < lw->module->globals.count; i++)
    if (same_image(lw->module->globals.data[i], var))
      return lw->module->globals.data[i];
  return NULL;
}

// The host may read and write it.
static bool lower_global_is_for_host(const TVar *var) {
  return var->kind == TVAR_GLOBAL || !var->image;
}

static IrObject *new_global(Lowering *lw, const TVar *var) {
  Arena *arena = lw->module->arena;
  const Type *base = type_array_base(var->type, &(uint32_t){0});
  IrObject *object = ARENA_NEW(arena, IrObject);
  object->id = lw->module->globals.count;
  object->kind = OBJECT_ARRAY;
  object->name = arena_strdup(arena, var->name);
  object->space = var->kind == TVAR_GLOBAL ? SPACE_GLOBAL : SPACE_CONSTANT;
  object->is_const = var->kind == TVAR_CONSTANT;
  object->element = lower_type(lw, base);
  object->is_signed = lower_global_is_for_host(var) && lower_holds_signed(var);
  object->param = -1;
  lower_shape(lw, object, var->type);
  object->align_bytes = var->align_bytes;
  object->layout = LAYOUT_ROW_MAJOR;
  if (var->image) {
    object->initial = arena_copy(arena, var->image, var->image_bytes);
    object->initial_bytes = var->image_bytes;
    object->may_be_overwritten = var->may_be_overwritten;
  }
  IrLoc loc = {.place = lower_place(lw, var->span), .span = var->span};
  object->loc = ir_loc_intern(lw->module, &loc);
  VEC_PUSH(arena, &lw->module->globals, object);
  return object;
}

const Binding *lower_global(Lowering *lw, const TVar *var) {
  IrObject *object = lower_global_find(lw, var);
  if (!object)
    object = new_global(lw, var);
  Binding binding = {.kind = BIND_OBJECT, .type = var->type, .object = object};
  lower_bind(lw, var, &binding);
  return lower_binding(lw, var);
}
