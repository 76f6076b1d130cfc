// SPDX-License-Identifier: Apache-2.0
// What tensor cores of GPUs do themselves.
//
// Note [Rows of tensor memory]
// `tcgen05_ld` and `tcgen05_st` give each thread of a warpgroup the lane of its
// rank. So where tensor cores do what a kernel asks of them, a tile [128][N] is
// spread by rows (Note [Spreads]): thread t has row t, its slots are columns.
// What is left for code generation is what the cores are asked for, and loads
// and stores of tensor memory, whose elements are `tile_at` and `tile_collect`
// as those of Note [Sums of units].
#include "tile/tile_parts.h"

#include "ir/form/swizzle.h"

enum { TENSOR_ROWS = 128 };

// ---------------------------------------------------------------- what it
// takes

// Rows of a swizzled array, of elements that are read either way.
static bool tensor_takes_operand(const IrNode *read) {
  const IrObject *object = read->u.section.object;
  uint32_t rank = object->rank;
  if (!ir_swizzle_bytes(object) || object->element.kind == IR_TYPE_TF32)
    return false;
  for (uint32_t i = 0; i < rank; i++)
    if ((read->u.section.kind[i] == SECTION_RANGE) != (i + 2 >= rank))
      return false;
  return true;
}

static bool tensor_takes(const IrNode *node) {
  if (node->op == IR_TENSOR_MMA)
    return tensor_takes_operand(node->args[0]) &&
           tensor_takes_operand(node->args[1]);
  if (node->op != IR_TENSOR_WRITE)
    return true;
  const IrNode *value = node->args[node->n_args - 1];
  return value->op != IR_TENSOR_READ || tensor_takes_operand(value);
}

static bool tensor_note(IrNode *node, void *context) {
  Lower *t = context;
  t->has_tensors |= ir_is_tensor_op(node->op);
  return tensor_takes(node);
}

bool tensor_makes_all(Lower *t) {
  bool are_taken = t->target->has_tensors && t->is_of_threads &&
                   !t->target->shows_threads && !t->target->shows_engines &&
                   !*t->without_units &&
                   ir_walk(&t->kernel->body, tensor_note, t);
  t->has_tensors &= are_taken;
  t->has_units |= t->has_tensors;
  return t->has_tensors;
}

bool tensor_is_left(const Lower *t, const IrNode *node) {
  return t->has_tensors && ir_is_tensor_access(node);
}

IrType tensor_type(const IrNode *node) {
  return node->op == IR_TILE_STORE ? node->args[node->n_args - 1]->type
                                   : node->type;
}

bool tensor_spread(TileSpread *s) {
  if (s->shape.rank != 2 || s->lanes != TENSOR_ROWS ||
      s->shape.extents[0] != TENSOR_ROWS)
    return false;
  s->terms[0] = (SpreadTerm){0, 1, TENSOR_ROWS, 1};
  s->n_terms = 1;
  s->is_of_unit = s->is_by_row = true;
  return true;
}

// -------------------------------------------------------- loads and stores

static const TileSpread *tensor_spread_of(Lower *t, const IrNode *node) {
  const IrTileShape *shape =
      ir_tile_shape(t->kernel->module, tensor_type(node));
  const TileSpread *s = spread_of(t, shape);
  return s && s->is_by_row ? s : NULL;
}

static void tensor_give_up(Lower *t) {
  *t->without_units = true;
  t->is_lowered_again = true;
}

static IrNode *tensor_access(Lower *t, const IrNode *node, IrNode *value) {
  IrNode **args = ARENA_ARRAY(t->scratch, IrNode *, node->n_args);
  for (uint32_t i = 0; i < node->n_args; i++)
    args[i] = node->args[i];
  if (value)
    args[node->n_args - 1] = value;
  IrNode *made = put_node_of(t, node->op, node->type, args, node->n_args);
  made->u.section = node->u.section;
  made->flags = node->flags;
  return made;
}

void tensor_emit_load(Lower *t, const IrNode *node, const TileHome *home) {
  const TileSpread *s = tensor_spread_of(t, node);
  if (!s || !home) {
    tensor_give_up(t);
    return;
  }
  unit_give(t, tensor_access(t, node, NULL), s, home);
}

static void tensor_store_all(Lower *t, void *context) {
  const IrNode *node = context;
  tensor_access(t, node, unit_collect(t, node->args[node->n_args - 1]));
}

void tensor_emit_store(Lower *t, const IrNode *node) {
  const IrNode *value = node->args[node->n_args - 1];
  if (!tensor_spread_of(t, node)) {
    tensor_give_up(t);
    return;
  }
  section_emit(t, &value, 1, tensor_store_all, (void *)(uintptr_t)node);
}
