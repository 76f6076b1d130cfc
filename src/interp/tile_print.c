// SPDX-License-Identifier: Apache-2.0
// tile_print: the name and the elements, a line for each row along the last
// axis.
#include "interp/eval.h"
#include "interp/tile.h"
#include <inttypes.h>
#include <string.h>

static void print_number(Text *out, uint8_t kind, uint64_t value,
                         bool is_unsigned) {
  IrType type = ir_scalar((IrTypeKind)kind);
  if (kind >= IR_TYPE_F16 && kind <= IR_TYPE_E5M2)
    text_printf(out, "%g", eval_to_double((IrTypeKind)kind, value));
  else if (is_unsigned || kind == IR_TYPE_BOOL)
    text_printf(out, "%" PRIu64, value);
  else
    text_printf(out, "%" PRId64, eval_signed(value, ir_type_bits(type)));
}

// Structs in parentheses.
static void tile_print_element(Text *out, const IrNode *node,
                               const TypeLayout *layout, const char *bytes,
                               bool is_struct) {
  text_add(out, is_struct ? "(" : "");
  for (uint32_t i = 0; i < layout->n_slots; i++) {
    bool is_unsigned = is_struct ? node->u.text.unsigned_leaves >> i & 1
                                 : node->flags & NODE_UNSIGNED;
    text_add(out, i ? ", " : "");
    print_number(out, layout->kinds[i],
                 machine_read(bytes + layout->offsets[i], layout->kinds[i]),
                 is_unsigned);
  }
  text_add(out, is_struct ? ")" : "");
}

static void add_repeated(Text *out, char c, size_t count) {
  while (count-- > 0)
    text_add_char(out, c);
}

// How many of the last axes begin (all of their indices are 0), or end.
static uint32_t n_at_border(const IrTileShape *shape, const uint32_t *at,
                            bool at_end) {
  uint32_t count = 0;
  while (count < shape->rank) {
    uint32_t axis = shape->rank - 1 - count;
    if (at[axis] != (at_end ? shape->extents[axis] - 1 : 0))
      break;
    count++;
  }
  return count;
}

static void tile_print_rows(const Machine *m, const IrNode *node,
                            const TileValue *value, Text *out) {
  IrType type = node->args[0]->type;
  const IrTileShape *shape = ir_tile_shape(m->program->kernel->module, type);
  const TypeLayout *layout = tile_layout(m, type);
  bool is_struct = shape->element.kind == IR_TYPE_STRUCT;
  size_t indent = strlen(node->u.text.text) + 3;
  const char *bytes = value->bytes;
  uint32_t at[IR_MAX_TILE_RANK] = {0};
  bool is_first = true;
  do {
    uint32_t n_open = n_at_border(shape, at, false);
    if (!is_first)
      text_add_char(out, n_open ? '\n' : ' ');
    if (!is_first && n_open)
      add_repeated(out, ' ', indent + shape->rank - n_open);
    add_repeated(out, '[', n_open);
    tile_print_element(out, node, layout, bytes, is_struct);
    add_repeated(out, ']', n_at_border(shape, at, true));
    bytes += tile_element_bytes(m, type);
    is_first = false;
  } while (tile_next(shape->rank, shape->extents, at));
}

bool tile_print(Machine *m, Thread *t, const Insn *insn) {
  const IrNode *node = insn->node;
  Text *out = m->launch->given->printed;
  if (!out || node->n_args == 0)
    return true;
  TileValue *value = tile_operand(m, t, insn, 0);
  if (!value)
    return false;
  text_printf(out, "%s = ", node->u.text.text);
  IrType type = node->args[0]->type;
  if (ir_is_tile(type))
    tile_print_rows(m, node, value, out);
  else
    tile_print_element(out, node, tile_layout(m, type), value->bytes,
                       type.kind == IR_TYPE_STRUCT);
  text_add_char(out, '\n');
  tile_release(m, value);
  return true;
}
