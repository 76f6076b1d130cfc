// SPDX-License-Identifier: Apache-2.0
// Liveness against the definition: is there a path to a `get` before a `set`?
// Random structured kernels are compared with a search through all paths.
#include "make.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
// cmocka wants the ones above first.
#include <cmocka.h>

static void test_straight_line(void **state) {
  (void)state;
  Make m = make_kernel(32);
  uint32_t x = make_var(&m, "x");
  IrNode *first = make_set_int(&m, x, 1);
  make_get(&m, x);
  IrNode *second = make_set_int(&m, x, 2);
  ir_kernel_renumber(m.kernel);
  Liveness *live = ir_liveness(m.arena, m.kernel);
  assert_true(liveness_after(live, first, x));
  assert_false(liveness_after(live, second, x));
  assert_false(liveness_at_entry(live, &m.kernel->body, x));
  make_free(&m);
}

static void test_exit_skips_a_set(void **state) {
  (void)state;
  Make m = make_kernel(32);
  uint32_t x = make_var(&m, "x");
  IrNode *set = make_set_int(&m, x, 1);
  IrNode *block = make_open(&m, IR_BLOCK, NULL, NULL);
  make_exit_if(&m, make_below(&m, 4), block, false);
  make_set_int(&m, x, 2);
  make_end(&m);
  make_get(&m, x);
  ir_kernel_renumber(m.kernel);
  Liveness *live = ir_liveness(m.arena, m.kernel);
  assert_true(liveness_after(live, set, x));
  make_free(&m);
}

static void test_loop_carries(void **state) {
  (void)state;
  Make m = make_kernel(32);
  uint32_t x = make_var(&m, "x"), y = make_var(&m, "y");
  IrNode *loop = make_loop(&m);
  make_get(&m, x);
  IrNode *set_x = make_set_int(&m, x, 1);
  IrNode *set_y = make_set_int(&m, y, 1);
  make_exit_if(&m, make_below(&m, 4), loop, false);
  make_end(&m);
  ir_kernel_renumber(m.kernel);
  Liveness *live = ir_liveness(m.arena, m.kernel);
  assert_true(liveness_after(live, set_x, x));
  assert_false(liveness_after(live, set_y, y));
  assert_false(liveness_after(live, loop, x));
  assert_true(liveness_at_entry(live, &loop->regions[0], x));
  make_free(&m);
}

// ------------------------------------------------- against all the paths

// A place in the tree: before `node`, or at the end of `region`.
typedef struct {
  const IrRegion *region;
  const IrNode *node;
} Spot;

typedef struct {
  Make *m;
  Liveness *live;
  uint32_t var;
  bool *is_seen; // by node id, and by n + 2 * owner + region for ends
} Oracle;

static bool find_get(Oracle *o, Spot spot);

static bool from_start(Oracle *o, const IrRegion *region) {
  return find_get(o, (Spot){region, region->first});
}

static bool from_after(Oracle *o, const IrNode *node) {
  return find_get(o, (Spot){node->region, node->next});
}

static bool next_turn(Oracle *o, const IrNode *loop) {
  bool found = false;
  if (loop->op != IR_LOOP)
    found = from_after(o, loop);
  if (loop->op == IR_LOOP || loop->u.loop.var != o->var)
    found = from_start(o, &loop->regions[0]) || found;
  return found;
}

static bool from_end(Oracle *o, const IrRegion *region) {
  const IrNode *owner = region->owner;
  if (!owner)
    return false;
  if (owner->op == IR_LOOP || owner->op == IR_FOR)
    return next_turn(o, owner);
  return from_after(o, owner);
}

static bool is_other(IrNode *node, void *context) {
  const Oracle *o = context;
  if (node->op == IR_GET || node->op == IR_SET)
    return node->u.variable.var != o->var;
  return node->op != IR_FOR || node->u.loop.var != o->var;
}

// Control is taken to come out of every node that doesn't touch the variable,
// also out of a loop that nothing leaves.
static bool passes(Oracle *o, const IrNode *node) {
  if (node->n_regions == 0 || !is_other((IrNode *)(uintptr_t)node, o))
    return false;
  for (uint32_t i = 0; i < node->n_regions; i++)
    if (!ir_walk((IrRegion *)(uintptr_t)&node->regions[i], is_other, o))
      return false;
  return from_after(o, node);
}

static bool from_node(Oracle *o, const IrNode *node) {
  if (passes(o, node))
    return true;
  switch ((int)node->op) {
  case IR_GET:
    if (node->u.variable.var == o->var)
      return true;
    break;
  case IR_SET:
    if (node->u.variable.var == o->var)
      return false;
    break;
  case IR_EXIT: {
    const IrNode *target = node->u.exit.target;
    if (node->u.exit.is_continue)
      return next_turn(o, target);
    return from_after(o, target);
  }
  case IR_IF: {
    bool found = from_start(o, &node->regions[0]);
    return from_start(o, &node->regions[1]) || found;
  }
  case IR_LOOP:
  case IR_BLOCK: return from_start(o, &node->regions[0]);
  case IR_FOR: return next_turn(o, node);
  case IR_GROUP: {
    bool found = from_start(o, &node->regions[0]);
    return from_after(o, node) || found;
  }
  default: break;
  }
  return from_after(o, node);
}

static bool find_get(Oracle *o, Spot spot) {
  uint32_t n = o->m->kernel->n_nodes, key = 3 * n;
  if (spot.node)
    key = spot.node->id;
  else if (spot.region->owner)
    key = n + 2 * spot.region->owner->id +
          (uint32_t)(spot.region - spot.region->owner->regions);
  if (o->is_seen[key])
    return false;
  o->is_seen[key] = true;
  return spot.node ? from_node(o, spot.node) : from_end(o, spot.region);
}

static uint64_t random_state;

static uint32_t pick(uint32_t n) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(random_state >> 33) % n;
}

#define N_VARS 3

static IrNode *enclosing_target(const Make *m) {
  uint32_t skip = pick(3);
  IrNode *found = NULL;
  for (IrNode *owner = m->at->owner; owner; owner = owner->region->owner) {
    if (owner->op == IR_GROUP)
      break;
    if (owner->op == IR_LOOP || owner->op == IR_FOR || owner->op == IR_BLOCK) {
      found = owner;
      if (skip-- == 0)
        break;
    }
  }
  return found;
}

static void fill(Make *m, uint32_t depth);

static void fill_inside(Make *m, IrNode *node, uint32_t depth) {
  for (uint32_t i = 0; i < node->n_regions; i++) {
    m->at = &node->regions[i];
    fill(m, depth - 1);
  }
  m->at = node->region;
}

static void fill(Make *m, uint32_t depth) {
  for (uint32_t n = pick(5); n > 0; n--) {
    uint32_t what = pick(depth ? 10 : 4), var = pick(N_VARS);
    if (what < 2) {
      make_get(m, var);
    } else if (what < 4) {
      make_set_int(m, var, 1);
    } else if (what < 6) {
      fill_inside(m, make_if(m, make_same(m)), depth);
    } else if (what == 6) {
      fill_inside(m, make_loop(m), depth);
    } else if (what == 7) {
      IrNode *lo = make_int(m, 0);
      fill_inside(m, make_for(m, var, lo, make_int(m, 3)), depth);
    } else if (what == 8) {
      fill_inside(m, make_open(m, IR_BLOCK, NULL, NULL), depth);
    } else {
      fill_inside(m, make_group(m, NULL, 0, 8), depth);
    }
  }
  IrNode *target = pick(3) == 0 ? enclosing_target(m) : NULL;
  if (target)
    make_exit(m, target, target->op != IR_BLOCK && pick(2));
}

static bool compare_node(IrNode *node, void *context) {
  Oracle *o = context;
  Make *m = o->m;
  Liveness *live = o->live;
  for (o->var = 0; o->var < N_VARS; o->var++) {
    size_t n_keys = 3 * (size_t)m->kernel->n_nodes + 1;
    if (node->op != IR_EXIT) {
      o->is_seen = ARENA_ARRAY(m->arena, bool, n_keys);
      assert_int_equal(from_after(o, node), liveness_after(live, node, o->var));
    }
    for (uint32_t i = 0; i < node->n_regions; i++) {
      o->is_seen = ARENA_ARRAY(m->arena, bool, n_keys);
      assert_int_equal(from_start(o, &node->regions[i]),
                       liveness_at_entry(live, &node->regions[i], o->var));
    }
  }
  return true;
}

static void test_random_kernels(void **state) {
  (void)state;
  for (uint32_t seed = 0; seed < 400; seed++) {
    random_state = seed * 7919u + 1;
    Make m = make_kernel(32);
    for (uint32_t i = 0; i < N_VARS; i++)
      make_var(&m, NULL);
    fill(&m, 4);
    ir_kernel_renumber(m.kernel);
    Liveness *live = ir_liveness(m.arena, m.kernel);
    Oracle oracle = {.m = &m, .live = live};
    ir_walk(&m.kernel->body, compare_node, &oracle);
    make_free(&m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_straight_line),
      cmocka_unit_test(test_exit_skips_a_set),
      cmocka_unit_test(test_loop_carries),
      cmocka_unit_test(test_random_kernels),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
