// SPDX-License-Identifier: Apache-2.0
// Types of tiles, and what operations on them have.
#include "base/panic.h"
#include "ir/form/float_format.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------- shapes

bool ir_tile_extent_fits(uint64_t extent) {
  if (extent == 0 || extent > IR_MAX_TILE_ELEMENTS)
    return false;
  while (extent % 2 == 0)
    extent /= 2;
  return extent <= IR_MAX_ODD_FACTOR;
}

static bool tile_is_row(const IrTileShape *row, IrType element, uint32_t rank,
                        const uint32_t *extents) {
  return ir_type_equal(row->element, element) && row->rank == rank &&
         memcmp(row->extents, extents, rank * sizeof *extents) == 0;
}

IrType ir_tile_type(IrModule *module, IrType element, uint32_t rank,
                    const uint32_t *extents) {
  HD_ASSERT(rank <= IR_MAX_TILE_RANK && !ir_is_tile(element));
  IrType type = ir_scalar(IR_TYPE_TILE);
  if (rank == 0)
    return element;
  while (type.index < module->tiles.count &&
         !tile_is_row(&module->tiles.data[type.index], element, rank, extents))
    type.index++;
  if (type.index < module->tiles.count)
    return type;
  IrTileShape shape = {.element = element, .rank = (uint8_t)rank};
  memcpy(shape.extents, extents, rank * sizeof *extents);
  VEC_PUSH(module->arena, &module->tiles, shape);
  return type;
}

IrType ir_tile_of(IrModule *module, IrType type, IrType element) {
  const IrTileShape *shape = ir_tile_shape(module, type);
  if (!shape)
    return element;
  uint32_t extents[IR_MAX_TILE_RANK]; // the table may move
  memcpy(extents, shape->extents, sizeof extents);
  return ir_tile_type(module, element, shape->rank, extents);
}

const IrTileShape *ir_tile_shape(const IrModule *module, IrType type) {
  return ir_is_tile(type) ? &module->tiles.data[type.index] : NULL;
}

IrType ir_element_type(const IrModule *module, IrType type) {
  const IrTileShape *shape = ir_tile_shape(module, type);
  return shape ? shape->element : type;
}

uint32_t ir_tile_elements(const IrModule *module, IrType type) {
  const IrTileShape *shape = ir_tile_shape(module, type);
  uint32_t count = 1;
  for (uint32_t i = 0; shape && i < shape->rank; i++)
    count *= shape->extents[i];
  return count;
}

bool ir_same_extents(const IrModule *module, IrType a, IrType b) {
  const IrTileShape *one = ir_tile_shape(module, a);
  const IrTileShape *other = ir_tile_shape(module, b);
  if (!one || !other)
    return one == other;
  return one->rank == other->rank &&
         memcmp(one->extents, other->extents,
                one->rank * sizeof *one->extents) == 0;
}

// ------------------------------------------------------------ operations

bool ir_lifts(IrOp op) {
  switch (ir_op_table[op].family) {
  case FAMILY_ARITHMETIC:
  case FAMILY_COMPARE:
  case FAMILY_CONVERT:
  case FAMILY_MATH: return true;
  case FAMILY_VALUE:
    return op == IR_SELECT || op == IR_PACK || op == IR_EXTRACT ||
           op == IR_INSERT;
  case FAMILY_POSITION:
  case FAMILY_MEMORY:
  case FAMILY_SYNC:
  case FAMILY_EXCHANGE:
  case FAMILY_REDUCE:
  case FAMILY_MBARRIER:
  case FAMILY_COPY:
  case FAMILY_CLAIM:
  case FAMILY_EFFECT:
  case FAMILY_CONTROL:
  case FAMILY_TILE:
  case FAMILY_COUNT: break;
  }
  return false;
}

static bool has_no_tile(IrNode *node, void *context) {
  (void)context;
  return !ir_is_tile(node->type) && ir_family(node) != FAMILY_TILE;
}

bool ir_has_tiles(const IrKernel *kernel) {
  for (uint32_t i = 0; i < kernel->vars.count; i++)
    if (ir_is_tile(kernel->vars.data[i].type))
      return true;
  return !ir_walk((IrRegion *)(uintptr_t)&kernel->body, has_no_tile, NULL);
}

// ------------------------------------------------------------ combining

IrOp ir_combine_op(IrCombine combine) {
  switch (combine) {
  case COMBINE_ADD: return IR_ADD;
  case COMBINE_MUL: return IR_MUL;
  case COMBINE_SMIN: return IR_SMIN;
  case COMBINE_SMAX: return IR_SMAX;
  case COMBINE_UMIN: return IR_UMIN;
  case COMBINE_UMAX: return IR_UMAX;
  case COMBINE_FMIN: return IR_FMIN;
  case COMBINE_FMAX: return IR_FMAX;
  case COMBINE_AND: return IR_AND;
  case COMBINE_OR: return IR_OR;
  case COMBINE_XOR: return IR_XOR;
  }
  HD_PANIC("there is no combination %d", (int)combine);
}

static uint64_t float_bits_of(IrType element, double value) {
  return float_bits_from_double(ir_float_format(element), value);
}

uint64_t ir_combine_identity(IrCombine combine, IrType element) {
  uint64_t sign = UINT64_C(1) << (ir_type_bits(element) - 1);
  switch (combine) {
  case COMBINE_ADD:
  case COMBINE_UMAX:
  case COMBINE_OR:
  case COMBINE_XOR: return 0;
  case COMBINE_MUL:
    return ir_type_is_float(element) ? float_bits_of(element, 1) : 1;
  case COMBINE_SMIN: return sign - 1;
  case COMBINE_SMAX: return sign;
  case COMBINE_UMIN:
  case COMBINE_AND: return sign | (sign - 1);
  case COMBINE_FMIN: return float_bits_of(element, HUGE_VAL);
  case COMBINE_FMAX: return float_bits_of(element, -HUGE_VAL);
  }
  HD_PANIC("there is no combination %d", (int)combine);
}

// ---------------------------------------------------------------- sections

bool ir_section_shape(const IrModule *module, const IrNode *node,
                      uint32_t *rank, uint32_t *extents) {
  const IrObject *object = node->u.section.object;
  bool has_gathered = false;
  *rank = 0;
  for (uint32_t i = 0; i < object->rank; i++) {
    IrSectionKind kind = node->u.section.kind[i];
    if (kind == SECTION_INDEX || (kind == SECTION_GATHER && has_gathered))
      continue;
    const IrTileShape *index = ir_tile_shape(module, node->args[i]->type);
    uint32_t n_more = kind == SECTION_RANGE ? 1 : index ? index->rank : 0;
    if (*rank + n_more > IR_MAX_TILE_RANK)
      return false;
    for (uint32_t k = 0; k < n_more; k++)
      extents[(*rank)++] =
          kind == SECTION_RANGE ? node->u.section.length[i] : index->extents[k];
    has_gathered |= kind == SECTION_GATHER;
  }
  return true;
}

uint32_t ir_section_operands(const IrNode *node) {
  uint32_t rank = node->u.section.object->rank;
  return node->u.section.has_view ? 3 * rank : rank;
}
