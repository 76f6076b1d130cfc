// SPDX-License-Identifier: Apache-2.0
// Orders of elements along an axis, and how often each value occurs.
#include "interp/eval.h"
#include "interp/tile.h"
#include <stdlib.h>
#include <string.h>

typedef struct {
  uint64_t key; // orders as unsigned numbers
  uint32_t index;
} SortKey;

static const uint64_t top_bit = UINT64_C(1) << 63;

// Zeros are equal, NaNs are last in both directions.
static uint64_t float_key(IrTypeKind kind, uint64_t value, bool is_falling) {
  double number = eval_to_double(kind, value);
  if (number != number)
    return UINT64_MAX;
  uint64_t bits = eval_from_double(IR_TYPE_F64, number == 0 ? 0.0 : number);
  uint64_t key = bits & top_bit ? ~bits : bits | top_bit;
  return is_falling ? ~key : key;
}

static uint64_t int_key(IrTypeKind kind, uint64_t value, bool is_unsigned,
                        bool is_falling) {
  uint64_t key = value;
  if (!is_unsigned)
    key = (uint64_t)eval_signed(value, ir_type_bits(ir_scalar(kind))) ^ top_bit;
  return is_falling ? ~key : key;
}

static int tile_sort_compare(const void *one, const void *other) {
  const SortKey *a = one, *b = other;
  if (a->key != b->key)
    return a->key < b->key ? -1 : 1;
  return a->index < b->index ? -1 : a->index > b->index;
}

// Of a line that begins at `from`, `step` bytes from element to element.
static void sort_line(const IrNode *node, IrTypeKind kind, const char *from,
                      uint64_t step, uint32_t count, SortKey *keys) {
  bool is_falling = node->op == IR_TILE_TOPK;
  bool is_float = ir_type_is_float(ir_scalar(kind));
  for (uint32_t i = 0; i < count; i++) {
    uint64_t value = machine_read(from + i * step, (uint8_t)kind);
    keys[i].index = i;
    keys[i].key = is_float ? float_key(kind, value, is_falling)
                           : int_key(kind, value, node->flags & NODE_UNSIGNED,
                                     is_falling);
  }
  qsort(keys, count, sizeof *keys, tile_sort_compare);
}

// The result's element for an element of the line.
static void sort_give(const IrNode *node, const TypeLayout *layout, char *to,
                      const char *element, uint32_t size, uint32_t index) {
  bool wants_value = node->op != IR_TILE_ARGSORT;
  if (wants_value)
    memcpy(to + layout->offsets[0], element, size);
  if (node->op == IR_TILE_ARGSORT)
    memcpy(to, &index, sizeof index);
  if (node->op == IR_TILE_TOPK)
    memcpy(to + layout->offsets[1], &index, sizeof index);
}

static void sort_into(const Machine *m, const IrNode *node, TileValue *to,
                      const TileValue *from, SortKey *keys) {
  const IrModule *module = m->program->kernel->module;
  IrType type = node->args[0]->type;
  const TypeLayout *layout = tile_layout(m, node->type);
  IrTypeKind kind = (IrTypeKind)tile_layout(m, type)->kinds[0];
  uint32_t axis = node->u.tile.axis, size = tile_element_bytes(m, type);
  uint32_t to_size = tile_element_bytes(m, node->type);
  TileLines lines = tile_lines(ir_tile_shape(module, type), axis);
  uint32_t n_given = ir_tile_shape(module, node->type)->extents[axis];
  for (uint32_t line = 0; line < lines.n_before * lines.step; line++) {
    uint64_t before = line / lines.step, behind = line % lines.step;
    const char *start =
        from->bytes + (before * lines.count * lines.step + behind) * size;
    sort_line(node, kind, start, (uint64_t)lines.step * size, lines.count,
              keys);
    for (uint32_t i = 0; i < n_given; i++) {
      uint64_t at = (before * n_given + i) * lines.step + behind;
      uint32_t index = keys[i].index;
      sort_give(node, layout, to->bytes + at * to_size,
                start + (uint64_t)index * lines.step * size, size, index);
    }
  }
}

bool tile_sort(Machine *m, Thread *t, const Insn *insn) {
  const IrNode *node = insn->node;
  const IrModule *module = m->program->kernel->module;
  uint32_t count =
      ir_tile_shape(module, node->args[0]->type)->extents[node->u.tile.axis];
  TileValue *to = tile_new(m, t, node, node->type);
  TileValue *from = to ? tile_operand(m, t, insn, 0) : NULL;
  TileValue *keys =
      from ? tile_new_bytes(m, t, node, count * sizeof(SortKey)) : NULL;
  bool is_good = keys != NULL;
  if (is_good)
    sort_into(m, node, to, from, (SortKey *)keys->bytes);
  tile_release(m, keys);
  tile_release(m, from);
  if (is_good)
    return tile_give(m, t, insn, to);
  tile_release(m, to);
  return false;
}

// --------------------------------------------------------------- histograms

static void count_into(const IrNode *node, IrTypeKind kind, TileValue *to,
                       const TileValue *from) {
  uint32_t size = machine_kind_bytes[kind];
  uint32_t bits = ir_type_bits(ir_scalar(kind));
  uint64_t n = to->size_bytes / sizeof(uint32_t);
  for (uint64_t i = 0; i < from->size_bytes / size; i++) {
    uint64_t value = machine_read(from->bytes + i * size, (uint8_t)kind);
    if (!(node->flags & NODE_UNSIGNED))
      value = (uint64_t)eval_signed(value, bits);
    uint32_t before;
    if (value >= n) // negative ones, too
      continue;
    memcpy(&before, to->bytes + value * sizeof before, sizeof before);
    before++;
    memcpy(to->bytes + value * sizeof before, &before, sizeof before);
  }
}

bool tile_count(Machine *m, Thread *t, const Insn *insn) {
  const IrNode *node = insn->node;
  TileValue *to = tile_new(m, t, node, node->type);
  TileValue *from = to ? tile_operand(m, t, insn, 0) : NULL;
  bool is_good = from != NULL;
  if (is_good)
    count_into(node, (IrTypeKind)tile_layout(m, node->args[0]->type)->kinds[0],
               to, from);
  tile_release(m, from);
  if (is_good)
    return tile_give(m, t, insn, to);
  tile_release(m, to);
  return false;
}
