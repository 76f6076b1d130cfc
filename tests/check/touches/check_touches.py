#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every operation that touches memory, orders or makes events has a racy program.

    check_touches.py ROOT

An operation OP of src/ir/ops.def with a memory effect or an event needs a kernel
OP_racy, or OP_…_racy, in the .hd files beside this one, which doesn't say that it
is proved; every kernel stands for such an operation and has a verdict.
"""

import pathlib
import re
import sys

OP = re.compile(r'^(?:ROW|PURE|QUIET)\(\w+, \w+, "(\w+)",(?:[^"]*"){4}([^"]*)"',
                re.M | re.S)
KERNEL = re.compile(r"^kernel void (\w+)\(", re.M)
VERDICT = re.compile(r"^// check (\w+): (\w+)", re.M)

# Operations that no form of the language gives yet, or that are made by lowering.
NO_FORM = {"tile_rmw", "tile_cas", "wgmma_read", "tcgen05_touch"}


def operations(text):
    """Names of the rows with a memory effect or an event."""
    text = re.sub(r"^//.*", "", text, flags=re.M)
    rows = OP.findall(text)
    if len(rows) != len(re.findall(r"^(?:ROW|PURE|QUIET)\(", text, re.M)):
        raise SystemExit("check_touches.py can't read all rows of ops.def")
    return [name for name, effects in rows
            if re.search(r"\b(?:MEM|EVENT)_(?!NONE)", effects)
            and name not in NO_FORM]


def problems(names, programs):
    """What is missing, as lines."""
    kernels = {kernel for text in programs for kernel in KERNEL.findall(text)}
    verdicts = {}
    for text in programs:
        for kernel, verdict in VERDICT.findall(text):
            verdicts.setdefault(kernel, set()).add(verdict)
    unused = set(kernels)
    for name in sorted(names, key=len, reverse=True):
        own = {k for k in unused if re.fullmatch(name + r"(_\w+)?_(racy|right)", k)}
        unused -= own
        if not any(k.endswith("_racy") for k in own):
            yield f"operation '{name}' has no kernel {name}_racy"
    for kernel in sorted(unused):
        yield f"kernel {kernel} is named after no operation"
    for kernel in sorted(kernels):
        if kernel not in verdicts:
            yield f"kernel {kernel} has no line 'check {kernel}: …'"
        elif kernel.endswith("_racy") and "proved" in verdicts[kernel]:
            yield f"kernel {kernel} is racy, and is to be proved"


def main():
    root = pathlib.Path(sys.argv[1])
    names = operations((root / "src/ir/ops.def").read_text(encoding="utf-8"))
    files = sorted(pathlib.Path(__file__).parent.glob("*.hd"))
    found = list(problems(names, [f.read_text(encoding="utf-8") for f in files]))
    for line in found:
        print(f"tests/check/touches: {line}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
