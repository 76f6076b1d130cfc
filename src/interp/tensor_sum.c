// SPDX-License-Identifier: Apache-2.0
// Note [Sums of tensor cores] in integers.
#include "interp/tensor_sum.h"

#include "base/panic.h"
#include "interp/eval.h"

#include <math.h>
#include <string.h>

enum { TENSOR_FINITE, TENSOR_INFINITE, TENSOR_NAN };

typedef struct {
  int exponent_bits, fraction_bits, bias;
} TensorType;

static TensorType tensor_type(IrTypeKind kind) {
  switch ((int)kind) {
  case IR_TYPE_F16: return (TensorType){5, 10, 15};
  case IR_TYPE_BF16: return (TensorType){8, 7, 127};
  case IR_TYPE_TF32: return (TensorType){8, 10, 127};
  case IR_TYPE_E4M3: return (TensorType){4, 3, 7};
  case IR_TYPE_E5M2: return (TensorType){5, 2, 15};
  case IR_TYPE_F32: return (TensorType){8, 23, 127};
  default: HD_PANIC("no type of tensor cores");
  }
}

static bool tensor_is_fp8(IrTypeKind kind) {
  return kind == IR_TYPE_E4M3 || kind == IR_TYPE_E5M2;
}

// mma.sync has none: its code makes halves of them.
static bool tensor_is_emulated(const TensorForm *form) {
  return tensor_is_fp8(form->a) && !form->is_wgmma;
}

uint32_t tensor_depth(const TensorForm *form) {
  if (tensor_is_fp8(form->a))
    return 32;
  return form->a == IR_TYPE_TF32 ? 8 : 16;
}

// ------------------------------------------------------------------ numbers

static TensorNumber number_of(IrTypeKind kind, uint32_t bits) {
  TensorType type = tensor_type(kind);
  if (kind == IR_TYPE_TF32)
    bits >>= 13; // of the register nobody looks at these, not even for NaNs
  uint32_t most = (1u << type.exponent_bits) - 1;
  uint32_t exponent = bits >> type.fraction_bits & most;
  uint32_t fraction = bits & ((1u << type.fraction_bits) - 1);
  TensorNumber to = {.is_negative =
                         bits >> (type.exponent_bits + type.fraction_bits) & 1};
  bool is_last = exponent == most;
  if (kind == IR_TYPE_E4M3) // no infinities, one NaN
    to.kind = is_last && fraction == 7 ? TENSOR_NAN : TENSOR_FINITE;
  else if (is_last)
    to.kind = fraction ? TENSOR_NAN : TENSOR_INFINITE;
  if (to.kind != TENSOR_FINITE)
    return to;
  if (exponent)
    fraction |= 1u << type.fraction_bits;
  to.exponent = (int16_t)((exponent ? (int)exponent : 1) - type.bias);
  to.significand = to.is_negative ? -(int32_t)fraction : (int32_t)fraction;
  return to;
}

TensorNumber tensor_number(const TensorForm *form, uint32_t operand,
                           uint32_t bits) {
  IrTypeKind kind = operand == 0 ? form->a : form->b;
  if (!tensor_is_emulated(form))
    return number_of(kind, bits);
  double number = eval_to_double(kind, bits);
  return number_of(IR_TYPE_F16,
                   (uint32_t)eval_from_double(IR_TYPE_F16, number));
}

// -------------------------------------------------------------------- a step

typedef struct {
  IrTypeKind a, b, sum;
  int cut;  // bits below the largest exponent
  int kept; // of the fraction of the result
  bool is_nearest;
} FusedSum;

static uint32_t fused_nan(IrTypeKind kind) {
  return kind == IR_TYPE_F16 ? 0x7fff : 0x7fffffff;
}

// Of a finite sum, magnitude * 2^lowest.
static uint32_t fused_round(const FusedSum *f, bool is_negative,
                            uint64_t magnitude, int lowest) {
  TensorType type = tensor_type(f->sum);
  int least = 1 - type.bias, n_bits = 64 - __builtin_clzll(magnitude);
  int exponent = n_bits - 1 + lowest;
  if (exponent < least)
    exponent = least;
  int dropped = exponent - f->kept - lowest;
  uint64_t fraction =
      dropped > 0 ? magnitude >> dropped : magnitude << -dropped;
  if (dropped > 0 && f->is_nearest) {
    uint64_t half = UINT64_C(1) << (dropped - 1);
    uint64_t rest = magnitude & (2 * half - 1);
    fraction += rest > half || (rest == half && fraction & 1);
  }
  if (fraction >> (f->kept + 1)) {
    fraction >>= 1;
    exponent++;
  }
  if (fraction == 0) // also of negative sums
    return 0;
  fraction <<= type.fraction_bits - f->kept;
  uint64_t one = UINT64_C(1) << type.fraction_bits;
  uint64_t field = fraction < one ? 0 : (uint64_t)(exponent + type.bias);
  uint64_t most = (UINT64_C(1) << type.exponent_bits) - 1;
  uint64_t bits =
      field >= most ? most * one : field * one | (fraction & (one - 1));
  uint64_t sign = (uint64_t)is_negative
                  << (type.exponent_bits + type.fraction_bits);
  return (uint32_t)(sign | bits);
}

// 0: all are finite; else the bits of a NaN or an infinity.
static uint32_t fused_special(const FusedSum *f, const TensorNumber *a,
                              const TensorNumber *b, uint32_t n,
                              TensorNumber c) {
  bool is_nan = c.kind == TENSOR_NAN, has[2] = {false, false};
  if (c.kind == TENSOR_INFINITE)
    has[c.is_negative] = true;
  for (uint32_t k = 0; k < n; k++) {
    bool is_finite = a[k].kind == TENSOR_FINITE && b[k].kind == TENSOR_FINITE;
    is_nan |= a[k].kind == TENSOR_NAN || b[k].kind == TENSOR_NAN;
    if (is_finite)
      continue;
    is_nan |= (a[k].kind == TENSOR_FINITE && a[k].significand == 0) ||
              (b[k].kind == TENSOR_FINITE && b[k].significand == 0);
    has[a[k].is_negative != b[k].is_negative] = true;
  }
  if (is_nan || (has[0] && has[1]))
    return fused_nan(f->sum);
  uint32_t infinity = f->sum == IR_TYPE_F16 ? 0x7c00 : 0x7f800000;
  uint32_t sign = f->sum == IR_TYPE_F16 ? 0x8000 : 0x80000000;
  return has[0] ? infinity : has[1] ? sign | infinity : 0;
}

// A term of exponent `lowest` of its last bit, in units of 2^unit.
static int64_t fused_cut(int64_t term, int lowest, int unit) {
  if (lowest >= unit)
    return term * (INT64_C(1) << (lowest - unit));
  int dropped = unit - lowest;
  if (dropped > 62)
    return 0;
  int64_t magnitude = (term < 0 ? -term : term) >> dropped;
  return term < 0 ? -magnitude : magnitude;
}

static uint32_t fused_sum(const FusedSum *f, const TensorNumber *a,
                          const TensorNumber *b, uint32_t n, uint32_t c_bits) {
  TensorNumber c = number_of(f->sum, c_bits);
  uint32_t special = fused_special(f, a, b, n, c);
  if (special)
    return special;
  TensorType type = tensor_type(f->sum);
  int most = 1 - type.bias - 7, fraction = tensor_type(f->a).fraction_bits +
                                           tensor_type(f->b).fraction_bits;
  if (c.significand && c.exponent > most)
    most = c.exponent;
  for (uint32_t k = 0; k < n; k++) {
    int exponent = a[k].exponent + b[k].exponent;
    if (a[k].significand && b[k].significand && exponent > most)
      most = exponent;
  }
  int unit = most - f->cut;
  int64_t sum = fused_cut(c.significand, c.exponent - type.fraction_bits, unit);
  for (uint32_t k = 0; k < n; k++) {
    int64_t product = (int64_t)a[k].significand * b[k].significand;
    if (product)
      sum += fused_cut(product, a[k].exponent + b[k].exponent - fraction, unit);
  }
  if (sum == 0)
    return 0;
  return fused_round(f, sum < 0, (uint64_t)(sum < 0 ? -sum : sum), unit);
}

// ------------------------------------------------------------ instructions

// An ordinary addition, rounded to nearest.
static uint32_t emulated_add(IrTypeKind kind, uint32_t a, uint32_t b) {
  double x = eval_to_double(kind, a), y = eval_to_double(kind, b);
  double sum = kind == IR_TYPE_F32 ? (double)((float)x + (float)y) : x + y;
  return isnan(sum) ? fused_nan(kind) : (uint32_t)eval_from_double(kind, sum);
}

// mma.sync of fp8: halves, those of the first two of each four elements, then
// the others, from zero; C is added at the end.
static uint32_t emulated_sum(const TensorForm *form, const TensorNumber *a,
                             const TensorNumber *b, uint32_t n, uint32_t c) {
  FusedSum f = {IR_TYPE_F16, IR_TYPE_F16, form->sum, 25, 23, false};
  if (form->sum == IR_TYPE_F16) {
    f.kept = 10;
    f.is_nearest = true;
  }
  uint32_t sum = 0;
  for (uint32_t part = 0; part < 2; part++) {
    TensorNumber x[TENSOR_MOST_DEPTH], y[TENSOR_MOST_DEPTH];
    uint32_t count = 0;
    for (uint32_t k = 0; k < n; k++) {
      if (k % 4 / 2 != part)
        continue;
      x[count] = a[k];
      y[count++] = b[k];
    }
    sum = fused_sum(&f, x, y, count, sum);
  }
  return emulated_add(form->sum, sum, c);
}

uint32_t tensor_sum(const TensorForm *form, const TensorNumber *a,
                    const TensorNumber *b, uint32_t depth, uint32_t c) {
  HD_ASSERT(depth <= tensor_depth(form));
  if (tensor_is_emulated(form))
    return emulated_sum(form, a, b, depth, c);
  FusedSum f = {form->a, form->b, form->sum, 25, 23, false};
  if (tensor_is_fp8(form->a))
    f.cut = f.kept = 13;
  if (form->sum == IR_TYPE_F16) {
    f.kept = 10;
    f.is_nearest = true;
  }
  return fused_sum(&f, a, b, depth, c);
}
