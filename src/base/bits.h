// SPDX-License-Identifier: Apache-2.0
// Powers of two, sets of bits, and multiples of an alignment.
#ifndef HD_BASE_BITS_H
#define HD_BASE_BITS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/panic.h"

// Whether the set has two members or more.
static inline bool bits_has_several(uint64_t set) {
  return (set & (set - 1)) != 0;
}

// 0 is not a power of two.
static inline bool bits_is_power(uint64_t n) {
  return n != 0 && !bits_has_several(n);
}

// Of a number with a sign: nothing below 1 is a power of two.
static inline bool is_power_of_two(int64_t n) {
  return n > 0 && !bits_has_several((uint64_t)n);
}

// The largest power of two that divides n; 0 for 0.
static inline uint64_t bits_lowest(uint64_t n) {
  return n & -n;
}

// The exponent of the largest power of two that is at most n, for n > 0: of a
// power of two its logarithm.
static inline uint32_t bits_log2(uint64_t n) {
  HD_ASSERT(n != 0);
  return 63 - (uint32_t)__builtin_clzll(n);
}

// The exponent of the smallest power of two that is at least n; 0 for 0.
static inline uint32_t bits_log2_up(uint64_t n) {
  return n < 2 ? 0 : bits_log2(n - 1) + 1;
}

// The smallest multiple of `unit` that is at least `value`. `unit` is any
// number but 0; value + unit must fit.
static inline uint64_t bits_align_up(uint64_t value, uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

#endif
