#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails if a library shows a name that doesn't start with hd_.

    check_exports.py [--runtime] LIBRARY...

Libraries after --runtime must not refer to the compiler's dependencies, and
may export nothing (when all that they offer is reached through tables).
"""

import re
import subprocess
import sys


def symbols(path, *flags):
    done = subprocess.run(["nm", *flags, path], capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        sys.exit(f"nm {path}: {done.stderr}")
    for line in done.stdout.split("\n"):
        words = line.split()
        if len(words) >= 2 and not line.endswith(":"):
            yield words[-1].split("@")[0]


def check(path, is_runtime):
    shared = ["-D"] if path.endswith(".so") else ["-g"]
    exported = sorted(set(symbols(path, *shared, "--defined-only")))
    for name in exported:
        if not name.startswith("hd_"):
            yield f"{path}: exports '{name}'"
    if not exported and not is_runtime:
        yield f"{path}: exports nothing"
    if is_runtime:
        for name in sorted(set(symbols(path, "-u"))):
            if re.match(r"LLVM|isl_|Z3_|_ZN4llvm", name):
                yield f"{path}: needs '{name}'"


def main():
    problems, is_runtime, count = [], False, 0
    for word in sys.argv[1:]:
        if word == "--runtime":
            is_runtime = True
        else:
            problems += check(word, is_runtime)
            count += 1
    print("\n".join(problems) or f"{count} libraries export hd_ only")
    return 1 if problems or not count else 0


if __name__ == "__main__":
    sys.exit(main())
