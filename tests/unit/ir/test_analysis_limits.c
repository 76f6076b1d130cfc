// SPDX-License-Identifier: Apache-2.0
// Kernels near the size limit and of hostile shapes: every analysis must get
// through them in seconds. A quadratic step here is a run into the time limit.
// HD_TEST_NODES=900000 is the full size.
#include "make.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <time.h>
// cmocka wants the ones above first.
#include <cmocka.h>

// In the stress build every vector grows by one element at a time.
#ifdef HD_STRESS
#define USUAL_SIZE 2500u
#else
#define USUAL_SIZE 200000u
#endif

static uint32_t size_wanted(void) {
  const char *nodes = getenv("HD_TEST_NODES");
  return nodes ? (uint32_t)atoi(nodes) : USUAL_SIZE;
}

static double seconds(void) {
  return (double)clock() / CLOCKS_PER_SEC;
}

static void analyse_all(Make *m, const char *name) {
  double start = seconds();
  ir_split_webs(m->kernel);
  double webs = seconds();
  ir_simplify(m->kernel);
  double simplified = seconds();
  ir_kernel_renumber(m->kernel);
  Uniformity *u = ir_uniformity(m->arena, m->kernel);
  double solved = seconds();
  DiagEngine *diags = diag_engine_new(m->arena, 0);
  ir_check_groups(m->kernel, u, diags);
  double checked = seconds();
  ir_decide_joins(m->kernel, u);
  double decided = seconds();
  print_message("%-12s %7u nodes: webs %.2f simplify %.2f uniformity %.2f "
                "check %.2f joins %.2f s\n",
                name, m->kernel->n_nodes, webs - start, simplified - webs,
                solved - simplified, checked - solved, decided - checked);
  assert_true(m->kernel->n_nodes > 1000);
  make_free(m);
}

// if (differs) x = x + 1; and so on
static void test_branches(void **state) {
  (void)state;
  Make m = make_kernel(64);
  uint32_t x = make_var(&m, "x");
  IrNode *zero = make_int(&m, 0);
  make_set(&m, x, make_rank(&m));
  while (m.kernel->n_nodes < size_wanted()) {
    make_if(&m, make_op(&m, IR_SLT, make_get(&m, x), zero));
    make_set(&m, x, make_op(&m, IR_ADD, make_get(&m, x), zero));
    make_end(&m);
  }
  make_get(&m, x);
  analyse_all(&m, "branches");
}

// Early returns, each after an assignment of another variable.
static void test_returns(void **state) {
  (void)state;
  Make m = make_kernel(64);
  IrNode *zero = make_int(&m, 0), *rank = make_rank(&m);
  uint32_t first = m.kernel->vars.count, n = 1000, i = 0;
  for (uint32_t k = 0; k < n; k++)
    make_set(&m, make_var(&m, NULL), zero);
  IrNode *call = make_open(&m, IR_CALL, NULL, NULL);
  while (m.kernel->n_nodes < size_wanted()) {
    uint32_t var = first + i++ % n;
    make_set(&m, var, make_op(&m, IR_ADD, make_get(&m, var), rank));
    make_exit_if(&m, make_op(&m, IR_SLT, make_get(&m, var), zero), call, false);
    make_sync(&m);
  }
  make_end(&m);
  for (uint32_t k = 0; k < n; k++)
    make_get(&m, first + k);
  analyse_all(&m, "returns");
}

// Loops in loops, each left to every level around it.
static void test_deep_loops(void **state) {
  (void)state;

  enum { DEPTH = 200 };

  Make m = make_kernel(64);
  uint32_t x = make_var(&m, "x");
  IrNode *zero = make_int(&m, 0), *rank = make_rank(&m);
  make_set(&m, x, zero);
  while (m.kernel->n_nodes < size_wanted()) {
    IrNode *loops[DEPTH];
    for (uint32_t d = 0; d < DEPTH; d++) {
      loops[d] = make_loop(&m);
      make_set(&m, x, make_op(&m, IR_ADD, make_get(&m, x), rank));
    }
    for (uint32_t d = DEPTH; d-- > 0;) {
      for (uint32_t k = 0; k <= d; k += 5)
        make_exit_if(&m, make_op(&m, IR_SLT, make_get(&m, x), zero), loops[k],
                     k % 2);
      make_exit_if(&m, make_op(&m, IR_SLT, zero, make_get(&m, x)), loops[d],
                   false);
      make_end(&m);
    }
  }
  make_get(&m, x);
  analyse_all(&m, "deep loops");
}

// In a loop, very many groups that share a variable and an array.
static void test_groups(void **state) {
  (void)state;
  Make m = make_kernel(1024);
  IrObject *s = make_shared(&m, "s");
  uint32_t x = make_var(&m, "x"), k = make_var(&m, "k");
  make_set_int(&m, x, 0);
  make_for(&m, k, make_int(&m, 0), make_block_index(&m));
  IrNode *zero = make_int(&m, 0);
  for (int64_t i = 0; m.kernel->n_nodes < size_wanted(); i++) {
    make_group(&m, NULL, i % 512, 1 + i % 511);
    make_store(&m, s, make_rank(&m), zero);
    make_sync(&m);
    make_if(&m, make_op(&m, IR_SLT, make_load(&m, s, zero), make_get(&m, x)));
    make_sync(&m);
    make_set(&m, x, make_load(&m, s, zero));
    make_end(&m);
    make_end(&m);
  }
  make_end(&m);
  analyse_all(&m, "groups");
}

// Many shared arrays, each with its loads and writes between syncs.
static void test_arrays(void **state) {
  (void)state;
  Make m = make_kernel(64);
  IrNode *zero = make_int(&m, 0), *rank = make_rank(&m);
  uint32_t x = make_var(&m, "x");
  make_set(&m, x, zero);
  while (m.kernel->n_nodes < size_wanted()) {
    IrObject *s = make_shared(&m, "s");
    make_store(&m, s, rank, zero);
    make_sync(&m);
    make_set(&m, x,
             make_op(&m, IR_ADD, make_get(&m, x), make_load(&m, s, zero)));
    make_if(&m, make_op(&m, IR_SLT, make_get(&m, x), zero));
    make_sync(&m);
    make_end(&m);
  }
  make_get(&m, x);
  analyse_all(&m, "arrays");
}

// Fork-join loops without end.
static void test_joins(void **state) {
  (void)state;
  Make m = make_kernel(64);
  IrObject *s = make_shared(&m, "s");
  IrNode *one = make_int(&m, 1);
  while (m.kernel->n_nodes < size_wanted()) {
    uint32_t i = make_var(&m, "i");
    IrNode *front = make_sync(&m);
    front->op = IR_JOIN;
    make_thread_for(&m, i, NULL, 64);
    IrNode *at = make_get(&m, i);
    make_store(&m, s, at, make_op(&m, IR_ADD, make_load(&m, s, at), one));
    make_end(&m);
    IrNode *end = make_sync(&m);
    end->op = IR_JOIN;
  }
  analyse_all(&m, "joins");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_branches),   cmocka_unit_test(test_returns),
      cmocka_unit_test(test_deep_loops), cmocka_unit_test(test_groups),
      cmocka_unit_test(test_arrays),     cmocka_unit_test(test_joins),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
