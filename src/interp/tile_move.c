// SPDX-License-Identifier: Apache-2.0
// Operations that only move elements. Each is a number of boxes: rectangles of
// the result whose elements come from the operand at constant distances.
#include "base/panic.h"
#include "interp/tile.h"
#include <string.h>

// Distances are in elements, for one step along each axis of the box.
typedef struct {
  uint32_t rank, extents[IR_MAX_TILE_RANK];
  int64_t to, to_steps[IR_MAX_TILE_RANK]; // the first element
  int64_t from, from_steps[IR_MAX_TILE_RANK];
} Box;

static void tile_move_box(const Box *box, TileValue *to, const TileValue *from,
                          uint32_t size) {
  uint32_t at[IR_MAX_TILE_RANK] = {0};
  do {
    int64_t here = box->to, there = box->from;
    for (uint32_t i = 0; i < box->rank; i++) {
      here += at[i] * box->to_steps[i];
      there += at[i] * box->from_steps[i];
    }
    memcpy(to->bytes + here * size, from->bytes + there * size, size);
  } while (tile_next(box->rank, box->extents, at));
}

// The box of all of the result; where its elements are from is to be said.
static Box whole_box(const IrTileShape *to) {
  Box box = {.rank = to->rank};
  memcpy(box.extents, to->extents, sizeof box.extents);
  tile_strides(to, box.to_steps);
  return box;
}

// The box of all of the operand, which goes to a part of the result.
static Box part_box(const IrTileShape *from, const IrTileShape *to) {
  Box box = {.rank = from->rank};
  memcpy(box.extents, from->extents, sizeof box.extents);
  tile_strides(from, box.from_steps);
  tile_strides(to, box.to_steps);
  return box;
}

static int64_t tile_move_offset(const IrNode *node, const int64_t *strides) {
  int64_t offset = 0;
  for (uint32_t i = 0; i < node->u.tile.n_numbers; i++)
    offset += node->u.tile.numbers[i] * strides[i];
  return offset;
}

// ----------------------------------------------------------------- boxes

static Box broadcast_box(const IrTileShape *from, const IrTileShape *to) {
  Box box = whole_box(to);
  int64_t strides[IR_MAX_TILE_RANK];
  if (!from) // a scalar
    return box;
  tile_strides(from, strides);
  for (uint32_t i = 0; i < from->rank; i++)
    if (from->extents[i] > 1)
      box.from_steps[to->rank - from->rank + i] = strides[i];
  return box;
}

static Box permute_box(const IrNode *node, const IrTileShape *from,
                       const IrTileShape *to) {
  Box box = whole_box(to);
  int64_t strides[IR_MAX_TILE_RANK];
  tile_strides(from, strides);
  for (uint32_t i = 0; i < to->rank; i++)
    box.from_steps[i] = strides[node->u.tile.numbers[i]];
  return box;
}

static Box extract_box(const IrNode *node, const IrTileShape *from,
                       const IrTileShape *to) {
  Box box = whole_box(to);
  tile_strides(from, box.from_steps);
  box.from = tile_move_offset(node, box.from_steps);
  return box;
}

static Box flip_box(const IrNode *node, const IrTileShape *to) {
  Box box = whole_box(to);
  uint32_t axis = node->u.tile.axis;
  tile_strides(to, box.from_steps);
  box.from = (to->extents[axis] - 1) * box.from_steps[axis];
  box.from_steps[axis] = -box.from_steps[axis];
  return box;
}

// Elements [begin, begin + count) along the axis, which move by `distance`.
static Box shifted_box(const IrNode *node, const IrTileShape *shape,
                       int64_t begin, uint32_t count, int64_t distance) {
  Box box = part_box(shape, shape);
  uint32_t axis = node->u.tile.axis;
  box.extents[axis] = count;
  box.from = begin * box.from_steps[axis];
  box.to = (begin + distance) * box.to_steps[axis];
  return box;
}

static void move_roll(const IrNode *node, const IrTileShape *shape,
                      TileValue *to, const TileValue *from, uint32_t size) {
  int64_t n = shape->extents[node->u.tile.axis];
  int64_t distance = (node->u.tile.numbers[0] % n + n) % n;
  Box box = shifted_box(node, shape, 0, (uint32_t)(n - distance), distance);
  tile_move_box(&box, to, from, size);
  if (distance == 0)
    return;
  box =
      shifted_box(node, shape, n - distance, (uint32_t)distance, distance - n);
  tile_move_box(&box, to, from, size);
}

// ------------------------------------------------------------- operations

// Operand 0, and in inserts operand 1, are from; `to` is new.
static void move_elements(const IrNode *node, const IrTileShape *shape,
                          TileValue *to, const IrTileShape *from_shape,
                          const TileValue *from, uint32_t size) {
  Box box;
  switch ((int)node->op) {
  case IR_TILE_RESHAPE: memcpy(to->bytes, from->bytes, to->size_bytes); return;
  case IR_TILE_BITCAST:
    tile_regroup(to, shape->element, from, from_shape->element);
    return;
  case IR_TILE_ROLL: move_roll(node, shape, to, from, size); return;
  case IR_TILE_BROADCAST: box = broadcast_box(from_shape, shape); break;
  case IR_TILE_PERMUTE: box = permute_box(node, from_shape, shape); break;
  case IR_TILE_EXTRACT: box = extract_box(node, from_shape, shape); break;
  case IR_TILE_FLIP: box = flip_box(node, shape); break;
  default: HD_PANIC("'%s' is no move of one tile", ir_op_info(node)->text);
  }
  tile_move_box(&box, to, from, size);
}

// Puts operand `index` where the box says.
static bool move_part(Machine *m, Thread *t, const Insn *insn, uint32_t index,
                      const Box *box, TileValue *to) {
  TileValue *from = tile_operand(m, t, insn, index);
  if (from)
    tile_move_box(box, to, from, tile_element_bytes(m, insn->node->type));
  tile_release(m, from);
  return from != NULL;
}

static bool move_cat(Machine *m, Thread *t, const Insn *insn, TileValue *to) {
  const IrNode *node = insn->node;
  const IrModule *module = m->program->kernel->module;
  const IrTileShape *shape = ir_tile_shape(module, node->type);
  uint32_t axis = node->u.tile.axis;
  int64_t begin = 0;
  for (uint32_t i = 0; i < node->n_args; i++) {
    const IrTileShape *part = ir_tile_shape(module, node->args[i]->type);
    Box box = part_box(part, shape);
    box.to = begin * box.to_steps[axis];
    begin += part->extents[axis];
    if (!move_part(m, t, insn, i, &box, to))
      return false;
  }
  return true;
}

static bool move_insert(Machine *m, Thread *t, const Insn *insn,
                        TileValue *to) {
  const IrNode *node = insn->node;
  const IrModule *module = m->program->kernel->module;
  const IrTileShape *shape = ir_tile_shape(module, node->type);
  Box whole = part_box(shape, shape);
  Box part = part_box(ir_tile_shape(module, node->args[1]->type), shape);
  part.to = tile_move_offset(node, part.to_steps);
  return move_part(m, t, insn, 0, &whole, to) &&
         move_part(m, t, insn, 1, &part, to);
}

static bool move_pad(Machine *m, Thread *t, const Insn *insn, TileValue *to) {
  const IrNode *node = insn->node;
  const IrModule *module = m->program->kernel->module;
  const IrTileShape *shape = ir_tile_shape(module, node->type);
  Box outside = broadcast_box(NULL, shape);
  Box part = part_box(ir_tile_shape(module, node->args[0]->type), shape);
  return move_part(m, t, insn, 1, &outside, to) &&
         move_part(m, t, insn, 0, &part, to);
}

static void move_iota(TileValue *to) {
  for (uint32_t i = 0; i < to->size_bytes / sizeof i; i++)
    memcpy(to->bytes + i * sizeof i, &i, sizeof i);
}

static bool move_one(Machine *m, Thread *t, const Insn *insn, TileValue *to) {
  const IrNode *node = insn->node;
  const IrModule *module = m->program->kernel->module;
  TileValue *from = tile_operand(m, t, insn, 0);
  if (from)
    move_elements(node, ir_tile_shape(module, node->type), to,
                  ir_tile_shape(module, node->args[0]->type), from,
                  tile_element_bytes(m, node->type));
  tile_release(m, from);
  return from != NULL;
}

static bool move_into(Machine *m, Thread *t, const Insn *insn, TileValue *to) {
  switch ((int)insn->op) {
  case IR_TILE_IOTA: move_iota(to); return true;
  case IR_TILE_CAT: return move_cat(m, t, insn, to);
  case IR_TILE_INSERT: return move_insert(m, t, insn, to);
  case IR_TILE_PAD: return move_pad(m, t, insn, to);
  default: return move_one(m, t, insn, to);
  }
}

bool tile_move(Machine *m, Thread *t, const Insn *insn) {
  TileValue *to = tile_new(m, t, insn->node, insn->node->type);
  if (to && move_into(m, t, insn, to))
    return tile_give(m, t, insn, to);
  tile_release(m, to);
  return false;
}
