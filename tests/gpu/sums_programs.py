#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Products of tiles in sums.hd beside the sums of tensor cores, bit by bit.

    sums_programs.py HEDDLE WORDS…

HEDDLE is `interpret` with the words `--mma hopper`, or the command, with the
words `--device cuda`. What is expected is sums_oracle.py's."""

import os
import subprocess
import sys
import tempfile
from fractions import Fraction

import numpy as np

import sums_oracle as oracle

HERE = os.path.dirname(os.path.abspath(__file__))
SIZES = {"f16": 16, "bf16": 16, "tf32": 32, "e4m3": 8, "e5m2": 8, "f32": 32}

# Kernel: types of a, b and c; M, N, K; the instruction, or None: a chain.
PROGRAMS = {
    "halves": ("f16", "f16", "f32", 64, 32, 48, "mma.sync"),
    "short_sums": ("f16", "f16", "f16", 32, 16, 64, "mma.sync"),
    "brains": ("bf16", "bf16", "f32", 64, 32, 48, "mma.sync"),
    "tensor_floats": ("tf32", "tf32", "f32", 32, 32, 24, "mma.sync"),
    "narrow": ("e4m3", "e5m2", "f32", 64, 32, 64, "mma.sync"),
    "odd": ("f16", "f16", "f32", 32, 32, 24, None),
    "warps": ("f16", "f16", "f32", 32, 32, 32, "mma.sync"),
    "unit": ("bf16", "bf16", "f32", 64, 32, 48, "wgmma"),
    "short_unit": ("f16", "f16", "f16", 64, 32, 48, "wgmma"),
}


def operand(random, name, shape):
    """Bits: exponents in a window about one, pairs that cancel, zeros, and few
    others."""
    bits = SIZES[name]
    width, digits, ignored = oracle.LAYOUT[name]
    middle = (1 << width - 1) - 1
    exponent = random.integers(middle - min(6, middle), middle + 6, shape)
    fraction = random.integers(0, 1 << digits + ignored, shape)
    number = (random.integers(0, 2, shape) << bits - 1
              | exponent << digits + ignored | fraction)
    seldom = random.random(shape)
    number = np.where(seldom < 0.05, number & 1 << bits - 1, number)
    number = np.where(seldom > 0.97, number & ~(((1 << width) - 1)
                                                << digits + ignored), number)
    number[:, 1::2] = np.where(random.random(number[:, 1::2].shape) < 0.5,
                               number[:, ::2] ^ 1 << bits - 1,
                               number[:, 1::2])
    rare = number[: shape[0] // 8]  # some rows have anything
    rare[:] = np.where(random.random(rare.shape) < 0.1,
                       random.integers(0, 1 << bits, rare.shape), rare)
    return number.astype(f"u{bits // 8}")


def is_nan(name, bits):
    return oracle.Number(name, bits).value == oracle.NAN


def chain(a, b, c):
    """fma after fma in float, of halves."""
    for x, y in zip(a, b):
        p, q = oracle.Number("f16", x), oracle.Number("f16", y)
        sums = oracle.Number("f32", c)
        found = oracle.special("f32", [sums], [(p, q)])
        if found is not None:
            c = found
            continue
        exact = Fraction(p.value * q.value + sums.value)
        c = oracle.encode("f32", exact, 23, True)
        if exact == 0 and p.negative ^ q.negative and sums.negative:
            c = 1 << 31
    return c


def wanted(types, unit, a, b, c):
    a_name, b_name, c_name = types
    if unit is None:
        return chain(a, b, c)
    sum_name, depth = ("f32" if unit == "mma.sync" else c_name), 16
    if a_name == "tf32":
        depth = 8
    if a_name in ("e4m3", "e5m2"):  # as halves
        a = [half_bits(oracle.Number(a_name, x)) for x in a]
        b = [half_bits(oracle.Number(b_name, x)) for x in b]
        a_name = b_name = "f16"
    sums = convert(c_name, sum_name, c)
    for k in range(0, len(a), depth):
        sums = oracle.dot(unit, sum_name, a_name, b_name, a[k:k + depth],
                          b[k:k + depth], sums)
    return convert(sum_name, c_name, sums)


def half_bits(number):
    if number.value == oracle.NAN:
        return 0x7fff
    if number.value == oracle.INFINITE:
        return number.negative << 15 | 0x7c00
    return number.negative << 15 | oracle.encode("f16", abs(number.value), 10, True)


def convert(name, to, bits):
    if name == to:
        return bits
    number = oracle.Number(name, bits)
    width, digits, _ = oracle.LAYOUT[to]
    if number.value == oracle.NAN:
        return (1 << width + digits) - 1
    if number.value == oracle.INFINITE:
        return (number.negative << width | (1 << width) - 1) << digits
    return number.negative << (width + digits) | oracle.encode(
        to, abs(number.value), digits, True)


def run(folder, command, words, kernel, arrays):
    argv = [command, *words[:2], "run"] if words[:1] == ["--mma"] else \
        [command, "run", *words]
    argv += [os.path.join(HERE, "sums.hd"), kernel]
    for name, array in arrays.items():
        path = os.path.join(folder, f"{name}.npy")
        np.save(path, array)
        argv.append(f"{name}=@{path}")
    result = os.path.join(folder, "d.npy")
    done = subprocess.run(argv + ["--save", f"d={result}"], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        sys.exit(f"{kernel}: {done.stdout}")
    return np.load(result)


def try_program(folder, command, words, kernel, random):
    a_name, b_name, c_name, m, n, depth, unit = PROGRAMS[kernel]
    a = operand(random, a_name, (m, depth))
    b = operand(random, b_name, (n, depth)).T.copy()
    c = operand(random, c_name, (m, n))
    b[1::2] = np.where(random.random(b[1::2].shape) < 0.5, b[::2], b[1::2])
    d = run(folder, command, words, kernel, {"a": a, "b": b, "c": c})
    differ, first = 0, ""
    for i in range(m):
        for j in range(i % 2, n, 2):
            want = wanted((a_name, b_name, c_name), unit, a[i].tolist(),
                          b[:, j].tolist(), int(c[i, j]))
            got = int(d[i, j])
            if want == got or (is_nan(c_name, want) and is_nan(c_name, got)):
                continue
            if differ == 0:
                first = f", first [{i}][{j}]: {got:x}, not {want:x}; a = " \
                    f"{[hex(x) for x in a[i].tolist()]}, b = " \
                    f"{[hex(x) for x in b[:, j].tolist()]}, c = {int(c[i, j]):x}"
            differ += 1
    print(f"{kernel}: {m * n // 2} sums, {differ} differ{first}", flush=True)
    return differ


def main():
    command, words = os.path.abspath(sys.argv[1]), sys.argv[2:]
    random = np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as folder:
        differ = [try_program(folder, command, words, kernel, random)
                  for kernel in PROGRAMS]
    sys.exit(any(differ))


if __name__ == "__main__":
    main()
