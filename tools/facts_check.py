#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Adds facts to programs that are proved: they must stay proved.

    tools/facts_check.py --heddle build/dev/bin/heddle [--jobs N] [--files F]
                         [--sample K] [--seed SEED] [--ending hd|cu]
                         [FILE|FOLDER …]

A kernel that is right for all launches is right for some of them. So each
kernel that `heddle check` proves gets one more fact at a time, or two:
`requires(…)` in Heddle C, --assume in CUDA C++, about its sizes (a limit, a
multiple, a number, an order), lengths, the grid, and what arrays of integers
hold. It must be proved again, unless no launch meets the facts. Where it is
proved for the launches of its file, these must meet them.
The other way round, each fact that a kernel states is taken away: if it is
proved without, it must be proved with it. Everything else is printed, and the
result is 1. F files and K facts of each are taken (0: all); all of both where
HD_LONG is set. HD_SEED chooses others.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile

from sampling import some_files

TIME_LIMIT_S = 100 # by the clock, of machines that do something else, too
NO_LAUNCH = "HD0691"
SIZE = re.compile(r"^\s*(?:const\s+)?(?:unsigned\s+)?(?:int|long|size_t|unsigned)"
                  r"\s+(\w+)\s*$")
POINTER = re.compile(r"\*\s*(?:__restrict__\s+|restrict\s+)?(\w+)\s*$")
ARRAY = re.compile(r"^[\w\s]*?\b(\w+)\s*\[")
# Arrays and pointers to integers that the kernel doesn't write.
INDICES = re.compile(r"^\s*const\s+(?:unsigned\s+)?(?:int|long|unsigned)\s*"
                     r"(?:\*\s*(?:__restrict__\s+)?)?(\w+)\s*(?:\[|$)")
PAIRS = 4 # one pair of so many facts


def blank_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/",
                  lambda m: re.sub(r"[^\n]", " ", m.group(0)), text, flags=re.S)


def closing(code, at):
    """Behind the bracket that closes the one at `at`."""
    depth = 0
    for i in range(at, len(code)):
        depth += (code[i] in "([{") - (code[i] in ")]}")
        if depth == 0:
            return i + 1
    return len(code)


def split_commas(text):
    parts, depth, begin = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "([{<") - (c in ")]}>")
        if c == "," and depth == 0:
            parts.append(text[begin:i])
            begin = i + 1
    return parts + [text[begin:]]


class Kernel:
    """Where it stands in the text: its parameters and its body."""

    def __init__(self, code, match):
        self.name = match.group(1)
        begin = match.end() - 1
        end = closing(code, begin)
        self.body = code.find("{", end)
        semicolon = code.find(";", end)
        self.has_body = self.body >= 0 and not 0 <= semicolon < self.body
        params = split_commas(code[begin + 1:end - 1])
        self.sizes = [m.group(1) for p in params for m in [SIZE.match(p)] if m]
        self.pointers = [m.group(1) for p in params
                         for m in [POINTER.search(p.strip())] if m]
        self.arrays = [m.group(1) for p in params for m in [ARRAY.match(p)]
                       if m]
        self.indices = [m.group(1) for p in params
                        if "*" in p or "[" in p
                        for m in [INDICES.match(p)] if m]
        self.clauses = [] # of requires, with their brackets
        at = end
        for found in re.finditer(r"\brequires\s*\(", code[end:self.body]):
            at = end + found.start()
            self.clauses.append(
                (at, closing(code, end + found.end() - 1)))


def sizes_facts(sizes):
    for size in sizes:
        yield f"{size} <= 100000"
        yield f"{size} >= 1"
        yield f"{size} == 1080"
        yield f"{size} % 32 == 0"
        yield f"{size} % 4 == 0"
    for a, b in zip(sizes, sizes[1:]):
        yield f"{a} <= {b}"
        yield f"{b} <= {a}"
        yield f"{a} == {b}"
        yield f"{a} * 2 <= {b} + 7"


def length_facts(kernel):
    for array in kernel.pointers:
        yield f"1 <= len({array})"
        yield f"4096 <= len({array})"
        for size in kernel.sizes[:2]:
            yield f"{size} <= len({array})"
            yield f"len({array}) == {size}"


def contents_facts(kernel, places):
    for array in kernel.indices:
        yield f"injective({array}{places})"
        yield f"monotone({array}{places})"
        yield f"bounded({array}, 0, 64)"


def some_pairs(facts, seed):
    """Each fact alone, and some with the one that comes next."""
    mixed = list(facts)
    random.Random(seed).shuffle(mixed)
    pairs = list(zip(mixed, mixed[1:]))
    return [(f,) for f in facts] + pairs[:(len(facts) + PAIRS - 1) // PAIRS]


def grid_named(text):
    return text.replace("gridDim.", "gridDim_")


def launched_numbers(result):
    """For each launch that the verdict names: its numbers."""
    return [{name: int(number) for name, number in
             re.findall(r"[ ,](\w+) == (\d+)(?=,|$)", grid_named(text))}
            for text in result["trusted"]
            if text.startswith("the launch of line")]


def is_met(fact, launches):
    """The launches say nothing that contradicts the fact."""
    for numbers in launches:
        try:
            if not eval(grid_named(fact), {"__builtins__": {}}, numbers):
                return False
        except (NameError, SyntaxError, AttributeError):
            # Most launches have some.
            if not re.search("<= 100000|>= 1$", fact):
                return False
    return True


class Program:
    def __init__(self, options, path):
        self.options, self.path = options, path
        self.text = path.read_text()
        self.args = [w for line in re.findall(r"check-args: (.*)", self.text)
                     for w in shlex.split(line)]
        self.counts = {"facts": 0, "kept": 0, "impossible": 0, "refused": 0,
                       "lost": 0}
        self.messages = []

    def verdicts(self, path, *words):
        """kernel -> its result; None: the file is refused."""
        command = [self.options.heddle, "check", path, "--json", "--no-search",
                   "--time-limit", TIME_LIMIT_S, *words, *self.args]
        try:
            result = subprocess.run([str(c) for c in command], text=True,
                                    capture_output=True, timeout=900)
            kernels = json.loads(result.stdout)["kernels"]
        except (subprocess.TimeoutExpired, ValueError, KeyError):
            return None
        return {k["kernel"]: k for k in kernels}

    def judge(self, kernel, what, after):
        self.counts["facts"] += 1
        if after is None:
            self.counts["refused"] += 1
        elif after["verdict"] == "proved":
            self.counts["kept"] += 1
        elif any(f["code"] == NO_LAUNCH for f in after["findings"]):
            self.counts["impossible"] += 1
        else:
            self.counts["lost"] += 1
            first = [f for f in after["findings"] if f["verdict"] != "proved"][0]
            self.messages.append(
                f"{self.path}: {kernel} is proved, and with {what} "
                f"{after['verdict']}: {first['code']} line {first['line']} "
                f"{first['message']} ({first['reason'] or first['witness']})")

    def test(self):
        if re.search(r"^// (XFAIL|SIZE)", self.text, re.M) or any(
                a in ("--owner", "--rules-only") for a in self.args):
            return self
        before = self.verdicts(self.path)
        if before is None:
            return self
        todo = list(self.variants(before))
        random.Random(f"{self.options.seed} {self.path.name}").shuffle(todo)
        for variant in todo[:self.options.sample or None]:
            variant()
        return self


class HeddleProgram(Program):
    def variants(self, before):
        code = blank_comments(self.text)
        for match in re.finditer(r"\bkernel\s+void\s+(\w+)\s*\(", code):
            kernel = Kernel(code, match)
            result = before.get(kernel.name)
            if not kernel.has_body or not result:
                continue
            if result["verdict"] == "proved":
                facts = [*sizes_facts(kernel.sizes),
                         *contents_facts(kernel, "")]
                if len(kernel.arrays) > 1:
                    facts.append(f"disjoint({', '.join(kernel.arrays)})")
                for some in some_pairs(facts, kernel.name):
                    yield lambda k=kernel, f=some: self.add(k, ", ".join(f))
            else:
                for clause in kernel.clauses:
                    yield lambda k=kernel, c=clause, r=result: self.drop(k, c,
                                                                         r)

    def checked(self, name, text):
        has_neighbours = re.search(r'#include\s+"', self.text)
        folder = self.path.parent if has_neighbours else None
        with tempfile.NamedTemporaryFile("w", suffix=".hd", dir=folder) as file:
            file.write(text)
            file.flush()
            return (self.verdicts(file.name, name) or {}).get(name)

    def add(self, kernel, fact):
        text = (self.text[:kernel.body] + f" requires({fact}) " +
                self.text[kernel.body:])
        after = self.checked(kernel.name, text)
        if after and after["obligations"] == 0 and after["verdict"] == "bug":
            after = None # refused, as a constant index is beyond a constant size
        self.judge(kernel.name, f"requires({fact})", after)

    def drop(self, kernel, clause, result):
        begin, end = clause
        without = self.checked(kernel.name, self.text[:begin] +
                               self.text[end:])
        if without and without["verdict"] == "proved":
            self.judge(kernel.name, self.text[begin:end], result)
        else:
            self.counts["facts"] += 1
            self.counts["kept"] += 1


class CudaProgram(Program):
    def variants(self, before):
        code = blank_comments(self.text)
        for match in re.finditer(
                r"__global__\s+(?:__launch_bounds__\s*\([^)]*\)\s*)?void\s+"
                r"(?:__launch_bounds__\s*\([^)]*\)\s*)?(\w+)\s*\(", code):
            kernel = Kernel(code, match)
            result = before.get(kernel.name) # templates have other names
            if not kernel.has_body or not result:
                continue
            facts = [*sizes_facts(kernel.sizes), *length_facts(kernel),
                     "gridDim.x <= 1000", "gridDim.x == 12"]
            for size in kernel.sizes[:1]:
                facts += contents_facts(kernel, f", 0, {size}")
            launches = launched_numbers(result)
            facts = [f for f in facts if is_met(f, launches)]
            if result["verdict"] == "proved" and result["obligations"]:
                for some in some_pairs(facts, kernel.name):
                    yield lambda k=kernel, f=some: self.add(k, f)

    def add(self, kernel, facts):
        words = [w for fact in facts for w in ("--assume", fact)]
        after = self.verdicts(self.path, kernel.name, *words)
        after = (after or {}).get(kernel.name)
        if after and after["obligations"] == 0 and after["verdict"] != "proved":
            after = None # the assumption can't be made of this kernel
        self.judge(kernel.name, shlex.join(words), after)


def program_of(options, path):
    kind = CudaProgram if path.suffix == ".cu" else HeddleProgram
    return kind(options, path)


def read_options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--heddle", default="build/dev/bin/heddle",
                        type=lambda p: pathlib.Path(p).resolve())
    parser.add_argument("--jobs", default=2, type=int)
    parser.add_argument("--sample", default=0, type=int)
    parser.add_argument("--files", default=0, type=int)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--ending", default="[hc][du]")
    parser.add_argument("paths", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    if os.environ.get("HD_LONG"):
        options.sample = options.files = 0
    options.seed += os.environ.get("HD_SEED", "")
    return options


def main():
    options = read_options()
    root = pathlib.Path(__file__).resolve().parent.parent
    paths = options.paths or [root / "tests/check", root / "examples",
                              root / "tests/cuda/check"]
    files = [f for p in paths for f in
             (sorted(p.rglob(f"*.{options.ending}")) if p.is_dir() else [p])]
    files = some_files(files, options.files, options.seed)
    total = {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for program in pool.map(lambda f: program_of(options, f).test(), files):
            for message in program.messages:
                print(message, flush=True)
            for key, n in program.counts.items():
                total[key] = total.get(key, 0) + n
    print(", ".join(f"{n} {key}" for key, n in total.items()))
    return 1 if total.get("lost") or not total.get("kept") else 0


if __name__ == "__main__":
    sys.exit(main())
