// SPDX-License-Identifier: Apache-2.0
// What the typed tree promises to lowering.
#include "checked.h"

static const TStmt *statement(const TKernel *kernel, uint32_t index) {
  assert_true(index < kernel->body->u.block.n_stmts);
  return kernel->body->u.block.stmts[index];
}

static void test_rows_keep_full_rank(void **state) {
  (void)state;
  Checked c = parse_program(
      "kernel void k(int n, float A[n][8]) grid(1) threads(32) {\n"
      "  A[1][2] = 1;\n"
      "  (A[1])[2] = 1;\n"
      "  float *row = A[3];\n"
      "  (void)row;\n"
      "}\n");
  const TKernel *kernel = check_k(&c, NULL);
  for (uint32_t i = 0; i < 2; i++) {
    const TExpr *place = statement(kernel, i)->u.expr->u.binary.left;
    assert_int_equal(place->kind, TEXPR_INDEX);
    assert_int_equal(place->u.index.n_indices, 2);
    assert_int_equal(place->u.index.base->kind, TEXPR_VAR);
  }
  const TStmt *decl = statement(kernel, 2);
  assert_int_equal(decl->u.decl.init->kind, TEXPR_ADDR);
  assert_int_equal(decl->u.decl.init->u.operand->u.index.n_indices, 2);
  assert_int_equal(decl->u.decl.var->type->u.pointer.space, TSPACE_GLOBAL);
  checked_free(&c);
}

static void test_operands_are_converted(void **state) {
  (void)state;
  Checked c = parse_program(
      "kernel void k(int n, char c, float y[n]) grid(1) threads(32) {\n"
      "  y[0] = c + 1.5f;\n"
      "  if (c < n) y[1] = 2;\n"
      "  c += 2.5;\n"
      "}\n");
  const TKernel *kernel = check_k(&c, NULL);
  const TExpr *sum = statement(kernel, 0)->u.expr->u.binary.right;
  assert_int_equal(sum->kind, TEXPR_BINARY);
  assert_int_equal(sum->type->kind, TY_FLOAT);
  assert_int_equal(sum->u.binary.left->kind, TEXPR_CONVERT);
  assert_ptr_equal(sum->u.binary.left->type, sum->u.binary.right->type);
  const TExpr *condition = statement(kernel, 1)->u.if_.condition;
  assert_int_equal(condition->type->kind, TY_BOOL);
  assert_int_equal(condition->kind, TEXPR_BINARY);
  const TExpr *compound = statement(kernel, 2)->u.expr;
  assert_int_equal(compound->kind, TEXPR_ASSIGN_OP);
  assert_int_equal(compound->u.assign.compute_type->kind, TY_DOUBLE);
  assert_int_equal(compound->type->kind, TY_CHAR);
  checked_free(&c);
}

static void test_dead_branches_are_gone(void **state) {
  (void)state;
  Checked c = parse_program(
      "kernel void k(int n, float y[n], constexpr int T = 32)\n"
      "    grid(1) threads(T) {\n"
      "  if (T > 64) { thread_group(64, 32) y[0] = 1 / (T - 32); }\n"
      "  y[1] = T > 64 ? 1 / (T - 32) : 3;\n"
      "}\n");
  const TKernel *kernel = check_k(&c, NULL);
  const TStmt *dropped = statement(kernel, 0);
  assert_int_equal(dropped->kind, TSTMT_BLOCK);
  assert_int_equal(dropped->u.block.n_stmts, 0);
  const TExpr *value = statement(kernel, 1)->u.expr->u.binary.right;
  assert_int_equal(value->kind, TEXPR_CONST);
  assert_true(value->u.value.f == 3.0);
  checked_free(&c);
}

static void test_pointers_take_the_space_they_are_bound_to(void **state) {
  (void)state;
  Checked c = parse_program(
      "kernel void k(int n, float y[n]) grid(1) threads(32) {\n"
      "  shared float s[4];\n"
      "  float *p;\n"
      "  for (int i = 0; i < n; i++) { if (i) *p = 1; p = &s[1]; }\n"
      "  float *never = 0;\n"
      "  (void)never;\n"
      "}\n");
  const TKernel *kernel = check_k(&c, NULL);
  const TVar *p = statement(kernel, 1)->u.decl.var;
  assert_int_equal(p->type->u.pointer.space, TSPACE_SHARED);
  assert_int_equal(p->n_bindings, 1);
  const TVar *never = statement(kernel, 3)->u.decl.var;
  assert_int_equal(never->type->u.pointer.space, TSPACE_GLOBAL);
  checked_free(&c);
}

static const TFunc *called(const TStmt *stmt) {
  const TExpr *expr = stmt->u.expr;
  assert_int_equal(expr->kind, TEXPR_CALL);
  return expr->u.call.func;
}

static void test_functions_have_one_instance_for_each_use(void **state) {
  (void)state;
  Checked c =
      parse_program("void f(float *p, constexpr int n) { *p = n; }\n"
                    "kernel void k(int n, float y[n]) grid(1) threads(32) {\n"
                    "  shared float s[4];\n"
                    "  f(y, 1); f(&y[1], 1); f(y, 2); f(s, 1);\n"
                    "  thread_group(0, 16) f(y, 1);\n"
                    "}\n");
  const TKernel *kernel = check_k(&c, NULL);
  const TFunc *first = called(statement(kernel, 1));
  assert_ptr_equal(first, called(statement(kernel, 2)));
  assert_ptr_not_equal(first, called(statement(kernel, 3)));
  assert_ptr_not_equal(first, called(statement(kernel, 4)));
  const TStmt *inner = statement(kernel, 5)->u.group.body;
  const TFunc *narrow = called(inner->u.block.stmts[0]);
  assert_ptr_not_equal(first, narrow);
  assert_int_equal(narrow->group_size, 16);
  checked_free(&c);
}

static void test_arrays_of_functions_are_other_names(void **state) {
  (void)state;
  Checked c = parse_program(
      "float f(int m, const float a[m][m]) { return a[1][1]; }\n"
      "kernel void k(int n, float A[n][n] stride(2 * n, 1), float *p)\n"
      "    grid(1) threads(32) { f(n, A); f(n, p); }\n");
  const TKernel *kernel = check_k(&c, NULL);
  assert_true(called(statement(kernel, 0))->params[1]->is_alias);
  assert_false(called(statement(kernel, 1))->params[1]->is_alias);
  checked_free(&c);
}

static void test_thread_loops_know_their_form(void **state) {
  (void)state;
  Checked c =
      parse_program("kernel void k(int n, float y[n]) grid(1) threads(64) {\n"
                    "  thread for (int i = 0; i < 32; i += 2) { thread for "
                    "(int j = 0; j < 4;\n"
                    "    j++) y[i + j] = 1; }\n"
                    "  thread for (int i = 0; i < n; i++) y[i] = 1;\n"
                    "  parallel for (int i = 0; i < 64; i++) y[i] = 1;\n"
                    "  thread for (int i = 5; i < 5; i++) y[i] = 1;\n"
                    "}\n");
  const TKernel *kernel = check_k(&c, NULL);
  const TStmt *split = statement(kernel, 0);
  assert_int_equal(split->u.thread_loop.form, TLOOP_SPLIT);
  assert_int_equal(split->u.thread_loop.iterations, 16);
  const TStmt *inner = split->u.thread_loop.body->u.block.stmts[0];
  assert_int_equal(inner->u.thread_loop.group_size, 4);
  assert_int_equal(statement(kernel, 1)->u.thread_loop.form, TLOOP_STRIDED);
  assert_int_equal(statement(kernel, 2)->u.thread_loop.form, TLOOP_FORK_SPLIT);
  assert_int_equal(kernel->body->u.block.n_stmts, 3);
  checked_free(&c);
}

static void test_block_size_of_a_loop_kernel(void **state) {
  (void)state;
  Checked c =
      parse_program("kernel void k(int n, float y[n]) {\n"
                    "  parallel for (int b = 0; b < n; b += 2) {\n"
                    "    thread for (int i = 0; i < 8; i++)\n"
                    "      thread for (int j = 0; j < 16; j++) y[i] = j;\n"
                    "    sync();\n"
                    "    thread for (int i = 0; i < 64; i++) y[i] = size();\n"
                    "  }\n"
                    "}\n");
  const TKernel *kernel = check_k(&c, NULL);
  assert_int_equal(kernel->form, TLAUNCH_GRID);
  assert_int_equal(kernel->block[0], 128);
  assert_int_equal(kernel->n_grid, 1);
  assert_true(kernel->grid[0]->is_host);
  checked_free(&c);
}

static void test_flat_nests(void **state) {
  (void)state;
  Checked c =
      parse_program("kernel void k(int n, int m, float y[n][m]) {\n"
                    "  parallel for (int i = 0; i < n; i++)\n"
                    "    parallel for (int j = 0; j < i; j++) y[i][j] = 1;\n"
                    "}\n");
  const TKernel *kernel = check_k(&c, NULL);
  assert_int_equal(kernel->form, TLAUNCH_FLAT);
  const TStmt *outer = statement(kernel, 0);
  assert_int_equal(outer->u.thread_loop.form, TLOOP_FLAT);
  // The inner bound is known to the thread only: it runs there.
  assert_int_equal(outer->u.thread_loop.body->kind, TSTMT_LOOP);
  checked_free(&c);
}

static void test_constant_objects_have_images(void **state) {
  (void)state;
  Checked c =
      parse_program("constant struct { short a; float b[2]; } t[2] = {{1, "
                    "{2}}, [1].b[1] = 4};\n"
                    "global int counter = 7;\n"
                    "constant int unused = 1;\n"
                    "kernel void k(int n, float y[n]) grid(1) threads(32) {\n"
                    "  y[0] = t[1].b[1] + counter;\n"
                    "}\n");
  const TKernel *kernel = check_k(&c, NULL);
  assert_int_equal(kernel->n_globals, 2);
  float expected[6] = {0, 2, 0, 0, 0, 4};
  uint8_t image[24];
  memcpy(image, expected, sizeof(image));
  image[0] = 1;
  assert_int_equal(kernel->globals[0]->image_bytes, 24);
  assert_memory_equal(kernel->globals[0]->image, image, 24);
  assert_false(kernel->globals[1]->has_value);
  assert_int_equal(kernel->globals[1]->image[0], 7);
  checked_free(&c);
}

static void test_contraction_is_marked(void **state) {
  (void)state;
  Checked c = parse_program(
      "kernel void k(int n, float a, float y[n]) grid(1) threads(32) {\n"
      "  y[0] = a * a + 1;\n"
      "  {\n#pragma STDC FP_CONTRACT OFF\n  y[0] = a * a + 1; }\n"
      "}\n");
  const TKernel *kernel = check_k(&c, NULL);
  assert_true(statement(kernel, 0)->u.expr->u.binary.right->may_contract);
  const TStmt *block = statement(kernel, 1);
  const TStmt *off = block->u.block.stmts[0];
  assert_false(off->u.expr->u.binary.right->may_contract);
  checked_free(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rows_keep_full_rank),
      cmocka_unit_test(test_operands_are_converted),
      cmocka_unit_test(test_dead_branches_are_gone),
      cmocka_unit_test(test_pointers_take_the_space_they_are_bound_to),
      cmocka_unit_test(test_functions_have_one_instance_for_each_use),
      cmocka_unit_test(test_arrays_of_functions_are_other_names),
      cmocka_unit_test(test_thread_loops_know_their_form),
      cmocka_unit_test(test_block_size_of_a_loop_kernel),
      cmocka_unit_test(test_flat_nests),
      cmocka_unit_test(test_constant_objects_have_images),
      cmocka_unit_test(test_contraction_is_marked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
