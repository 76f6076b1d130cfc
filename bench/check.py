#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Verdicts and times of `heddle check` over programs, as Markdown tables.

    check.py HEDDLE [--write RESULTS.md] FOLDER…

--write puts the tables into that file, in place of its section `heddle check`,
instead of printing them; `make bench` writes the whole file anew.

One process checks everything, one file at a time, so that times are those of
single kernels: from the typed program to the verdict.
"""

import contextlib
import io
import json
import os
import re
import resource
import statistics
import subprocess
import sys
from collections import Counter

VERDICTS = ("proved", "bug", "unknown")


def area_of(path):
    parts = os.path.relpath(path).split(os.sep)
    return "/".join(parts[:3] if parts[0] == "tests" else parts[:1])


def figures(kernels):
    times = sorted(k["time_ms"] for k in kernels)
    return [statistics.mean(times), statistics.median(times),
            times[int(0.95 * (len(times) - 1))], times[-1]]


def row(name, kernels):
    counts = Counter(k["verdict"] for k in kernels)
    cells = [name, str(len(kernels))]
    cells += [str(counts[v]) for v in VERDICTS]
    cells += [f"{ms:.1f}" for ms in figures(kernels)]
    return "| " + " | ".join(cells) + " |"


def print_areas(kernels):
    print("| programs | kernels | proved | bug | unknown | mean ms | median ms "
          "| 95 % ms | most ms |")
    print("|" + " --- |" + " ---: |" * 8)
    areas = {}
    for kernel in kernels:
        areas.setdefault(area_of(kernel["file"]), []).append(kernel)
    for name in sorted(areas):
        print(row(name, areas[name]))
    print(row("all", kernels))


def print_answers(kernels):
    total = Counter()
    for kernel in kernels:
        total.update(kernel["answers"])
    whole = sum(total.values()) or 1
    print("\nAnswered by: " + ", ".join(
        f"{name} {100 * total[name] / whole:.1f} %" for name in
        ("own", "isl", "z3", "z3_bits", "cases")) + ".")


def print_unknown(kernels):
    reasons = Counter()
    for kernel in kernels:
        if kernel["verdict"] == "unknown":
            reasons.update({f["reason"].split(":")[0]
                            for f in kernel["findings"] if f["reason"]})
    if reasons:
        print("\n| unknown because | kernels |\n| --- | ---: |")
    for reason, count in reasons.most_common(12):
        print(f"| {reason} | {count} |")


def print_slowest(kernels):
    print("\n| slowest | ms | verdict |\n| --- | ---: | --- |")
    for k in sorted(kernels, key=lambda k: -k["time_ms"])[:5]:
        print(f"| {os.path.relpath(k['file'])} {k['kernel']} | "
              f"{k['time_ms']:.0f} | {k['verdict']} |")


def write(path, tables):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    section = re.compile(r"^## heddle check\n.*?(?=^## |\Z)", re.S | re.M)
    if not section.search(text):
        sys.exit(f"{path} has no section 'heddle check'")
    text = section.sub(lambda _: f"## heddle check\n{tables}\n", text, count=1)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.rstrip("\n") + "\n")


def main():
    heddle, folders = sys.argv[1], sys.argv[2:]
    if folders[:1] != ["--write"]:
        print_tables(heddle, folders)
        return
    tables = io.StringIO()
    with contextlib.redirect_stdout(tables):
        print_tables(heddle, folders[2:])
    write(folders[1], tables.getvalue())


def print_tables(heddle, folders):
    done = subprocess.run([heddle, "check", *folders, "--json", "--jobs", "1"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr)
    # What the compiler refuses asks nothing of the checker.
    kernels = [k for k in json.loads(done.stdout)["kernels"]
               if k["obligations"] > 0]
    print_areas(kernels)
    peak_kb = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(f"\nPeak memory of the process: {peak_kb // 1024} MB.")
    print_answers(kernels)
    print_unknown(kernels)
    print_slowest(kernels)


main()
