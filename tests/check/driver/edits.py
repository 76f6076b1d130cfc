# SPDX-License-Identifier: Apache-2.0
"""Edits of `heddle check --json`: applied to a program, or listed.

    edits.py PROGRAM.hd < VERDICTS.json    the program with all of them
    edits.py --list < VERDICTS.json        a finding a line
"""

import json
import sys


def main():
    found = [(k["kernel"], f["edit"]) for k in json.load(sys.stdin)["kernels"]
             for f in k["findings"]]
    if sys.argv[1] == "--list":
        for kernel, edit in found:
            print(kernel, f"{edit['line']}:{edit['column']} {edit['text']!r}"
                  if edit else "none")
        return
    with open(sys.argv[1], encoding="utf-8") as file:
        lines = file.read().split("\n")
    edits = sorted((e for _, e in found if e), key=lambda e: -e["line"])
    for edit in edits:
        line, at = lines[edit["line"] - 1], edit["column"] - 1
        assert line[at:at + len(edit["replaced"])] == edit["replaced"]
        lines[edit["line"] - 1] = (
            line[:at] + edit["text"] + line[at + len(edit["replaced"]):])
    print("\n".join(lines), end="")


if __name__ == "__main__":
    main()
