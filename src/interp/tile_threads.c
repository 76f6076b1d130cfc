// SPDX-License-Identifier: Apache-2.0
// Elements between tiles and the threads that hold them.
#include "interp/tile.h"
#include <string.h>

// Operands [first, first + rank) of thread t's are an index: its row-major
// place. False: it is none, after a fault.
static bool threads_place(Machine *m, Thread *t, const IrNode *node,
                          const IrTileShape *shape,
                          const uint64_t *const *operands, uint32_t *place) {
  *place = 0;
  for (uint32_t i = 0; i < shape->rank; i++) {
    int32_t at = (int32_t)*operands[i];
    if (at < 0 || (uint32_t)at >= shape->extents[i])
      return machine_fault(m, t, node, HD_ERROR_TRAP,
                           "an index is outside of its tile");
    *place = *place * shape->extents[i] + (uint32_t)at;
  }
  return true;
}

bool tile_at(Machine *m, Thread *t, const Insn *insn) {
  const IrNode *node = insn->node;
  IrType type = node->args[0]->type;
  const IrTileShape *shape = ir_tile_shape(m->program->kernel->module, type);
  const uint64_t *operands[IR_MAX_TILE_RANK];
  for (uint32_t i = 0; i < shape->rank; i++)
    operands[i] = machine_operand(m, t, insn, i + 1);
  uint32_t place;
  TileValue *tile = tile_operand(m, t, insn, 0);
  if (!tile)
    return false;
  bool is_good = threads_place(m, t, node, shape, operands, &place);
  if (is_good)
    tile_unpack(tile_layout(m, type),
                tile->bytes + (size_t)place * tile_element_bytes(m, type),
                &t->frame[insn->dst]);
  tile_release(m, tile);
  return is_good;
}

// ------------------------------------------------------------------ collect

// What one thread brings, from its first operand to its last one: elements that
// have none yet.
static bool collect_from(Machine *m, Thread *t, const Meeting *meeting,
                         uint32_t rank, TileValue *to, char *is_given) {
  const IrNode *node = meeting->insn->node;
  const IrTileShape *shape =
      ir_tile_shape(m->program->kernel->module, node->type);
  const TypeLayout *layout = tile_layout(m, node->type);
  uint32_t bytes = tile_element_bytes(m, node->type);
  const uint64_t *at = meeting->values + (size_t)rank * meeting->n_slots;
  for (uint32_t i = 0; i < node->n_args; i += 1 + shape->rank) {
    const uint64_t *operands[IR_MAX_TILE_RANK];
    for (uint32_t k = 0; k < shape->rank; k++)
      operands[k] = at + layout->n_slots + k;
    uint32_t place;
    if (!threads_place(m, t, node, shape, operands, &place))
      return false;
    if (!is_given[place])
      tile_pack(layout, at, to->bytes + (size_t)place * bytes);
    is_given[place] = 1;
    at += layout->n_slots + shape->rank;
  }
  return true;
}

// All of it, in the memory of `given`, a byte an element.
static bool collect_all(Machine *m, Thread *t, const Meeting *meeting,
                        TileValue *to, TileValue *given) {
  const IrNode *node = meeting->insn->node;
  for (uint32_t i = 0; i < meeting->size; i++)
    if (!collect_from(m, t, meeting, i, to, given->bytes))
      return false;
  if (memchr(given->bytes, 0, given->size_bytes))
    return machine_fault(m, t, node, HD_ERROR_TRAP,
                         "no thread gives an element of a tile");
  return true;
}

bool tile_collect(Machine *m, Thread *t, Meeting *meeting) {
  const IrNode *node = meeting->insn->node;
  uint64_t n = ir_tile_elements(m->program->kernel->module, node->type);
  TileValue *to = tile_new(m, t, node, node->type);
  TileValue *given = to ? tile_new_bytes(m, t, node, n) : NULL;
  bool is_good = given && collect_all(m, t, meeting, to, given);
  for (uint32_t i = 0; i < meeting->size && is_good; i++) {
    to->n_references++;
    is_good = tile_give(m, meeting->threads[i], meeting->insn, to);
  }
  tile_release(m, given);
  tile_release(m, to);
  return is_good;
}
