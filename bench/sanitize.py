#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What --sanitize costs: each example with and without it, in one thread.

usage: sanitize.py HEDDLE [ROUNDS]

Each round runs an example without and then with it, several times in a process,
and takes the medians; compiling is not in them. Times and ratios are medians of
the rounds. Memory is what the records take at the end, for each element that
had any.
"""
import os
import re
import statistics
import subprocess
import sys
import tempfile

INTRODUCTION = """
## What --sanitize costs
Examples with and without `--sanitize`, both in one thread (`bench/sanitize.py`).
Each of {rounds} rounds runs one without and then with it, several times in a
process, compiling not counted; figures are medians of the rounds, the ratio of
each round's own. Bytes are what the records take at the end of a launch
(`check_bytes` of `--trace`) for each element of an array that had any; arrays
that a kernel never writes have none. The bars are a median of 60 times, and 64
bytes in the mean.
"""

EXAMPLES = [
    "saxpy.hd n=1000003 a=2.5 x=random:1 y=iota",
    "matmul.hd m=256 n=256 k=256 A=random:1 B=random:2",
    "transpose.hd h=1000 w=1000 A=iota",
    "histogram.hd n=1000000 data=random:1",
    "reduce.hd n=1000000 x=random:1",
    "scan.hd scan_blocks n=1000000 x=iota",
    "bitonic.hd sort_chunks n=65536 data=random:1",
    "mandelbrot.hd width=600 height=400",
    "nbody.hd n=1024 dt=0.01 body=random:1",
    "jacobi.hd h=500 w=500 u=random:1",
    "blur.hd in=@examples/data/chelsea.png",
    "sobel.hd in=@examples/data/chelsea.png",
    "load_compute.hd m=256 n=256 k=256 A=random:1 B=random:2",
    "barriers/ring.hd n=2000 x=random:1",
    "barriers/stream.hd n=1000000 x=random:1",
    "barriers/cluster_histogram.hd n=1000000 x=random:1",
]


def run(heddle, example, *options):
    command = [heddle, "run"] + ("examples/" + example).split()
    command += ["--device", "cpu:1", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout


def median_ms(heddle, example, runs, *options):
    out = run(heddle, example, "--time", str(runs), *options)
    return float(re.search(r"median ([0-9.]+) ms", out).group(1))


def bytes_an_element(heddle, example):
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "trace.json")
        run(heddle, example, "--sanitize", "--trace", trace)
        with open(trace) as file:
            text = file.read(4096)
    used = int(re.search(r'"check_bytes":(\d+)', text).group(1))
    return used / int(re.search(r'"check_elements":(\d+)', text).group(1))


def measure(heddle, example, rounds):
    plain, checked = [], []
    for _ in range(rounds):
        plain.append(median_ms(heddle, example, 15))
        checked.append(median_ms(heddle, example, 5, "--sanitize"))
    ratios = [c / p for p, c in zip(plain, checked)]
    return [statistics.median(v) for v in (plain, checked, ratios)]


def main():
    heddle, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
    ratios, sizes = [], []
    print(INTRODUCTION.format(rounds=rounds))
    print("| example | plain ms | --sanitize ms | ratio | bytes an element |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for example in EXAMPLES:
        plain, checked, ratio = measure(heddle, example, rounds)
        size = bytes_an_element(heddle, example)
        ratios.append(ratio)
        sizes.append(size)
        print(f"| {example.split()[0][:-3]} | {plain:.3f} | {checked:.2f} | "
              f"{ratio:.0f} | {size:.0f} |", flush=True)
    print(f"| median; mean of the bytes | – | – | {statistics.median(ratios):.0f} | "
          f"{statistics.mean(sizes):.0f} |")


main()
