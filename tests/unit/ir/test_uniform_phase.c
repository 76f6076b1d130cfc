// SPDX-License-Identifier: Apache-2.0
// What the phases of shared memory say about loads: which values are the same
// for all threads of which groups.
#include "uniform_ask.h"

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
int main(void) {
  const struct CMUnitTest tests[] = {
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
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
