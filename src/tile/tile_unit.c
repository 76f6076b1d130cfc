// SPDX-License-Identifier: Apache-2.0
// Products that matrix units of warpgroups make: sums in registers.
//
// Note [Sums of units]
// Of a tile [64 n][N], a matrix unit has each element in one register of one
// thread of the warpgroup. Thread t has, as number 4 j + 2 h + i of a tile of
// 64 rows, row 16 (t / 32) + 8 h + t / 4 % 8 and column 8 j + 2 (t % 4) + i; of
// more rows, one such tile after the other. A tile of halves that is operand 0
// of the next product lies so, too. So tiles of these shapes have a spread
// (Note [Spreads]) that is this one, and what is computed from sums stays where
// they are: casts, scales, maxima of rows.
//
// What is left for code generation is `wgmma_mma` of sections, whose sums are a
// `tile_collect` of what threads have, and `tile_at`, with the number of the
// register: Note [Products under way] says that nobody looks before the wait.
// Products that units can't make are ordinary ones, and then all of the kernel
// are (Note [Products at once]).
#include "tile/tile_parts.h"

#include "ir/form/swizzle.h"

enum { UNIT_THREADS = 128, UNIT_ROWS = 64 };

// ---------------------------------------------------------------- what it
// takes

// Halves and bfloat16 are read both ways of shared memory, bytes where
// neighbours are along K. Sums of fp8 have too few bits.
static bool unit_takes_element(IrType type, bool is_across) {
  switch ((int)type.kind) {
  case IR_TYPE_F16:
  case IR_TYPE_BF16: return true;
  case IR_TYPE_I8: return !is_across;
  default: return false;
  }
}

// A section of rows of a swizzled array.
static bool unit_takes_section(const IrNode *load) {
  const IrObject *object = load->u.section.object;
  uint32_t rank = object->rank;
  if (!ir_swizzle_bytes(object) || load->u.section.has_view)
    return false;
  for (uint32_t i = 0; i < rank; i++)
    if ((load->u.section.kind[i] == SECTION_RANGE) != (i + 2 >= rank))
      return false;
  return true;
}

static bool unit_takes_operand(const Lower *t, const IrNode *node, uint32_t i) {
  const IrNode *operand = node->args[i];
  IrType element = ir_element_type(t->kernel->module, operand->type);
  int32_t numbers = node->u.tile.n_numbers ? node->u.tile.numbers[0] : 0;
  bool is_turned = numbers & (i == 0 ? WGMMA_TURNS_A : WGMMA_TURNS_B);
  if (!unit_takes_element(element, (i == 0) == is_turned))
    return false;
  if (operand->op == IR_WGMMA_LOAD)
    return unit_takes_section(operand);
  return i == 0 && ir_type_bits(element) == 16;
}

static bool unit_takes(const Lower *t, const IrNode *node) {
  const IrTileShape *to = ir_tile_shape(t->kernel->module, node->type);
  return ir_node_group(t->kernel, node)->size == UNIT_THREADS &&
         (to->element.kind == IR_TYPE_F32 || to->element.kind == IR_TYPE_F16 ||
          to->element.kind == IR_TYPE_I32) &&
         unit_takes_operand(t, node, 0) && unit_takes_operand(t, node, 1);
}

static bool unit_note(IrNode *node, void *context) {
  Lower *t = context;
  if (node->op != IR_WGMMA_MMA)
    return true;
  t->has_units = true;
  return unit_takes(t, node);
}

bool unit_makes_all(Lower *t) {
  bool are_taken = t->target->has_units && t->is_of_threads &&
                   !t->target->shows_threads && !*t->without_units &&
                   ir_walk(&t->kernel->body, unit_note, t);
  t->has_units &= are_taken;
  return t->has_units;
}

// ------------------------------------------------------------------- spreads

bool unit_spread(TileSpread *s) {
  const IrTileShape *shape = &s->shape;
  if (shape->rank != 2 || s->lanes != UNIT_THREADS ||
      shape->extents[0] % UNIT_ROWS || shape->extents[1] % 8)
    return false;
  s->terms[0] = (SpreadTerm){1, 1, 4, 2};
  s->terms[1] = (SpreadTerm){0, 4, 8, 1};
  s->terms[2] = (SpreadTerm){0, 32, 4, 16};
  s->n_terms = 3;
  s->is_of_unit = true;
  return true;
}

void unit_slot(const TileSpread *s, uint32_t slot, uint32_t at[2]) {
  at[0] = 0;
  at[1] = slot;
  if (s->is_by_row)
    return;
  uint32_t own = s->shape.extents[1] / 2, k = slot % own;
  at[0] = slot / own * UNIT_ROWS + 8 * (k >> 1 & 1);
  at[1] = 8 * (k >> 2) + (k & 1);
}

// ------------------------------------------------------------------ products

typedef struct {
  const IrNode *node;
  const TileHome *home;
} UnitProduct;

static const TileSpread *unit_spread_of(Lower *t, const IrNode *tile) {
  IrTileShape shape = tile_shape_of_node(t, tile);
  const TileSpread *s = spread_of(t, &shape);
  return s && s->is_of_unit ? s : NULL;
}

IrNode *unit_collect(Lower *t, const IrNode *tile) {
  const TileSpread *s = unit_spread_of(t, tile);
  SpreadBase base = spread_base(t, s);
  IrNode **args = ARENA_ARRAY(t->scratch, IrNode *, 3 * s->n_slots);
  for (uint32_t slot = 0; slot < s->n_slots; slot++) {
    TileIndex index = spread_index(t, s, &base, slot);
    args[3 * slot] = element_of(t, tile, &index);
    args[3 * slot + 1] = index.at[0];
    args[3 * slot + 2] = index.at[1];
  }
  return put_node_of(t, IR_TILE_COLLECT, tile->type, args, 3 * s->n_slots);
}

static IrNode *unit_operand(Lower *t, const IrNode *operand) {
  if (operand->op != IR_WGMMA_LOAD)
    return unit_collect(t, operand);
  IrNode *load = put_node_of(t, IR_WGMMA_LOAD, operand->type, operand->args,
                             operand->n_args);
  load->u.section = operand->u.section;
  load->flags = operand->flags;
  return load;
}

void unit_give(Lower *t, IrNode *made, const TileSpread *s,
               const TileHome *home) {
  SpreadBase base = spread_base(t, s);
  for (uint32_t slot = 0; slot < s->n_slots; slot++) {
    TileIndex index = spread_index(t, s, &base, slot);
    IrNode *element = put_node(t, IR_TILE_AT, s->shape.element, 3, made,
                               index.at[0], index.at[1]);
    element->type = ir_element_type(t->kernel->module, made->type);
    element->u.tile.numbers[0] = (int32_t)slot;
    element->u.tile.n_numbers = 1;
    home_store_at(t, home, &index, element);
  }
}

static void unit_emit(Lower *t, void *context) {
  const UnitProduct *p = context;
  IrNode *args[3] = {unit_operand(t, p->node->args[0]),
                     unit_operand(t, p->node->args[1]),
                     unit_collect(t, p->node->args[2])};
  IrNode *made = put_node_of(t, IR_WGMMA_MMA, p->node->type, args, 3);
  made->u.tile = p->node->u.tile;
  unit_give(t, made, p->home->spread, p->home);
}

void tile_emit_unit(Lower *t, const IrNode *node, const TileHome *home) {
  UnitProduct p = {node, home};
  const IrNode *roots[2] = {node->args[2], node->args[0]};
  bool is_tile = node->args[0]->op != IR_WGMMA_LOAD;
  if (!home || !home->vars || !home->spread->is_of_unit ||
      (is_tile && !unit_spread_of(t, node->args[0]))) {
    *t->without_units = true;
    t->is_lowered_again = true;
    return;
  }
  tile_tell_unit(t, node, PRODUCT_WGMMA);
  section_emit(t, roots, is_tile ? 2 : 1, unit_emit, &p);
}
