#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The options of src/cli/options.def are those of the manual.

    check_options.py ROOT

docs/man/heddle.1 and docs/reference/command.md name each option of the table that
has a help text, and no other option.
"""

import os
import re
import sys

TABLE = "src/cli/options.def"
PAGES = ("docs/man/heddle.1", "docs/reference/command.md")
ROW = re.compile(r'OPTION\((\w+), "(-[^"]+)", (?:NULL|"[^"]*"), [^,]+,\s*(NULL|")')
LONG = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]*")
OWN = {"--version", "--help"}  # of the command without a word behind it


def main():
    root = sys.argv[1]

    def text_of(path):
        with open(os.path.join(root, path), encoding="utf-8") as file:
            return file.read()

    rows = ROW.findall(text_of(TABLE))
    if len(rows) != len(re.findall(r"^OPTION\(", text_of(TABLE), re.M)):
        sys.exit(f"{TABLE}: some rows aren't understood; see check_options.py")
    table = {name for _, name, _ in rows}
    faults = 0
    for page in PAGES:
        text = re.sub(r"\\f[BIRP]", "", text_of(page)).replace("\\-", "-")
        named = set(LONG.findall(text))
        for name in sorted(n for _, n, has_help in rows if has_help == '"'):
            if name.startswith("--") and name not in named:
                print(f"{page}: doesn't say what {name} does ({TABLE} has it)")
                faults += 1
        for name in sorted(named - table - OWN):
            print(f"{page}: {name} is no option of {TABLE}")
            faults += 1
    return faults > 0


if __name__ == "__main__":
    sys.exit(main())
