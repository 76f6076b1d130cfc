#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that a function's name alone says which function it is.

    check_names.py [ROOT]

A backtrace, a profile or a search shows names. So a static function of src/ has
a name that no other file of src/ gives to one of its own. Declarations don't
count, and several definitions in one file are variants of one function.
"""

import os
import re
import sys

from check_sources import listed_files, strip_c

# From `static` to the brace of a body: without a `;` or `=`, which end
# declarations and variables.
DEFINITION = re.compile(
    r"^[ \t]*(?:[A-Za-z_]\w*[ \t]+)*static\b([^;={}]*)\{", re.M)
ATTRIBUTE = re.compile(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)")
NAME = re.compile(r"([A-Za-z_]\w*)\s*\(")


def static_functions(text):
    """Yields (line, name) of each definition."""
    text = ATTRIBUTE.sub(lambda m: re.sub(r"[^\n]", " ", m.group()),
                         strip_c(text))
    for found in DEFINITION.finditer(text):
        name = NAME.search(found.group(1))
        if name:
            yield text.count("\n", 0, found.start()) + 1, name.group(1)


def main():
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    root = sys.argv[1] if len(sys.argv) > 1 else root
    places, count = {}, 0
    for name in listed_files(root):
        if not name.startswith("src/") or not name.endswith((".c", ".cc",
                                                             ".h")):
            continue
        with open(os.path.join(root, name), encoding="utf-8") as file:
            text = file.read()
        count += 1
        for line, function in static_functions(text):
            places.setdefault(function, {}).setdefault(name, line)
    problems = [
        f"{name}:{line}: '{function}' is also in "
        + ", ".join(other for other in files if other != name)
        + ": begin it with what its file is about"
        for function, files in places.items() if len(files) > 1
        for name, line in files.items()]
    print("\n".join(sorted(problems))
          or f"{len(places)} static functions of {count} files have names of "
          "their own")
    return 1 if problems or not count else 0


if __name__ == "__main__":
    sys.exit(main())
