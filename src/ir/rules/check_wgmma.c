// SPDX-License-Identifier: Apache-2.0
// Note [Products under way]
// What a matrix unit adds up is in registers that nobody may look at before the
// wait for it, and the unit knows what is in registers only from a fence on.
// Both is asked of every path, whatever the conditions are, as definite
// assignment is: no run can show what is wrong then, and no code for GPUs could
// be made.
//
// Each tile, a variable's or the result of a node, is in a state: how many
// commits have followed the newest product that may still be under way (its
// age), and whether it may have been touched since the last fence. Where paths
// meet, the least age and the missing fence count. Turns of a loop are gone
// through until nothing changes, which ends, as ages only fall.
#include "ir/rules/check_rules.h"

#include <string.h>

enum { AGE_IDLE = 255, AGE_MOST = 254 };

typedef struct {
  uint8_t age;
  bool is_open; // touched since the last fence
} Standing;

typedef struct Leaving {
  const IrNode *target;
  Standing *leave, *again; // joined of all exits; NULL: none yet
  struct Leaving *outer;
} Leaving;

typedef struct {
  Checker *c;
  uint32_t *slot_of_var, *slot_of_node; // + 1; 0: no tile
  uint32_t n_slots;
  Map told;
  Leaving *inner;
} Products;

// ------------------------------------------------------------------ states

static Standing *standing_copy(const Products *p, const Standing *from) {
  return arena_copy(p->c->arena, from, p->n_slots * sizeof *from);
}

// Whether `into` changed; its room is made if there is none.
static bool standing_join(const Products *p, Standing **into,
                          const Standing *from) {
  bool changes = false;
  if (!from)
    return false;
  if (!*into) {
    *into = standing_copy(p, from);
    return true;
  }
  for (uint32_t i = 0; i < p->n_slots; i++) {
    Standing *to = &(*into)[i];
    if (from[i].age < to->age || (from[i].is_open && !to->is_open))
      changes = true;
    to->age = from[i].age < to->age ? from[i].age : to->age;
    to->is_open |= from[i].is_open;
  }
  return changes;
}

static Standing *standing_of(const Products *p, Standing *all,
                             const IrNode *node) {
  uint32_t slot = node->op == IR_GET ? p->slot_of_var[node->u.variable.var]
                                     : p->slot_of_node[node->id];
  return slot ? &all[slot - 1] : NULL;
}

// ------------------------------------------------------------------ reports

static const char *standing_name(const Products *p, const IrNode *node) {
  const char *name = node->op == IR_GET || node->op == IR_SET
                         ? p->c->kernel->vars.data[node->u.variable.var].name
                         : NULL;
  return name ? arena_printf(p->c->arena, "'%s'", name) : "with sums";
}

static bool products_is_new(Products *p, const IrNode *node) {
  if (map_has(&p->told, MAP_KEY(node)))
    return false;
  map_put(p->c->arena, &p->told, MAP_KEY(node), p);
  return true;
}

static void report_pending(Products *p, const IrNode *node, const IrNode *tile,
                           const char *done, uint8_t age) {
  Checker *c = p->c;
  if (!products_is_new(p, node))
    return;
  Diag *diag =
      DIAG_REPORT(c->diags, DIAG_wgmma_pending, blame_place(c->blamer, node),
                  DS(standing_name(p, tile)), DS(done));
  if (age == 0)
    diag_note(c->diags, diag, (Place){0},
              "a wait covers only products that a 'wgmma_commit' has closed");
  check_finish(c, diag, node);
}

static void report_open(Products *p, const IrNode *node, uint32_t operand) {
  Checker *c = p->c;
  if (!products_is_new(p, node))
    return;
  Diag *diag = DIAG_REPORT(
      c->diags, DIAG_wgmma_unfenced, blame_place(c->blamer, node),
      DS(operand == 2 ? "the accumulator" : "the tile that is an operand"));
  diag_note(c->diags, diag, (Place){0},
            "write 'wgmma_fence();' before the first product, and after each "
            "other access to these tiles");
  check_finish(c, diag, node);
}

// ------------------------------------------------------------------- nodes

static void products_read(Products *p, Standing *all, const IrNode *node,
                          const IrNode *tile) {
  Standing *standing = standing_of(p, all, tile);
  if (!standing)
    return;
  if (standing->age != AGE_IDLE)
    report_pending(p, node, tile, "read", standing->age);
  standing->is_open = true;
}

static void products_multiply(Products *p, Standing *all, const IrNode *node) {
  for (uint32_t i = 0; i < 3; i += 2) {
    const Standing *standing = standing_of(p, all, node->args[i]);
    if (node->args[i]->op == IR_WGMMA_LOAD || !standing)
      continue;
    if (i == 0 && standing->age != AGE_IDLE)
      report_pending(p, node, node->args[i], "read", standing->age);
    if (standing->is_open)
      report_open(p, node, i);
  }
  Standing *result = standing_of(p, all, node);
  if (result)
    *result = (Standing){0};
}

static void products_set(Products *p, Standing *all, const IrNode *node) {
  const IrNode *value = node->args[0];
  uint32_t slot = p->slot_of_var[node->u.variable.var];
  bool is_sum = value->op == IR_WGMMA_MMA;
  if (!slot)
    return;
  Standing *standing = &all[slot - 1];
  if (!is_sum)
    products_read(p, all, node, value);
  if (!is_sum && standing->age != AGE_IDLE)
    report_pending(p, node, node, "assigned", standing->age);
  const Standing *from = standing_of(p, all, value);
  *standing = (Standing){.age = is_sum && from ? from->age : AGE_IDLE,
                         .is_open = !is_sum};
}

static void products_wait(const Products *p, Standing *all, uint32_t newest) {
  for (uint32_t i = 0; i < p->n_slots; i++)
    if (all[i].age > newest)
      all[i].age = AGE_IDLE;
}

static void products_commit(const Products *p, Standing *all) {
  for (uint32_t i = 0; i < p->n_slots; i++)
    all[i].age = (uint8_t)(all[i].age + (all[i].age < AGE_MOST));
}

static void products_plain(Products *p, Standing *all, const IrNode *node) {
  for (uint32_t i = 0; i < node->n_args && node->op != IR_CALL; i++)
    if (ir_is_tile(node->args[i]->type))
      products_read(p, all, node, node->args[i]);
  Standing *result = node->op == IR_GET ? NULL : standing_of(p, all, node);
  if (result)
    *result = (Standing){.age = AGE_IDLE, .is_open = true};
}

static void products_node(Products *p, Standing *all, const IrNode *node) {
  switch ((int)node->op) {
  case IR_WGMMA_MMA: products_multiply(p, all, node); break;
  case IR_WGMMA_COMMIT: products_commit(p, all); break;
  case IR_WGMMA_WAIT: products_wait(p, all, node->u.index.number); break;
  case IR_WGMMA_FENCE:
    for (uint32_t i = 0; i < p->n_slots; i++)
      all[i].is_open = false;
    break;
  case IR_SET:
    if (ir_is_tile(node->args[0]->type)) {
      products_set(p, all, node);
      break;
    }
    products_plain(p, all, node);
    break;
  default: products_plain(p, all, node); break;
  }
}

// ----------------------------------------------------------------- control

// NULL: control doesn't get to the end.
static Standing *products_region(Products *p, const IrRegion *region,
                                 Standing *all);

static void products_exit(Products *p, const IrNode *node,
                          const Standing *all) {
  Leaving *leaving = p->inner;
  while (leaving && leaving->target != node->u.exit.target)
    leaving = leaving->outer;
  if (leaving)
    standing_join(
        p, node->u.exit.is_continue ? &leaving->again : &leaving->leave, all);
}

// Turns until nothing changes. What is behind it: after any turn, where
// `may_end`, or after an exit.
static Standing *products_loop(Products *p, const IrNode *node, Standing *all,
                               bool repeats, bool may_end) {
  Standing *head = standing_copy(p, all), *end = NULL;
  Leaving leaving = {.target = node, .outer = p->inner};
  p->inner = &leaving;
  for (bool changes = true; changes;) {
    leaving.again = NULL;
    end = products_region(p, &node->regions[0], standing_copy(p, head));
    changes = false;
    if (repeats) {
      changes |= standing_join(p, &head, end);
      changes |= standing_join(p, &head, leaving.again);
    }
  }
  p->inner = leaving.outer;
  Standing *behind = leaving.leave;
  if (may_end)
    standing_join(p, &behind, repeats ? head : end);
  return behind;
}

static Standing *products_if(Products *p, const IrNode *node, Standing *all) {
  Standing *other = standing_copy(p, all);
  Standing *end = products_region(p, &node->regions[0], all);
  if (node->n_regions > 1)
    other = products_region(p, &node->regions[1], other);
  standing_join(p, &end, other);
  return end;
}

// A part of the threads goes through it, the others don't.
static Standing *products_part(Products *p, const IrNode *node, Standing *all) {
  Standing *around = standing_copy(p, all);
  Standing *end = products_region(p, &node->regions[0], all);
  standing_join(p, &around, end);
  return around;
}

static Standing *products_control(Products *p, const IrNode *node,
                                  Standing *all) {
  switch ((int)node->op) {
  case IR_IF: return products_if(p, node, all);
  case IR_LOOP: return products_loop(p, node, all, true, false);
  case IR_FOR:
  case IR_THREAD_FOR: return products_loop(p, node, all, true, true);
  case IR_BLOCK:
  case IR_CALL: return products_loop(p, node, all, false, true);
  case IR_GROUP:
  case IR_WITH: return products_part(p, node, all);
  default: return all; // operators have no products
  }
}

static Standing *products_region(Products *p, const IrRegion *region,
                                 Standing *all) {
  for (const IrNode *node = region->first; node && all; node = node->next) {
    if (node->op == IR_EXIT) {
      products_exit(p, node, all);
      return NULL;
    }
    products_node(p, all, node);
    if (node->n_regions)
      all = products_control(p, node, all);
  }
  return all;
}

// --------------------------------------------------------------------- all

static bool products_count(IrNode *node, void *context) {
  Products *p = context;
  if (ir_is_tile(node->type) && node->op != IR_GET && node->op != IR_WGMMA_LOAD)
    p->slot_of_node[node->id] = ++p->n_slots;
  return true;
}

static bool products_has_none(IrNode *node, void *context) {
  (void)context;
  return node->op != IR_WGMMA_MMA;
}

void check_wgmma(Checker *c) {
  const IrKernel *kernel = c->kernel;
  IrRegion *body = (IrRegion *)(uintptr_t)&kernel->body;
  if (c->n_errors || ir_walk(body, products_has_none, NULL))
    return;
  Products p = {.c = c};
  p.slot_of_var = ARENA_ARRAY(c->arena, uint32_t, kernel->vars.count + 1);
  p.slot_of_node = ARENA_ARRAY(c->arena, uint32_t, kernel->n_nodes + 1);
  for (uint32_t i = 0; i < kernel->vars.count; i++)
    if (ir_is_tile(kernel->vars.data[i].type))
      p.slot_of_var[i] = ++p.n_slots;
  ir_walk(body, products_count, &p);
  Standing *all = ARENA_ARRAY(c->arena, Standing, p.n_slots + 1);
  for (uint32_t i = 0; i < p.n_slots; i++)
    all[i] = (Standing){.age = AGE_IDLE, .is_open = true};
  (void)products_region(&p, body, all);
}
