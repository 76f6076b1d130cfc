// SPDX-License-Identifier: Apache-2.0
// Which values are the same for all threads of which groups, rule by rule. A
// failure of the `differs` kind is an unsound analysis, of the `agrees` kind a
// rule of the language that isn't followed.
#include "uniform_ask.h"

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
      cmocka_unit_test(test_own_arrays),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
