#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Guess: vdpbf16ps, which multiplies twice as many numbers as vfmadd231ps, comes at
#   its rate, as vpdpbusd does: products of bfloat16 are twice as fast as of float.
# Seen: on Xeons with AMX (Sapphire Rapids) it takes four times as long, so float
#   products of widened operands are faster; on Zen 4 the guess is right.
# So: src/tile/tile_word.c widens bfloat16 there, unless matrix registers do it.
# Needs: gcc, and an Intel CPU with AVX512_BF16 and AMX; else it says so.
set -euo pipefail
grep -q '^vendor_id.*GenuineIntel' /proc/cpuinfo &&
  grep -q '^flags.*avx512_bf16.*amx_bf16' /proc/cpuinfo ||
  { echo "skipped: no Intel CPU with AVX512_BF16 and AMX"; exit 0; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/rate.c" <<'END'
#include <stdio.h>
#include <x86intrin.h>

/* Twelve independent sums, so that the rate counts and not the latency. */
#define SUM(op, n) op " %%zmm30, %%zmm31, %%zmm" #n "\n\t"
#define SUMS(op)                                                            \
  SUM(op, 0) SUM(op, 1) SUM(op, 2) SUM(op, 3) SUM(op, 4) SUM(op, 5)         \
  SUM(op, 6) SUM(op, 7) SUM(op, 8) SUM(op, 9) SUM(op, 10) SUM(op, 11)

#define MEASURE(name, op)                                                   \
  static double name(void) {                                                \
    unsigned long long least = -1ull;                                       \
    for (int run = 0; run < 200; run++) {                                   \
      unsigned long long start = __rdtsc();                                 \
      __asm__ volatile("vpxord %%zmm30, %%zmm30, %%zmm30\n\t"               \
                       "vpxord %%zmm31, %%zmm31, %%zmm31" ::: "memory");    \
      for (int i = 0; i < 10000; i++)                                       \
        __asm__ volatile(SUMS(op) ::: "memory");                            \
      unsigned long long ticks = __rdtsc() - start;                         \
      least = ticks < least ? ticks : least;                                \
    }                                                                       \
    return (double)least;                                                   \
  }

MEASURE(float_rate, "vfmadd231ps")
MEASURE(bfloat_rate, "vdpbf16ps")
MEASURE(byte_rate, "vpdpbusd")

int main(void) {
  double one = float_rate();
  printf("%.0f %.0f\n", bfloat_rate() / one, byte_rate() / one);
}
END
gcc -O1 -march=native -o "$folder/rate" "$folder/rate.c"
seen=$("$folder/rate")
gcc --version | head -n 1
echo "guess: vdpbf16ps takes 1 and vpdpbusd 1 times as long as vfmadd231ps"
echo "vdpbf16ps and vpdpbusd, times as long: $seen"
[ "$seen" = "4 1" ] || { echo "changed: it was 4 1"; exit 1; }
