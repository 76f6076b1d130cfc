// SPDX-License-Identifier: Apache-2.0
// Accesses of arrays that are parts of objects.
//
// Note [Arrays inside]. Subscripts of a whole object are the indices of its
// accesses, and whoever looks at these compares them with the extents. Those of
// a member, as in `s[i].a[j]`, become bytes, which would only have to lie in
// the object: the next member, or the next element. So here each subscript owes
// that it lies in its array, and an access through a pointer that was made from
// a member array (`int *p = s[i].a`) that its bytes do, as far as lowering
// follows the pointer: through arithmetic, casts, calls and variables that are
// set once. Pointers into rows of an object may go on to the next row.
#include "lower/lower_internal.h"

static void owe(Lowering *lw, IrNode *condition, const char *array) {
  IrNode *node = lower_emit1(lw, IR_ASSERT, ir_scalar(IR_TYPE_VOID), condition);
  node->flags |= NODE_OBLIGATION | NODE_INSIDE;
  node->u.text.text = array;
}

// 0 <= node <= most. Both have the width of `node`.
static void owe_range(Lowering *lw, IrNode *node, int64_t most,
                      const char *array) {
  bool is_wide = node->type.kind == IR_TYPE_I64;
  IrType type = ir_scalar(IR_TYPE_BOOL);
  IrNode *low = is_wide ? lower_i64(lw, 0) : lower_i32(lw, 0);
  IrNode *high = is_wide ? lower_i64(lw, most) : lower_i32(lw, most);
  IrNode *is_low = lower_emit2(lw, IR_SLE, type, low, node);
  IrNode *is_high = lower_emit2(lw, IR_SLE, type, node, high);
  owe(lw, lower_emit2(lw, IR_AND, type, is_low, is_high), array);
}

static const char *array_name(const TExpr *array) {
  if (array->kind == TEXPR_MEMBER && array->u.member.field &&
      array->u.member.field->name)
    return array->u.member.field->name;
  return array->kind == TEXPR_VAR ? array->u.var->name : "row";
}

void lower_owe_inside(Lowering *lw, const Address *address, uint32_t n_bytes) {
  if (!address->inside)
    return;
  int64_t most = address->inside_bytes - (int64_t)n_bytes;
  if (!address->inside_offset && address->inside_at >= 0 &&
      address->inside_at <= most)
    return;
  IrNode *at = lower_i64(lw, address->inside_at);
  if (address->inside_offset && address->inside_at)
    at = lower_add64(lw, address->inside_offset, at);
  else if (address->inside_offset)
    at = address->inside_offset;
  owe_range(lw, at, most, address->inside);
}

void lower_owe_subscripts(Lowering *lw, const TExpr *expr,
                          IrNode *const *indices) {
  const Type *type = expr->u.index.base->type;
  for (uint32_t i = 0; i < expr->u.index.n_indices; i++) {
    int64_t extent = type->u.array.extent, value;
    type = type->u.array.element;
    if (extent < 0 || extent > INT32_MAX ||
        (lower_is_const(indices[i], &value) && value >= 0 && value < extent))
      continue;
    owe_range(lw, indices[i], extent - 1, array_name(expr->u.index.base));
  }
}

void lower_owe_below(Lowering *lw, IrNode *index, IrNode *extent,
                     const char *array) {
  int64_t i, n;
  if (lower_is_const(extent, &n)) {
    if (!lower_is_const(index, &i) || i < 0 || i >= n)
      owe_range(lw, lower_to_i64(lw, index), n - 1, array);
    return;
  }
  IrType type = ir_scalar(IR_TYPE_BOOL);
  IrNode *wide = lower_to_i64(lw, index);
  IrNode *is_low = lower_emit2(lw, IR_SLE, type, lower_i64(lw, 0), wide);
  IrNode *is_high = lower_emit2(lw, IR_SLT, type, wide, extent);
  owe(lw, lower_emit2(lw, IR_AND, type, is_low, is_high), array);
}

void lower_note_inside(Lowering *lw, Address *address, const TExpr *array) {
  if (array->kind != TEXPR_MEMBER || array->type->u.array.extent < 0)
    return;
  lower_owe_inside(lw, address, (uint32_t)array->type->size_bytes);
  address->inside = array_name(array);
  address->inside_bytes = (int64_t)array->type->size_bytes;
  address->inside_offset = NULL;
  address->inside_at = 0;
}

void lower_move_inside(Lowering *lw, Address *address, IrNode *bytes,
                       int64_t n) {
  if (!address->inside)
    return;
  address->inside_at += n;
  if (bytes)
    address->inside_offset =
        address->inside_offset ? lower_add64(lw, address->inside_offset, bytes)
                               : bytes;
}
