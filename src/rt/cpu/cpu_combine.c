// SPDX-License-Identifier: Apache-2.0
// Elements that a copy combines with what is there, each atomically: blocks of
// other workers do the same.
#include "base/float_bits.h"
#include "rt/cpu/cpu_worker.h"

#include <string.h>

// ---------------------------------------------------------------- integers

static int64_t combine_signed(uint64_t bits, uint32_t n_bytes) {
  return n_bytes == 4 ? (int32_t)(uint32_t)bits : (int64_t)bits;
}

static uint64_t combine_ints(const HdCpuCopy *copy, uint64_t a, uint64_t b) {
  uint32_t n = copy->element_bytes;
  switch (copy->combine) {
  case HD_CPU_COMBINE_MIN:
    return combine_signed(b, n) < combine_signed(a, n) ? b : a;
  case HD_CPU_COMBINE_MAX:
    return combine_signed(b, n) > combine_signed(a, n) ? b : a;
  case HD_CPU_COMBINE_UMIN: return b < a ? b : a;
  case HD_CPU_COMBINE_UMAX: return b > a ? b : a;
  case HD_CPU_COMBINE_AND: return a & b;
  case HD_CPU_COMBINE_OR: return a | b;
  case HD_CPU_COMBINE_XOR: return a ^ b;
  default: return a + b;
  }
}

// ------------------------------------------------------------------ floats

static FloatFormat combine_format(const HdCpuCopy *copy) {
  switch (copy->combines) {
  case HD_CPU_COMBINES_F16: return FLOAT_F16;
  case HD_CPU_COMBINES_BF16: return FLOAT_BF16;
  case HD_CPU_COMBINES_F32: return FLOAT_F32;
  default: return FLOAT_F64;
  }
}

static uint64_t combine_reals(const HdCpuCopy *copy, uint64_t a, uint64_t b) {
  FloatFormat format = combine_format(copy);
  double x = float_bits_to_double(format, a);
  double y = float_bits_to_double(format, b);
  double now = x + y; // of what is narrower, exact enough to be rounded once
  if (copy->combine == HD_CPU_COMBINE_MIN)
    now = float_minimum_number(x, y);
  else if (copy->combine == HD_CPU_COMBINE_MAX)
    now = float_maximum_number(x, y);
  return float_bits_from_double(format, now);
}

// ---------------------------------------------------------------- elements

static uint64_t combine_values(const HdCpuCopy *copy, uint64_t a, uint64_t b) {
  return copy->combines == HD_CPU_COMBINES_INTS ? combine_ints(copy, a, b)
                                                : combine_reals(copy, a, b);
}

static void combine_16(const HdCpuCopy *copy, uint16_t *target, uint64_t by) {
  uint16_t old = __atomic_load_n(target, __ATOMIC_RELAXED), now;
  do
    now = (uint16_t)combine_values(copy, old, by);
  while (!__atomic_compare_exchange_n(target, &old, now, true, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED));
}

static void combine_32(const HdCpuCopy *copy, uint32_t *target, uint64_t by) {
  uint32_t old = __atomic_load_n(target, __ATOMIC_RELAXED), now;
  do
    now = (uint32_t)combine_values(copy, old, by);
  while (!__atomic_compare_exchange_n(target, &old, now, true, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED));
}

static void combine_64(const HdCpuCopy *copy, uint64_t *target, uint64_t by) {
  uint64_t old = __atomic_load_n(target, __ATOMIC_RELAXED), now;
  do
    now = combine_values(copy, old, by);
  while (!__atomic_compare_exchange_n(target, &old, now, true, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED));
}

void cpu_copy_combine(const HdCpuCopy *copy, char *target, const char *source) {
  uint64_t by = 0;
  memcpy(&by, source, copy->element_bytes);
  void *at = target;
  if (copy->element_bytes == 2)
    combine_16(copy, at, by);
  else if (copy->element_bytes == 4)
    combine_32(copy, at, by);
  else
    combine_64(copy, at, by);
}
