#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the table of tests/LONG.md from logs of tools/test-long.sh.

    long_table.py LOG …

Each log is of one part: its first line has part, commit and seed, its last one the
exit status and the time; what CTest says at its end is the result. Rows of parts
whose logs aren't given stay as they are, so that parts may run on several machines.
A log without its last line is of a part that didn't end.
"""

import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TABLE = os.path.join(ROOT, "tests", "LONG.md")
FIRST = re.compile(r"long-test: ([\w-]+), commit (.+), seed (\d+)\n")
LAST = re.compile(r"^long-test: exit status (\d+), (\d+) s$", re.M)
# From CMake 4.1 on, nothing is said of 0 tests that failed.
PASSED = re.compile(r"^\d+% tests passed(?:, (\d+) tests? failed)? out of (\d+)$", re.M)
SKIPPED = re.compile(r"\((?:Skipped|Disabled)\)$", re.M)
ROW = re.compile(r"^\| ([\w-]+) \| .* \|$", re.M)
HEAD = """# Last run of the long tests

`make test-long PART=NAME` runs a part and writes its row here
(`tools/long_table.py`); without `PART` it runs all, of one seed. A run is whole when
all rows have the same commit and seed. `tools/test-long.sh --list` says what a part
contains: in the preset `dev` every launch in all variants and the full counts of
generated programs, else the whole suite as it is.

"""
COLUMNS = """| part | commit | seed | result | time |
|---|---|---|---|---|
"""


def part_names():
    rows = subprocess.run([os.path.join(ROOT, "tools", "test-long.sh"), "--list"],
                          capture_output=True, text=True, check=True).stdout
    return [row.split()[0] for row in rows.splitlines()]


def result_of(text, status):
    """In words: how many failed of how many, and how many were skipped."""
    found = PASSED.findall(text)
    if not found:
        return "passed" if status == 0 else f"exit status {status}"
    failed, total = found[-1]
    n_skipped = len(SKIPPED.findall(text))
    skipped = f", {n_skipped} skipped" if n_skipped else ""
    return f"{failed or 0} of {total} failed{skipped}"


def row_of(text):
    """(name of the part, its row)"""
    first, last = FIRST.match(text), LAST.findall(text)
    if not first:
        raise ValueError("doesn't start as a log of test-long.sh")
    name, commit, seed = first.groups()
    if not last:
        return name, f"| {name} | {commit} | {seed} | didn't end | |"
    status, seconds = map(int, last[-1])
    return name, (f"| {name} | {commit} | {seed} | {result_of(text, status)} "
                  f"| {(seconds + 30) // 60} min |")


def table(old, new, names):
    """The page with the new rows among the old ones, in the order of the parts."""
    rows = {m.group(1): m.group(0) for m in ROW.finditer(old)}
    rows.update(new)
    lines = [rows[name] for name in names if name in rows]
    missing = [name for name in names if name not in rows]
    text = HEAD + COLUMNS + "".join(line + "\n" for line in lines)
    if missing:
        text += f"\nNot run since the parts are these: {', '.join(missing)}.\n"
    before = re.search(r"^Before the parts: (?:.|\n)*", old, re.M)
    return text + (f"\n{before.group(0).strip()}\n" if before else "")


def main():
    new = {}
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8", errors="replace") as file:
            try:
                name, row = row_of(file.read())
            except ValueError as error:
                sys.exit(f"{path}: {error}")
        new[name] = row
    with open(TABLE, encoding="utf-8") as file:
        old = file.read()
    with open(TABLE, "w", encoding="utf-8") as file:
        file.write(table(old, new, part_names()))


if __name__ == "__main__":
    main()
