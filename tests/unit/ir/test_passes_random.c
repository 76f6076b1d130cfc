// SPDX-License-Identifier: Apache-2.0
// Passes don't change what a kernel computes: random kernels are interpreted
// before and after, must keep the IR's rules, and give the same memory.
#include "interp/interp.h"
#include "ir/verify/verify.h"
#include "random_kernel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
// cmocka wants the ones above first.
#include <cmocka.h>

#define N_OUT (N_THREADS * N_VARS)

// out[rank * N_VARS + v] = v of this thread, for every variable
static void add_results(Make *m) {
  IrObject *out = make_array(m, "out");
  IrHost *extent = ARENA_NEW(m->arena, IrHost);
  *extent = (IrHost){.op = HOST_CONST, .number = N_OUT};
  out->extents[0] = extent;
  out->align_bytes = 4;
  out->layout = LAYOUT_ROW_MAJOR;
  out->param = 0;
  IrParam param = {.name = "out", .kind = PARAM_ARRAY, .object = out};
  VEC_PUSH(m->arena, &m->kernel->params, param);
  ir_kernel_layout_args(m->kernel);
  IrNode *rank = make_rank(m);
  for (uint32_t i = 0; i < N_VARS; i++) {
    IrNode *row = make_op(m, IR_MUL, rank, make_int(m, N_VARS));
    IrNode *at = make_op(m, IR_ADD, row, make_int(m, i));
    IrNode *store = make_store(m, out, at, make_get(m, i));
    store->u.access.align_bytes = 4;
  }
}

static HdStatus interpret(const Make *m, int32_t *out) {
  memset(out, 0, N_OUT * sizeof *out);
  uint64_t args[3] = {(uint64_t)(uintptr_t)out, N_OUT, 1};
  InterpMemory array = {out, N_OUT * sizeof *out};
  InterpLaunch launch = {
      .args = args, .arrays = &array, .grid = {4, 1, 1}, .max_steps = 40000};
  const char *why;
  return interp_run(m->arena, m->kernel, &launch, &why);
}

static void assert_rules(const Make *m, uint32_t seed, const char *pass) {
  const char *why = ir_verify(m->module);
  if (why)
    fail_msg("seed %u: %s broke the IR: %s", seed, pass, why);
}

static bool is_accepted(const Make *m) {
  DiagEngine *diags = diag_engine_new(m->arena, 0);
  ir_check_groups(m->kernel, ir_uniformity(m->arena, m->kernel), diags);
  return diag_error_count(diags) == 0;
}

static bool ask_unroll(IrNode *node, void *context) {
  (void)context;
  if (node->op == IR_LOOP || node->op == IR_FOR)
    node->u.loop.unroll = -1;
  return true;
}

static uint32_t n_split, n_simplified, n_unrolled;

// A copy in which loops are repeated does the same, the kernel stays.
static void check_unrolled(const Make *m, uint32_t seed,
                           const int32_t *before) {
  int32_t after[N_OUT];
  ir_walk(&m->kernel->body, ask_unroll, NULL);
  Make copy = *m;
  copy.kernel = ir_unroll(m->arena, m->kernel);
  if (copy.kernel == NULL)
    return;
  n_unrolled++;
  copy.module = copy.kernel->module;
  assert_rules(m, seed, "unroll, on the kernel itself,");
  assert_rules(&copy, seed, "unroll");
  assert_int_equal(interpret(&copy, after), HD_OK);
  if (memcmp(before, after, sizeof after) != 0)
    fail_msg("seed %u: unroll changed the result", seed);
}

static bool run_kernel(uint32_t seed) {
  Make m = random_kernel(seed);
  add_results(&m);
  ir_kernel_renumber(m.kernel);
  assert_rules(&m, seed, "the test");
  int32_t before[N_OUT], after[N_OUT];
  bool is_good = is_accepted(&m) && interpret(&m, before) == HD_OK;
  if (is_good) {
    check_unrolled(&m, seed, before);
    n_split += ir_split_webs(m.kernel);
    ir_kernel_renumber(m.kernel);
    assert_rules(&m, seed, "split_webs");
    assert_int_equal(interpret(&m, after), HD_OK);
    assert_memory_equal(before, after, sizeof after);
    n_simplified += ir_simplify(m.kernel);
    assert_rules(&m, seed, "simplify");
    assert_int_equal(interpret(&m, after), HD_OK);
    if (memcmp(before, after, sizeof after) != 0)
      fail_msg("seed %u: simplify changed the result", seed);
  }
  make_free(&m);
  return is_good;
}

static void test_random_kernels(void **state) {
  (void)state;
  const char *seeds = getenv("HD_TEST_SEEDS");
  uint32_t n_seeds = seeds ? (uint32_t)atoi(seeds) : 2000, n_run = 0;
  for (uint32_t seed = 0; seed < n_seeds; seed++)
    n_run += run_kernel(seed);
  print_message("%u kernels, %u unrolled, %u split, %u simplified\n", n_run,
                n_unrolled, n_split, n_simplified);
  assert_true(n_run > n_seeds / 10 && n_split > n_run / 4);
  assert_true(n_simplified > n_run / 4 && n_unrolled > n_run / 8);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_kernels),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
