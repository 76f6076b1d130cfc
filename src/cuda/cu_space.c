// SPDX-License-Identifier: Apache-2.0
#include "cuda/cu_space.h"

#include "cuda/cu_tree.h"

static uint32_t spaces_of_name(const CuName *name) {
  const Decl *decl = name->decl;
  if (!decl || decl->kind == DECL_PARAM || !decl->type)
    return name->spaces;
  const TypeSyntax *type = decl->type;
  if (type->kind == TYPE_POINTER)
    return name->spaces;
  while (type->kind == TYPE_ARRAY)
    type = type->u.array.element;
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
    const CuName *name = map_get(&cu->named, MAP_KEY(expr));
    return name ? spaces_of_name(name) : 0;
  }
  case EXPR_INDEX: return cu_spaces(cu, expr->u.index.base);
  case EXPR_MEMBER: return cu_spaces(cu, expr->u.member.base);
  case EXPR_CAST: return cu_spaces(cu, expr->u.cast.operand);
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

void cu_note_spaces(CuContext *cu, CuName *name, const Expr *value) {
  if (value)
    name->spaces |= cu_spaces(cu, value);
}

static bool is_several(uint32_t spaces) {
  return (spaces & (spaces - 1)) != 0;
}

void cu_finish_spaces(CuContext *cu) {
  for (uint32_t i = 0; i < cu->all_names.count; i++) {
    const CuName *name = cu->all_names.data[i];
    Decl *decl = name->decl;
    bool is_mixed = decl && decl->kind == DECL_VAR && name->is_local &&
                    decl->type->kind == TYPE_POINTER &&
                    is_several(name->spaces) &&
                    !(name->spaces & CU_SPACE_LOCAL);
    if (is_mixed)
      decl->type->u.pointer.pointee->quals |= QUAL_GENERIC;
  }
}

void cu_join_spaces(CuContext *cu, const CuType *type, Expr **a, Expr **b) {
  uint32_t first = cu_spaces(cu, *a), second = cu_spaces(cu, *b);
  if (type->kind != CU_POINTER || !first || !second || first == second ||
      ((first | second) & CU_SPACE_LOCAL))
    return;
  Expr **sides[2] = {a, b};
  for (int i = 0; i < 2; i++) {
    *sides[i] = cu_cast(cu, type, *sides[i], (*sides[i])->span);
    TypeSyntax *to = (*sides[i])->u.cast.type;
    to->u.pointer.pointee->quals |= QUAL_GENERIC;
  }
}
