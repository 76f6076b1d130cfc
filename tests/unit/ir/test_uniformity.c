// SPDX-License-Identifier: Apache-2.0
// Which values are the same for all threads of which groups, rule by rule. A
// failure of the `differs` kind is an unsound analysis, of the `agrees` kind a
// rule of the language that isn't followed.
#include "make.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
// cmocka wants the ones above first.
#include <cmocka.h>

static bool same_over(Make *m, const IrNode *node, const IrGroup *group) {
  ir_kernel_renumber(m->kernel);
  Uniformity *u = ir_uniformity(m->arena, m->kernel);
  return uniformity_has(u, node, group);
}

static bool same(Make *m, const IrNode *node) {
  return same_over(m, node, make_block_group(m));
}

static bool met_by(Make *m, const IrNode *node, const IrGroup *group) {
  ir_kernel_renumber(m->kernel);
  Uniformity *u = ir_uniformity(m->arena, m->kernel);
  return uniformity_converged(u, node, group);
}

static bool met(Make *m, const IrNode *node) {
  return met_by(m, node, make_block_group(m));
}

#define AGREES(m, node)  assert_true(same(&(m), (node)))
#define DIFFERS(m, node) assert_false(same(&(m), (node)))

static void test_roots(void **state) {
  (void)state;
  Make m = make_kernel(64);
  IrNode *rank = make_rank(&m);
  IrNode *one = make_int(&m, 1);
  IrNode *block = make_block_index(&m);
  IrNode *sum = make_op(&m, IR_ADD, block, one);
  IrNode *mixed = make_op(&m, IR_ADD, sum, rank);
  DIFFERS(m, rank);
  AGREES(m, one);
  AGREES(m, sum);
  DIFFERS(m, mixed);
  assert_true(same_over(&m, one, m.kernel->groups.data[GROUP_ROW_GRID]));
  assert_false(same_over(&m, sum, m.kernel->groups.data[GROUP_ROW_GRID]));
  make_free(&m);
}

static void test_variable_set_under_condition(void **state) {
  (void)state;
  for (int is_same = 0; is_same < 2; is_same++) {
    Make m = make_kernel(64);
    uint32_t x = make_var(&m, "x");
    make_set_int(&m, x, 0);
    make_if(&m, is_same ? make_same(&m) : make_below(&m, 16));
    make_set_int(&m, x, 1);
    IrNode *inside = make_get(&m, x);
    make_end(&m);
    IrNode *after = make_get(&m, x);
    AGREES(m, inside);
    assert_int_equal(same(&m, after), is_same);
    make_free(&m);
  }
}

static void test_variable_not_touched_by_branch(void **state) {
  (void)state;
  Make m = make_kernel(64);
  uint32_t x = make_var(&m, "x"), y = make_var(&m, "y");
  make_set_int(&m, x, 0);
  make_set_int(&m, y, 0);
  make_if(&m, make_below(&m, 16));
  make_set_int(&m, y, 1);
  make_end(&m);
  AGREES(m, make_get(&m, x));
  make_free(&m);
}

static void test_loop_counter(void **state) {
  (void)state;
  Make m = make_kernel(64);
  uint32_t i = make_var(&m, "i"), x = make_var(&m, "x");
  make_set_int(&m, x, 0);
  make_for(&m, i, make_int(&m, 0), make_int(&m, 9));
  IrNode *turn = make_get(&m, i);
  IrNode *carried = make_get(&m, x);
  make_set(&m, x, make_op(&m, IR_ADD, carried, turn));
  make_end(&m);
  IrNode *after = make_get(&m, x);
  AGREES(m, turn);
  AGREES(m, carried);
  AGREES(m, after);
  make_free(&m);
}

static void test_loop_carried_difference(void **state) {
  (void)state;
  Make m = make_kernel(64);
  uint32_t i = make_var(&m, "i"), x = make_var(&m, "x");
  make_set_int(&m, x, 0);
  make_for(&m, i, make_int(&m, 0), make_int(&m, 9));
  IrNode *carried = make_get(&m, x);
  make_set(&m, x, make_rank(&m));
  make_end(&m);
  DIFFERS(m, carried);
  make_free(&m);
}

// Threads leave at different turns: the counter agrees inside, not after.
static void test_exit_at_different_turns(void **state) {
  (void)state;
  Make m = make_kernel(64);
  uint32_t x = make_var(&m, "x");
  make_set_int(&m, x, 0);
  IrNode *loop = make_loop(&m);
  IrNode *carried = make_get(&m, x);
  IrNode *rank = make_rank(&m);
  make_exit_if(&m, make_op(&m, IR_SLT, rank, carried), loop, false);
  IrNode *later = make_get(&m, x);
  make_set(&m, x, make_op(&m, IR_ADD, later, make_int(&m, 1)));
  make_end(&m);
  IrNode *after = make_get(&m, x);
  AGREES(m, carried);
  AGREES(m, later);
  DIFFERS(m, after);
  make_free(&m);
}

static void test_for_with_differing_bound(void **state) {
  (void)state;
  Make m = make_kernel(64);
  uint32_t i = make_var(&m, "i"), x = make_var(&m, "x");
  make_set_int(&m, x, 0);
  make_for(&m, i, make_int(&m, 0), make_rank(&m));
  IrNode *turn = make_get(&m, i);
  IrNode *there = make_sync(&m);
  make_set_int(&m, x, 1);
  make_end(&m);
  AGREES(m, turn);
  DIFFERS(m, make_get(&m, x));
  assert_false(met(&m, there));
  make_free(&m);
}

// int f(c) { if (c) return 1; return 2; }
static void test_early_return(void **state) {
  (void)state;
  for (int is_same = 0; is_same < 2; is_same++) {
    Make m = make_kernel(64);
    uint32_t result = make_var(&m, NULL);
    IrNode *call = make_open(&m, IR_CALL, NULL, NULL);
    make_if(&m, is_same ? make_same(&m) : make_below(&m, 16));
    make_set_int(&m, result, 1);
    make_exit(&m, call, false);
    make_end(&m);
    IrNode *rest = make_sync(&m);
    make_set_int(&m, result, 2);
    make_exit(&m, call, false);
    make_end(&m);
    IrNode *after = make_get(&m, result);
    IrNode *behind = make_sync(&m);
    assert_int_equal(same(&m, after), is_same);
    assert_int_equal(met(&m, rest), is_same);
    assert_true(met(&m, behind));
    make_free(&m);
  }
}

// A `return` out of a loop out of a call: which turn it happened in decides.
static void test_return_from_loop(void **state) {
  (void)state;
  Make m = make_kernel(64);
  uint32_t i = make_var(&m, "i"), result = make_var(&m, NULL);
  IrNode *call = make_open(&m, IR_CALL, NULL, NULL);
  make_for(&m, i, make_int(&m, 0), make_int(&m, 100));
  make_set(&m, result, make_get(&m, i));
  IrNode *turn = make_get(&m, i);
  make_exit_if(&m, make_op(&m, IR_EQ, turn, make_rank(&m)), call, false);
  make_end(&m);
  make_exit(&m, call, false);
  make_end(&m);
  DIFFERS(m, make_get(&m, result));
  make_free(&m);
}

// Even where only one version gets out.
static void test_single_version_out_of_loop(void **state) {
  (void)state;
  Make m = make_kernel(64);
  uint32_t i = make_var(&m, "i"), result = make_var(&m, NULL);
  IrNode *block = make_open(&m, IR_BLOCK, NULL, NULL);
  make_set_int(&m, i, 0);
  make_loop(&m);
  IrNode *turn = make_get(&m, i);
  make_set(&m, result, turn);
  make_exit_if(&m, make_op(&m, IR_SLT, make_rank(&m), turn), block, false);
  make_set(&m, i, make_op(&m, IR_ADD, turn, make_int(&m, 1)));
  make_end(&m);
  make_end(&m);
  DIFFERS(m, make_get(&m, result));
  make_free(&m);
}

// block { loop { if (differs) break; if (same) { x = 1; exit block; } } x = 2 }
// A thread that broke never meets the second condition.
static void test_inner_break_decides_outer_exit(void **state) {
  (void)state;
  Make m = make_kernel(64);
  uint32_t x = make_var(&m, "x");
  IrNode *block = make_open(&m, IR_BLOCK, NULL, NULL);
  IrNode *loop = make_loop(&m);
  make_exit_if(&m, make_below(&m, 16), loop, false);
  make_if(&m, make_same(&m));
  make_set_int(&m, x, 1);
  make_exit(&m, block, false);
  make_end(&m);
  make_end(&m);
  make_set_int(&m, x, 2);
  make_end(&m);
  DIFFERS(m, make_get(&m, x));
  make_free(&m);
}

static void test_continue(void **state) {
  (void)state;
  for (int is_same = 0; is_same < 2; is_same++) {
    Make m = make_kernel(64);
    uint32_t i = make_var(&m, "i"), x = make_var(&m, "x");
    make_set_int(&m, x, 0);
    IrNode *loop = make_for(&m, i, make_int(&m, 0), make_int(&m, 9));
    IrNode *head = make_get(&m, x);
    IrNode *early = make_sync(&m);
    make_if(&m, is_same ? make_same(&m) : make_below(&m, 16));
    make_set_int(&m, x, 1);
    make_exit(&m, loop, true);
    make_end(&m);
    IrNode *late = make_sync(&m);
    make_set_int(&m, x, 2);
    make_end(&m);
    IrNode *after = make_get(&m, x);
    assert_int_equal(same(&m, head), is_same);
    assert_int_equal(same(&m, after), is_same);
    assert_true(met(&m, early));
    assert_int_equal(met(&m, late), is_same);
    make_free(&m);
  }
}

// After a differing break, what comes later in the loop isn't met by all, and
// neither is what comes earlier, at the next turn.
static void test_break_reaches_back(void **state) {
  (void)state;
  Make m = make_kernel(64);
  IrNode *loop = make_loop(&m);
  IrNode *early = make_sync(&m);
  make_exit_if(&m, make_below(&m, 16), loop, false);
  IrNode *late = make_sync(&m);
  make_end(&m);
  IrNode *after = make_sync(&m);
  assert_false(met(&m, early));
  assert_false(met(&m, late));
  assert_true(met(&m, after));
  make_free(&m);
}

// A return inside nested loops spoils all of the call and nothing behind it.
static void test_return_spoils_until_call_ends(void **state) {
  (void)state;
  Make m = make_kernel(64);
  IrNode *call = make_open(&m, IR_CALL, NULL, NULL);
  IrNode *before = make_sync(&m);
  make_loop(&m);
  IrNode *outer = make_sync(&m);
  IrNode *inner_loop = make_loop(&m);
  make_exit_if(&m, make_below(&m, 16), call, false);
  make_exit_if(&m, make_same(&m), inner_loop, false);
  make_end(&m);
  make_end(&m);
  make_end(&m);
  IrNode *after = make_sync(&m);
  assert_true(met(&m, before));
  assert_false(met(&m, outer));
  assert_true(met(&m, after));
  make_free(&m);
}

// switch with fallthrough: block 2 { block 1 { if a exit 1; if b exit 2; x=1 }
// x=2 }
static void test_switch_fallthrough(void **state) {
  (void)state;
  for (int is_same = 0; is_same < 2; is_same++) {
    Make m = make_kernel(64);
    uint32_t x = make_var(&m, "x");
    make_set_int(&m, x, 0);
    IrNode *outer = make_open(&m, IR_BLOCK, NULL, NULL);
    IrNode *inner = make_open(&m, IR_BLOCK, NULL, NULL);
    make_exit_if(&m, make_same(&m), inner, false);
    make_exit_if(&m, is_same ? make_same(&m) : make_below(&m, 7), outer, false);
    make_set_int(&m, x, 1);
    make_end(&m);
    IrNode *second = make_get(&m, x);
    make_set_int(&m, x, 2);
    make_end(&m);
    IrNode *after = make_get(&m, x);
    AGREES(m, second); // who left further out isn't here
    assert_int_equal(same(&m, after), is_same);
    make_free(&m);
  }
}

static void test_group_statement(void **state) {
  (void)state;
  Make m = make_kernel(64);
  uint32_t x = make_var(&m, "x");
  make_set_int(&m, x, 0);
  IrNode *group = make_group(&m, NULL, 0, 16);
  IrNode *inside = make_get(&m, x);
  IrNode *own = make_sync(&m);
  IrNode *outer = make_sync_of(&m, make_block_group(&m));
  make_set_int(&m, x, 1);
  make_end(&m);
  IrNode *after = make_get(&m, x);
  AGREES(m, inside);
  DIFFERS(m, after);
  assert_true(same_over(&m, after, group->u.part.group));
  assert_true(met_by(&m, own, group->u.part.group));
  assert_false(met(&m, outer));
  make_free(&m);
}

// for (k) thread_group(0, 16) { use x; x = x + 1; }: the state is the group's.
static void test_group_state_round_a_loop(void **state) {
  (void)state;
  for (int is_fixed = 0; is_fixed < 2; is_fixed++) {
    Make m = make_kernel(64);
    uint32_t k = make_var(&m, "k"), x = make_var(&m, "x");
    make_set_int(&m, x, 0);
    make_for(&m, k, make_int(&m, 0), make_int(&m, 4));
    IrNode *begin = is_fixed ? make_block_index(&m) : make_get(&m, k);
    IrNode *group = make_group(&m, begin, 0, 16);
    IrNode *inside = make_get(&m, x);
    make_set(&m, x, make_op(&m, IR_ADD, inside, make_int(&m, 1)));
    make_end(&m);
    make_end(&m);
    DIFFERS(m, inside);
    // With a range that moves, this turn's group holds threads of several.
    assert_int_equal(same_over(&m, inside, group->u.part.group), is_fixed);
    make_free(&m);
  }
}

static void test_sibling_groups_are_unrelated(void **state) {
  (void)state;
  Make m = make_kernel(64);
  uint32_t x = make_var(&m, "x");
  make_set_int(&m, x, 0);
  IrNode *first = make_group(&m, NULL, 0, 16);
  make_set_int(&m, x, 1);
  make_end(&m);
  IrNode *second = make_group(&m, NULL, 8, 16);
  IrNode *inside = make_get(&m, x);
  make_set_int(&m, x, 2);
  IrNode *own = make_get(&m, x);
  make_end(&m);
  IrNode *after = make_get(&m, x);
  assert_false(same_over(&m, inside, second->u.part.group));
  assert_true(same_over(&m, own, second->u.part.group));
  assert_false(same_over(&m, after, first->u.part.group));
  assert_true(same_over(&m, after, second->u.part.group));
  make_free(&m);
}

static void test_nested_groups(void **state) {
  (void)state;
  Make m = make_kernel(128);
  uint32_t x = make_var(&m, "x");
  IrNode *outer = make_group(&m, NULL, 0, 64);
  make_set(&m, x, make_rank_of(&m, make_block_group(&m)));
  IrNode *inner = make_group(&m, NULL, 32, 32);
  make_set_int(&m, x, 1);
  IrNode *inside = make_get(&m, x);
  make_end(&m);
  IrNode *after = make_get(&m, x);
  make_end(&m);
  assert_true(same_over(&m, inside, inner->u.part.group));
  assert_true(same_over(&m, after, inner->u.part.group));
  assert_false(same_over(&m, after, outer->u.part.group));
  make_free(&m);
}

static void test_single_thread(void **state) {
  (void)state;
  Make m = make_kernel(64);
  IrNode *group = make_group(&m, NULL, 3, 1);
  IrNode *value = make_rank_of(&m, make_block_group(&m));
  make_if(&m, make_op(&m, IR_SLT, value, make_int(&m, 5)));
  IrNode *own = make_sync(&m);
  make_end(&m);
  make_end(&m);
  assert_true(same_over(&m, value, group->u.part.group));
  assert_true(met_by(&m, own, group->u.part.group));
  DIFFERS(m, value);
  make_free(&m);
}

static void test_split_thread_for(void **state) {
  (void)state;
  Make m = make_kernel(128);
  uint32_t w = make_var(&m, "w"), x = make_var(&m, "x");
  make_set_int(&m, x, 0);
  IrNode *loop = make_thread_for(&m, w, NULL, 4);
  const IrGroup *part = loop->u.part.group;
  IrNode *index = make_get(&m, w);
  IrNode *lane = make_rank(&m);
  make_if(&m, make_op(&m, IR_EQ, index, make_int(&m, 2)));
  IrNode *own = make_sync(&m);
  make_end(&m);
  make_set_int(&m, x, 7);
  make_end(&m);
  assert_true(same_over(&m, index, part));
  DIFFERS(m, index);
  assert_false(same_over(&m, lane, part));
  assert_true(met_by(&m, own, part));
  AGREES(m, make_get(&m, x)); // every thread ran one iteration
  make_free(&m);
}

static void test_strided_thread_for(void **state) {
  (void)state;
  Make m = make_kernel(128);
  uint32_t i = make_var(&m, "i"), x = make_var(&m, "x");
  make_set_int(&m, x, 0);
  make_thread_for(&m, i, make_block_index(&m), 0);
  IrNode *index = make_get(&m, i);
  make_set_int(&m, x, 7);
  make_end(&m);
  DIFFERS(m, index);
  DIFFERS(m, make_get(&m, x)); // not every thread ran one
  make_free(&m);
}

static void test_claims(void **state) {
  (void)state;
  Make m = make_kernel(128);
  IrNode *rank = make_rank(&m);
  IrNode *claim = make_node(&m, IR_UNIFORM, MAKE_I32, rank, NULL);
  claim->u.group.group = make_block_group(&m);
  AGREES(m, claim);
  assert_false(same_over(&m, claim, m.kernel->groups.data[GROUP_ROW_GRID]));
  make_free(&m);
}

static void test_loads_of_arrays_nobody_writes(void **state) {
  (void)state;
  Make m = make_kernel(128);
  IrObject *a = make_array(&m, "a"), *b = make_array(&m, "b");
  IrNode *zero = make_int(&m, 0);
  IrNode *fixed = make_load(&m, a, zero);
  IrNode *spread = make_load(&m, a, make_rank(&m));
  IrNode *written = make_load(&m, b, zero);
  make_sync(&m);
  make_store(&m, b, make_rank(&m), zero);
  AGREES(m, fixed);
  DIFFERS(m, spread);
  DIFFERS(m, written); // another block may be there already
  make_free(&m);
}

static void test_aliases(void **state) {
  (void)state;
  for (int how = 0; how < 4; how++) {
    Make m = make_kernel(128);
    IrObject *a = make_array(&m, "a"), *b = make_array(&m, "b");
    if (how == 1)
      a->is_plain_pointer = b->is_plain_pointer = true;
    if (how == 2)
      a->alias_class = b->alias_class = 5;
    if (how == 3) {
      IrAliasPair pair = {.a = b, .b = a};
      VEC_PUSH(m.arena, &m.kernel->may_alias, pair);
    }
    IrNode *zero = make_int(&m, 0);
    IrNode *load = make_load(&m, a, zero);
    make_store(&m, b, make_rank(&m), zero);
    assert_int_equal(same(&m, load), how == 0);
    make_free(&m);
  }
}

// ---------------------------------------------------------------- phases

// s[rank()] = 1; (sync;) n = s[0]; (sync;) s[rank()] = 2;
static void test_phase_of_block(void **state) {
  (void)state;
  for (int syncs = 0; syncs < 4; syncs++) {
    Make m = make_kernel(64);
    IrObject *s = make_shared(&m, "s");
    make_store(&m, s, make_rank(&m), make_int(&m, 1));
    if (syncs & 1)
      make_sync(&m);
    IrNode *load = make_load(&m, s, make_int(&m, 0));
    if (syncs & 2)
      make_sync(&m);
    make_store(&m, s, make_rank(&m), make_int(&m, 2));
    assert_int_equal(same(&m, load), syncs == 3);
    assert_false(same_over(&m, load, m.kernel->groups.data[GROUP_ROW_GRID]));
    make_free(&m);
  }
}

// A store later in a loop body reaches the load of the next turn.
static void test_phase_round_a_loop(void **state) {
  (void)state;
  for (int has_sync = 0; has_sync < 2; has_sync++) {
    Make m = make_kernel(64);
    IrObject *s = make_shared(&m, "s");
    uint32_t k = make_var(&m, "k");
    make_for(&m, k, make_int(&m, 0), make_block_index(&m));
    IrNode *load = make_load(&m, s, make_int(&m, 0));
    make_sync(&m);
    make_store(&m, s, make_rank(&m), make_int(&m, 2));
    if (has_sync)
      make_sync(&m);
    make_end(&m);
    assert_int_equal(same(&m, load), has_sync);
    make_free(&m);
  }
}

// The end of a tree reduction: every turn ends with a sync.
static void test_phase_after_reduction(void **state) {
  (void)state;
  Make m = make_kernel(64);
  IrObject *s = make_shared(&m, "s");
  uint32_t k = make_var(&m, "k");
  make_store(&m, s, make_rank(&m), make_int(&m, 2));
  make_sync(&m);
  make_for(&m, k, make_int(&m, 0), make_block_index(&m));
  make_if(&m, make_below(&m, 9));
  IrNode *part = make_load(&m, s, make_int(&m, 5));
  make_store(&m, s, make_rank(&m), part);
  make_end(&m);
  make_sync(&m);
  make_end(&m);
  IrNode *total = make_load(&m, s, make_int(&m, 0));
  DIFFERS(m, part);
  AGREES(m, total);
  make_free(&m);
}

// Under a condition that all threads share, a sync separates; where threads go
// different ways, the other way's writes are in the phase.
static void test_phase_and_branches(void **state) {
  (void)state;
  for (int is_same = 0; is_same < 2; is_same++) {
    Make m = make_kernel(64);
    IrObject *s = make_shared(&m, "s");
    make_if(&m, is_same ? make_same(&m) : make_below(&m, 9));
    IrNode *load = make_load(&m, s, make_int(&m, 0));
    make_else(&m);
    make_store(&m, s, make_rank(&m), make_int(&m, 2));
    make_end(&m);
    assert_int_equal(same(&m, load), is_same);
    make_free(&m);
  }
}

// The branch differs only because of another load that the analysis must give
// up first.
static void test_phase_depends_on_itself(void **state) {
  (void)state;
  Make m = make_kernel(64);
  IrObject *s = make_shared(&m, "s"), *t = make_shared(&m, "t");
  IrNode *first = make_load(&m, t, make_int(&m, 0));
  make_store(&m, t, make_rank(&m), make_int(&m, 2));
  make_if(&m, make_op(&m, IR_SLT, first, make_int(&m, 3)));
  IrNode *load = make_load(&m, s, make_int(&m, 0));
  make_else(&m);
  make_store(&m, s, make_rank(&m), make_int(&m, 2));
  make_end(&m);
  DIFFERS(m, first);
  DIFFERS(m, load);
  make_free(&m);
}

// An early exit: its threads don't meet the write, but are beside it.
static void test_phase_and_exits(void **state) {
  (void)state;
  Make m = make_kernel(64);
  IrObject *s = make_shared(&m, "s");
  IrNode *block = make_open(&m, IR_BLOCK, NULL, NULL);
  make_if(&m, make_below(&m, 9));
  IrNode *load = make_load(&m, s, make_int(&m, 0));
  make_exit(&m, block, false);
  make_end(&m);
  make_store(&m, s, make_rank(&m), make_int(&m, 2));
  make_end(&m);
  DIFFERS(m, load);
  make_free(&m);
}

// In a group, its own sync orders its own writes; the others' only a sync of
// the block.
static void test_phase_of_group(void **state) {
  (void)state;
  for (int how = 0; how < 4; how++) {
    Make m = make_kernel(64);
    IrObject *s = make_shared(&m, "s");
    if (how == 1) { // another group before, without a sync of the block
      make_group(&m, NULL, 32, 32);
      make_store(&m, s, make_rank(&m), make_int(&m, 1));
      make_end(&m);
    }
    if (how == 2) { // the block before, without a sync of it
      make_store(&m, s, make_rank(&m), make_int(&m, 1));
    }
    IrNode *group = make_group(&m, NULL, 0, 32);
    make_store(&m, s, make_rank(&m), make_int(&m, 1));
    make_sync(&m);
    IrNode *load = make_load(&m, s, make_int(&m, 0));
    make_end(&m);
    if (how == 3) { // another group afterwards
      make_group(&m, NULL, 32, 32);
      make_store(&m, s, make_rank(&m), make_int(&m, 1));
      make_end(&m);
    }
    assert_int_equal(same_over(&m, load, group->u.part.group), how == 0);
    make_free(&m);
  }
}

// for (k) group { n = s[0]; sync(); s[…] = …; (sync();) }: round the loop only
// the group's own syncs are met; with a fixed range that is enough.
static void test_phase_of_group_in_loop(void **state) {
  (void)state;
  for (int how = 0; how < 3; how++) {
    Make m = make_kernel(64);
    IrObject *s = make_shared(&m, "s");
    uint32_t k = make_var(&m, "k");
    make_for(&m, k, make_int(&m, 0), make_block_index(&m));
    IrNode *begin = how == 2 ? make_get(&m, k) : NULL;
    IrNode *group = make_group(&m, begin, 0, 16);
    IrNode *load = make_load(&m, s, make_int(&m, 0));
    make_sync(&m);
    make_store(&m, s, make_rank(&m), make_int(&m, 1));
    if (how > 0)
      make_sync(&m);
    make_end(&m);
    make_end(&m);
    assert_int_equal(same_over(&m, load, group->u.part.group), how == 1);
    make_free(&m);
  }
}

// Before a sync in a group nothing behind it is in the phase, though threads
// outside the group go around.
static void test_phase_in_group_ends_at_its_sync(void **state) {
  (void)state;
  Make m = make_kernel(64);
  IrObject *s = make_shared(&m, "s");
  IrNode *group = make_group(&m, NULL, 0, 16);
  IrNode *load = make_load(&m, s, make_int(&m, 0));
  make_sync(&m);
  make_store(&m, s, make_rank(&m), make_int(&m, 1));
  make_end(&m);
  assert_true(same_over(&m, load, group->u.part.group));
  DIFFERS(m, load);
  make_free(&m);
}

// Parts of a split loop run side by side: their own syncs order nothing
// between them, unless each has its own array.
static void test_phase_of_split_loop(void **state) {
  (void)state;
  for (int is_own = 0; is_own < 2; is_own++) {
    Make m = make_kernel(64);
    uint32_t w = make_var(&m, "w");
    IrObject *outer = make_shared(&m, "s");
    IrNode *loop = make_thread_for(&m, w, NULL, 4);
    IrObject *inner = make_shared(&m, "s");
    IrObject *s = is_own ? inner : outer;
    make_store(&m, s, make_rank(&m), make_int(&m, 1));
    make_sync(&m);
    IrNode *load = make_load(&m, s, make_int(&m, 0));
    make_end(&m);
    assert_int_equal(same_over(&m, load, loop->u.part.group), is_own);
    DIFFERS(m, load);
    make_free(&m);
  }
}

static void test_phase_of_pointer_writes(void **state) {
  (void)state;
  for (int is_taken = 0; is_taken < 2; is_taken++) {
    Make m = make_kernel(64);
    IrObject *s = make_shared(&m, "s"), *t = make_shared(&m, "t");
    s->address_taken = is_taken;
    IrNode *load = make_load(&m, s, make_int(&m, 0));
    make_store(&m, t, make_rank(&m), make_int(&m, 1));
    make_sync(&m);
    make_store(&m, s, make_rank(&m), make_int(&m, 1));
    make_sync(&m);
    IrType pointer = {.kind = IR_TYPE_PTR, .lanes = 1, .space = SPACE_SHARED};
    IrNode *at = make_node(&m, IR_PARAM, pointer, NULL, NULL);
    IrNode *later = make_load(&m, s, make_int(&m, 0));
    IrNode *store = make_store(&m, NULL, at, make_int(&m, 1));
    store->u.access.n_index = 0;
    AGREES(m, load);
    assert_int_equal(same(&m, later), !is_taken);
    make_free(&m);
  }
}

// What is stored into a thread's own array, where, and by whom.
static void test_own_arrays(void **state) {
  (void)state;

  enum { ALIKE, VALUE, INDEX, WHO, ADDRESS, N_WAYS };

  for (int way = 0; way < N_WAYS; way++) {
    Make m = make_kernel(64);
    IrObject *own = ir_object_new(m.kernel, "own", SPACE_LOCAL, MAKE_I32);
    own->rank = 1;
    own->address_taken = way == ADDRESS;
    if (way == WHO)
      make_if(&m, make_below(&m, 16));
    make_store(&m, own, way == INDEX ? make_rank(&m) : make_block_index(&m),
               way == VALUE ? make_rank(&m) : make_int(&m, 1));
    if (way == WHO)
      make_end(&m);
    IrNode *load = make_load(&m, own, make_int(&m, 0));
    IrNode *by_rank = make_load(&m, own, make_rank(&m));
    assert_int_equal(same(&m, load), way == ALIKE);
    DIFFERS(m, by_rank);
    make_free(&m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_roots),
      cmocka_unit_test(test_variable_set_under_condition),
      cmocka_unit_test(test_variable_not_touched_by_branch),
      cmocka_unit_test(test_loop_counter),
      cmocka_unit_test(test_loop_carried_difference),
      cmocka_unit_test(test_exit_at_different_turns),
      cmocka_unit_test(test_for_with_differing_bound),
      cmocka_unit_test(test_early_return),
      cmocka_unit_test(test_return_from_loop),
      cmocka_unit_test(test_single_version_out_of_loop),
      cmocka_unit_test(test_inner_break_decides_outer_exit),
      cmocka_unit_test(test_continue),
      cmocka_unit_test(test_break_reaches_back),
      cmocka_unit_test(test_return_spoils_until_call_ends),
      cmocka_unit_test(test_switch_fallthrough),
      cmocka_unit_test(test_group_statement),
      cmocka_unit_test(test_group_state_round_a_loop),
      cmocka_unit_test(test_sibling_groups_are_unrelated),
      cmocka_unit_test(test_nested_groups),
      cmocka_unit_test(test_single_thread),
      cmocka_unit_test(test_split_thread_for),
      cmocka_unit_test(test_strided_thread_for),
      cmocka_unit_test(test_claims),
      cmocka_unit_test(test_loads_of_arrays_nobody_writes),
      cmocka_unit_test(test_aliases),
      cmocka_unit_test(test_phase_of_block),
      cmocka_unit_test(test_phase_round_a_loop),
      cmocka_unit_test(test_phase_after_reduction),
      cmocka_unit_test(test_phase_and_branches),
      cmocka_unit_test(test_phase_depends_on_itself),
      cmocka_unit_test(test_phase_and_exits),
      cmocka_unit_test(test_phase_of_group),
      cmocka_unit_test(test_phase_of_group_in_loop),
      cmocka_unit_test(test_phase_in_group_ends_at_its_sync),
      cmocka_unit_test(test_phase_of_split_loop),
      cmocka_unit_test(test_phase_of_pointer_writes),
      cmocka_unit_test(test_own_arrays),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
