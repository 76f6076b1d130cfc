# SPDX-License-Identifier: Apache-2.0
"""Compares verdicts without runs, `heddle check --no-search --json`, with the
`// check` lines of a program: what is a bug must not be proved.

    no_search.py PROGRAM.hd < VERDICTS.json
"""

import json
import re
import sys


def expectations(path):
    expected, default = {}, None
    with open(path, encoding="utf-8") as file:
        for line in file:
            found = re.match(r"// check(?: (\w+))?: (bug|proved|unknown)\b", line)
            if found and found[1]:
                expected[found[1]] = found[2]
            elif found:
                default = found[2]
    return expected, default


def main():
    path = sys.argv[1]
    expected, default = expectations(path)
    for kernel in json.load(sys.stdin)["kernels"]:
        wanted = expected.get(kernel["kernel"], default)
        if wanted == "bug":
            wanted = "unknown"
        if wanted and kernel["verdict"] != wanted:
            print(path, kernel["kernel"], "is", kernel["verdict"])


if __name__ == "__main__":
    main()
