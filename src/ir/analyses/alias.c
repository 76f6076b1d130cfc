// SPDX-License-Identifier: Apache-2.0
#include "ir/analyses/alias.h"

#include "ir/analyses/touches.h"

bool ir_is_alias_pair(const IrKernel *kernel, const IrObject *a,
                      const IrObject *b) {
  for (uint32_t i = 0; i < kernel->may_alias.count; i++) {
    IrAliasPair pair = kernel->may_alias.data[i];
    if ((pair.a == a && pair.b == b) || (pair.a == b && pair.b == a))
      return true;
  }
  return false;
}

// The classes of two arrays are one because a plain pointer may overlap either:
// of the two that says nothing. Those of a class without pointers do overlap.
static bool joins_by_pointer(const IrKernel *kernel, const IrObject *a,
                             const IrObject *b) {
  bool has_pointer = false;
  for (uint32_t i = 0; i < kernel->objects.count; i++)
    has_pointer |= kernel->objects.data[i]->is_plain_pointer &&
                   kernel->objects.data[i]->alias_class == a->alias_class;
  return has_pointer && !a->is_plain_pointer && !b->is_plain_pointer;
}

bool ir_may_alias(const IrKernel *kernel, const IrObject *a,
                  const IrObject *b) {
  if (a == b)
    return true;
  if (a->space != b->space)
    return false;
  if (a->alias_class && a->alias_class == b->alias_class &&
      !joins_by_pointer(kernel, a, b))
    return true;
  bool is_apart = a->is_restrict || b->is_restrict;
  if (!is_apart && (a->is_plain_pointer || b->is_plain_pointer))
    return a->space == SPACE_GLOBAL;
  return ir_is_alias_pair(kernel, a, b);
}

const IrObject *ir_target_object(const IrNode *access) {
  IrTouch touch;
  return ir_main_touch(access, &touch) ? touch.object : NULL;
}

bool ir_pointer_may_reach(const IrNode *access, const IrObject *object) {
  IrTouch touch;
  uint8_t space = SPACE_GENERIC;
  if (ir_main_touch(access, &touch) && touch.pointer)
    space = touch.pointer->type.space;
  if (space != SPACE_GENERIC && space != object->space)
    return false;
  if (object->space == SPACE_SHARED || object->space == SPACE_LOCAL)
    return object->address_taken;
  return object->space == SPACE_GLOBAL;
}
