// SPDX-License-Identifier: Apache-2.0
// Types know extents as numbers. Readers want them as they were written, where
// that is sums and products of numbers and of constants of the file.
#include "cuda/form/cu_names.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_tree.h"
#include "cuda/form/cu_value.h"

enum { MOST_DEPTH = 16 };

static bool is_plain_written(const CxExpr *expr, uint32_t depth) {
  if (depth > MOST_DEPTH)
    return false;
  if (expr->kind == CX_EXPR_BINARY)
    return expr->u.binary.op < BINARY_LT &&
           is_plain_written(expr->u.binary.left, depth + 1) &&
           is_plain_written(expr->u.binary.right, depth + 1);
  return expr->kind == CX_EXPR_INT ||
         (expr->kind == CX_EXPR_NAME && expr->u.name->n_parts == 1);
}

// Constants of functions may not be there where the array is declared.
static bool extent_is_plain(const CuContext *cu, const Expr *expr) {
  if (expr->kind == EXPR_BINARY)
    return extent_is_plain(cu, expr->u.binary.left) &&
           extent_is_plain(cu, expr->u.binary.right);
  const CuName *name = expr->kind == EXPR_NAME
                           ? map_get(&cu->output.named, MAP_KEY(expr))
                           : NULL;
  return expr->kind == EXPR_INT || (name && !name->is_local);
}

void cu_write_extents(CuContext *cu, const CxType *written, TypeSyntax *made) {
  while (written && written->kind == CX_TYPE_ARRAY &&
         made->kind == TYPE_ARRAY) {
    const CxExpr *extent = written->u.array.extent;
    const Expr *known = made->u.array.extent;
    bool is_number = known && known->kind == EXPR_INT;
    if (extent && is_number && is_plain_written(extent, 0)) {
      CuValue value = cu_try_constant(cu, extent);
      if (value.constant.kind == CU_CONST_INT && value.expr &&
          (uint64_t)value.constant.i == known->u.int_lit.value &&
          extent_is_plain(cu, value.expr))
        made->u.array.extent = value.expr;
    }
    written = written->u.array.element;
    made = made->u.array.element;
  }
}
