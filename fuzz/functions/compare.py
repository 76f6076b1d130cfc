#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random C functions, compiled by the host's compiler and by Heddle from the
same text, give the same results.

    compare.py --heddle PATH --cc PATH SEED COUNT

A difference is reported with the function, its arguments and the seed; the
program is kept in the current folder as functions-SEED.hd."""

import argparse
import ctypes
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy as np

from generate import generate

VALUES = (0, 1, 2, 3, 5, 7, 8, 31, -1, -2, -100, 1000)
FUNCTIONS = 5


def kernel(count):
    """Every function once for every pair of values; a warp has a ragged end."""
    calls = "".join(f"    out[{i}][t] = r{i}(a[t], b[t]);\n"
                    for i in range(count))
    return (f"kernel void k(int n, const int a[n], const int b[n],"
            f" int out[{count}][n])\n    grid(cdiv(n, 72)) threads(72)\n{{\n"
            "    int t = block_index().x * 72 + rank();\n"
            f"    if (t >= n)\n        return;\n{calls}}}\n")


def host_results(text, folder, cc, a, b, count):
    source = folder / "host.c"
    library = folder / "host.so"
    source.write_text(text)
    subprocess.run([cc, "-std=c17", "-w", "-O1", "-shared", "-fPIC", "-o",
                    library, source], check=True)
    host = ctypes.CDLL(str(library))
    out = np.zeros((count, len(a)), dtype=np.int32)
    for i in range(count):
        function = getattr(host, f"r{i}")
        out[i] = [function(int(x), int(y)) for x, y in zip(a, b)]
    return out


def heddle_results(text, folder, heddle, a, b, count):
    program = folder / "k.hd"
    program.write_text(text + kernel(count))
    np.save(folder / "a.npy", a)
    np.save(folder / "b.npy", b)
    environment = dict(os.environ, HEDDLE_CACHE_DIR=str(folder / "cache"))
    subprocess.run([heddle, "run", "k.hd", "a=@a.npy", "b=@b.npy", "--save",
                    "out=out.npy"], cwd=folder, env=environment, check=True,
                   timeout=300)
    return np.load(folder / "out.npy")


def report(seed, want, got, a, b, program):
    kept = f"functions-{seed}.hd"
    shutil.copy(program, kept)
    function, pair = np.argwhere(want != got)[0]
    print(f"seed {seed}: r{function}({a[pair]}, {b[pair]}) is "
          f"{got[function][pair]}, the host says {want[function][pair]}; "
          f"kept as {kept}")


def compare(seed, options, a, b):
    text = generate(seed, FUNCTIONS)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        want = host_results(text, folder, options.cc, a, b, FUNCTIONS)
        try:
            got = heddle_results(text, folder, options.heddle, a, b, FUNCTIONS)
        except subprocess.SubprocessError as error:
            kept = f"functions-{seed}.hd"
            shutil.copy(folder / "k.hd", kept)
            print(f"seed {seed}: {error}; kept as {kept}")
            return False
        if not np.array_equal(want, got):
            report(seed, want, got, a, b, folder / "k.hd")
            return False
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--cc", required=True)
    parser.add_argument("seed", type=int)
    parser.add_argument("count", type=int)
    options = parser.parse_args()
    if os.environ.get("HD_LONG"):
        options.seed += int(os.environ.get("HD_SEED", "0"))
        options.count *= 20
    a = np.repeat(np.array(VALUES, dtype=np.int32), len(VALUES))
    b = np.tile(np.array(VALUES, dtype=np.int32), len(VALUES))
    failed = [seed for seed in range(options.seed,
                                     options.seed + options.count)
              if not compare(seed, options, a, b)]
    print(f"{options.count} programs, {len(failed)} differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
