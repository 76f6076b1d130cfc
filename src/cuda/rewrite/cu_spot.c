// SPDX-License-Identifier: Apache-2.0
#include "cuda/form/cu_spot.h"
#include "cuda/form/cu_barrier.h"
#include "cuda/form/cu_tree.h"

static const CuSpot *made(CuContext *cu, CuSpot spot) {
  CuSpot *kept = ARENA_NEW(cu->arena, CuSpot);
  *kept = spot;
  return kept;
}

const CuSpot *cu_spot_of_variable(CuContext *cu, const CuVariable *variable) {
  if (variable->spot) {
    bool may_change =
        variable->holds == CU_HOLDS_VALUE && variable->type->kind == CU_POINTER;
    return may_change ? made(cu, (CuSpot){.root = variable->spot->root,
                                          .bytes = variable->spot->bytes,
                                          .variable = variable,
                                          .through = variable->spot,
                                          .element = variable->spot->element})
                      : variable->spot;
  }
  const CuType *type = cu_plain(cu_referred(variable->type));
  if (!variable->is_shared || !variable->name || type->kind == CU_POINTER)
    return NULL;
  const CuName *root = variable->name;
  while (root->outer)
    root = root->outer;
  return made(cu, (CuSpot){.root = root});
}

const CuSpot *cu_spot_moved(CuContext *cu, const CuSpot *spot, int64_t bytes) {
  if (!spot || bytes == 0)
    return spot;
  CuSpot moved = *spot;
  if (__builtin_add_overflow(spot->bytes, bytes, &moved.bytes))
    return NULL;
  return made(cu, moved);
}

const CuSpot *cu_spot_indexed(CuContext *cu, const CuSpot *spot,
                              const CuType *type, const CuValue *index,
                              BinaryOp op) {
  int64_t bytes;
  if (!spot || index->constant.kind != CU_CONST_INT ||
      __builtin_mul_overflow(index->constant.i, (int64_t)cu_size(type),
                             &bytes) ||
      bytes == INT64_MIN)
    return NULL;
  return cu_spot_moved(cu, spot, op == BINARY_SUB ? -bytes : bytes);
}

const CuSpot *cu_spot_element(CuContext *cu, const CuValue *array,
                              const CuValue *index) {
  enum { MOST_ELEMENTS = 4096 };

  const CuType *type = cu_plain(array->type);
  if (!array->spot || array->spot->element || !cu_is(type, CU_ARRAY) ||
      type->u.array.extent < 1 || type->u.array.extent > MOST_ELEMENTS ||
      !index->expr || cu_has_effect(index->expr) ||
      !cu_has_barriers(cu, type->u.array.element))
    return NULL;
  CuElement *element = ARENA_NEW(cu->arena, CuElement);
  *element = (CuElement){.index = *index,
                         .extent = type->u.array.extent,
                         .stride_bytes = cu_size(type->u.array.element)};
  CuSpot spot = *array->spot;
  spot.element = element;
  return made(cu, spot);
}

const CuSpot *cu_spot_pinned(CuContext *cu, const CuSpot *spot, Span span) {
  if (!spot || !spot->element)
    return spot;
  CuElement *element = ARENA_NEW(cu->arena, CuElement);
  *element = *spot->element;
  Expr *index = cu_clone(cu, element->index.expr, span);
  element->index.expr = cu_pinned_index(cu, index, span);
  CuSpot pinned = *spot;
  pinned.element = element;
  return made(cu, pinned);
}

void cu_spot_fix(CuContext *cu, const CuSpot *spot, Span span) {
  for (; spot; spot = spot->through) {
    CuFixed fixed = {.variable = spot->variable, .span = span};
    if (spot->variable)
      VEC_PUSH(cu->arena, &cu->barriers.fixed, fixed);
  }
}
