# SPDX-License-Identifier: Apache-2.0
"""Deletes what orders the threads of a program, one statement at a time.

    deletions.py PROGRAM.hd …

`heddle check` must prove each kernel and refute it without any one of its
statements that wait, arrive, fence, sync, commit or drain. `// without: proved`
on its line says that it isn't needed, or another verdict. Prints what isn't so,
and at the end how many deletions there were.
"""

import json
import re
import subprocess
import sys
import tempfile

WORDS = re.compile(r"\b(wait|arrive|arrive_expect|expect|fence_async|sync|drain"
                   r"|tma_wait|tma_wait_read|tma_commit)\(")


def closing(text, at, pair):
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] == pair[0]) - (text[i] == pair[1])
        if depth == 0:
            return i
    raise ValueError(f"no {pair[1]}")


def kernels(text):
    """Each kernel with its name."""
    for found in re.finditer(r"^kernel void (\w+)", text, re.M):
        end = closing(text, text.index("{", found.end()), "{}")
        yield found[1], text[found.start():end + 1]


def deletions(kernel):
    """Kernels without one statement, the verdict, and which it was."""
    for found in WORDS.finditer(kernel, kernel.index("{")):
        end = closing(kernel, found.end() - 1, "()") + 1
        if kernel[end] != ";":
            continue
        line = kernel[kernel.rindex("\n", 0, found.start()) + 1:
                      kernel.index("\n", end)]
        stated = re.search(r"// without: (\w+)", line)
        yield (kernel[:found.start()] + kernel[end:],
               stated[1] if stated else "bug", kernel[found.start():end])


def verdict(program):
    with tempfile.NamedTemporaryFile("w", suffix=".hd") as file:
        file.write(program)
        file.flush()
        out = subprocess.run(["heddle", "check", file.name, "--json"],
                             capture_output=True, text=True, check=False)
    return json.loads(out.stdout)["kernels"][0]["verdict"]


def main():
    n_deletions = 0
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for name, kernel in kernels(text):
            found = verdict(kernel)
            if found != "proved":
                print(f"{name}: {found}")
            for without, stated, statement in deletions(kernel):
                n_deletions += 1
                found = verdict(without)
                if found != stated:
                    print(f"{name} without {statement}: {found}")
    print(f"{n_deletions} deletions")


if __name__ == "__main__":
    main()
