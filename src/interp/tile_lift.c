// SPDX-License-Identifier: Apache-2.0
// Operations element by element: rows of other families, tile_map and
// tile_assert.
#include "interp/eval.h"
#include "interp/tile.h"
#include <string.h>

enum { MOST_LIFTED = 3 }; // operands of rows that compute

// ------------------------------------------------------------- arithmetic

static void lift_scalar(const Machine *m, const Thread *t, const Insn *insn,
                        TileValue *to, TileValue *const *from) {
  uint32_t n = insn->node->n_args;
  uint32_t size[MOST_LIFTED] = {0};
  uint8_t kinds[MOST_LIFTED] = {0};
  for (uint32_t k = 0; k < n; k++) {
    kinds[k] = tile_layout(m, insn->node->args[k]->type)->kinds[0];
    size[k] = machine_kind_bytes[kinds[k]];
  }
  uint32_t to_size = machine_kind_bytes[insn->to_kind];
  for (uint64_t i = 0; i < to->size_bytes / to_size; i++) {
    uint64_t values[MOST_LIFTED] = {0};
    for (uint32_t k = 0; k < n; k++)
      values[k] = machine_read(from[k]->bytes + i * size[k], kinds[k]);
    machine_write(to->bytes + i * to_size, insn->to_kind,
                  machine_scalar(m, t, insn, values));
  }
}

// ------------------------------------------------------------------ values

static void lift_select(TileValue *to, TileValue *const *from, uint32_t size) {
  for (uint64_t i = 0; i < from[0]->size_bytes; i++)
    memcpy(to->bytes + i * size,
           from[from[0]->bytes[i] ? 1 : 2]->bytes + i * size, size);
}

// One leaf of each element: from `from_offset` of `from`'s to `to_offset`.
static void lift_leaf(TileValue *to, uint32_t to_size, uint32_t to_offset,
                      const TileValue *from, uint32_t from_size,
                      uint32_t from_offset, uint32_t leaf_bytes) {
  for (uint64_t i = 0; i < to->size_bytes / to_size; i++)
    memcpy(to->bytes + i * to_size + to_offset,
           from->bytes + i * from_size + from_offset, leaf_bytes);
}

static void lift_value(const Machine *m, const IrNode *node, TileValue *to,
                       TileValue *const *from) {
  uint32_t size = tile_element_bytes(m, node->type);
  const TypeLayout *layout = tile_layout(m, node->type);
  uint32_t number = node->u.index.number;
  switch ((int)node->op) {
  case IR_SELECT: lift_select(to, from, size); break;
  case IR_EXTRACT:
    lift_leaf(to, size, 0, from[0], tile_element_bytes(m, node->args[0]->type),
              tile_layout(m, node->args[0]->type)->offsets[number], size);
    break;
  case IR_INSERT: {
    uint32_t leaf = tile_element_bytes(m, node->args[1]->type);
    memcpy(to->bytes, from[0]->bytes, to->size_bytes);
    lift_leaf(to, size, layout->offsets[number], from[1], leaf, 0, leaf);
    break;
  }
  default: break;
  }
}

static bool lift_pack(Machine *m, Thread *t, const Insn *insn, TileValue *to) {
  const IrNode *node = insn->node;
  const TypeLayout *layout = tile_layout(m, node->type);
  for (uint32_t i = 0; i < node->n_args; i++) {
    TileValue *from = tile_operand(m, t, insn, i);
    if (!from)
      return false;
    uint32_t leaf = tile_element_bytes(m, node->args[i]->type);
    lift_leaf(to, tile_element_bytes(m, node->type), layout->offsets[i], from,
              leaf, 0, leaf);
    tile_release(m, from);
  }
  return true;
}

// ------------------------------------------------------------------- rows

static bool lift_into(Machine *m, Thread *t, const Insn *insn, TileValue *to) {
  const IrNode *node = insn->node;
  TileValue *from[MOST_LIFTED] = {NULL};
  bool is_good = true;
  if (node->op == IR_PACK)
    return lift_pack(m, t, insn, to);
  for (uint32_t i = 0; i < node->n_args && is_good; i++)
    is_good = (from[i] = tile_operand(m, t, insn, i)) != NULL;
  if (is_good && node->op == IR_BITCAST)
    memcpy(to->bytes, from[0]->bytes, to->size_bytes);
  else if (is_good && ir_family(node) == FAMILY_VALUE)
    lift_value(m, node, to, from);
  else if (is_good)
    lift_scalar(m, t, insn, to, from);
  for (uint32_t i = 0; i < MOST_LIFTED; i++)
    tile_release(m, from[i]);
  return is_good;
}

bool tile_lift(Machine *m, Thread *t, const Insn *insn) {
  TileValue *to = tile_new(m, t, insn->node, insn->node->type);
  if (to && lift_into(m, t, insn, to))
    return tile_give(m, t, insn, to);
  tile_release(m, to);
  return false;
}

static bool map_into(Machine *m, Thread *t, const Insn *insn, TileValue *to,
                     const TileValue *from) {
  const IrNode *node = insn->node;
  const uint32_t *slots = m->program->var_slots;
  const TypeLayout *layout = tile_layout(m, node->type);
  const TypeLayout *from_layout = tile_layout(m, node->args[0]->type);
  uint32_t size = tile_element_bytes(m, node->type);
  uint32_t from_size = tile_element_bytes(m, node->args[0]->type);
  for (uint64_t i = 0; i < to->size_bytes / size; i++) {
    tile_unpack(from_layout, from->bytes + i * from_size,
                &t->frame[slots[node->u.by.left]]);
    if (!machine_run_operator(m, t, insn))
      return false;
    tile_pack(layout, &t->frame[slots[node->u.by.result]],
              to->bytes + i * size);
  }
  return true;
}

bool tile_map(Machine *m, Thread *t, const Insn *insn) {
  TileValue *to = tile_new(m, t, insn->node, insn->node->type);
  TileValue *from = to ? tile_operand(m, t, insn, 0) : NULL;
  bool is_good = from && map_into(m, t, insn, to, from);
  tile_release(m, from);
  if (is_good)
    return tile_give(m, t, insn, to);
  tile_release(m, to);
  return false;
}

// --------------------------------------------------------------- assertions

// The index of an element whose place is `number`.
static void index_of(const IrTileShape *shape, uint64_t number,
                     FaultArgs *args) {
  args->n_index = shape->rank;
  for (uint32_t i = shape->rank; i-- > 0;) {
    args->index[i] = (int64_t)(number % shape->extents[i]);
    number /= shape->extents[i];
  }
}

// Told of the first element.
bool tile_assert(Machine *m, Thread *t, const Insn *insn) {
  const IrNode *node = insn->node;
  const IrModule *module = m->program->kernel->module;
  TileValue *holds = tile_operand(m, t, insn, 0);
  if (!holds)
    return false;
  const char *failing = memchr(holds->bytes, 0, holds->size_bytes);
  FaultArgs args = {.name = node->u.text.text};
  if (failing)
    index_of(ir_tile_shape(module, node->args[0]->type),
             (uint64_t)(failing - holds->bytes), &args);
  tile_release(m, holds);
  return !failing ||
         machine_trap(m, t, node, FAULT_CODE_ELEMENT_ASSERTION, &args);
}
