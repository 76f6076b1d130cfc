// SPDX-License-Identifier: Apache-2.0
// Values that are missing, and computed ones that don't fit.
#include "rt/cpu/cpu_check.h"
#include "rt/cpu/cpu_check_parts.h"

#include <inttypes.h>
#include <stdio.h>

void cpu_check_value(HdCpuBlock *block, uint32_t loc, uint32_t warp,
                     uint32_t mask, const char *name) {
  CpuCheckBlock *mine = block->check;
  const char *place = mine->check->kernel->locs[loc];
  char who[128], text[512];
  // What wasn't read, being outside of a private array, needs no value.
  if (mask == 0 || race_has_report(mine->check->race, check_outside_key(place)))
    return;
  uint32_t thread = warp * 32 + (uint32_t)__builtin_ctz(mask);
  race_name_thread(mine->race, thread, who, sizeof who);
  snprintf(text, sizeof text,
           "%s: error[HD0603]: '%s' is read before it has a value\n"
           "  by %s\n",
           place, name, who);
  race_add_report(mine->check->race, UINT64_C(3) << 62 | loc, text);
}

static bool fits_bits(int64_t value, uint32_t bits) {
  int64_t half = INT64_C(1) << (bits - 1 < 62 ? bits - 1 : 62);
  return bits >= 64 || (value >= -half && value < half);
}

// The exact result of the operation doesn't fit.
static bool is_beyond(uint32_t op, uint32_t bits, int64_t x, int64_t y) {
  int64_t result = 0;
  bool is_lost = false;
  uint64_t count = (uint64_t)y % bits;
  switch (op) {
  case HD_CPU_ADD: is_lost = __builtin_add_overflow(x, y, &result); break;
  case HD_CPU_SUB: is_lost = __builtin_sub_overflow(x, y, &result); break;
  case HD_CPU_MUL: is_lost = __builtin_mul_overflow(x, y, &result); break;
  case HD_CPU_NEG: is_lost = __builtin_sub_overflow(0, x, &result); break;
  default: // a power of two; 2^63 is told by the sign
    result = (int64_t)((uint64_t)x << count);
    is_lost = result >> count != x;
    break;
  }
  return is_lost || !fits_bits(result, bits);
}

void cpu_check_overflow(HdCpuBlock *block, uint32_t loc, uint32_t warp,
                        uint32_t mask, uint32_t op, uint32_t bits,
                        const int64_t *a, const int64_t *b) {
  static const char *const signs[] = {"+", "-", "*", "-", "<<"};
  CpuCheckBlock *mine = block->check;
  for (; mask; mask &= mask - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(mask);
    int64_t x = a[lane], y = b[lane];
    if (!is_beyond(op, bits, x, y))
      continue;
    char who[128], sum[64], text[512];
    if (op == HD_CPU_NEG)
      snprintf(sum, sizeof sum, "-(%" PRId64 ")", x);
    else
      snprintf(sum, sizeof sum, "%" PRId64 " %s %" PRId64, x, signs[op], y);
    race_name_thread(mine->race, warp * 32 + lane, who, sizeof who);
    snprintf(text, sizeof text,
             "%s: error[HD0704]: signed overflow: the result has more than "
             "%" PRIu32 " bits\n"
             "  %s computes %s\n",
             mine->check->kernel->locs[loc], bits, who, sum);
    race_add_report(mine->check->race, check_place_hash(text), text);
    return;
  }
}
