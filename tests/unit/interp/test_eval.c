// SPDX-License-Identifier: Apache-2.0
// Scalar arithmetic of the reference interpreter, against the C compiler and,
// for 8- and 16-bit types, exhaustively.
#include "interp/eval.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
// cmocka wants the ones above first.
#include <cmocka.h>

static uint64_t next_random(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

// ------------------------------------------------------------- integers

static uint8_t eight(IrOp op, unsigned a, unsigned b) {
  uint64_t result = eval_int(op, 8, a, b);
  assert_true(result <= 255);
  return (uint8_t)result;
}

static int quotient(int a, int b) {
  return b == 0 ? -1 : a / b;
}

static int remainder_of(int a, int b) {
  return b == 0 ? a : a % b;
}

static uint64_t dot_of(IrOp op, uint64_t sum, uint64_t a, uint64_t b) {
  return eval_scalar(op, IR_TYPE_I32, IR_TYPE_I32, sum, a, b);
}

// Unsigned bytes of the first, signed ones of the second; signed ones of both;
// unsigned ones of both; signed halves.
static void dots_are_sums_of_products(void **state) {
  (void)state;
  assert_int_equal(dot_of(IR_DOT4, 7, 0xff000000, 0x80000000),
                   (uint32_t)(7 - 255 * 128));
  assert_int_equal(dot_of(IR_DOT2, 0, 0x80008000, 0x80008000), 0x80000000);
  uint64_t random = 5;
  for (int i = 0; i < 10000; i++) {
    uint32_t a = (uint32_t)next_random(&random);
    uint32_t b = (uint32_t)next_random(&random);
    uint32_t sum = (uint32_t)next_random(&random), four = sum, two = sum;
    uint32_t of_signed = sum, of_unsigned = sum;
    uint8_t x[4];
    int8_t y[4];
    int16_t u[2], v[2];
    memcpy(x, &a, 4);
    memcpy(y, &b, 4);
    memcpy(u, &a, 4);
    memcpy(v, &b, 4);
    for (int k = 0; k < 4; k++) {
      four += (uint32_t)(x[k] * y[k]);
      of_signed += (uint32_t)((int8_t)x[k] * y[k]);
      of_unsigned += (uint32_t)(x[k] * (uint8_t)y[k]);
    }
    for (int k = 0; k < 2; k++)
      two += (uint32_t)u[k] * (uint32_t)v[k];
    assert_int_equal(dot_of(IR_DOT4, sum, a, b), four);
    assert_int_equal(dot_of(IR_DOT4_S, sum, a, b), of_signed);
    assert_int_equal(dot_of(IR_DOT4_U, sum, a, b), of_unsigned);
    assert_int_equal(dot_of(IR_DOT2, sum, a, b), two);
  }
  // 1.5 + 2 * 3 - 0.5 * 4
  assert_int_equal(eval_scalar(IR_FDOT2, IR_TYPE_F32, IR_TYPE_F32, 0x3fc00000,
                               0xbf004000, 0x40804040),
                   0x40b00000);
}

static void bytes_are_exact(void **state) {
  (void)state;
  for (unsigned a = 0; a < 256; a++)
    for (unsigned b = 0; b < 256; b++) {
      int x = (int8_t)a, y = (int8_t)b;
      unsigned n = b % 8;
      assert_int_equal(eight(IR_ADD, a, b), (uint8_t)(a + b));
      assert_int_equal(eight(IR_SUB, a, b), (uint8_t)(a - b));
      assert_int_equal(eight(IR_MUL, a, b), (uint8_t)(a * b));
      assert_int_equal(eight(IR_SDIV, a, b), (uint8_t)quotient(x, y));
      assert_int_equal(eight(IR_SREM, a, b), (uint8_t)remainder_of(x, y));
      assert_int_equal(eight(IR_UDIV, a, b), b ? a / b : 255);
      assert_int_equal(eight(IR_UREM, a, b), b ? a % b : a);
      assert_int_equal(eight(IR_SHL, a, b), (uint8_t)(a << n));
      assert_int_equal(eight(IR_LSHR, a, b), a >> n);
      assert_int_equal(eight(IR_ASHR, a, b), (uint8_t)(x >> n));
      assert_int_equal(eight(IR_ROTL, a, b),
                       (uint8_t)(a << n | a >> ((8 - n) % 8)));
      assert_int_equal(eight(IR_ROTR, a, b),
                       (uint8_t)(a >> n | a << ((8 - n) % 8)));
      assert_int_equal(eight(IR_SMIN, a, b), (uint8_t)(x < y ? x : y));
      assert_int_equal(eight(IR_SMAX, a, b), (uint8_t)(x > y ? x : y));
      assert_int_equal(eight(IR_UMIN, a, b), a < b ? a : b);
      assert_int_equal(eight(IR_UMAX, a, b), a > b ? a : b);
      assert_int_equal(eight(IR_SMULH, a, b), (uint8_t)((x * y) >> 8));
      assert_int_equal(eight(IR_UMULH, a, b), (a * b) >> 8);
      assert_int_equal(eval_int(IR_SLT, 8, a, b), x < y);
      assert_int_equal(eval_int(IR_SLE, 8, a, b), x <= y);
      assert_int_equal(eval_int(IR_ULT, 8, a, b), a < b);
      assert_int_equal(eval_int(IR_ULE, 8, a, b), a <= b);
    }
}

static void single_bytes_are_exact(void **state) {
  (void)state;
  for (unsigned a = 0; a < 256; a++) {
    unsigned reversed = 0, ones = 0, leading = 8, trailing = 8;
    for (unsigned i = 0; i < 8; i++) {
      reversed |= (a >> i & 1) << (7 - i);
      ones += a >> i & 1;
      if (a >> i & 1)
        leading = 7 - i;
      if (a >> (7 - i) & 1)
        trailing = 7 - i;
    }
    assert_int_equal(eight(IR_BITREVERSE, a, 0), reversed);
    assert_int_equal(eight(IR_POPCOUNT, a, 0), ones);
    assert_int_equal(eight(IR_CLZ, a, 0), leading);
    assert_int_equal(eight(IR_CTZ, a, 0), trailing);
    assert_int_equal(eight(IR_NEG, a, 0), (uint8_t)(0 - a));
    assert_int_equal(eight(IR_NOT, a, 0), (uint8_t)~a);
    assert_int_equal(eight(IR_SABS, a, 0), a < 129 ? a : 256 - a);
    assert_int_equal(eight(IR_BYTESWAP, a, 0), a);
  }
}

static void words_are_exact(void **state) {
  (void)state;
  uint64_t min64 = UINT64_C(1) << 63, all = UINT64_MAX;
  assert_int_equal(eval_int(IR_SDIV, 64, min64, all), min64);
  assert_int_equal(eval_int(IR_SREM, 64, min64, all), 0);
  assert_int_equal(eval_int(IR_SDIV, 32, 0x80000000u, 0xffffffffu),
                   0x80000000u);
  assert_int_equal(eval_int(IR_SDIV, 32, 7, 0), 0xffffffffu);
  assert_int_equal(eval_int(IR_UDIV, 64, 7, 0), all);
  assert_int_equal(eval_int(IR_SMULH, 64, min64, min64), UINT64_C(1) << 62);
  assert_int_equal(eval_int(IR_SMULH, 64, all, 5), all);
  assert_int_equal(eval_int(IR_UMULH, 64, all, all), all - 1);
  assert_int_equal(eval_int(IR_SHL, 64, 1, 127), min64);
  assert_int_equal(eval_int(IR_BYTESWAP, 32, 0x01020304, 0), 0x04030201);
  assert_int_equal(eval_int(IR_BYTESWAP, 16, 0x0102, 0), 0x0201);
  assert_int_equal(eval_int(IR_NOT, 1, 1, 0), 0);
  assert_int_equal(eval_convert(IR_SEXT, IR_TYPE_I8, IR_TYPE_I32, 0x80),
                   0xffffff80u);
  assert_int_equal(eval_convert(IR_TRUNC, IR_TYPE_I32, IR_TYPE_BOOL, 2), 0);
}

static void atomics_are_exact(void **state) {
  (void)state;
  assert_int_equal(eval_rmw(RMW_INC, IR_TYPE_I32, 3, 4), 4);
  assert_int_equal(eval_rmw(RMW_INC, IR_TYPE_I32, 4, 4), 0);
  assert_int_equal(eval_rmw(RMW_DEC, IR_TYPE_I32, 0, 4), 4);
  assert_int_equal(eval_rmw(RMW_DEC, IR_TYPE_I32, 5, 4), 4);
  assert_int_equal(eval_rmw(RMW_DEC, IR_TYPE_I32, 3, 4), 2);
  assert_int_equal(eval_rmw(RMW_SMIN, IR_TYPE_I32, 0xffffffffu, 1),
                   0xffffffffu);
  assert_int_equal(eval_rmw(RMW_UMIN, IR_TYPE_I32, 0xffffffffu, 1), 1);
  uint64_t one = eval_from_double(IR_TYPE_F32, 1), two = 0x40000000;
  assert_int_equal(eval_rmw(RMW_SMAX, IR_TYPE_F32, one, two), two);
  assert_int_equal(eval_rmw(RMW_ADD, IR_TYPE_F32, one, one), two);
}

// ------------------------------------------------- narrow floating point
// The oracle of a narrow type is a search for the nearest of all its finite
// numbers, ties to the one with an even last bit.

typedef struct {
  IrTypeKind kind;
  uint64_t infinity; // bits above the largest finite number
} Narrow;

static const Narrow narrow_types[] = {
    {IR_TYPE_F16, 0x7c00}, {IR_TYPE_BF16, 0x7f80}, {IR_TYPE_E5M2, 0x7c}};

static uint64_t nearest(const Narrow *type, double value) {
  uint64_t sign = UINT64_C(1) << (ir_type_bits(ir_scalar(type->kind)) - 1);
  uint64_t low = 0, high = type->infinity - 1;
  double magnitude = fabs(value);
  while (low < high) { // the largest number that is not above
    uint64_t middle = (low + high + 1) / 2;
    if (eval_to_double(type->kind, middle) <= magnitude)
      low = middle;
    else
      high = middle - 1;
  }
  uint64_t result = low;
  double below = eval_to_double(type->kind, low);
  double above = low + 1 < type->infinity
                     ? eval_to_double(type->kind, low + 1)
                     : 2 * below - eval_to_double(type->kind, low - 1);
  double left = magnitude - below, right = above - magnitude;
  if (right < left || (right == left && low & 1))
    result = low + 1;
  if (result >= type->infinity && type->kind == IR_TYPE_E5M2)
    result = type->infinity - 1; // saturates
  return signbit(value) ? result | sign : result;
}

static void narrow_numbers_round_to_nearest(void **state) {
  (void)state;
  uint64_t random = 1;
  for (size_t k = 0; k < sizeof narrow_types / sizeof *narrow_types; k++) {
    const Narrow *type = &narrow_types[k];
    for (uint64_t bits = 0; bits + 1 < type->infinity; bits++) {
      double x = eval_to_double(type->kind, bits);
      double y = eval_to_double(type->kind, bits + 1);
      double middle = (x + y) / 2; // exact: double has many more digits
      const double tries[] = {x,
                              -x,
                              middle,
                              -middle,
                              nextafter(middle, y),
                              nextafter(middle, x),
                              x + (y - x) * 0.25};
      assert_true(x < y);
      for (size_t i = 0; i < sizeof tries / sizeof *tries; i++)
        assert_int_equal(eval_from_double(type->kind, tries[i]),
                         nearest(type, tries[i]));
    }
    for (int i = 0; i < 20000; i++) {
      double x = ldexp((double)next_random(&random),
                       (int)(next_random(&random) % 90) - 110);
      assert_int_equal(eval_from_double(type->kind, x), nearest(type, x));
    }
  }
}

static void every_narrow_number_comes_back(void **state) {
  (void)state;
  static const IrTypeKind kinds[] = {IR_TYPE_F16, IR_TYPE_BF16, IR_TYPE_E4M3,
                                     IR_TYPE_E5M2};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    uint32_t bits = ir_type_bits(ir_scalar(kinds[k]));
    for (uint64_t i = 0; i < UINT64_C(1) << bits; i++) {
      double value = eval_to_double(kinds[k], i);
      uint64_t back = eval_from_double(kinds[k], value);
      if (isnan(value))
        assert_true(isnan(eval_to_double(kinds[k], back)));
      else if (!isinf(value) || kinds[k] != IR_TYPE_E5M2)
        assert_int_equal(back, i);
    }
  }
  assert_true(eval_to_double(IR_TYPE_E4M3, 0x7e) == 448);
  assert_true(eval_to_double(IR_TYPE_E4M3, 0x01) == ldexp(1, -9));
  assert_true(eval_to_double(IR_TYPE_F16, 0x7bff) == 65504);
  assert_int_equal(eval_from_double(IR_TYPE_E4M3, 1e9), 0x7e);
}

// The exact a*b+c of 16-bit numbers in two integers: the sum is compared with
// the neighbours of the result, without rounding anywhere.
typedef struct {
  __extension__ __int128 value; // times 2^-unit
} Exact;

static Exact exact_of(double x, int unit) {
  Exact exact = {0};
  int exponent;
  double mantissa = frexp(x, &exponent);
  exact.value = (int64_t)ldexp(mantissa, 53);
  int shift = exponent - 53 + unit;
  __extension__ __int128 one = 1;
  if (shift >= 0)
    exact.value *= one << shift;
  else
    exact.value /= one << -shift; // exact: trailing zeros
  return exact;
}

static void half_fma_rounds_once(void **state) {
  (void)state;
  uint64_t random = 7;
  const Narrow *type = &narrow_types[0];
  for (int i = 0; i < 300000; i++) {
    uint64_t bits[3];
    double x[3];
    for (int k = 0; k < 3; k++) {
      bits[k] = next_random(&random) & 0xffff;
      if ((bits[k] & 0x7c00) == 0x7c00)
        bits[k] &= 0x83ff;
      x[k] = eval_to_double(IR_TYPE_F16, bits[k]);
    }

    enum { UNIT = 50 }; // 2^-48 is the last digit of a product

    __extension__ __int128 sum =
        exact_of(x[0] * x[1], UNIT).value + exact_of(x[2], UNIT).value;
    uint64_t result =
        eval_float(IR_FMA, IR_TYPE_F16, bits[0], bits[1], bits[2]);
    double r = eval_to_double(IR_TYPE_F16, result);
    if (isinf(r)) {
      assert_true(fabs(x[0] * x[1] + x[2]) >= 65519);
      continue;
    }
    uint64_t magnitude = result & 0x7fff;
    double up = magnitude + 1 < type->infinity
                    ? eval_to_double(IR_TYPE_F16, magnitude + 1)
                    : 65536;
    double down = magnitude ? eval_to_double(IR_TYPE_F16, magnitude - 1)
                            : -eval_to_double(IR_TYPE_F16, 1);
    __extension__ __int128 a = sum < 0 ? -sum : sum;
    __extension__ __int128 m = exact_of(fabs(r), UNIT).value;
    __extension__ __int128 high = exact_of(up, UNIT).value - a;
    __extension__ __int128 low = a - exact_of(down, UNIT).value;
    __extension__ __int128 off = a > m ? a - m : m - a;
    assert_true(off <= high && off <= low);
    if (off == high || off == low)
      assert_true(magnitude % 2 == 0);
  }
}

// ------------------------------------------------------------ conversions

static void integers_become_floats(void **state) {
  (void)state;
  uint64_t random = 3;
  for (int i = 0; i < 200000; i++) {
    uint64_t bits = next_random(&random) >> (i % 64);
    int64_t value = i & 1 ? (int64_t)bits : -(int64_t)(bits >> 1);
    float f = (float)value;
    double d = (double)value;
    uint32_t f_bits;
    uint64_t d_bits;
    memcpy(&f_bits, &f, sizeof f);
    memcpy(&d_bits, &d, sizeof d);
    assert_int_equal(
        eval_convert(IR_STOF, IR_TYPE_I64, IR_TYPE_F32, (uint64_t)value),
        f_bits);
    assert_int_equal(
        eval_convert(IR_STOF, IR_TYPE_I64, IR_TYPE_F64, (uint64_t)value),
        d_bits);
    f = (float)bits;
    memcpy(&f_bits, &f, sizeof f);
    assert_int_equal(eval_convert(IR_UTOF, IR_TYPE_I64, IR_TYPE_F32, bits),
                     f_bits);
  }
  // Just above the middle between two bfloat16: rounded once, it goes up.
  uint64_t middle = (UINT64_C(1) << 62) + (UINT64_C(1) << 54);
  assert_int_equal(eval_convert(IR_UTOF, IR_TYPE_I64, IR_TYPE_BF16, middle),
                   0x5e80);
  assert_int_equal(eval_convert(IR_UTOF, IR_TYPE_I64, IR_TYPE_BF16, middle + 1),
                   0x5e81);
}

static uint64_t to_int(IrOp op, double value, IrTypeKind to) {
  return eval_convert(op, IR_TYPE_F64, to,
                      eval_from_double(IR_TYPE_F64, value));
}

static void floats_become_integers(void **state) {
  (void)state;
  assert_int_equal(to_int(IR_FTOS, -1.9, IR_TYPE_I32), 0xffffffffu);
  assert_int_equal(to_int(IR_FTOS, 1e10, IR_TYPE_I32), 0x7fffffff);
  assert_int_equal(to_int(IR_FTOS, -1e10, IR_TYPE_I32), 0x80000000u);
  assert_int_equal(to_int(IR_FTOS, -128.5, IR_TYPE_I8), 0x80);
  assert_int_equal(to_int(IR_FTOS, 9.3e18, IR_TYPE_I64), INT64_MAX);
  assert_int_equal(to_int(IR_FTOS, -INFINITY, IR_TYPE_I64), UINT64_C(1) << 63);
  assert_int_equal(to_int(IR_FTOS, NAN, IR_TYPE_I64), 0);
  assert_int_equal(to_int(IR_FTOU, NAN, IR_TYPE_I8), 0);
  assert_int_equal(to_int(IR_FTOU, -5, IR_TYPE_I32), 0);
  assert_int_equal(to_int(IR_FTOU, 300, IR_TYPE_I8), 255);
  assert_int_equal(to_int(IR_FTOU, 1.9e19, IR_TYPE_I64), UINT64_MAX);
  assert_int_equal(to_int(IR_FTOU, 1e19, IR_TYPE_I64),
                   UINT64_C(10000000000000000000));
}

static double call(IrOp op, IrTypeKind kind, double a, double b) {
  return eval_to_double(kind, eval_float(op, kind, eval_from_double(kind, a),
                                         eval_from_double(kind, b), 0));
}

static void functions_are_those_of_c(void **state) {
  (void)state;
  assert_true(call(IR_EXP, IR_TYPE_F32, 1, 0) == (double)expf(1));
  assert_true(call(IR_POW, IR_TYPE_F64, 2, 0.5) == pow(2, 0.5));
  assert_true(call(IR_FREM, IR_TYPE_F32, -7, 3) == -1);
  assert_true(call(IR_ROUND, IR_TYPE_F64, 2.5, 0) == 3);
  assert_true(call(IR_RINT, IR_TYPE_F64, 2.5, 0) == 2);
  assert_true(call(IR_FMIN, IR_TYPE_F32, NAN, 3) == 3);
  static const IrTypeKind kinds[] = {IR_TYPE_F16, IR_TYPE_BF16, IR_TYPE_F32,
                                     IR_TYPE_F64};
  for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
    assert_true(signbit(call(IR_FMIN, kinds[k], 0.0, -0.0)));
    assert_true(signbit(call(IR_FMIN, kinds[k], -0.0, 0.0)));
    assert_false(signbit(call(IR_FMAX, kinds[k], 0.0, -0.0)));
    assert_false(signbit(call(IR_FMAX, kinds[k], -0.0, 0.0)));
  }
  assert_true(call(IR_SINPI, IR_TYPE_F64, 1e15 + 0.5, 0) == 1);
  assert_true(call(IR_COSPI, IR_TYPE_F64, 0.5, 0) == 0);
  assert_true(call(IR_COSPI, IR_TYPE_F32, -3, 0) == -1);
  assert_true(signbit(call(IR_SINPI, IR_TYPE_F64, -2, 0)));
  assert_true(call(IR_NEXTAFTER, IR_TYPE_F16, 1, 2) == 1 + ldexp(1, -10));
  assert_true(call(IR_NEXTAFTER, IR_TYPE_F16, 0, -1) == -ldexp(1, -24));
  assert_true(call(IR_SQRT, IR_TYPE_F16, 2, 0) == 1.4140625);
  assert_true(call(IR_COPYSIGN, IR_TYPE_BF16, 3, -0.0) == -3);
  for (double x = -3; x <= 3; x += 0.0625) {
    assert_true(fabs(call(IR_SINPI, IR_TYPE_F64, x, 0) - sin(x * M_PI)) <
                1e-14);
    assert_true(fabs(call(IR_COSPI, IR_TYPE_F64, x, 0) - cos(x * M_PI)) <
                1e-14);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bytes_are_exact),
      cmocka_unit_test(dots_are_sums_of_products),
      cmocka_unit_test(single_bytes_are_exact),
      cmocka_unit_test(words_are_exact),
      cmocka_unit_test(atomics_are_exact),
      cmocka_unit_test(narrow_numbers_round_to_nearest),
      cmocka_unit_test(every_narrow_number_comes_back),
      cmocka_unit_test(half_fma_rounds_once),
      cmocka_unit_test(integers_become_floats),
      cmocka_unit_test(floats_become_integers),
      cmocka_unit_test(functions_are_those_of_c),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
