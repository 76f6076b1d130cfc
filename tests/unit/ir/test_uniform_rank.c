// SPDX-License-Identifier: Apache-2.0
// Values that follow from ranks: random expressions are computed for every
// thread of several blocks and compared with what the analysis claims of warps
// and tiles; forms that programs use must be claimed.
#include "make.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
// cmocka wants the ones above first.
#include <cmocka.h>
#include <stdlib.h>

enum { N_THREADS = 96, N_BLOCKS = 5, N_VALUES = 24, N_KERNELS = 400 };

// --- what a thread computes ---

static uint32_t divide(IrOp op, uint32_t a, uint32_t b) {
  int32_t x = (int32_t)a, y = (int32_t)b;
  switch ((int)op) {
  case IR_UDIV: return a / b;
  case IR_UREM: return a % b;
  case IR_SDIV: return (uint32_t)(x / y);
  default: return (uint32_t)(x % y);
  }
}

static uint32_t compute(const IrNode *node, uint32_t rank, uint32_t block) {
  uint32_t a = node->n_args > 0 ? compute(node->args[0], rank, block) : 0;
  uint32_t b = node->n_args > 1 ? compute(node->args[1], rank, block) : 0;
  switch ((int)node->op) {
  case IR_CONST: return (uint32_t)node->u.constant.bits;
  case IR_RANK: return rank;
  case IR_BLOCK_INDEX: return block;
  case IR_ZEXT: return a;
  case IR_ADD: return a + b;
  case IR_SUB: return a - b;
  case IR_MUL: return a * b;
  case IR_AND: return a & b;
  case IR_OR: return a | b;
  case IR_XOR: return a ^ b;
  case IR_SHL: return a << b % 32;
  case IR_LSHR: return a >> b % 32;
  case IR_ASHR: return (uint32_t)((int32_t)a >> b % 32);
  case IR_ULT: return a < b;
  case IR_SLT: return (int32_t)a < (int32_t)b;
  case IR_EQ: return a == b;
  default: return divide(node->op, a, b);
  }
}

static bool agree(const IrNode *node, uint32_t tile, uint32_t block) {
  for (uint32_t i = 0; i < N_THREADS; i++)
    if (compute(node, i, block) != compute(node, i / tile * tile, block))
      return false;
  return true;
}

// --- kernels ---

static uint32_t pick(uint32_t n) {
  return (uint32_t)rand() % n;
}

static IrNode *leaf(Make *m) {
  static const int64_t numbers[] = {0, 1, 3, 5, 7, 16, 31, 32, 64, 100, 256};
  switch (pick(4)) {
  case 0: return make_block_index(m);
  case 1: return make_int(m, numbers[pick(11)]);
  default: return make_rank(m);
  }
}

static IrNode *step(Make *m, IrNode *const *values, uint32_t n) {
  static const IrOp ops[] = {IR_ADD, IR_SUB, IR_MUL, IR_AND,  IR_OR,  IR_XOR,
                             IR_SHL, IR_ADD, IR_MUL, IR_LSHR, IR_ASHR};
  static const IrOp quotients[] = {IR_UDIV, IR_UREM, IR_SDIV, IR_SREM};
  static const IrOp comparisons[] = {IR_ULT, IR_SLT, IR_EQ};
  static const int64_t powers[] = {2, 3, 4, 8, 16, 31, 32, 64, 256};
  IrNode *a = values[pick(n)];
  IrNode *b = pick(2) ? values[pick(n)] : make_int(m, powers[pick(9)]);
  if (pick(5) == 0)
    return make_op(m, quotients[pick(4)], a, make_int(m, powers[pick(9)]));
  if (pick(6) == 0)
    return make_node(m, comparisons[pick(3)], ir_scalar(IR_TYPE_BOOL), a, b);
  return make_op(m, ops[pick(11)], a, b);
}

static IrGroup *make_part(Make *m, IrGroupKind kind, int64_t size) {
  IrGroup *group = ir_group_new(m->kernel, kind, make_block_group(m));
  group->size = size;
  group->alignment = (uint32_t)size;
  group->name = "part";
  return group;
}

static void test_random_values(void **state) {
  (void)state;
  uint32_t n_claims = 0;
  srand(7);
  for (uint32_t k = 0; k < N_KERNELS; k++) {
    Make m = make_kernel(N_THREADS);
    IrGroup *parts[] = {make_part(&m, GROUP_WARP, 32),
                        make_part(&m, GROUP_TILED, 8)};
    IrNode *values[N_VALUES];
    uint32_t n = 0;
    while (n < 4)
      values[n++] = leaf(&m);
    while (n < N_VALUES) {
      IrNode *node = step(&m, values, n);
      if (node->type.kind == IR_TYPE_BOOL)
        node = make_node(&m, IR_ZEXT, ir_scalar(IR_TYPE_I32), node, NULL);
      values[n++] = node;
    }
    ir_kernel_renumber(m.kernel);
    Uniformity *u = ir_uniformity(m.arena, m.kernel);
    for (uint32_t i = 0; i < n; i++)
      for (uint32_t p = 0; p < 2; p++) {
        if (!uniformity_has(u, values[i], parts[p]))
          continue;
        n_claims++;
        for (uint32_t block = 0; block < N_BLOCKS; block++)
          assert_true(
              agree(values[i], (uint32_t)parts[p]->size, block * 0x3fffffff));
      }
    make_free(&m);
  }
  assert_true(n_claims > N_KERNELS);
}

// --- forms that must be seen ---

typedef IrNode *(*Form)(Make *m);

static IrNode *warp_number(Make *m) {
  return make_op(m, IR_UDIV, make_rank(m), make_int(m, 32));
}

static IrNode *signed_warp_number(Make *m) {
  return make_op(m, IR_SDIV, make_rank(m), make_int(m, 32));
}

static IrNode *first_warps(Make *m) {
  return make_below(m, 64);
}

static IrNode *warp_of_grid(Make *m) {
  IrNode *whole = make_op(m, IR_MUL, make_block_index(m), make_int(m, 128));
  IrNode *sum = make_op(m, IR_ADD, whole, make_rank(m));
  return make_op(m, IR_LSHR, sum, make_int(m, 5));
}

static IrNode *through_variable(Make *m) {
  uint32_t tid = make_var(m, "tid");
  make_set(m, tid, make_rank(m));
  return make_op(m, IR_AND, make_get(m, tid), make_int(m, 96));
}

static void test_forms(void **state) {
  (void)state;
  static const Form forms[] = {warp_number, signed_warp_number, first_warps,
                               warp_of_grid, through_variable};
  for (uint32_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    Make m = make_kernel(N_THREADS);
    IrGroup *warp = make_part(&m, GROUP_WARP, 32);
    IrNode *node = forms[i](&m);
    ir_kernel_renumber(m.kernel);
    Uniformity *u = ir_uniformity(m.arena, m.kernel);
    assert_true(uniformity_has(u, node, warp));
    assert_false(uniformity_has(u, node, make_block_group(&m)));
    make_free(&m);
  }
}

// What differs between threads for another reason stays so.
static void test_mixed(void **state) {
  (void)state;
  Make m = make_kernel(N_THREADS);
  IrGroup *warp = make_part(&m, GROUP_WARP, 32);
  uint32_t x = make_var(&m, "x");
  make_set_int(&m, x, 0);
  make_if(&m, make_below(&m, 5));
  make_set_int(&m, x, 64);
  make_end(&m);
  IrNode *sum = make_op(&m, IR_ADD, make_get(&m, x), warp_number(&m));
  IrNode *part = make_op(&m, IR_LSHR, sum, make_int(&m, 5));
  ir_kernel_renumber(m.kernel);
  Uniformity *u = ir_uniformity(m.arena, m.kernel);
  assert_false(uniformity_has(u, sum, warp));
  assert_false(uniformity_has(u, part, warp));
  make_free(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_values),
      cmocka_unit_test(test_forms),
      cmocka_unit_test(test_mixed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
