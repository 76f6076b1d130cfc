// SPDX-License-Identifier: Apache-2.0
#include "cuda/form/cu_space.h"

#include "base/bits.h"
#include "cuda/cuda.h"
#include "cuda/form/cu_tree.h"

#include <string.h>

static uint32_t spaces_of_name(const CuName *name) {
  const Decl *decl = name->decl;
  if (!decl || decl->kind == DECL_PARAM || !decl->type)
    return name->spaces;
  const TypeSyntax *type = decl->type;
  while (type->kind == TYPE_ARRAY)
    type = type->u.array.element;
  if (type->kind == TYPE_POINTER)
    return name->spaces;
  if (type->quals & QUAL_SHARED)
    return CU_SPACE_SHARED;
  if (type->quals & QUAL_CONSTANT)
    return CU_SPACE_CONSTANT;
  if (type->quals & QUAL_GLOBAL)
    return CU_SPACE_GLOBAL;
  return name->is_local ? CU_SPACE_LOCAL : 0;
}

uint32_t cu_spaces(const CuContext *cu, const Expr *expr) {
  switch ((int)expr->kind) {
  case EXPR_NAME: {
    const CuName *name = map_get(&cu->output.named, MAP_KEY(expr));
    return name ? spaces_of_name(name) : 0;
  }
  case EXPR_INDEX: return cu_spaces(cu, expr->u.index.base);
  case EXPR_MEMBER: return cu_spaces(cu, expr->u.member.base);
  case EXPR_CAST: {
    const TypeSyntax *type = expr->u.cast.type;
    bool is_joined = type->kind == TYPE_POINTER &&
                     (type->u.pointer.pointee->quals & QUAL_GENERIC);
    return is_joined ? CU_SPACE_GLOBAL | CU_SPACE_SHARED
                     : cu_spaces(cu, expr->u.cast.operand);
  }
  case EXPR_UNARY: return cu_spaces(cu, expr->u.unary.operand);
  case EXPR_ASSIGN: return cu_spaces(cu, expr->u.assign.left);
  case EXPR_BINARY: {
    bool adds =
        expr->u.binary.op == BINARY_ADD || expr->u.binary.op == BINARY_SUB;
    if (!adds)
      return 0;
    uint32_t left = cu_spaces(cu, expr->u.binary.left);
    return left & ~(uint32_t)CU_SPACE_LOCAL
               ? left
               : cu_spaces(cu, expr->u.binary.right);
  }
  case EXPR_CONDITIONAL:
    return cu_spaces(cu, expr->u.conditional.if_true) |
           cu_spaces(cu, expr->u.conditional.if_false);
  default: return 0;
  }
}

static uint32_t spaces_of_value(const CuContext *cu, const Expr *value) {
  if (value->kind != EXPR_INIT_LIST)
    return cu_spaces(cu, value);
  uint32_t spaces = 0;
  for (uint32_t i = 0; i < value->u.init_list.n_items; i++)
    spaces |= spaces_of_value(cu, value->u.init_list.items[i].value);
  return spaces;
}

void cu_note_spaces(CuContext *cu, CuName *name, const Expr *value) {
  if (value)
    name->spaces |= spaces_of_value(cu, value);
}

void cu_note_element_spaces(CuContext *cu, const Expr *place,
                            const Expr *value) {
  while (place->kind == EXPR_INDEX)
    place = place->u.index.base;
  CuName *name = place->kind == EXPR_NAME
                     ? map_get(&cu->output.named, MAP_KEY(place))
                     : NULL;
  if (name)
    cu_note_spaces(cu, name, value);
}

bool cu_is_held_open(const CuContext *cu, const char *tag, Span span) {
  for (uint32_t i = 0; i < cu->asked.n_held; i++) {
    const CudaHeld *held = &cu->asked.held[i];
    if (strcmp(held->tag, tag) == 0 && held->span.begin == span.begin &&
        held->span.end == span.end &&
        (!cu->launch.holder || strcmp(held->kernel, cu->launch.holder) == 0))
      return true;
  }
  return false;
}

void cu_hold_pointer(const CuContext *cu, TypeSyntax *type, Span name_span) {
  if (type->kind == TYPE_POINTER &&
      cu_is_held_open(cu, CUDA_HELD_DECL, name_span))
    type->u.pointer.pointee->quals |= QUAL_GENERIC;
}

// What a pointer variable, or the elements of an array of them, lead to. Sema
// finds out the space of a variable with one; that of elements, and of pointers
// in shared memory, is stated.
static uint32_t stated_space(const CuName *name, const TypeSyntax *type,
                             bool is_array) {
  if (name->spaces & CU_SPACE_LOCAL)
    return 0;
  if (bits_has_several(name->spaces))
    return name->is_local ? QUAL_GENERIC : 0;
  if (!is_array && !(type->quals & QUAL_SHARED))
    return 0;
  return name->spaces == CU_SPACE_SHARED     ? QUAL_SHARED
         : name->spaces == CU_SPACE_CONSTANT ? QUAL_CONSTANT
                                             : 0;
}

static bool space_is_of_kernel(const CuName *name) {
  return name->decl->kind == DECL_PARAM && name->spaces == CU_SPACE_GLOBAL;
}

// A function that gets the variable of a caller by its address.
static void pass_space(const CuName *name) {
  const Decl *outer = name->outer ? name->outer->decl : NULL;
  const TypeSyntax *from = outer ? outer->type : NULL;
  TypeSyntax *to =
      name->decl && name->decl->type && name->decl->type->kind == TYPE_POINTER
          ? name->decl->type->u.pointer.pointee
          : NULL;
  if (from && to && from->kind == TYPE_POINTER && to->kind == TYPE_POINTER)
    to->u.pointer.pointee->quals |=
        from->u.pointer.pointee->quals & QUAL_GENERIC;
}

void cu_finish_spaces(CuContext *cu) {
  for (uint32_t i = 0; i < cu->output.all_names.count; i++) {
    const CuName *name = cu->output.all_names.data[i];
    const Decl *decl = name->decl;
    TypeSyntax *type = decl && decl->kind == DECL_VAR ? decl->type : NULL;
    bool is_array = type && type->kind == TYPE_ARRAY;
    while (type && type->kind == TYPE_ARRAY)
      type = type->u.array.element;
    if (type && type->kind == TYPE_POINTER)
      type->u.pointer.pointee->quals |= stated_space(name, type, is_array);
    if (decl && decl->type && !space_is_of_kernel(name))
      cu_hold_pointer(cu, decl->type, decl->name_span);
  }
  for (uint32_t i = 0; i < cu->output.all_names.count; i++)
    pass_space(cu->output.all_names.data[i]);
}

void cu_join_spaces(CuContext *cu, const CuType *type, Span span, Expr **a,
                    Expr **b) {
  uint32_t first = cu_spaces(cu, *a), second = cu_spaces(cu, *b);
  bool is_several = first && second && first != second &&
                    !((first | second) & CU_SPACE_LOCAL);
  if (type->kind != CU_POINTER ||
      !(is_several || cu_is_held_open(cu, CUDA_HELD_CHOICE, span)))
    return;
  Expr **sides[2] = {a, b};
  for (int i = 0; i < 2; i++) {
    *sides[i] = cu_cast(cu, type, *sides[i], (*sides[i])->span);
    TypeSyntax *to = (*sides[i])->u.cast.type;
    to->u.pointer.pointee->quals |= QUAL_GENERIC;
  }
}
