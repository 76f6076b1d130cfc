// SPDX-License-Identifier: Apache-2.0
// The bytes of constant objects.
#include "sema/context.h"

#include "sema/type/constants.h"

static bool image_refuse(SemaContext *cx, const TExpr *value,
                         const char *what) {
  if (!expr_is_poison(value))
    SEMA_ERROR(cx, value->span, not_constant, DS(what));
  return false;
}

static bool write_lanes(SemaContext *cx, const TExpr *value, uint8_t *bytes,
                        const char *what) {
  const TExpr *lane = value->u.operand;
  for (uint32_t i = 0; i < value->type->u.vector.count; i++)
    if (!image_write(cx, lane, bytes + i * lane->type->size_bytes, what))
      return false;
  return true;
}

bool image_write(SemaContext *cx, const TExpr *value, uint8_t *bytes,
                 const char *what) {
  if (value->kind == TEXPR_BROADCAST)
    return write_lanes(cx, value, bytes, what);
  if (value->kind == TEXPR_AGGREGATE) {
    for (uint32_t i = 0; i < value->u.aggregate.n_parts; i++) {
      const TInit *part = &value->u.aggregate.parts[i];
      if (!image_write(cx, part->value, bytes + part->offset_bytes, what))
        return false;
    }
    return true;
  }
  if (!expr_is_const(value))
    return image_refuse(cx, value, what);
  value_store(value->type, value->u.value, bytes);
  return true;
}

bool image_is_constant(const TExpr *value) {
  if (value->kind == TEXPR_BROADCAST)
    return image_is_constant(value->u.operand);
  if (value->kind != TEXPR_AGGREGATE)
    return expr_is_const(value);
  for (uint32_t i = 0; i < value->u.aggregate.n_parts; i++)
    if (!image_is_constant(value->u.aggregate.parts[i].value))
      return false;
  return true;
}
