// SPDX-License-Identifier: Apache-2.0
// Which barriers of fork-join loops are kept. A barrier that is missing is a
// data race in the user's program, so most cases here are near misses.
#include "make.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
// cmocka wants the ones above first.
#include <cmocka.h>

static IrNode *join(Make *m) {
  IrNode *node = make_node(m, IR_JOIN, ir_scalar(IR_TYPE_VOID), NULL, NULL);
  node->u.group.group = make_current(m);
  return node;
}

// The fork-join form of a thread loop; the join in front is returned.
static IrNode *fork(Make *m, uint32_t var, int64_t count) {
  IrNode *front = join(m);
  make_thread_for(m, var, NULL, count);
  return front;
}

static IrNode *rejoin(Make *m) {
  make_end(m);
  return join(m);
}

static IrNode *plus(Make *m, IrNode *a, IrNode *b) {
  IrNode *sum = make_op(m, IR_ADD, a, b);
  sum->flags = NODE_NO_SIGNED_WRAP;
  return sum;
}

static IrNode *times(Make *m, IrNode *a, int64_t factor) {
  IrNode *product = make_op(m, IR_MUL, a, make_int(m, factor));
  product->flags = NODE_NO_SIGNED_WRAP;
  return product;
}

static void decide(Make *m) {
  ir_kernel_renumber(m->kernel);
  Uniformity *u = ir_uniformity(m->arena, m->kernel);
  ir_decide_joins(m->kernel, u);
}

static IrJoin state_of(const IrNode *node) {
  return node->u.group.join;
}

// Two loops over `counts` iterations: the first writes a[index of i], the
// second reads a[index of i]. Returns the join between that decides.
typedef IrNode *(*IndexMaker)(Make *m, uint32_t var);

static IrNode *plain(Make *m, uint32_t var) {
  return make_get(m, var);
}

static IrNode *reversed(Make *m, uint32_t var) {
  IrNode *last = make_int(m, 63);
  IrNode *difference = make_op(m, IR_SUB, last, make_get(m, var));
  difference->flags = NODE_NO_SIGNED_WRAP;
  return difference;
}

static IrNode *shifted(Make *m, uint32_t var) {
  IrNode *base = make_get(m, var);
  return plus(m, base, make_int(m, 1));
}

static IrNode *by_block(Make *m, uint32_t var) {
  IrNode *index = make_get(m, var);
  return plus(m, times(m, make_block_index(m), 64), index);
}

static IrNode *halved(Make *m, uint32_t var) {
  IrNode *two = make_int(m, 2);
  return make_op(m, IR_SDIV, make_get(m, var), two);
}

static IrNode *wrapping(Make *m, uint32_t var) {
  IrNode *index = make_get(m, var);
  return make_op(m, IR_MUL, index, make_int(m, 0x10000000));
}

static IrJoin two_loops(IndexMaker first, IndexMaker second, int64_t count,
                        int64_t other_count) {
  Make m = make_kernel(64);
  IrObject *a = make_shared(&m, "a");
  uint32_t i = make_var(&m, "i"), k = make_var(&m, "k");
  fork(&m, i, count);
  IrNode *at = first(&m, i);
  make_store(&m, a, at, make_int(&m, 1));
  rejoin(&m);
  IrNode *front = fork(&m, k, other_count);
  make_load(&m, a, second(&m, k));
  rejoin(&m);
  decide(&m);
  IrJoin result = state_of(front);
  if (result != JOIN_OPEN)
    assert_string_equal(front->u.group.array, "a");
  make_free(&m);
  return result;
}

static void test_one_owner(void **state) {
  (void)state;
  assert_int_equal(two_loops(plain, plain, 64, 64), JOIN_DROPPED_SAME_OWNER);
  assert_int_equal(two_loops(plain, plain, 256, 256), JOIN_DROPPED_SAME_OWNER);
  assert_int_equal(two_loops(plain, plain, 64, 256), JOIN_DROPPED_SAME_OWNER);
  assert_int_equal(two_loops(shifted, shifted, 64, 64),
                   JOIN_DROPPED_SAME_OWNER);
  assert_int_equal(two_loops(by_block, by_block, 256, 256),
                   JOIN_DROPPED_SAME_OWNER);
}

static void test_other_owner(void **state) {
  (void)state;
  assert_int_equal(two_loops(plain, reversed, 64, 64), JOIN_KEPT);
  assert_int_equal(two_loops(plain, shifted, 64, 64), JOIN_KEPT);
  assert_int_equal(two_loops(halved, halved, 64, 64), JOIN_KEPT);
  assert_int_equal(two_loops(wrapping, wrapping, 64, 64), JOIN_KEPT);
  // 32 iterations are run by two threads each, 64 by one.
  assert_int_equal(two_loops(plain, plain, 32, 64), JOIN_KEPT);
  assert_int_equal(two_loops(plain, plain, 32, 32), JOIN_KEPT);
}

static void test_disjoint(void **state) {
  (void)state;
  Make m = make_kernel(64);
  IrObject *a = make_shared(&m, "a"), *b = make_shared(&m, "b");
  uint32_t i = make_var(&m, "i"), k = make_var(&m, "k");
  fork(&m, i, 64);
  IrNode *at = make_get(&m, i);
  make_store(&m, a, at, make_load(&m, b, make_int(&m, 0)));
  IrNode *end = rejoin(&m);
  IrNode *front = fork(&m, k, 64);
  make_load(&m, b, reversed(&m, k));
  rejoin(&m);
  decide(&m);
  assert_int_equal(state_of(end), JOIN_DROPPED_DISJOINT);
  assert_int_equal(state_of(front), JOIN_DROPPED_DISJOINT); // both read b
  make_free(&m);
}

// The pair meets across two joins that are dropped by themselves.
static void test_pair_across_several_joins(void **state) {
  (void)state;
  Make m = make_kernel(64);
  IrObject *a = make_shared(&m, "a"), *b = make_shared(&m, "b");
  uint32_t i = make_var(&m, "i"), k = make_var(&m, "k"), l = make_var(&m, "l");
  fork(&m, i, 64);
  IrNode *at = make_get(&m, i);
  make_store(&m, a, at, make_int(&m, 1));
  rejoin(&m);
  IrNode *second = fork(&m, k, 64);
  at = make_get(&m, k);
  make_store(&m, b, at, make_int(&m, 1));
  rejoin(&m);
  IrNode *third = fork(&m, l, 64);
  make_load(&m, a, reversed(&m, l));
  rejoin(&m);
  decide(&m);
  assert_int_equal(state_of(second), JOIN_DROPPED_DISJOINT);
  assert_int_equal(state_of(third), JOIN_KEPT);
  make_free(&m);
}

static void test_uniform_read_behind(void **state) {
  (void)state;
  Make m = make_kernel(64);
  IrObject *a = make_shared(&m, "a");
  uint32_t i = make_var(&m, "i");
  fork(&m, i, 64);
  IrNode *at = make_get(&m, i);
  make_store(&m, a, at, make_int(&m, 1));
  IrNode *end = rejoin(&m);
  make_load(&m, a, make_int(&m, 0));
  decide(&m);
  assert_int_equal(state_of(end), JOIN_KEPT);
  make_free(&m);
}

// for (k) parallel for (i) a[i (+ k)] = …: the next turn meets this one's.
static void test_round_a_loop(void **state) {
  (void)state;
  for (int is_moving = 0; is_moving < 2; is_moving++) {
    Make m = make_kernel(64);
    IrObject *a = make_shared(&m, "a");
    uint32_t i = make_var(&m, "i"), k = make_var(&m, "k");
    make_for(&m, k, make_int(&m, 0), make_int(&m, 9));
    IrNode *front = fork(&m, i, 64);
    IrNode *at = make_get(&m, i);
    if (is_moving)
      at = plus(&m, at, make_get(&m, k));
    make_store(&m, a, at, make_int(&m, 1));
    IrNode *end = rejoin(&m);
    make_end(&m);
    decide(&m);
    bool is_kept = state_of(front) == JOIN_KEPT || state_of(end) == JOIN_KEPT;
    assert_int_equal(is_kept, is_moving);
    make_free(&m);
  }
}

// A sync in between makes both joins around it superfluous.
static void test_sync_between(void **state) {
  (void)state;
  Make m = make_kernel(64);
  IrObject *a = make_shared(&m, "a");
  uint32_t i = make_var(&m, "i"), k = make_var(&m, "k");
  fork(&m, i, 64);
  IrNode *at = make_get(&m, i);
  make_store(&m, a, at, make_int(&m, 1));
  IrNode *end = rejoin(&m);
  make_sync(&m);
  IrNode *front = fork(&m, k, 64);
  make_load(&m, a, reversed(&m, k));
  rejoin(&m);
  decide(&m);
  assert_int_equal(state_of(end), JOIN_DROPPED_DISJOINT);
  assert_int_equal(state_of(front), JOIN_DROPPED_DISJOINT);
  make_free(&m);
}

// a[w * stride + l] over 4 parts of 32 threads: a number in mixed radix only
// from 32 on.
static void test_nested_loops(void **state) {
  (void)state;
  const int64_t strides[] = {32, 33, 31, 1};
  for (int s = 0; s < 4; s++) {
    Make m = make_kernel(128);
    IrObject *a = make_shared(&m, "a");
    IrNode *front = NULL;
    for (int part = 0; part < 2; part++) {
      uint32_t w = make_var(&m, "w"), l = make_var(&m, "l");
      front = fork(&m, w, 4);
      make_thread_for(&m, l, NULL, 32);
      IrNode *row = times(&m, make_get(&m, w), strides[s]);
      IrNode *at = plus(&m, row, make_get(&m, l));
      make_store(&m, a, at, make_int(&m, 1));
      make_end(&m);
      rejoin(&m);
    }
    decide(&m);
    assert_int_equal(state_of(front),
                     s < 2 ? JOIN_DROPPED_SAME_OWNER : JOIN_KEPT);
    make_free(&m);
  }
}

static void test_single_threads(void **state) {
  (void)state;
  for (int64_t other = 0; other < 2; other++) {
    Make m = make_kernel(64);
    IrObject *a = make_shared(&m, "a");
    make_group(&m, NULL, 0, 1);
    IrNode *zero = make_int(&m, 0);
    make_store(&m, a, zero, zero);
    make_end(&m);
    IrNode *between = join(&m);
    make_group(&m, NULL, other, 1);
    make_load(&m, a, make_int(&m, 0));
    make_end(&m);
    decide(&m);
    assert_int_equal(state_of(between),
                     other ? JOIN_KEPT : JOIN_DROPPED_SAME_OWNER);
    make_free(&m);
  }
}

static void test_aliases_and_pointers(void **state) {
  (void)state;
  for (int is_pointer = 0; is_pointer < 2; is_pointer++) {
    Make m = make_kernel(64);
    IrObject *a = make_array(&m, "a"), *b = make_array(&m, "b");
    a->is_plain_pointer = is_pointer;
    uint32_t i = make_var(&m, "i");
    fork(&m, i, 64);
    IrNode *at = make_get(&m, i);
    make_store(&m, a, at, make_int(&m, 1));
    IrNode *end = rejoin(&m);
    make_load(&m, b, make_rank(&m));
    decide(&m);
    assert_int_equal(state_of(end),
                     is_pointer ? JOIN_KEPT : JOIN_DROPPED_DISJOINT);
    make_free(&m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_one_owner),
      cmocka_unit_test(test_other_owner),
      cmocka_unit_test(test_disjoint),
      cmocka_unit_test(test_pair_across_several_joins),
      cmocka_unit_test(test_uniform_read_behind),
      cmocka_unit_test(test_round_a_loop),
      cmocka_unit_test(test_sync_between),
      cmocka_unit_test(test_nested_loops),
      cmocka_unit_test(test_single_threads),
      cmocka_unit_test(test_aliases_and_pointers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
