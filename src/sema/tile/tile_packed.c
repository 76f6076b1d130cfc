// SPDX-License-Identifier: Apache-2.0
// Arrays of packed elements: what is stored to them touches whole bytes.
#include "sema/tile.h"

uint32_t tile_packed_step(const Type *element) {
  uint32_t bits = type_bits(element), step = 8;
  while (bits % 2 == 0 && step > 1) {
    bits /= 2;
    step /= 2;
  }
  return step;
}

static bool refuse_packed(SemaContext *cx, Span span, const TVar *array,
                          const char *problem) {
  SEMA_ERROR(cx, span, tile_packed, DS(array->name),
             DU(type_bits(array->element)), DS(problem));
  return false;
}

static bool packed_begins(SemaContext *cx, const TSection *section,
                          uint32_t step) {
  const TVar *array = section->array;
  const TExpr *lo = section->lo[section->rank - 1];
  if (!expr_is_const(lo) || lo->u.value.i % step == 0)
    return true;
  return refuse_packed(
      cx, lo->span, array,
      sema_format(cx,
                  "a section that is stored can't begin at element %lld, as no "
                  "byte begins there: take a multiple of %u",
                  (long long)lo->u.value.i, step));
}

// Of a length that isn't one of whole bytes: where the row ends, or after it.
static bool packed_ends(SemaContext *cx, const TSection *section,
                        int64_t length, uint32_t step) {
  const TVar *array = section->array;
  uint32_t last = section->rank - 1;
  const TExpr *lo = section->lo[last], *extent = array->extents[last];
  if (length % step == 0 || !expr_is_const(lo) || !extent ||
      !expr_is_const(extent) || lo->u.value.i >= extent->u.value.i - length)
    return true;
  return refuse_packed(
      cx, section->span, array,
      sema_format(cx,
                  "a section that is stored can't end after element %lld, as "
                  "neither a byte nor the row of %lld does: take a length that "
                  "is a multiple of %u",
                  (long long)(lo->u.value.i + length - 1),
                  (long long)extent->u.value.i, step));
}

bool tile_check_packed(SemaContext *cx, const TExpr *place) {
  if (place->kind != TEXPR_SECTION ||
      !type_is_packed(type_underlying(place->u.section->array->element)))
    return true;
  const TSection *section = place->u.section;
  const TVar *array = section->array;
  uint32_t step = tile_packed_step(array->element), last = section->rank - 1;
  for (uint32_t i = 0; i < section->rank; i++)
    if (is_tile(section->lo[i]))
      return refuse_packed(cx, section->span, array,
                           "index tiles load them, and store to none: bytes "
                           "have elements of others, too");
  int64_t length = 1;
  if (!section->is_index[last] && expr_is_const(section->length[last]))
    length = section->length[last]->u.value.i;
  return packed_begins(cx, section, step) &&
         packed_ends(cx, section, length, step);
}

// A view of columns, read-only ones too, has whole bytes.
bool tile_check_packed_view(SemaContext *cx, const TSection *view) {
  const TVar *array = view->array;
  uint32_t last = view->rank - 1;
  if (!type_is_packed(type_underlying(array->element)))
    return true;
  uint32_t step = tile_packed_step(array->element);
  const TExpr *lo = view->lo[last], *n = view->length[last];
  const TExpr *extent = array->extents ? array->extents[last] : NULL;
  bool begins = !expr_is_const(lo) || lo->u.value.i % step == 0;
  bool is_known =
      expr_is_const(lo) && expr_is_const(n) && extent && expr_is_const(extent);
  int64_t end = 0;
  is_known =
      is_known && !__builtin_add_overflow(lo->u.value.i, n->u.value.i, &end);
  end = is_known ? end : 0;
  bool ends = end % step == 0 || (is_known && end == extent->u.value.i);
  if (begins && ends)
    return true;
  return refuse_packed(
      cx, view->span, array,
      sema_format(cx,
                  "a view begins and ends where bytes do, at a multiple of %u "
                  "elements, or ends where the row does, not at element %lld",
                  step, (long long)(begins ? end : lo->u.value.i)));
}

void tile_check_packed_strides(SemaContext *cx, const TVar *var, Span span) {
  uint32_t step = tile_packed_step(var->element), last = var->rank - 1;
  if (!type_is_packed(var->element) || !var->strides)
    return;
  const TExpr *inner = var->strides[last];
  if (!expr_is_const(inner) || inner->u.value.i != 1)
    (void)refuse_packed(cx, span, var,
                        "the stride of a row's elements must be 1");
  for (uint32_t i = 0; i < last; i++) {
    const TExpr *stride = var->strides[i];
    if (expr_is_poison(stride) ||
        (expr_is_const(stride) && stride->u.value.i % step == 0))
      continue;
    (void)refuse_packed(
        cx, stride->span, var,
        sema_format(
            cx, "strides must be constants, of whole bytes: multiples of %u",
            step));
  }
}
