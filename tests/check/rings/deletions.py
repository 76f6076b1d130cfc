# SPDX-License-Identifier: Apache-2.0
"""Deletes what orders the threads of a program, one statement at a time.

    deletions.py [--run] PROGRAM.hd …

`heddle check` must prove each kernel and refute it without any one of its
statements that wait, arrive, fence, sync, commit or drain. `// without: proved`
on its line says that it isn't needed, or another verdict. With --run, `heddle run
--sanitize` must refute it in one of some schedules, launched as a line `// launch
KERNEL: ARGUMENTS` or the first line `// LAUNCH:` says; `// without sanitize: proved` says
that it finds nothing. Constants stand before the kernels. Prints what isn't so,
and at the end how many deletions there are. Without HD_LONG every eighth is tried;
that a kernel is proved is the test of its own file.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

WORDS = re.compile(r"\b(wait|arrive|arrive_expect|arrive_remote|expect|fence_async|sync"
                   r"|drain|semaphore_lock|semaphore_release"
                   r"|tma_wait|tma_wait_read|tma_commit"
                   r"|wgmma_fence|wgmma_commit|wgmma_wait"
                   r"|tcgen05_alloc|tcgen05_dealloc|tcgen05_commit|tcgen05_fence)\(")


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


def header(text):
    """What stands before the first kernel, but for comments."""
    lines = text[:re.search(r"^kernel", text, re.M).start()].splitlines(True)
    return "".join(line for line in lines if not line.startswith("//"))


def deletions(kernel, word):
    """Kernels without one statement, the verdict, and which it was."""
    for found in WORDS.finditer(kernel, kernel.index("{")):
        end = closing(kernel, found.end() - 1, "()") + 1
        if kernel[end] != ";":
            continue
        line = kernel[kernel.rindex("\n", 0, found.start()) + 1:
                      kernel.index("\n", end)]
        stated = re.search(rf"// {word}: (\w+)", line)
        yield (kernel[:found.start()] + kernel[end:],
               stated[1] if stated else "bug", kernel[found.start():end])


def verdicts(program):
    """Those of the kernels of a program, in their order."""
    with tempfile.NamedTemporaryFile("w", suffix=".hd") as file:
        file.write(program)
        file.flush()
        out = subprocess.run(["heddle", "check", file.name, "--json"],
                             capture_output=True, text=True, check=False)
    return [kernel["verdict"] for kernel in json.loads(out.stdout)["kernels"]]


def run_verdicts(program, launch):
    """The same of runs."""
    with tempfile.NamedTemporaryFile("w", suffix=".hd") as file:
        file.write(program)
        file.flush()
        for name, _ in kernels(program):
            out = subprocess.run(
                ["heddle", "run", file.name, name, *launch.split(),
                 "--sanitize", "--schedule", "all:4"],
                capture_output=True, text=True, check=False)
            if out.returncode not in (0, 1):
                print(out.stderr)
            yield "bug" if out.returncode else "proved"


def main():
    is_long = "HD_LONG" in os.environ
    step = 1 if is_long else 8
    paths = [path for path in sys.argv[1:] if path != "--run"]
    runs = len(paths) < len(sys.argv) - 1
    word = "without sanitize" if runs else "without"
    n_deletions = 0
    for path in paths:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for name, kernel in kernels(text):
            found = list(deletions(kernel, word))
            tried = [(kernel, "proved", "anything left out")] if is_long else []
            tried += found[-n_deletions % step::step]
            n_deletions += len(found)
            if not tried:
                continue
            program = header(text) + "\n".join(
                re.sub(rf"\b{name}\b", f"{name}_{i}", variant, 1)
                for i, (variant, _, _) in enumerate(tried))
            if runs:
                launch = (re.search(rf"// launch {name}: (.*)", text)
                          or re.search(r"// LAUNCH: (.*)", text))[1]
                given = run_verdicts(program, launch)
            else:
                given = verdicts(program)
            for (_, stated, what), verdict in zip(tried, given, strict=True):
                if verdict != stated:
                    print(f"{name} without {what}: {verdict}")
    print(f"{n_deletions} deletions")


if __name__ == "__main__":
    main()
