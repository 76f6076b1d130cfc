#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every name of a built-in function stands in a program that runs.

    check_builtins.py ROOT

The tables are builtin_names.def and tile_builtins.def in src/sema/type. A built-in
that src/lower doesn't know is an internal error where it is called: the program that
this test asks for shows it. Names that begin with __ are for translated CUDA C++. The
names sinf, cosf, … of functions for float are those of the table with an f.
"""

import os
import re
import sys

TABLES = "src/sema/type"
FOLDERS = ("tests/run", "tests/cli", "examples")
WORD = re.compile(r"[A-Za-z_]\w*")


def rows(root, table, pattern):
    with open(os.path.join(root, TABLES, table), encoding="utf-8") as file:
        found = re.findall(pattern, file.read(), re.M)
    return found or sys.exit(f"{table} has other rows than check_builtins.py reads")


def called(root):
    """The words of the programs in FOLDERS."""
    words = set()
    for folder in FOLDERS:
        for place, _, files in os.walk(os.path.join(root, folder)):
            for name in files:
                if name.endswith((".hd", ".py")):
                    with open(os.path.join(place, name), encoding="utf-8") as file:
                        words.update(WORD.findall(re.sub(r"//.*", "", file.read())))
    return words


def main():
    root = sys.argv[1]
    names = rows(root, "builtin_names.def", r'^NAME\("(\w+)"')
    names += rows(root, "builtin_names.def", r"^MATH\((\w+),")
    names += rows(root, "tile_builtins.def", r'^TILE_BUILTIN\(\w+, "(\w+)"')
    words = called(root)
    missing = [n for n in names if not n.startswith("__") and n not in words]
    for name in missing:
        print(f"'{name}' is a built-in of {TABLES}: no program in "
              f"{' or '.join(FOLDERS)} calls it")
    print(f"{len(names)} names, {len(missing)} without a program")
    return bool(missing)


if __name__ == "__main__":
    sys.exit(main())
