// SPDX-License-Identifier: Apache-2.0
// References to tiles: registers, operands, results.
#include "interp/tile.h"
#include <stdlib.h>
#include <string.h>

// What all values of a run may take together.
static const uint64_t max_tile_bytes = UINT64_C(2000000000);

// ---------------------------------------------------------------- elements

const TypeLayout *tile_layout(const Machine *m, IrType type) {
  const IrModule *module = m->program->kernel->module;
  return program_layout(m->program, ir_element_type(module, type));
}

uint32_t tile_element_bytes(const Machine *m, IrType type) {
  const IrModule *module = m->program->kernel->module;
  return ir_type_size(module, ir_element_type(module, type));
}

void tile_unpack(const TypeLayout *layout, const char *bytes, uint64_t *slots) {
  for (uint32_t i = 0; i < layout->n_slots; i++)
    slots[i] = machine_read(bytes + layout->offsets[i], layout->kinds[i]);
}

void tile_pack(const TypeLayout *layout, const uint64_t *slots, char *bytes) {
  for (uint32_t i = 0; i < layout->n_slots; i++)
    machine_write(bytes + layout->offsets[i], layout->kinds[i], slots[i]);
}

// ------------------------------------------------------------------ values

TileValue *tile_new(Machine *m, const Thread *t, const IrNode *node,
                    IrType type) {
  uint64_t n = ir_tile_elements(m->program->kernel->module, type);
  return tile_new_bytes(m, t, node, n * tile_element_bytes(m, type));
}

TileValue *tile_new_bytes(Machine *m, const Thread *t, const IrNode *node,
                          uint64_t size_bytes) {
  TileValue *value = NULL;
  if (size_bytes <= max_tile_bytes - m->tile_bytes)
    value = calloc(1, sizeof *value + size_bytes);
  if (!value) {
    machine_fault(m, t, node, HD_ERROR_MEMORY, "no memory for a tile");
    return NULL;
  }
  *value = (TileValue){.next = m->tiles,
                       .n_references = 1,
                       .size_bytes = size_bytes,
                       .bytes = (char *)(value + 1)};
  if (m->tiles)
    m->tiles->previous = value;
  m->tiles = value;
  m->tile_bytes += size_bytes;
  return value;
}

void tile_release(Machine *m, TileValue *value) {
  if (!value || --value->n_references > 0)
    return;
  if (value->previous)
    value->previous->next = value->next;
  else
    m->tiles = value->next;
  if (value->next)
    value->next->previous = value->previous;
  m->tile_bytes -= value->size_bytes;
  free(value);
}

void tile_release_all(Machine *m) {
  tile_memo_free(m);
  while (m->tiles) {
    m->tiles->n_references = 1;
    tile_release(m, m->tiles);
  }
}

// --------------------------------------------------------------- registers

static TileValue *held_or_zeros(Machine *m, const Thread *t, const IrNode *node,
                                IrType type, TileValue *held) {
  if (!held)
    return tile_new(m, t, node, type);
  held->n_references++;
  return held;
}

TileValue *tile_operand(Machine *m, Thread *t, const Insn *insn,
                        uint32_t index) {
  IrType type = insn->node->args[index]->type;
  if (ir_is_tile(type))
    return held_or_zeros(m, t, insn->node, type,
                         t->tiles[m->program->args.data[insn->args + index]]);
  TileValue *value = tile_new(m, t, insn->node, type);
  if (value)
    tile_pack(program_layout(m->program, type),
              machine_operand(m, t, insn, index), value->bytes);
  return value;
}

static void tile_put(Machine *m, Thread *t, uint32_t number, TileValue *value) {
  TileValue *before = t->tiles[number];
  t->tiles[number] = value;
  tile_release(m, before);
}

bool tile_give(Machine *m, Thread *t, const Insn *insn, TileValue *value) {
  if (!value)
    return false;
  if (ir_is_tile(insn->node->type)) {
    tile_put(m, t, insn->dst, value);
    return true;
  }
  tile_unpack(program_layout(m->program, insn->node->type), value->bytes,
              &t->frame[insn->dst]);
  tile_release(m, value);
  return true;
}

bool tile_get(Machine *m, Thread *t, const Insn *insn) {
  const IrNode *node = insn->node;
  uint32_t number = m->program->var_slots[node->u.variable.var];
  return tile_give(m, t, insn,
                   held_or_zeros(m, t, node, node->type, t->tiles[number]));
}

void tile_set(Machine *m, Thread *t, const Insn *insn) {
  TileValue *value = t->tiles[m->program->args.data[insn->args]];
  if (value)
    value->n_references++;
  tile_put(m, t, insn->dst, value);
}

void tile_drop(Machine *m, Thread *t, uint32_t first, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    tile_put(m, t, first + i, NULL);
}

// ------------------------------------------------------------------ shapes

TileLines tile_lines(const IrTileShape *shape, uint32_t axis) {
  TileLines lines = {.n_before = 1, .count = shape->extents[axis], .step = 1};
  for (uint32_t i = 0; i < axis; i++)
    lines.n_before *= shape->extents[i];
  for (uint32_t i = axis + 1; i < shape->rank; i++)
    lines.step *= shape->extents[i];
  return lines;
}

void tile_strides(const IrTileShape *shape, int64_t *strides) {
  int64_t step = 1;
  for (uint32_t i = shape->rank; i-- > 0;) {
    strides[i] = step;
    step *= shape->extents[i];
  }
}

bool tile_next(uint32_t rank, const uint32_t *extents, uint32_t *at) {
  for (uint32_t i = rank; i-- > 0;) {
    if (++at[i] < extents[i])
      return true;
    at[i] = 0;
  }
  return false;
}
