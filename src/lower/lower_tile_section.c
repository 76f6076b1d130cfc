// SPDX-License-Identifier: Apache-2.0
// Sections of arrays that are loaded, stored and updated as tiles.
#include "base/panic.h"
#include "lower/lower_barrier.h"
#include "lower/lower_tile.h"
#include "lower/lower_view.h"

void lower_refuse_sections(Lowering *lw, const TSection *section) {
  if (lw->has_failed)
    return;
  Diag *diag = DIAG_REPORT(
      lw->diags, DIAG_section_part, lower_place(lw, section->span),
      DS(section->array->name), DS("a part of an array, or a pointer"));
  diag_note(lw->diags, diag, (Place){0},
            "pass the whole array and where the part begins");
  lower_report(lw, diag);
}

const SectionPlace *lower_section_place(Lowering *lw, const TSection *section) {
  HD_ASSERT(section->rank == section->array->rank);
  SectionPlace *place = ARENA_NEW(lw->scratch, SectionPlace);
  const View *view = lower_view_bound(lw, section->array);
  if (!view) {
    lower_refuse_sections(lw, section);
    return place;
  }
  for (uint32_t i = 0; i < section->rank; i++) {
    bool is_gathered = type_is(section->lo[i]->type, TY_TILE);
    place->indices[i] = is_gathered ? lower_scalar(lw, section->lo[i])
                                    : lower_index(lw, section->lo[i]);
    place->kinds[i] = is_gathered            ? SECTION_GATHER
                      : section->is_index[i] ? SECTION_INDEX
                                             : SECTION_RANGE;
    if (!section->is_index[i])
      place->lengths[i] = (uint32_t)section->length[i]->u.value.u;
  }
  place->mask = section->mask ? lower_scalar(lw, section->mask) : NULL;
  place->outside = section->outside ? lower_scalar(lw, section->outside) : NULL;
  place->is_unchecked = section->is_unchecked;
  place->load_hint = lower_hint(section->load_hint);
  place->store_hint = lower_hint(section->store_hint);
  place->element = lower_type(lw, section->array->element);
  lower_owe_section(lw, view, place, section->array->name);
  lower_view_section(lw, view, place);
  return place;
}

IrNode *lower_section_node(Lowering *lw, IrOp op, IrType type,
                           const SectionPlace *place, IrNode *const *values,
                           uint32_t n_values) {
  IrNode *args[3 * IR_MAX_RANK + 4];
  uint32_t rank = place->object->rank, n_args = rank;
  for (uint32_t i = 0; i < rank; i++)
    args[i] = place->indices[i];
  for (uint32_t i = 0; place->has_view && i < rank; i++) {
    args[n_args++] = place->low[i];
    args[n_args++] = place->high[i];
  }
  if (place->mask)
    args[n_args++] = place->mask;
  if (place->outside)
    args[n_args++] = place->outside;
  for (uint32_t i = 0; i < n_values; i++)
    args[n_args++] = values[i];
  IrNode *node = lower_emit(lw, op, type, args, n_args);
  node->u.section.has_view = place->has_view;
  node->u.section.has_mask = place->mask != NULL;
  node->u.section.has_pad = place->outside != NULL;
  node->u.section.is_unchecked = place->is_unchecked;
  node->u.section.is_update = place->is_update;
  node->u.section.object = place->object;
  for (uint32_t i = 0; i < rank; i++) {
    node->u.section.kind[i] = place->kinds[i];
    node->u.section.length[i] = place->lengths[i];
  }
  return node;
}

IrNode *lower_section_load(Lowering *lw, const SectionPlace *place,
                           const Type *type) {
  IrType tile = lower_type(lw, type);
  if (!place->object)
    return lower_zero(lw, tile);
  IrNode *load = lower_section_node(lw, IR_TILE_LOAD, tile, place, NULL, 0);
  load->u.section.hint = place->load_hint;
  return load;
}

// An operand of a product in matrix units: a section that is read later, or a
// tile.
static IrNode *engine_operand(Lowering *lw, const TExpr *operand) {
  if (operand->kind != TEXPR_SECTION)
    return lower_scalar(lw, operand);
  const SectionPlace *place = lower_section_place(lw, operand->u.section);
  IrType tile = lower_type(lw, operand->type);
  return place->object
             ? lower_section_node(lw, IR_WGMMA_LOAD, tile, place, NULL, 0)
             : lower_zero(lw, tile);
}

Value lower_tile_wgmma_mma(Lowering *lw, const TExpr *expr) {
  IrNode *acc = lower_scalar(lw, expr->u.builtin.args[0]);
  IrNode *args[] = {engine_operand(lw, expr->u.builtin.args[1]),
                    engine_operand(lw, expr->u.builtin.args[2]), acc};
  IrNode *node = lower_emit(lw, IR_WGMMA_MMA, acc->type, args, 3);
  const int64_t *numbers = expr->u.builtin.tile->numbers;
  node->u.tile.numbers[0] = (int32_t)numbers[0] |
                            (numbers[1] & 1 ? WGMMA_TURNS_A : 0) |
                            (numbers[1] & 2 ? WGMMA_TURNS_B : 0);
  node->u.tile.n_numbers = node->u.tile.numbers[0] != 0;
  return lower_value_node(node);
}

void lower_section_store(Lowering *lw, const SectionPlace *place,
                         IrNode *value) {
  if (!place->object)
    return;
  lower_packed_owe(lw, place);
  IrNode *store = lower_section_node(lw, IR_TILE_STORE, ir_scalar(IR_TYPE_VOID),
                                     place, &value, 1);
  store->u.section.hint = place->store_hint;
}

IrNode *lower_section_atomic(Lowering *lw, IrOp op, IrType type,
                             const SectionPlace *place, IrNode *const *values,
                             uint32_t n_values) {
  return place->object
             ? lower_section_node(lw, op, type, place, values, n_values)
             : lower_zero(lw, type);
}
