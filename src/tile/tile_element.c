// SPDX-License-Identifier: Apache-2.0
// One element of a tile: loaded from memory where the tile is kept, else
// computed from elements of its operands.
#include "base/panic.h"
#include "tile/tile_parts.h"

IrTileShape tile_shape_of_node(const Lower *t, const IrNode *node) {
  const IrTileShape *shape = ir_tile_shape(t->kernel->module, node->type);
  return shape ? *shape : (IrTileShape){.element = node->type};
}

static IrNode *at_or_scalar(Lower *t, IrNode *value, const TileIndex *index) {
  return ir_is_tile(value->type) ? element_of(t, value, index) : value;
}

// ---------------------------------------------------------- element-wise

// Sums of integers wrap.
static IrNode *lifted(Lower *t, const IrNode *node, const TileIndex *index) {
  IrNode *few[8], **args = few;
  if (node->n_args > 8)
    args = ARENA_ARRAY(t->scratch, IrNode *, node->n_args);
  for (uint32_t i = 0; i < node->n_args; i++)
    args[i] = at_or_scalar(t, node->args[i], index);
  IrNode *made =
      put_node_of(t, node->op, ir_element_type(t->kernel->module, node->type),
                  args, node->n_args);
  made->u = node->u;
  made->flags = node->flags & ~(uint32_t)NODE_NO_SIGNED_WRAP;
  return made;
}

// ---------------------------------------------------------- moved elements

static IrNode *broadcast(Lower *t, const IrNode *node, const TileIndex *index) {
  IrNode *from = node->args[0];
  if (!ir_is_tile(from->type))
    return from;
  IrTileShape shape = tile_shape_of_node(t, from);
  uint32_t n_more = index->rank - shape.rank;
  IrNode *at[IR_MAX_TILE_RANK];
  int32_t dimension[IR_MAX_TILE_RANK];
  for (uint32_t i = 0; i < shape.rank; i++) {
    bool is_one = shape.extents[i] == 1;
    at[i] = is_one ? put_i32(t, 0) : index->at[n_more + i];
    dimension[i] = is_one ? -1 : (int32_t)(n_more + i);
  }
  TileIndex own = nest_index(t, &shape, at);
  alike_find(t, index, dimension, NULL, &shape, &own);
  return element_of(t, from, &own);
}

// Number of the next dimension that isn't 1, from `i` on.
static uint32_t next_long(const IrTileShape *shape, uint32_t i) {
  while (i < shape->rank && shape->extents[i] == 1)
    i++;
  return i;
}

// The shapes differ in dimensions of extent 1 only.
static bool unsqueeze(Lower *t, const IrTileShape *from, const IrTileShape *to,
                      const TileIndex *index, IrNode **at, int32_t *dimension) {
  uint32_t k = 0;
  for (uint32_t i = 0; i < from->rank; i++) {
    at[i] = NULL;
    dimension[i] = -1;
    if (from->extents[i] == 1)
      continue;
    k = next_long(to, k);
    if (k == to->rank || to->extents[k] != from->extents[i])
      return false;
    dimension[i] = (int32_t)k;
    at[i] = index->at[k++];
  }
  for (uint32_t i = 0; i < from->rank; i++)
    at[i] = at[i] ? at[i] : put_i32(t, 0);
  return next_long(to, k) == to->rank;
}

static IrNode *reshaped(Lower *t, const IrNode *node, const TileIndex *index) {
  IrTileShape from = tile_shape_of_node(t, node->args[0]);
  IrTileShape to = tile_shape_of_node(t, node);
  TileIndex own = {.rank = from.rank, .flat = index->flat};
  int32_t dimension[IR_MAX_TILE_RANK];
  if (unsqueeze(t, &from, &to, index, own.at, dimension))
    alike_find(t, index, dimension, NULL, &from, &own);
  else
    own = nest_unflat(t, &from, index->flat);
  return element_of(t, node->args[0], &own);
}

static IrNode *moved(Lower *t, const IrNode *node, IrNode *const *at) {
  IrTileShape from = tile_shape_of_node(t, node->args[0]);
  TileIndex own = nest_index(t, &from, at);
  return element_of(t, node->args[0], &own);
}

static IrNode *permuted(Lower *t, const IrNode *node, const TileIndex *index) {
  IrNode *at[IR_MAX_TILE_RANK];
  for (uint32_t i = 0; i < index->rank; i++)
    at[node->u.tile.numbers[i]] = index->at[i];
  return moved(t, node, at);
}

static IrNode *extracted(Lower *t, const IrNode *node, const TileIndex *index) {
  IrTileShape from = tile_shape_of_node(t, node->args[0]);
  IrNode *at[IR_MAX_TILE_RANK];
  int32_t dimension[IR_MAX_TILE_RANK];
  for (uint32_t i = 0; i < index->rank; i++) {
    at[i] = put_plus(t, index->at[i], node->u.tile.numbers[i]);
    dimension[i] = (int32_t)i;
  }
  TileIndex own = nest_index(t, &from, at);
  alike_find(t, index, dimension, node->u.tile.numbers, &from, &own);
  return element_of(t, node->args[0], &own);
}

static IrNode *flipped(Lower *t, const IrNode *node, const TileIndex *index) {
  IrTileShape shape = tile_shape_of_node(t, node);
  TileIndex own = *index;
  uint32_t axis = node->u.tile.axis;
  IrNode *last = put_i32(t, (int64_t)shape.extents[axis] - 1);
  own.at[axis] = put_two(t, IR_SUB, last, index->at[axis]);
  own.at[axis]->flags = NODE_NO_SIGNED_WRAP | NODE_OWN;
  return moved(t, node, own.at);
}

// What is at i was at i - shift.
static IrNode *rolled(Lower *t, const IrNode *node, const TileIndex *index) {
  IrTileShape shape = tile_shape_of_node(t, node);
  TileIndex own = *index;
  uint32_t axis = node->u.tile.axis;
  int64_t extent = shape.extents[axis];
  int64_t shift = (node->u.tile.numbers[0] % extent + extent) % extent;
  if (shift == 0)
    return element_of(t, node->args[0], index);
  IrNode *i = index->at[axis];
  own.at[axis] =
      put_select(t, put_test(t, IR_SLT, i, put_i32(t, shift)),
                 put_plus(t, i, extent - shift), put_plus(t, i, -shift));
  return moved(t, node, own.at);
}

// ------------------------------------------------------------------- rows

static IrNode *element_of_row(Lower *t, const IrNode *node,
                              const TileIndex *index) {
  switch (ir_tile_op(node->op)) {
  case TILE_BROADCAST: return broadcast(t, node, index);
  case TILE_IOTA: return index->at[0];
  case TILE_RESHAPE: return reshaped(t, node, index);
  case TILE_PERMUTE: return permuted(t, node, index);
  case TILE_EXTRACT: return extracted(t, node, index);
  case TILE_FLIP: return flipped(t, node, index);
  case TILE_ROLL: return rolled(t, node, index);
  case TILE_MAP:
    return put_combined(t, node, element_of(t, node->args[0], index), NULL);
  case TILE_BITCAST: return tile_bits_element(t, node, index);
  case TILE_CAST:
    return tile_cast_element(t, node, element_of(t, node->args[0], index));
  case TILE_LOAD: return section_load(t, node, index);
  case TILE_CAT: // these are kept
  case TILE_INSERT:
  case TILE_PAD:
  case TILE_REDUCE:
  case TILE_ARG:
  case TILE_REDUCE_BY:
  case TILE_SCAN:
  case TILE_SCAN_BY:
  case TILE_SORT:
  case TILE_ARGSORT:
  case TILE_TOPK:
  case TILE_HISTOGRAM:
  case TILE_AT:
  case TILE_COLLECT:
  case TILE_MMA:
  case TILE_MMA_SCALED:
  case TILE_RMW:
  case TILE_CAS:
  case WGMMA_LOAD:
  case TENSOR_READ:
  case TENSOR_WRITE:
  case TENSOR_MMA:
  case WGMMA_MMA:
  case TILE_STORE: // these have no result
  case TILE_PRINT:
  case TILE_ASSERT: break;
  }
  HD_PANIC("no element of '%s'", ir_op_info(node)->text);
}

IrNode *element_of(Lower *t, const IrNode *node, const TileIndex *index) {
  if (t->homes[node->id])
    return home_load_at(t, t->homes[node->id], index);
  if (node->op == IR_GET)
    return home_load_at(t, home_of_var(t, node->u.variable.var), index);
  if (ir_family(node) == FAMILY_TILE)
    return element_of_row(t, node, index);
  return lifted(t, node, index);
}
