// SPDX-License-Identifier: Apache-2.0
// Arrays of packed elements: bytes, whose rows hold the elements of a row
// without gaps. Sections of them have a view, in which the last dimension
// counts elements.
#include "lower/lower_internal.h"

#include "base/panic.h"

uint32_t lower_packed_step(IrType element) {
  HD_ASSERT(ir_type_bits(element) > 0 && ir_type_bits(element) <= 8);
  uint32_t bits = ir_type_bits(element), step = 8;
  while (bits % 2 == 0 && step > 1) {
    bits /= 2;
    step /= 2;
  }
  return step;
}

// ------------------------------------------------------------------ arrays

static IrHost *packed_bytes(Lowering *lw, IrHost *elements, uint32_t bits) {
  if (bits == 8)
    return elements;
  IrHost *product =
      lower_host2(lw, HOST_MUL, elements, lower_host_const(lw, bits));
  return lower_host2(lw, HOST_CDIV, product, lower_host_const(lw, 8));
}

void lower_packed_extents(Lowering *lw, IrObject *object, const TVar *var) {
  uint32_t bits = type_bits(var->element), last = object->rank - 1u;
  object->extents[last] = packed_bytes(lw, object->extents[last], bits);
  for (uint32_t i = 0; object->has_strides && i < last; i++)
    object->strides[i] = packed_bytes(lw, object->strides[i], bits);
}

void lower_packed_columns(Lowering *lw) {
  for (uint32_t i = 0; i < lw->tree->n_params; i++) {
    const TVar *var = lw->tree->params[i];
    if (var->kind != TVAR_PARAM_ARRAY || !type_is_packed(var->element))
      continue;
    IrNode *columns =
        lower_to_i64(lw, lower_scalar(lw, var->extents[var->rank - 1]));
    map_put(lw->scratch, &lw->columns,
            MAP_KEY(lw->kernel->params.data[i].object), columns);
  }
}

IrNode *lower_packed_columns_of(const Lowering *lw, const IrObject *object,
                                uint32_t dim) {
  return dim + 1u == object->rank ? map_get(&lw->columns, MAP_KEY(object))
                                  : NULL;
}

// ------------------------------------------------------------------- owed

static void packed_owe_multiple(Lowering *lw, IrNode *number, uint32_t step,
                                const char *text) {
  int64_t known;
  if (step == 1 || (lower_is_const(number, &known) && known % step == 0))
    return;
  IrNode *rest = lower_emit2(lw, IR_AND, number->type, number,
                             lower_i64(lw, (int64_t)step - 1));
  lower_owe(
      lw,
      lower_emit2(lw, IR_EQ, ir_scalar(IR_TYPE_BOOL), rest, lower_i64(lw, 0)),
      text);
}

static const char *packed_text(Lowering *lw, const char *what,
                               const char *does) {
  return arena_printf(lw->module->arena, "%s %s", what, does);
}

// The difference of numbers that don't overflow.
static IrNode *packed_less(Lowering *lw, IrNode *a, IrNode *b) {
  int64_t known;
  if (lower_is_const(b, &known) && known == 0)
    return a;
  return lower_emit2(lw, IR_SUB, a->type, a, b);
}

// Once it begins where a byte does, it ends so if its length is that of bytes.
// `is_end`: it ends where the part does, or after it.
static void packed_owe_end(Lowering *lw, IrNode *count, IrNode *is_end,
                           uint32_t step, const char *text) {
  IrType truth = ir_scalar(IR_TYPE_BOOL);
  IrNode *rest = lower_emit2(lw, IR_AND, count->type, count,
                             lower_i64(lw, (int64_t)step - 1));
  IrNode *is_whole = lower_emit2(lw, IR_EQ, truth, rest, lower_i64(lw, 0));
  lower_owe(lw, lower_emit2(lw, IR_OR, truth, is_whole, is_end), text);
}

void lower_packed_owe_part(Lowering *lw, IrType element, IrNode *first,
                           IrNode *count, IrNode *extent, const char *what) {
  uint32_t step = lower_packed_step(element);
  int64_t known;
  first = lower_to_i64(lw, first);
  count = lower_to_i64(lw, count);
  packed_owe_multiple(lw, first, step,
                      packed_text(lw, what, "begins where a byte does"));
  if (step == 1 || (lower_is_const(count, &known) && known % step == 0))
    return;
  IrNode *end = packed_less(lw, lower_to_i64(lw, extent), first);
  packed_owe_end(
      lw, count, lower_emit2(lw, IR_SLE, ir_scalar(IR_TYPE_BOOL), end, count),
      step, packed_text(lw, what, "ends where a byte or the row does"));
}

// The index counts from the view's begin, which is that of a byte.
void lower_packed_owe(Lowering *lw, const SectionPlace *place) {
  if (!ir_type_is_packed(place->element))
    return;
  uint32_t last = place->object->rank - 1u;
  uint32_t step = lower_packed_step(place->element);
  bool is_range = place->kinds[last] == SECTION_RANGE;
  int64_t length = is_range ? place->lengths[last] : 1;
  const char *what = arena_printf(lw->scratch, "a stored section of '%s'",
                                  place->object->name);
  IrNode *index = lower_to_i64(lw, place->indices[last]);
  packed_owe_multiple(lw, index, step,
                      packed_text(lw, what, "begins where a byte does"));
  if (length % step == 0)
    return;
  IrNode *extent = packed_less(lw, place->high[last], place->low[last]);
  IrNode *most = packed_less(lw, extent, lower_i64(lw, length));
  lower_owe(lw, lower_emit2(lw, IR_SLE, ir_scalar(IR_TYPE_BOOL), most, index),
            packed_text(lw, what, "ends where a byte or the row does"));
}
