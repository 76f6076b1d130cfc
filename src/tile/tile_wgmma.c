// SPDX-License-Identifier: Apache-2.0
// Products of matrix units, before anything is planned.
//
// Note [Products at once]
// A product may be made at any time from where it stands to the wait for it.
// Here it is made where it stands: what is left is an ordinary product of loads
// of its sections. Who runs with checks still has to know that the sections are
// read until the wait: `wgmma_read` says so, and the commits and waits stay.
//
// Where runs are looked at, what is wrong has to show: there a product is made
// as late as its region tells, before the next wait in it or at its end; or, as
// the seed of a schedule draws, where it stands, or at a place in between that
// differs from product to product. In between nobody may look at the sums, and
// what others do to the sections is theirs to order. So operands that aren't
// there yet show as well as those that are there no more.
#include "tile/tile_parts.h"

typedef struct {
  Lower *t;
  hd_vec(IrNode *) loads, products, steps;
  IrNode *moved; // the assignment of the product that was moved last
} Engines;

static bool engine_may_pass(IrNode *node, void *context) {
  (void)context;
  return node->op != IR_WGMMA_WAIT && node->op != IR_EXIT;
}

// The node before which a product that stands at `set` is made at last; NULL:
// where it stands. `*at_end`: at the end of its region.
static IrNode *engine_last_place(IrNode *set, bool *at_end) {
  *at_end = false;
  for (IrNode *node = set->next; node; node = node->next) {
    bool passes = engine_may_pass(node, NULL);
    for (uint32_t i = 0; i < node->n_regions && passes; i++)
      passes = ir_walk(&node->regions[i], engine_may_pass, NULL);
    if (!passes)
      return node->op == IR_EXIT || node->op == IR_WGMMA_WAIT ? node : NULL;
  }
  *at_end = true;
  return NULL;
}

static bool engine_is_behind(const IrNode *node, const IrNode *set) {
  while (set && set != node)
    set = set->next;
  return node && set == node;
}

// A node behind `set` up to the last place, as the moment says; `last` is that
// place. Units make products in their order: not before the one that was moved
// last.
static IrNode *engine_place(const Engines *e, const IrNode *product,
                            IrNode *set, IrNode *last) {
  enum { LATE, AT_ONCE };

  uint32_t moment = e->t->target->moment, n = 0;
  if (moment == LATE || moment == AT_ONCE)
    return moment == LATE ? last : set->next;
  if (engine_is_behind(e->moved, set))
    set = e->moved;
  for (const IrNode *node = set->next; node && node != last; node = node->next)
    n++;
  uint64_t drawn = (product->id + UINT64_C(1)) * moment * 0x9e3779b97f4a7c15;
  IrNode *place = set->next;
  for (uint64_t left = (drawn >> 32) % (n + 1); left > 0 && place; left--)
    place = place->next;
  return place;
}

static void engine_move(IrNode *node, IrNode *before, IrRegion *region) {
  ir_node_unlink(node);
  if (before)
    ir_node_insert_before(before, node);
  else
    ir_node_insert_after(region->last, node);
}

// The product with all that it is made from.
static void engine_delay(Engines *e, IrNode *product) {
  bool at_end;
  IrNode *set = product->next, *acc = product->args[2];
  IrRegion *region = product->region;
  if (!set || set->op != IR_SET || set->args[0] != product ||
      acc->op != IR_GET || acc->region != region)
    return;
  IrNode *before = engine_last_place(set, &at_end);
  if (!before && !at_end)
    return;
  before = engine_place(e, product, set, before);
  if (before == set->next)
    return;
  for (uint32_t i = 0; i < 2; i++) {
    IrNode *operand = product->args[i];
    if (operand->op == IR_WGMMA_LOAD && operand->region == region)
      engine_move(operand, before, region);
  }
  engine_move(acc, before, region);
  engine_move(product, before, region);
  engine_move(set, before, region);
  e->moved = set;
}

static bool engine_note(IrNode *node, void *context) {
  Engines *e = context;
  Arena *scratch = e->t->scratch;
  switch ((int)node->op) {
  case IR_WGMMA_LOAD: VEC_PUSH(scratch, &e->loads, node); break;
  case IR_WGMMA_MMA: VEC_PUSH(scratch, &e->products, node); break;
  case IR_WGMMA_FENCE:
  case IR_WGMMA_COMMIT:
  case IR_WGMMA_WAIT: VEC_PUSH(scratch, &e->steps, node); break;
  default: break;
  }
  return true;
}

static IrNode *engine_turned(Lower *t, IrNode *operand) {
  const IrTileShape *from = ir_tile_shape(t->kernel->module, operand->type);
  uint32_t extents[2] = {from->extents[1], from->extents[0]};
  IrType type = ir_tile_type(t->kernel->module, from->element, 2, extents);
  IrNode *turned = put_node_of(t, IR_TILE_PERMUTE, type, &operand, 1);
  turned->u.tile.numbers[0] = 1;
  turned->u.tile.n_numbers = 2;
  return turned;
}

void tile_product_at_once(Lower *t, IrNode *node) {
  int32_t numbers = node->u.tile.n_numbers ? node->u.tile.numbers[0] : 0;
  t->before = node;
  t->loc = node->loc;
  if (numbers & WGMMA_TURNS_A)
    node->args[0] = engine_turned(t, node->args[0]);
  if (numbers & WGMMA_TURNS_B)
    node->args[1] = engine_turned(t, node->args[1]);
  node->op = IR_TILE_MMA;
  node->u.tile.numbers[0] = numbers & (WGMMA_TURNS_A - 1);
  node->u.tile.n_numbers = node->u.tile.numbers[0] != 0;
}

void tile_products_at_once(Lower *t) {
  Engines e = {.t = t};
  if (unit_makes_all(t))
    return;
  ir_walk(&t->kernel->body, engine_note, &e);
  t->region = NULL;
  for (uint32_t i = 0; i < e.loads.count && t->target->shows_engines; i++) {
    t->before = e.loads.data[i];
    t->loc = t->before->loc;
    section_tell(t, IR_WGMMA_READ, t->before); // not to be written until then
  }
  for (uint32_t i = 0; i < e.products.count && t->target->delays_engines; i++)
    engine_delay(&e, e.products.data[i]);
  for (uint32_t i = 0; i < e.loads.count; i++) {
    IrNode *load = e.loads.data[i];
    load->op = IR_TILE_LOAD;
  }
  for (uint32_t i = 0; i < e.products.count; i++)
    tile_product_at_once(t, e.products.data[i]);
  for (uint32_t i = 0; i < e.steps.count; i++)
    if (!t->target->shows_engines)
      ir_node_unlink(e.steps.data[i]);
}
