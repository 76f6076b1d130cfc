#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Verdicts about random tile kernels against all small launches of them.

    fuzz/tiles/verdicts.py --build build/dev FIRST COUNT [--seconds S] [--print] [--test]

Kernel SEED stores, loads and updates sections, masked ones, index tiles and
views, at places that fit together or nearly do. What `heddle check` proves must
have no error in S seconds of small launches (fuzz/oracle); else the result is 1.
A bug whose kind and line the oracle doesn't see is told and counted: its contents of
arrays may hide it, or another error that stops its launches first. --test: from another
range for each HD_SEED, and ten times as many where HD_LONG is set.
"""

import argparse
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

IN_A_FILE = 20  # kernels that share the start of a process


class Kernel:
    """One kernel, as text: `line` adds a statement."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.name = f"k{seed}"
        self.lines = []
        self.depth = 1
        self.length = self.pick(1, 2, 4, 4, 8)
        self.facts = self.pick([], ["injective(p)"], ["bounded(p, 0, n)"],
                               ["injective(p)", "bounded(p, 0, n)"])

    def pick(self, *values):
        return self.random.choice(values)

    def chance(self, percent):
        return self.random.randrange(100) < percent

    def line(self, text):
        self.lines.append("    " * self.depth + text)

    # Offsets of a block's part, which mostly lie a section apart.
    def offset(self, block):
        n = self.length
        near = self.pick(0, 0, 0, 1, -1, n, n // 2)
        forms = [f"{block} * {n}", f"{block} * {n}", f"{block} * {n}",
                 f"{block} * {n} + {near}", f"({block} ^ 1) * {n}",
                 f"{block} / 2 * {2 * n} + {block} % 2 * {n}",
                 f"n - {n} - {block} * {n}",
                 f"{block} * {self.pick(n, n, n + 1, max(1, n - 1))}",
                 f"({block} % 4) * {n}", f"({block} * {n}) % n",
                 f"cdiv(n, {n}) * {n} - {n} - {block} * {n}"]
        return self.pick(*forms)

    def lanes(self):
        n = self.length
        return self.pick(f"arange({n})", f"arange({n})", f"flip(arange({n}), 0)",
                         f"arange({n}) * 2", f"(arange({n}) ^ 1)",
                         f"arange({n}) / 2", f"arange({n}) % {max(1, n // 2)}",
                         f"(arange({n}) + 1) % {n}")

    def mask(self, at):
        n = self.length
        return self.pick(f"{at} + arange({n}) < n", f"arange({n}) < {self.pick(1, n - 1, n)}",
                         f"arange({n}) % 2 == {self.pick('0', '1', 'b % 2')}",
                         f"x[{at}:{n}] > 2", f"{at} + arange({n}) >= {self.pick(0, 1, n)}")

    # A section of array `name`, at `at`.
    def section(self, name, at, stores):
        n = self.length
        form = self.random.randrange(10)
        if form < 5:
            return f"{name}[{at}:{n}]"
        if form < 7:
            return f"masked({name}[{at}:{n}], {self.mask(at)})"
        if form < 8:
            return f"{name}[{at} + {self.lanes()}]"
        if form < 9:
            return f"{name}[p[{at}:{n}]]"
        if stores:
            return f"masked({name}[{at} + {self.lanes()}], {self.mask(at)})"
        return f"pad({name}[{at}:{n}], 3)"

    def value(self, block):
        at = self.offset(block)
        return self.pick("1", f"arange({self.length})", self.section("x", at, False),
                         self.section("x", at, False) + " + 1",
                         self.section(self.pick("y", "z"), self.offset(block), False))

    def statement(self, block):
        form = self.random.randrange(16)
        array = self.pick("y", "y", "z")
        if self.depth < 3 and form == 0:
            self.line("if (" + self.pick(f"{block} > 0", f"{block} % 2 == 0", "n > 3",
                                         f"{block} == {self.pick(0, 1, 3)}",
                                         f"x[{block}] > 1") + ") {")
            self.inner(block)
        elif self.depth < 3 and form == 1:
            turn = f"t{self.depth}"
            parts = f"cdiv(n, {self.length})"
            head, inner = self.pick(
                (f"{turn} = 0; {turn} < {self.pick(2, 3)}; {turn}++",
                 self.pick(block, f"({block} + {turn})", f"({block} * 2 + {turn})")),
                (f"{turn} = b; {turn} < {parts}; {turn} += grid_dim().x", turn),
                (f"{turn} = b * 2; {turn} < min(b * 2 + 2, {parts}); {turn}++", turn),
                (f"{turn} = 0; {turn} < n; {turn} += {self.length}",
                 self.pick(block, f"({turn} / {self.length})")))
            self.line(f"for (int {head}) {{")
            self.inner(inner)
        elif form == 2:
            at = self.offset(block)
            self.line(f"atomic_add({self.section(array, at, True)}, 1);")
        elif form == 3:
            at = self.offset(block)
            self.line(f"atomic_store({self.section(array, at, True)}, 2);")
        elif form == 4:
            self.line(f"tile int v{len(self.lines)}[{self.length}] = "
                      f"atomic_load({array}[{self.offset(block)}:{self.length}]);")
            self.line(f"z[{self.offset(block)}:{self.length}] = v{len(self.lines) - 1};")
        elif form == 5:
            self.line(f"part({self.length}, {array}[min(max({self.offset(block)}, 0), n)"
                      f":{self.pick(0, 1)}]);")
        elif form == 6:
            at = self.offset(block)
            self.line(f"{self.section(array, at, True)} += {self.value(block)};")
        elif form == 7:
            self.line(f"{array}[min(max({block}, 0), n - 1)] = {self.pick('1', 'b')};")
        elif form == 8:
            row = self.pick(block, "b", "0", f"{self.offset(block)}:2", f"p[{block}]")
            self.line(f"w[{row}][{self.offset(block)}:{self.length}] = "
                      f"{self.value(block)};")
        else:
            at = self.offset(block)
            self.line(f"{self.section(array, at, True)} = {self.value(block)};")

    def inner(self, block):
        self.depth += 1
        for _ in range(self.pick(1, 1, 2)):
            self.statement(block)
        self.depth -= 1
        self.line("}")

    def text(self):
        n = self.length
        grid = self.pick(f"cdiv(n, {n})", f"cdiv(n, {n})", f"cdiv(n, {n})", "n",
                         f"cdiv(n, {n}) + 1", "4", f"cdiv(n, {2 * n})")
        self.line("int b = block_index().x;")
        for _ in range(self.pick(1, 1, 2, 3)):
            self.statement("b")
        facts = ", ".join(["n >= 1 && n <= 64"] + self.facts)
        head = [f"kernel void {self.name}(int n, const int x[n], const int p[n], int y[n],",
                f"    int z[n], int w[n][n]) grid({grid}) requires({facts})"]
        return "\n".join(head + ["{"] + self.lines + ["}", ""])


PART = """void part(int m, int a[k]) tile
{
    a[0:2] = m;
}
"""


def run(command, limit_s):
    return subprocess.run(command, capture_output=True, text=True,
                          timeout=limit_s, check=False)


def errors_of(text):
    """What the oracle saw: {kernel: {(kind, line)}}."""
    seen = {}
    for line in text.splitlines():
        match = re.match(r"(\w+): (\w+) (\d+)(?: (\d+))?:", line)
        if match:
            name, kind, *lines = match.groups()
            seen.setdefault(name, set()).update((kind, int(n)) for n in lines if n)
    return seen


KINDS = {"HD0601": "race", "HD0702": "bounds", "HD0704": "overflow"}


def judge(kernel, errors, totals):
    """Complains about a verdict; True: it is a wrong proof."""
    verdict = kernel["verdict"]
    totals[verdict] = totals.get(verdict, 0) + 1
    if verdict == "proved" and errors:
        print(f"{kernel['kernel']}: proved, but {sorted(errors)}")
        return True
    for finding in kernel["findings"]:
        kind = KINDS.get(finding["code"])
        if finding["verdict"] == "bug" and kind and \
                (kind, finding["line"]) not in errors:
            totals["not seen"] = totals.get("not seen", 0) + 1
            print(f"{kernel['kernel']}: {finding['code']} line {finding['line']} "
                  f"isn't seen: {finding['witness']}")
    return False


def try_file(options, seeds, totals):
    kernels = [Kernel(seed) for seed in seeds]
    source = PART + "\n" + "\n".join(k.text() for k in kernels)
    if options.print:
        print(source)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "kernels.hd")
        path.write_text(source, encoding="utf-8")
        check = run([options.build + "/bin/heddle", "check", str(path), "--json"], 600)
        report = json.loads(check.stdout)
        refused = [d for d in report["diagnostics"] if d["severity"] == "error" and
                   not any(d["code"] == f["code"] for k in report["kernels"]
                           for f in k["findings"])]
        for diagnostic in refused:
            print(f"seed {seeds[0]}: {diagnostic['code']} line {diagnostic['line']} "
                  f"{diagnostic['message']}")
        oracle = run([options.build + "/fuzz/oracle/oracle", str(path), "--seconds",
                      str(options.seconds)], 600)
    if oracle.returncode not in (0, 1):
        print(f"seed {seeds[0]}: the oracle ends with {oracle.returncode}: "
              f"{oracle.stderr[:300]}")
        return True
    seen = errors_of(oracle.stdout)
    wrong = [judge(k, seen.get(k["kernel"], set()), totals) for k in report["kernels"]]
    return any(wrong) or bool(refused)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default="build/dev")
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--print", action="store_true")
    parser.add_argument("--test", action="store_true")
    parser.add_argument("first", type=int)
    parser.add_argument("count", type=int)
    options = parser.parse_args()
    if options.test:
        options.first += 1000000 * int(os.environ.get("HD_SEED") or 0)
        options.count *= 10 if os.environ.get("HD_LONG") else 1
    totals, is_wrong = {}, False
    end = options.first + options.count
    for first in range(options.first, end, IN_A_FILE):
        is_wrong |= try_file(options, range(first, min(first + IN_A_FILE, end)), totals)
        sys.stdout.flush()
    print(", ".join(f"{n} {word}" for word, n in sorted(totals.items())))
    return 1 if is_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
