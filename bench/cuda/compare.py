#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kernels in CUDA C++ beside the same in Heddle C: pairs.cu and pairs.hd.

usage: compare.py HEDDLE [--device NAME] [--rounds N] [--json FILE]

Each round runs one spelling and then the other, several launches in a process,
compiling not counted; figures are the least of all rounds, which other work on
the machine moves least. Sizes for CPUs fit into the cache, where instructions
show. Both must compute the same bytes. The goal is a ratio of at most 1.03.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

FOLDER = os.path.dirname(os.path.abspath(__file__))

# kernel, arguments, result, grid, block of the CUDA spelling; for CPUs and GPUs
PAIRS = [
    ("saxpy", "n={n} a=2.5 x[n]=random:1 y[n]=iota", "y", "cdiv(n,256)", "256"),
    ("transpose", "w={s} h={s} in[h*w]=iota out[w*h]=zeros", "out",
     "cdiv(w,32),cdiv(h,32)", "32,8"),
    ("matmul", "n={m} A[n*n]=random:1 B[n*n]=random:2 C[n*n]=zeros", "C",
     "cdiv(n,16),cdiv(n,16)", "16,16"),
    ("reduce", "n={n} x[n]=iota total[1]=zeros", "total", "{b}", "256"),
    ("stencil", "w={s} h={s} in[h*w]=random:1 out[h*w]=zeros", "out",
     "cdiv(w,32),cdiv(h,8)", "32,8"),
    ("histogram", "n={n} data[n]=random:1 bins[256]=zeros", "bins", "{b}",
     "256"),
]
SIZES = {"cpu": {"n": 1 << 18, "s": 512, "m": 256, "b": 64},
         "cuda": {"n": 1 << 26, "s": 8192, "m": 2048, "b": 1056}}


def command(heddle, device, pair, is_cuda, *options):
    kernel, arguments, _, grid, block = pair
    sizes = SIZES[device.split(":")[0]]
    words = [heddle, "run",
             os.path.join(FOLDER, "pairs.cu" if is_cuda else "pairs.hd"),
             kernel, *arguments.format(**sizes).split(), "--grid",
             grid.format(**sizes), "--device", device]
    return words + (["--block", block] if is_cuda else []) + list(options)


def run(words):
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}\n{done.stderr}")
    return done.stdout


def least_ms(words, launches):
    out = run([*words, "--time", str(launches)])
    return float(re.search(r"minimum ([0-9.]+) ms", out).group(1))


def result(heddle, device, pair, is_cuda):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "result.npy")
        run(command(heddle, device, pair, is_cuda, "--save",
                    f"{pair[2]}={path}"))
        with open(path, "rb") as file:
            return file.read()


def measure(heddle, device, pair, rounds):
    if result(heddle, device, pair, True) != result(heddle, device, pair, False):
        sys.exit(f"{pair[0]}: the results differ")
    times = {True: [], False: []}
    for turn in range(rounds):
        for is_cuda in (turn % 2 == 0, turn % 2 == 1):
            words = command(heddle, device, pair, is_cuda)
            times[is_cuda].append(least_ms(words, 100))
    cuda, heddle = min(times[True]), min(times[False])
    return cuda, heddle, cuda / heddle


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("heddle")
    parser.add_argument("--device", default="cpu:1")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json")
    options = parser.parse_args()
    rows = []
    print("| kernel | CUDA C++ ms | Heddle C ms | ratio |")
    print("| --- | ---: | ---: | ---: |")
    for pair in PAIRS:
        cuda, heddle, ratio = measure(options.heddle, options.device, pair,
                                      options.rounds)
        rows.append({"kernel": pair[0], "device": options.device,
                     "cuda_ms": cuda, "heddle_ms": heddle, "ratio": ratio})
        print(f"| {pair[0]} | {cuda:.4f} | {heddle:.4f} | {ratio:.3f} |",
              flush=True)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1)


main()
