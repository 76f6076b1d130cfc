# SPDX-License-Identifier: Apache-2.0
"""packed.py [--sanitize]: loads and stores of packed types, with ragged rows: of
every third, or with HD_LONG of all; then what --sanitize adds is optimised, too."""
import os
import subprocess
import sys

import numpy as np
from formats import FLOATS, PACKED_INTS, WIDTHS, numbers, pack, unpack

PROGRAM = """
kernel void k(int m, int n, const TYPE a[m][n], TYPE b[m][n], TYPE c[m][n],
              WIDE wide[m][n], const bool mask[m][n], const long at[16],
              WIDE gathered[m][16], long lo, WIDE low[m][16])
    grid(cdiv(n, 32), cdiv(m, 4))
{
    int i = block_index().y * 4, j = block_index().x * 32;
    tile TYPE t[4][32] = a[i:4][j:32];
    wide[i:4][j:32] = t;
    b[i:4][j:32] = t;
    masked(c[i:4][j:32], mask[i:4][j:32]) = a[i:4][j:32];
    if (block_index().x == 0) {
        gathered[i:4][:] = a[i:4][at[:]];
        low[i:4][:] = pad(a[i:4][lo:16], ONE);
    }
}
"""


def masked(before, codes, mask, width):
    """Rows after a store where the mask is true; a row's last element clears
    what is left of its byte."""
    n = codes.shape[1]
    result = pack(np.where(mask, codes, unpack(before, width, n)), width)
    rest = result.shape[1] * 8 - n * width
    kept = before[:, -1] & (0xff << (8 - rest) & 0xff)
    result[:, -1] |= np.where(mask[:, -1], 0, kept).astype(np.uint8)
    return result


def inside(values, columns, outside):
    ok = (columns >= 0) & (columns < values.shape[1])
    return np.where(ok, values[:, np.clip(columns, 0, values.shape[1] - 1)], outside)


def count_wrong(name, shape, rng, words):
    rows, n = shape
    width = WIDTHS[name]
    one = -1 if name == "int1_p" else 1
    lo = int(rng.randint(-20, n + 4))
    a, c = rng.randint(0, 256, (2, rows, (n * width + 7) // 8)).astype(np.uint8)
    mask = rng.randint(0, 2, shape).astype(bool)
    at = rng.randint(-3, n + 3, 16)
    for file, array in (("a", a), ("c", c), ("mask", mask), ("at", at)):
        np.save(f"{file}.npy", array)
    is_float = name in FLOATS
    wide = "float" if is_float else "int"
    with open("packed.hd", "w", encoding="utf-8") as file:
        file.write(PROGRAM.replace("TYPE", name).replace("WIDE", wide)
                   .replace("ONE", str(one)))
    saves = [w for x in ("b", "c", "wide", "gathered", "low") for w in ("--save", f"{x}={x}_.npy")]
    subprocess.run(["heddle", "run", "packed.hd", f"m={rows}", f"n={n}", f"lo={lo}",
                    "a=@a.npy", "c=@c.npy", "mask=@mask.npy", "at=@at.npy", *saves, *words],
                   check=True, stderr=subprocess.DEVNULL if words else None)
    codes = unpack(a, width, n)
    values = numbers(name, codes)
    want = {"b": pack(codes, width), "c": masked(c, codes, mask, width), "wide": values,
            "gathered": inside(values, at, numbers(name, [0])[0]),
            "low": inside(values, lo + np.arange(16), one)}
    wrong = 0
    for file, expected in want.items():
        got = np.load(f"{file}_.npy")
        if not np.array_equal(got, expected.astype(got.dtype), equal_nan=file[0] not in "bc" and is_float):
            print(f"{name} {shape}: {file} differs")
            wrong += 1
    return wrong


def main(words):
    rng = np.random.RandomState(4)
    names = [n for n in FLOATS if n in WIDTHS] + PACKED_INTS
    if "HD_LONG" not in os.environ:
        names = names[len(words)::3]
        words += ["-O0"] * len(words)
    shapes = ((5, 37), (3, 64), (7, 8), (2, 129))
    if words:
        shapes = shapes[:1]
    wrong = 0
    for name in names:
        for shape in shapes:
            wrong += count_wrong(name, shape, rng, words)
    print(f"{wrong} wrong")


main(sys.argv[1:])
