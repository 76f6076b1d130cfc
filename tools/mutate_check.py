#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Breaks programs that are proved, to see whether the checker notices.

    tools/mutate_check.py --build build/dev [--seconds S] [--jobs N]
                          [--files F] [--sample K] [--seed SEED]
                          [FILE|FOLDER …]

In each kernel that `heddle check` proves, each sync, wait, arrive, fence and
commit is deleted in turn, and each count, parity, stage and group range is
changed. A mutant that is still proved must be one in which the brute-force
oracle (fuzz/oracle) finds nothing in S seconds of small launches. Otherwise the
proof was wrong: the mutant is printed, and the result is 1. F files and K
mutants of each are taken (0: all); all files and 6 K where HD_LONG is set.
HD_SEED chooses others.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

from sampling import some_files

CALL = r"\b(?:{})\s*\([^;{{}}]*\)\s*;"
DELETED = ["sync", "syncwarp", "wait", "arrive", "arrive_expect",
           "arrive_remote", "wait_prior", "copy_wait", "copy_commit",
           "tma_wait", "tma_wait_read", "tma_commit", "fence_async", "fence",
           "expect", "drain", "wgmma_fence", "wgmma_commit", "wgmma_wait",
           "tcgen05_commit", "tcgen05_fence", "tcgen05_dealloc"]
# What is changed: a pattern and what its match becomes.
CHANGED = [
    (r"\bmbarrier\s*\((\d+)\)", lambda m: m.group(0).replace(
        m.group(1), str(int(m.group(1)) + 1))),
    (r"\bmbarrier\s*\((\d+)\)", lambda m: m.group(0).replace(
        m.group(1), str(max(1, int(m.group(1)) - 1)))),
    (r"\s*\^\s*1\b", lambda m: ""),
    (r"(?<=& 1)\)", lambda m: ") ^ 1"),
    (r"== (\d+)\b", lambda m: "== " + str(int(m.group(1)) + 1)),
    (r"\[(stage|last)\]", lambda m: f"[{m.group(1)} ^ 1]"),
    (r"\b(phase|qp) = (\d)", lambda m: f"{m.group(1)} = {1 - int(m.group(2))}"),
    (r"\b(phase|qp) \^= 1", lambda m: m.group(1) + " ^= 0"),
    (r"% (\d+)\b", lambda m: "% " + str(int(m.group(1)) + 1)),
    (r"/ (\d+) & 1", lambda m: f"/ {int(m.group(1)) + 1} & 1"),
    (r"\b(copy_wait|tma_wait|wait_prior)\s*\(([^;]*?)(\d+)\)",
     lambda m: f"{m.group(1)}({m.group(2)}{int(m.group(3)) + 1})"),
    (r"\bthread_group\s*\((\d+),", lambda m:
     f"thread_group ({int(m.group(1)) + 1},"),
    (r"\bsync\s*\(\s*\)", lambda m: "sync(this_warp())"),
    (r"\bsync\s*\((this_grid|this_cluster)\(\)\)", lambda m: "sync()"),
    (r"<= ?(\w+)", lambda m: "< " + m.group(1)),
    (r"(?<![<-])< ?(\w+)", lambda m: "<= " + m.group(1)),
]


def run(command, limit_s):
    try:
        return subprocess.run([str(c) for c in command], capture_output=True,
                              text=True, timeout=limit_s)
    except subprocess.TimeoutExpired:
        return None


def verdict_of(heddle, path, kernel, limit_s):
    """Without runs; None if the check itself failed."""
    result = run([heddle, "check", path, kernel, "--json", "--no-search",
                  "--time-limit", str(limit_s)], 300)
    if result is None or not result.stdout.startswith("{"):
        return None
    try:
        kernels = json.loads(result.stdout)["kernels"]
    except (ValueError, KeyError):
        return None
    return kernels[0]["verdict"] if kernels else None


def blank_comments(text):
    """Comments as spaces, so that nothing is changed in them."""
    return re.sub(r"//[^\n]*", lambda m: " " * len(m.group(0)), text)


def kernel_at(code, position):
    """The kernel that the position is in; None: outside of all."""
    name = None
    for match in re.finditer(r"\bkernel\b[^(;{]*?(\w+)\s*\(", code):
        if match.start() > position:
            break
        name = match.group(1)
    return name


def mutants(text):
    """(description, kernel, text) of each."""
    code = blank_comments(text)
    for match in re.finditer(CALL.format("|".join(DELETED)), code):
        before = code[:match.start()].rstrip()
        if before.endswith("=") or before.endswith("return"):
            continue
        yield ("without " + match.group(0), match.start(), match.end(), ";")
    for pattern, change in CHANGED:
        for match in re.finditer(pattern, code):
            new = change(match)
            if new != match.group(0):
                yield (f"{match.group(0).strip()} as {new.strip() or 'nothing'}",
                       match.start(), match.end(), new)


class Program:
    def __init__(self, options, path):
        self.options, self.path = options, path
        self.text = path.read_text()
        self.counts = {"mutants": 0, "refused": 0, "noticed": 0, "equal": 0,
                       "wrong": 0}
        self.messages = []

    def test(self):
        args = re.findall(r"check-args: (.*)", self.text)
        if any("same-value" in a or "owner" in a for a in args):
            return self  # other rules
        code = blank_comments(self.text)
        todo = list(mutants(self.text))
        random.Random(f"{self.options.seed} {self.path.name}").shuffle(todo)
        proved = {}
        for mutant in todo:
            kernel = kernel_at(code, mutant[1])
            if (self.options.sample and
                    self.counts["mutants"] >= self.options.sample):
                break
            if kernel and kernel not in proved:
                proved[kernel] = verdict_of(self.options.heddle, self.path,
                                            kernel, 5) == "proved"
            if proved.get(kernel):
                self.test_mutant(kernel, *mutant)
        return self

    def test_mutant(self, kernel, what, start, end, new):
        line = self.text.count("\n", 0, start) + 1
        self.counts["mutants"] += 1
        with tempfile.NamedTemporaryFile("w", suffix=".hd",
                                         dir=self.path.parent if re.search(
                                             r'#include\s+"', self.text)
                                         else None) as file:
            file.write(self.text[:start] + new + self.text[end:])
            file.flush()
            verdict = verdict_of(self.options.heddle, file.name, kernel, 3)
            if verdict is None:
                self.counts["refused"] += 1
            elif verdict != "proved":
                self.counts["noticed"] += 1
            else:
                self.ask_oracle(kernel, what, line, file.name)

    def ask_oracle(self, kernel, what, line, path):
        result = run([self.options.oracle, path, "--kernel", kernel,
                      "--seconds", self.options.seconds], 120)
        if result is None or result.returncode != 1:
            self.counts["equal"] += 1
            if self.options.verbose:
                self.messages.append(f"{self.path}:{line}: {kernel}, {what}: "
                                     "still proved, and nothing is found")
            return
        self.counts["wrong"] += 1
        shown = "\n    ".join(result.stdout.strip().split("\n")[:3])
        self.messages.append(f"{self.path}:{line}: WRONG PROOF of {kernel}, "
                             f"{what}:\n    {shown}")


def read_options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build/dev", type=pathlib.Path)
    parser.add_argument("--seconds", default=1.0, type=float)
    parser.add_argument("--jobs", default=2, type=int)
    parser.add_argument("--sample", default=0, type=int)
    parser.add_argument("--files", default=0, type=int)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("paths", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    if os.environ.get("HD_LONG"):
        options.sample *= 6
        options.files = 0
    options.seed += os.environ.get("HD_SEED", "")
    options.heddle = options.build / "bin/heddle"
    options.oracle = options.build / "fuzz/oracle/oracle"
    return options


def main():
    options = read_options()
    root = pathlib.Path(__file__).resolve().parent.parent
    paths = options.paths or [root / "tests/check", root / "examples"]
    files = [f for p in paths for f in
             (sorted(p.rglob("*.hd")) if p.is_dir() else [p])]
    files = some_files(files, options.files, options.seed)
    total = {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for program in pool.map(lambda f: Program(options, f).test(), files):
            for message in program.messages:
                print(message, flush=True)
            for key, n in program.counts.items():
                total[key] = total.get(key, 0) + n
    print(", ".join(f"{n} {key}" for key, n in total.items()))
    return 1 if total.get("wrong") else 0


if __name__ == "__main__":
    sys.exit(main())
