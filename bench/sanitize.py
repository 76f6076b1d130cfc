#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What --sanitize costs: each example with and without it, in one thread.

usage: sanitize.py HEDDLE [ROUNDS [BASE]]

Times are processor time, so that other programs of the machine count less: the
difference of a process that launches often to one that launches once, for one
launch, without compiling. Each round runs an example without it, with it, and
with it by the command BASE, if there is one. Figures are medians of the rounds.
Memory is what the records take at the end, for each element that had any.
"""
import os
import re
import statistics
import subprocess
import sys
import tempfile

INTRODUCTION = """
## What --sanitize costs
Examples with and without `--sanitize`, both in one thread (`bench/sanitize.py`):
processor time of a launch, compiling not counted, medians of {rounds} rounds, each
of which runs one without, with it, and with it as it was before{base}. Bytes are
what the records take at the end of a launch (`check_bytes` of `--trace`) for each
element of an array that had any; arrays that a kernel never writes have none. The
bars are 15 times in the median, 100 at most, and 64 bytes in the mean.
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


def cpu_seconds(heddle, example, launches, options):
    command = [heddle, "run"] + ("examples/" + example).split()
    command += ["--device", "cpu:1", "--time", str(launches), *options]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    if status != 0:
        sys.exit(f"sanitize.py: {' '.join(command)} fails")
    return usage.ru_utime + usage.ru_stime


def launch_ms(heddle, example, *options):
    """As many launches as take a tenth of a second."""
    once, n = cpu_seconds(heddle, example, 1, options), 4
    while True:
        taken = cpu_seconds(heddle, example, n + 1, options) - once
        if taken >= 0.1 or n > 5000:
            return taken / n * 1000
        n *= 3 if taken < 0.03 else 2


def bytes_an_element(heddle, example):
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "trace.json")
        run(heddle, example, "--sanitize", "--trace", trace)
        with open(trace) as file:
            text = file.read(4096)
    used = int(re.search(r'"check_bytes":(\d+)', text).group(1))
    return used / int(re.search(r'"check_elements":(\d+)', text).group(1))


def measure(heddle, base, example, rounds):
    plain, checked, before = [], [], []
    for _ in range(rounds):
        plain.append(launch_ms(heddle, example))
        checked.append(launch_ms(heddle, example, "--sanitize"))
        if base:
            before.append(launch_ms(base, example, "--sanitize"))
    return [statistics.median(v) if v else None
            for v in (plain, checked, before)]


def main():
    heddle, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
    base = sys.argv[3] if len(sys.argv) > 3 else None
    ratios, ratios_before, sizes = [], [], []
    print(INTRODUCTION.format(rounds=rounds, base="" if base else " (left out)"))
    print("| example | plain ms | --sanitize ms | ratio | before ms | ratio "
          "before | bytes an element |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for example in EXAMPLES:
        plain, checked, before = measure(heddle, base, example, rounds)
        size = bytes_an_element(heddle, example)
        ratios.append(checked / plain)
        ratios_before.append(before / plain if base else 0)
        sizes.append(size)
        old = f"{before:.2f} | {before / plain:.0f}" if base else "– | –"
        print(f"| {example.split()[0][:-3]} | {plain:.3f} | {checked:.2f} | "
              f"{checked / plain:.0f} | {old} | {size:.0f} |", flush=True)
    before = f"{statistics.median(ratios_before):.0f}" if base else "–"
    print(f"| median; mean of the bytes | – | – | {statistics.median(ratios):.0f}"
          f" | – | {before} | {statistics.mean(sizes):.0f} |")


main()
