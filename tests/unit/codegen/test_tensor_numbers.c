// SPDX-License-Identifier: Apache-2.0
// Descriptors of tensor cores against the PTX ISA, "Shared memory descriptor"
// and "Instruction descriptor" of tcgen05: each field from its bits.
#include "codegen/nvptx/nvptx_tensor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
// cmocka wants the ones above first.
#include <cmocka.h>

static uint64_t bits(uint64_t v, unsigned low, unsigned high) {
  return v >> low & ((UINT64_C(1) << (high - low + 1)) - 1);
}

static void operands_have_their_fields(void **state) {
  (void)state;

  static const struct {
    uint32_t bytes;
    uint64_t mode;
  } swizzles[] = {{128, 2}, {64, 4}, {32, 6}};

  for (size_t i = 0; i < sizeof swizzles / sizeof *swizzles; i++)
    for (unsigned across = 0; across < 2; across++) {
      uint32_t bytes = swizzles[i].bytes;
      uint64_t panel = 48 * (uint64_t)bytes;
      uint64_t d = nvptx_tensor_operand(bytes, panel, across);
      assert_int_equal(bits(d, 0, 15), 0);
      assert_int_equal(bits(d, 16, 29), across ? panel / 16 : 1);
      assert_int_equal(bits(d, 30, 31), 0);
      assert_int_equal(bits(d, 32, 45), 8 * bytes / 16);
      assert_int_equal(bits(d, 46, 48), 1);
      assert_int_equal(bits(d, 49, 60), 0);
      assert_int_equal(bits(d, 61, 63), swizzles[i].mode);
    }
}

typedef struct {
  IrTypeKind a, b, sum;
  uint64_t of_a, of_b, of_sum;
  const char *kind;
} Formats;

static const Formats formats[] = {
    {IR_TYPE_F16, IR_TYPE_F16, IR_TYPE_F32, 0, 0, 1, "f16"},
    {IR_TYPE_BF16, IR_TYPE_BF16, IR_TYPE_F32, 1, 1, 1, "f16"},
    {IR_TYPE_E4M3, IR_TYPE_E5M2, IR_TYPE_F32, 0, 1, 1, "f8f6f4"},
    {IR_TYPE_E5M2, IR_TYPE_E4M3, IR_TYPE_F32, 1, 0, 1, "f8f6f4"},
    {IR_TYPE_I8, IR_TYPE_I8, IR_TYPE_I32, 1, 0, 2, "i8"},
};

static void product_has_its_fields(const Formats *f, bool a_is_across,
                                   uint32_t columns) {
  NvptxTensorProduct product = {.a = ir_scalar(f->a),
                                .b = ir_scalar(f->b),
                                .sum = ir_scalar(f->sum),
                                .b_unsigned = true,
                                .a_is_across = a_is_across,
                                .b_is_across = !a_is_across,
                                .rows = 128,
                                .columns = columns};
  uint64_t d = nvptx_tensor_product(&product);
  assert_int_equal(bits(d, 0, 3), 0);
  assert_int_equal(bits(d, 4, 5), f->of_sum);
  assert_int_equal(bits(d, 6, 6), 0);
  assert_int_equal(bits(d, 7, 9), f->of_a);
  assert_int_equal(bits(d, 10, 12), f->of_b);
  assert_int_equal(bits(d, 13, 14), 0);
  assert_int_equal(bits(d, 15, 15), a_is_across);
  assert_int_equal(bits(d, 16, 16), !a_is_across);
  assert_int_equal(bits(d, 17, 22), columns >> 3);
  assert_int_equal(bits(d, 23, 23), 0);
  assert_int_equal(bits(d, 24, 28), 128 >> 4);
  assert_int_equal(bits(d, 29, 31), 0);
  assert_string_equal(nvptx_tensor_kind(product.a), f->kind);
}

static void products_have_their_fields(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    for (uint32_t columns = 16; columns <= 256; columns += 16) {
      product_has_its_fields(&formats[i], false, columns);
      product_has_its_fields(&formats[i], true, columns);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(operands_have_their_fields),
      cmocka_unit_test(products_have_their_fields),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
