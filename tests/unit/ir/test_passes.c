// SPDX-License-Identifier: Apache-2.0
// What folding, dead-code removal and the splitting of webs do and leave alone.
#include "ir/form/fold.h"
#include "make.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
// cmocka wants the ones above first.
#include <cmocka.h>

static bool count_op(IrNode *node, void *context) {
  uint32_t *counts = context;
  counts[node->op]++;
  return true;
}

static uint32_t count_of(const Make *m, IrOp op) {
  uint32_t counts[IR_OP_COUNT] = {0};
  ir_walk(&m->kernel->body, count_op, counts);
  return counts[op];
}

static uint64_t folded(IrOp op, IrTypeKind kind, uint64_t a, uint64_t b) {
  Make m = make_kernel(32);
  IrType type = ir_scalar(kind);
  IrNode *x = make_node(&m, IR_CONST, type, NULL, NULL);
  IrNode *y = make_node(&m, IR_CONST, type, NULL, NULL);
  x->u.constant.bits = a;
  y->u.constant.bits = b;
  bool is_bool = ir_op_table[op].result[0] == 'b';
  bool is_one = ir_op_table[op].args[1] == 0;
  IrNode *node = make_node(&m, op, is_bool ? ir_scalar(IR_TYPE_BOOL) : type, x,
                           is_one ? NULL : y);
  uint64_t bits = 0xdead;
  assert_true(ir_fold(node, &bits));
  make_free(&m);
  return bits;
}

static void test_fold_values(void **state) {
  (void)state;
  assert_int_equal(folded(IR_ADD, IR_TYPE_I32, 0xffffffff, 2), 1);
  assert_int_equal(folded(IR_SUB, IR_TYPE_I8, 1, 2), 0xff);
  assert_int_equal(folded(IR_SDIV, IR_TYPE_I32, (uint32_t)-7, 2), (uint32_t)-3);
  assert_int_equal(folded(IR_SREM, IR_TYPE_I32, (uint32_t)-7, 2), (uint32_t)-1);
  assert_int_equal(folded(IR_UDIV, IR_TYPE_I32, (uint32_t)-7, 2), 0x7ffffffc);
  assert_int_equal(folded(IR_SHL, IR_TYPE_I32, 1, 33), 2);
  assert_int_equal(folded(IR_ASHR, IR_TYPE_I16, 0x8000, 4), 0xf800);
  assert_int_equal(folded(IR_ROTL, IR_TYPE_I8, 0x81, 1), 0x03);
  assert_int_equal(folded(IR_SLT, IR_TYPE_I32, (uint32_t)-1, 0), 1);
  assert_int_equal(folded(IR_ULT, IR_TYPE_I32, (uint32_t)-1, 0), 0);
  assert_int_equal(folded(IR_NOT, IR_TYPE_BOOL, 1, 0), 0);
  assert_int_equal(folded(IR_CLZ, IR_TYPE_I16, 1, 0), 15);
  assert_int_equal(folded(IR_CTZ, IR_TYPE_I64, 0, 0), 64);
  assert_int_equal(folded(IR_SABS, IR_TYPE_I8, 0x80, 0), 0x80);
}

static void test_unspecified_is_left(void **state) {
  (void)state;
  Make m = make_kernel(32);
  IrNode *low = make_int(&m, INT32_MIN);
  uint64_t bits;
  IrNode *by_zero = make_op(&m, IR_SDIV, low, make_int(&m, 0));
  IrNode *overflow = make_op(&m, IR_SREM, low, make_int(&m, -1));
  assert_false(ir_fold(by_zero, &bits));
  assert_false(ir_fold(overflow, &bits));
  make_free(&m);
}

static void test_constant_through_variable(void **state) {
  (void)state;
  Make m = make_kernel(32);
  IrObject *a = make_array(&m, "a");
  uint32_t x = make_var(&m, "x");
  make_set_int(&m, x, 2);
  IrNode *sum = make_op(&m, IR_ADD, make_get(&m, x), make_int(&m, 3));
  IrNode *store = make_store(&m, a, sum, make_int(&m, 9));
  assert_true(ir_simplify(m.kernel));
  assert_int_equal(store->args[0]->op, IR_CONST);
  assert_int_equal(store->args[0]->u.constant.bits, 5);
  assert_int_equal(count_of(&m, IR_SET), 0);
  assert_int_equal(count_of(&m, IR_ADD), 0);
  assert_false(ir_simplify(m.kernel));
  make_free(&m);
}

// Set twice, or read where the assignment doesn't come first: not a constant.
static void test_variable_that_changes(void **state) {
  (void)state;
  for (int how = 0; how < 2; how++) {
    Make m = make_kernel(32);
    IrObject *a = make_array(&m, "a");
    uint32_t x = make_var(&m, "x"), i = make_var(&m, "i");
    if (how == 0)
      make_set_int(&m, x, 2);
    make_for(&m, i, make_int(&m, 0), make_block_index(&m));
    if (how == 1) {
      make_if(&m, make_same(&m));
      make_set_int(&m, x, 2);
      make_end(&m);
    }
    IrNode *store = make_store(&m, a, make_get(&m, x), make_int(&m, 9));
    if (how == 0)
      make_set_int(&m, x, 3);
    make_end(&m);
    ir_simplify(m.kernel);
    assert_int_equal(store->args[0]->op, IR_GET);
    make_free(&m);
  }
}

static void test_branch_on_constant(void **state) {
  (void)state;
  Make m = make_kernel(32);
  IrObject *a = make_shared(&m, "a"), *b = make_shared(&m, "b");
  IrNode *block = make_open(&m, IR_BLOCK, NULL, NULL);
  IrNode *yes = make_op(&m, IR_SLT, make_int(&m, 1), make_int(&m, 2));
  IrNode *branch = make_if(&m, yes);
  b->lifetime = branch;
  make_store(&m, a, make_rank(&m), make_int(&m, 1));
  make_exit(&m, block, false);
  make_else(&m);
  IrNode *group = make_group(&m, NULL, 0, 8);
  IrObject *inner = make_shared(&m, "inner");
  inner->lifetime = group;
  inner->group = group->u.part.group;
  make_sync(&m);
  make_end(&m);
  make_end(&m);
  make_store(&m, b, make_rank(&m), make_int(&m, 1)); // never
  make_end(&m);
  uint32_t n_groups = m.kernel->groups.count;
  assert_true(ir_simplify(m.kernel));
  assert_int_equal(count_of(&m, IR_IF), 0);
  assert_int_equal(count_of(&m, IR_STORE), 1);
  assert_int_equal(count_of(&m, IR_GROUP), 0);
  assert_int_equal(block->regions[0].last->op, IR_EXIT);
  assert_int_equal(m.kernel->groups.count, n_groups - 1);
  assert_ptr_equal(inner->group, make_block_group(&m));
  assert_null(inner->lifetime);
  assert_ptr_equal(b->lifetime, block);
  make_free(&m);
}

static void test_effects_stay(void **state) {
  (void)state;
  Make m = make_kernel(32);
  IrObject *a = make_shared(&m, "a");
  make_load(&m, a, make_rank(&m));
  make_sync(&m);
  make_group(&m, NULL, 0, 8);
  make_end(&m);
  make_loop(&m);
  make_end(&m);
  ir_simplify(m.kernel);
  assert_int_equal(count_of(&m, IR_LOAD), 1);
  assert_int_equal(count_of(&m, IR_SYNC), 1);
  assert_int_equal(count_of(&m, IR_GROUP), 1);
  assert_int_equal(count_of(&m, IR_LOOP), 1);
  make_free(&m);
}

// ------------------------------------------------------------------ webs

static void test_webs_in_sequence(void **state) {
  (void)state;
  Make m = make_kernel(32);
  uint32_t x = make_var(&m, "x");
  IrNode *set = make_set_int(&m, x, 1);
  IrNode *get = make_get(&m, x);
  IrNode *other_set = make_set_int(&m, x, 2);
  IrNode *other_get = make_get(&m, x);
  assert_true(ir_split_webs(m.kernel));
  assert_int_equal(set->u.variable.var, get->u.variable.var);
  assert_int_equal(other_set->u.variable.var, other_get->u.variable.var);
  assert_int_not_equal(set->u.variable.var, other_set->u.variable.var);
  assert_string_equal(m.kernel->vars.data[other_set->u.variable.var].name, "x");
  make_free(&m);
}

static void test_webs_that_meet(void **state) {
  (void)state;
  Make m = make_kernel(32);
  uint32_t x = make_var(&m, "x"), i = make_var(&m, "i");
  make_set_int(&m, x, 0);
  make_for(&m, i, make_int(&m, 0), make_int(&m, 3));
  make_if(&m, make_below(&m, 4));
  make_set(&m, x, make_op(&m, IR_ADD, make_get(&m, x), make_int(&m, 1)));
  make_end(&m);
  make_end(&m);
  make_get(&m, x);
  assert_false(ir_split_webs(m.kernel));
  make_free(&m);
}

// Behind a group statement the others still hold the old value.
static void test_webs_around_group(void **state) {
  (void)state;
  Make m = make_kernel(32);
  uint32_t x = make_var(&m, "x");
  IrNode *before = make_set_int(&m, x, 0);
  make_group(&m, NULL, 0, 8);
  IrNode *inside = make_set_int(&m, x, 1);
  make_end(&m);
  IrNode *after = make_get(&m, x);
  assert_false(ir_split_webs(m.kernel));
  assert_int_equal(before->u.variable.var, after->u.variable.var);
  assert_int_equal(inside->u.variable.var, after->u.variable.var);
  make_free(&m);
}

static void test_webs_of_counters(void **state) {
  (void)state;
  Make m = make_kernel(32);
  uint32_t i = make_var(&m, "i");
  IrNode *loops[2], *gets[2];
  for (int k = 0; k < 2; k++) {
    loops[k] = make_for(&m, i, make_int(&m, 0), make_int(&m, 3));
    gets[k] = make_get(&m, i);
    make_end(&m);
  }
  assert_true(ir_split_webs(m.kernel));
  for (int k = 0; k < 2; k++)
    assert_int_equal(loops[k]->u.loop.var, gets[k]->u.variable.var);
  assert_int_not_equal(loops[0]->u.loop.var, loops[1]->u.loop.var);
  make_free(&m);
}

// -------------------------------------------------------------- unrolling

static uint32_t count_in(const IrKernel *kernel, IrOp op) {
  uint32_t counts[IR_OP_COUNT] = {0};
  IrRegion body = kernel->body;
  ir_walk(&body, count_op, counts);
  return counts[op];
}

// for (half = 64; half > 0; half /= 2) { if (rank < half) …; sync(); }
static void test_unroll_halves(void **state) {
  (void)state;
  Make m = make_kernel(128);
  IrObject *a = make_shared(&m, "a");
  uint32_t half = make_var(&m, "half");
  make_set_int(&m, half, 64);
  IrNode *loop = make_loop(&m);
  IrNode *done = make_op(&m, IR_SLE, make_get(&m, half), make_int(&m, 0));
  make_exit_if(&m, done, loop, false);
  make_if(&m, make_op(&m, IR_SLT, make_rank(&m), make_get(&m, half)));
  make_store(&m, a, make_rank(&m), make_get(&m, half));
  make_end(&m);
  make_sync(&m);
  make_set(&m, half, make_op(&m, IR_SDIV, make_get(&m, half), make_int(&m, 2)));
  make_end(&m);
  const IrKernel *copy = ir_unroll(m.arena, m.kernel);
  assert_non_null(copy);
  assert_int_equal(count_in(copy, IR_LOOP), 0);
  assert_int_equal(count_in(copy, IR_SYNC), 7);
  assert_int_equal(count_in(copy, IR_STORE), 7);
  assert_int_equal(count_in(copy, IR_GET), 0);
  assert_int_equal(count_of(&m, IR_LOOP), 1);
  assert_int_equal(count_of(&m, IR_SYNC), 1);
  make_free(&m);
}

// The number of turns isn't known, or there are too many of them.
static void test_unroll_leaves(void **state) {
  (void)state;
  for (int how = 0; how < 2; how++) {
    Make m = make_kernel(32);
    uint32_t i = make_var(&m, "i");
    IrNode *end = how ? make_int(&m, 1 << 20) : make_block_index(&m);
    IrNode *loop = make_for(&m, i, make_int(&m, 0), end);
    make_sync(&m);
    make_end(&m);
    loop->u.loop.unroll = how ? -1 : 0;
    const IrKernel *copy = ir_unroll(m.arena, m.kernel);
    assert_int_equal(count_in(copy, IR_FOR), 1);
    assert_int_equal(count_in(copy, IR_SYNC), 1);
    make_free(&m);
  }
}

// for (i = rank; i < end; i += 32): whole turns, and one of some threads.
static void test_unroll_by_rank(void **state) {
  (void)state;
  const int64_t ends[] = {64, 70, 16, 0};
  const uint32_t n_turns[] = {2, 3, 1, 0}, n_tests[] = {0, 1, 1, 0};
  for (int k = 0; k < 4; k++) {
    Make m = make_kernel(32);
    IrObject *a = make_shared(&m, "a");
    uint32_t i = make_var(&m, "i");
    IrNode *loop = make_for(&m, i, make_rank(&m), make_int(&m, ends[k]));
    loop->u.loop.step = 32;
    make_store(&m, a, make_get(&m, i), make_int(&m, 1));
    make_end(&m);
    const IrKernel *copy = ir_unroll(m.arena, m.kernel);
    assert_int_equal(count_in(copy, IR_FOR), 0);
    assert_int_equal(count_in(copy, IR_STORE), n_turns[k]);
    assert_int_equal(count_in(copy, IR_IF), n_tests[k]);
    make_free(&m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fold_values),
      cmocka_unit_test(test_unspecified_is_left),
      cmocka_unit_test(test_constant_through_variable),
      cmocka_unit_test(test_variable_that_changes),
      cmocka_unit_test(test_branch_on_constant),
      cmocka_unit_test(test_effects_stay),
      cmocka_unit_test(test_webs_in_sequence),
      cmocka_unit_test(test_webs_that_meet),
      cmocka_unit_test(test_webs_around_group),
      cmocka_unit_test(test_webs_of_counters),
      cmocka_unit_test(test_unroll_halves),
      cmocka_unit_test(test_unroll_leaves),
      cmocka_unit_test(test_unroll_by_rank),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
