# SPDX-License-Identifier: Apache-2.0
"""casts.py TYPE: all casts of numbers of that type, in all modes.

Of types with 16 bits and fewer these are all numbers; of others those near all
numbers of shorter formats, near powers of two, and random ones. Without HD_LONG
there are casts to half of the types, in one of the modes: compiling takes the time.
"""
import os
import random
import subprocess
import sys
import zlib

import numpy as np
from formats import (FLOATS, MODES, PACKED_INTS, WIDTHS, decode, encode,
                     integer_range, to_integers, unpack)

N = 1024
FP8 = ["fp8_e4m3", "fp8_e5m2"]
INTS = {"signed char": "i1", "unsigned char": "u1", "short": "i2",
        "unsigned short": "u2", "int": "i4", "unsigned int": "u4", "long": "i8",
        "unsigned long": "u8"}
SOURCES = ["half", "bfloat16", *FP8, "float", "double", *INTS]
TO_INTS = ["signed char", "unsigned short", "int", "long", "unsigned long"]


def is_taken(source, name, k):
    """Whether the k-th mode is tested. All modes of a target are, by some source."""
    s, t = SOURCES.index(source), zlib.crc32(name.encode())
    return "HD_LONG" in os.environ or ((s + t) % 2 == 0 and k == (s // 2 + t) % 5)


def program(source):
    """A kernel that stores every cast of x; outputs are [5][n]."""
    is_int = source in INTS
    params, lines = [f"const {source} x[n]"], []

    def add(name, target, modes):
        params.append(f"{target} {name}[5][n]")
        for k, mode in enumerate(modes):
            rest = f", {mode}" if mode else ""
            if is_taken(source, name, k):
                lines.append(f"    {name}[{k}][i:{N}] = cast({target}, t{rest});")

    for target in [*FLOATS, "float", "double"]:
        add(f"to_{target}", target, MODES)
    for target in FP8:
        add(f"inf_{target}", target, [", ".join(filter(None, [m, "inf"])) for m in MODES])
    for target in TO_INTS:
        add("to_" + target.replace(" ", "_"), target, [""] * 5 if is_int else MODES)
    for target in PACKED_INTS:
        add(f"to_{target}", target, ["", "wrap", "", "", ""] if is_int else MODES)
    return (f"kernel void k(int n, {', '.join(params)})\n    grid(cdiv(n, {N}))\n{{\n"
            f"    int i = block_index().x * {N};\n    tile {source} t[{N}] = x[i:{N}];\n"
            + "\n".join(lines) + "\n}\n")


def near_values(dtype):
    """Numbers of all short formats and halves between them, and around these."""
    values = []
    for name in FLOATS:
        table = decode(name)
        table = np.sort(table[np.isfinite(table)])
        table = table[::max(1, len(table) // 500)]
        values += [table, (table[:-1] + table[1:]) / 2]
    values = np.concatenate(values).astype(dtype)
    return np.concatenate([values, np.nextafter(values, dtype(np.inf)),
                           np.nextafter(values, dtype(-np.inf)), -values])


def long_floats(dtype):
    rng = np.random.RandomState(5)
    bits = rng.randint(0, 256, (8000, dtype().itemsize)).astype(np.uint8)
    scaled = rng.randn(8000) * np.exp2(rng.randint(-160, 128, 8000))
    whole = np.exp2(rng.randint(0, 66, 3000)) * np.sign(rng.randn(3000))
    whole += rng.randint(-3, 4, 3000) * 0.5
    edge = [np.inf, -np.inf, np.nan, 0.0, -0.0, np.finfo(dtype).max,
            -np.finfo(dtype).max, np.finfo(dtype).tiny, np.finfo(dtype).tiny / 4,
            61439, 61440, 61441, 464, 463.75, 464.25, 65519, 65520, 3.3895e38]
    return np.concatenate([near_values(dtype), bits.view(dtype)[:, 0],
                           scaled.astype(dtype), whole.astype(dtype),
                           np.array(edge, dtype)])


def long_integers(dtype):
    info = np.iinfo(dtype)
    random.seed(3)
    values = []
    for power in range(info.bits + 1):
        for cut in (64, 53, 25, 24, 12, 11):
            base = 2**power + 2**max(power - cut, 0)
            values += [s * base + d for s in (1, -1) for d in range(-2, 3)]
    values += [random.getrandbits(random.randrange(1, info.bits + 1)) * s
               for s in (1, -1) for _ in range(4000)]
    return np.array([v for v in values if info.min <= v <= info.max], dtype=object)


def inputs(source):
    """What the file has, and the numbers, as doubles or ints."""
    if source in ("half", "bfloat16"):
        bits = np.arange(65536, dtype=np.uint16)
        if source == "half":
            return bits.view(np.float16), bits.view(np.float16).astype(np.float64)
        return bits.view("V2"), (bits.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    if source in FP8:
        return np.arange(256, dtype=np.uint8).view("V1"), decode(source)
    if source in ("float", "double"):
        x = long_floats({"float": np.float32, "double": np.float64}[source])
        return x, x.astype(np.float64)
    info = np.iinfo(INTS[source])
    values = (np.arange(info.min, info.max + 1) if info.bits <= 16
              else long_integers(INTS[source]))
    return values.astype(INTS[source]), [int(v) for v in values]


def odd_double(value):
    """An int as a double that any shorter format rounds as the int."""
    magnitude = abs(value)
    cut = max(magnitude.bit_length() - 53, 0)
    lost = magnitude & ((1 << cut) - 1)
    return (-1.0 if value < 0 else 1.0) * float((magnitude >> cut | (lost != 0)) << cut)


def rounded_int(value, digits, mode):
    magnitude = abs(value)
    cut = max(magnitude.bit_length() - digits, 0)
    rest, half = magnitude & ((1 << cut) - 1), (1 << cut) >> 1
    units = magnitude >> cut
    near = rest > half or (rest == half and rest and units & 1)
    up = {"": near, "rn": near, "rz": False, "ru": value > 0 and rest,
          "rd": value < 0 and rest}[mode]
    return (-1.0 if value < 0 else 1.0) * float((units + bool(up)) << cut)


def long_float(values, dtype, mode):
    """Casts to float and double."""
    if isinstance(values, list):
        digits = {np.float32: 24, np.float64: 53}[dtype]
        return np.array([rounded_int(v, digits, mode) for v in values]).astype(dtype)
    near = values.astype(dtype)
    back = near.astype(np.float64)
    to, wrong = {"rz": (dtype(0), np.abs(back) > np.abs(values)),
                 "ru": (dtype(np.inf), back < values),
                 "rd": (dtype(-np.inf), back > values)}.get(mode, (dtype(0), back != back))
    return np.where(wrong & ~np.isnan(values), np.nextafter(near, to), near)


class Comparison:
    def __init__(self, source):
        self.source = source
        self.x, self.values = inputs(source)
        self.is_int = isinstance(self.values, list)
        self.doubles = (np.array([odd_double(v) for v in self.values]) if self.is_int
                        else self.values)
        self.n, self.n_wrong = len(self.x), 0

    def run(self):
        np.save("x.npy", self.x)
        with open("casts.hd", "w", encoding="utf-8") as file:
            file.write(program(self.source))
        targets = [*FLOATS, "float", "double", *TO_INTS, *PACKED_INTS]
        names = ["to_" + t.replace(" ", "_") for t in targets] + [f"inf_{t}" for t in FP8]
        saves = [word for name in names for word in ("--save", f"{name}={name}.npy")]
        subprocess.run(["heddle", "run", "casts.hd", f"n={self.n}", "x=@x.npy", *saves],
                       check=True)

    def compare(self, what, got, want):
        wrong = np.nonzero(np.asarray(got) != np.asarray(want))[0]
        self.n_wrong += len(wrong)
        if len(wrong):
            i = wrong[0]
            print(f"{what}: {self.values[i]} is {got[i]}, not {want[i]}")

    def rows(self, name):
        """The rows of an output that were stored, each with its number and mode."""
        return [(k, row, mode) for k, (row, mode)
                in enumerate(zip(np.load(f"{name}.npy"), MODES))
                if is_taken(self.source, name, k)]

    def floats(self, prefix, target, overflows):
        for _, row, mode in self.rows(f"{prefix}_{target}"):
            if target in WIDTHS:
                got = unpack(row, WIDTHS[target], self.n)
            else:
                got = row.view(f"u{row.dtype.itemsize}").astype(np.uint32)
            if target == "tf32":
                got = got >> 13
            want, table = encode(target, self.doubles, mode, overflows), decode(target)
            got = np.where(np.isnan(table[got]) & np.isnan(table[want]), want, got)
            self.compare(f"{target} {mode}", got, want)

    def integers(self, target, bits, low, high):
        """Rows are codes of so many bits."""
        mask = np.uint64((1 << bits) - 1)
        for k, row, mode in self.rows("to_" + target.replace(" ", "_")):
            if target in WIDTHS:
                row = unpack(row, bits, self.n)
            if not self.is_int:
                want = to_integers(self.values, mode, low, high)
            elif target in WIDTHS and k != 1:
                want = np.clip(np.array(self.values, dtype=object), low, high)
            else:
                want = np.array(self.values, dtype=object)
            if want.dtype == object:
                want = (want & (2**64 - 1)).astype(np.uint64)
            self.compare(f"{target} {mode}", row.astype(np.uint64) & mask,
                         want.astype(np.uint64) & mask)

    def all(self):
        for target in FLOATS:
            if target != self.source: # to itself nothing changes
                self.floats("to", target, False)
        for target in FP8:
            self.floats("inf", target, True)
        for target in TO_INTS:
            info = np.iinfo(INTS[target])
            self.integers(target, info.bits, int(info.min), int(info.max))
        for target in PACKED_INTS:
            self.integers(target, WIDTHS[target], *integer_range(target))
        for target, dtype in (("float", np.float32), ("double", np.float64)):
            for _, row, mode in self.rows(f"to_{target}"):
                want = long_float(self.values, dtype, mode)
                both = np.isnan(row) & np.isnan(want)
                bits = f"u{row.dtype.itemsize}"
                self.compare(f"{target} {mode}", np.where(both, 0, row.view(bits)),
                             np.where(both, 0, want.view(bits)))


def main(source):
    np.seterr(all="ignore")
    comparison = Comparison(source)
    comparison.run()
    comparison.all()
    print(f"{source}: {comparison.n_wrong} wrong")


main(" ".join(sys.argv[1:]))
