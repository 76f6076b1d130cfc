#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sums of tensor cores, from the description in docs/reference/accuracy.md, in
exact fractions: an oracle for src/interp/tensor_sum.c.

    sums_oracle.py GPU_SUMS [TILES [SEED]]

runs `GPU_SUMS --list` and computes each line's last number anew."""

import subprocess
import sys
from fractions import Fraction

# Bits of the exponent and of the fraction, and the lowest bits that are ignored.
LAYOUT = {"f16": (5, 10, 0), "bf16": (8, 7, 0), "tf32": (8, 10, 13),
          "e4m3": (4, 3, 0), "e5m2": (5, 2, 0), "f32": (8, 23, 0)}
INFINITE, NAN = "infinite", "NaN"


def two(power):
    return Fraction(2) ** power


class Number:
    """A value (or INFINITE, NAN), its sign and the exponent that it counts as."""

    def __init__(self, name, bits):
        width, digits, ignored = LAYOUT[name]
        self.negative = bits >> (width + digits + ignored) & 1
        field = bits >> (digits + ignored) & (1 << width) - 1
        fraction = bits >> ignored & (1 << digits) - 1
        bias = (1 << width - 1) - 1
        self.level = max(field, 1) - bias
        tail = Fraction(fraction, 1 << digits)
        self.value = (tail + (1 if field else 0)) * two(self.level)
        if self.negative:
            self.value = -self.value
        top = field == (1 << width) - 1
        if name == "e4m3":
            if top and fraction == (1 << digits) - 1:
                self.value = NAN
        elif top:
            self.value = NAN if fraction else INFINITE


def encode(name, value, digits, to_nearest):
    """The bits of what is left of a finite value in so many digits."""
    width, stored, _ = LAYOUT[name]
    bias = (1 << width - 1) - 1
    sign = (1 if value < 0 else 0) << (width + stored)
    size, level = abs(value), 1 - bias
    while size >= two(level + 1):
        level += 1
    ulp = two(level - digits)
    count = size // ulp
    rest = size - count * ulp
    if to_nearest and (rest > ulp / 2 or (rest == ulp / 2 and count % 2)):
        count += 1
    size = count * ulp
    if size == 0:
        return 0
    if size >= two(level + 1):
        level += 1
    if level > bias:
        return sign | ((1 << width) - 1) << stored
    significand = int(size / two(level - stored))
    if significand < 1 << stored:
        return sign | significand
    return sign | (level + bias) << stored | significand - (1 << stored)


def special(name, numbers, pairs):
    """Bits of a result that isn't finite, or None."""
    width, stored, _ = LAYOUT[name]
    nan, signs = False, set()
    for number in numbers:
        nan |= number.value == NAN
        if number.value == INFINITE:
            signs.add(number.negative)
    for a, b in pairs:
        nan |= NAN in (a.value, b.value)
        if INFINITE in (a.value, b.value):
            nan |= 0 in (a.value, b.value)
            signs.add(a.negative ^ b.negative)
    if nan or len(signs) == 2:
        return (1 << width + stored) - 1
    if signs:
        return (signs.pop() << width | (1 << width) - 1) << stored
    return None


def step(sum_name, pairs, c, bits, digits, to_nearest):
    """C and all products: each cut `bits` below the largest, then added."""
    found = special(sum_name, [c], pairs)
    if found is not None:
        return found
    terms = [(a.value * b.value, a.level + b.level) for a, b in pairs]
    terms = [t for t in terms + [(c.value, c.level)] if t[0] != 0]
    least = 2 - (1 << LAYOUT[sum_name][0] - 1)
    unit = two(max([least - 7] + [level for _, level in terms]) - bits)
    total = 0
    for value, _ in terms:
        units = abs(value) // unit
        total += -units if value < 0 else units
    return encode(sum_name, total * unit, digits, to_nearest)


def as_half(number):
    if number.value == NAN:
        return Number("f16", 0x7fff)
    if number.value == INFINITE:
        return Number("f16", number.negative << 15 | 0x7c00)
    bits = encode("f16", abs(number.value), 10, True)
    return Number("f16", number.negative << 15 | bits)


def add(name, a, b):
    """The nearest number to a + b."""
    x, y = Number(name, a), Number(name, b)
    found = special(name, [x, y], [])
    if found is not None:
        return found
    if x.value + y.value == 0:
        width, stored, _ = LAYOUT[name]
        return (x.negative & y.negative) << (width + stored)
    return encode(name, x.value + y.value, LAYOUT[name][1], True)


def dot(unit, sum_name, a_name, b_name, a, b, c):
    pairs = [(Number(a_name, x), Number(b_name, y)) for x, y in zip(a, b)]
    digits, to_nearest = (10, True) if sum_name == "f16" else (23, False)
    if a_name not in ("e4m3", "e5m2"):
        return step(sum_name, pairs, Number(sum_name, c), 25, digits, to_nearest)
    if unit == "wgmma":
        return step(sum_name, pairs, Number(sum_name, c), 13,
                    min(digits, 13), to_nearest)
    halves = [(as_half(x), as_half(y)) for x, y in pairs]
    sums = 0
    for first in (0, 2):
        part = [p for k, p in enumerate(halves) if k % 4 in (first, first + 1)]
        sums = step(sum_name, part, Number(sum_name, sums), 25, digits,
                    to_nearest)
    return add(sum_name, sums, c)


def main():
    tiles, seed = (sys.argv[2:] + ["24", "5"][len(sys.argv) - 2:])[:2]
    listed = subprocess.run([sys.argv[1], "--list", tiles, seed], check=True,
                            stdout=subprocess.PIPE, text=True)
    counts, wrong = {}, 0
    for line in listed.stdout.splitlines():
        unit, sums, a_name, b_name, a, b, c, result = line.split()
        numbers = [[int(x, 16) for x in row.split(",")] for row in (a, b)]
        wanted = dot(unit, sums, a_name, b_name, *numbers, int(c, 16))
        counts[unit, sums, a_name, b_name] = \
            counts.get((unit, sums, a_name, b_name), 0) + 1
        if wanted != int(result, 16):
            wrong += 1
            if wrong <= 10:
                print(f"{line}: not {wanted:x}")
    print(f"{sum(counts.values())} dot products of {len(counts)} forms, "
          f"{wrong} differ")
    sys.exit(wrong > 0 or len(counts) != 20)


if __name__ == "__main__":
    main()
