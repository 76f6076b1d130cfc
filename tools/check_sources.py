#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks what every source file must have and must not.

  - an SPDX line near the top
  - at most 700 lines, and no function of more than 100
  - no TODO or FIXME without the number of an issue, as in TODO(#12)
  - in the libraries: nothing that ends the process, and nothing written to
    standard output or standard error, but for the places listed below
  - no back end named outside src/codegen: what the rest needs of one is in
    its table (codegen/code_ops.h)
  - no kind of source named in src/session but by itself and by who chooses
    one: what the rest needs is in its table (session/kernel_source.h)
  - programs with a `TEST:` line lie where tests/CMakeLists.txt looks for them
"""

import ast
import os
import re
import subprocess
import sys

MAX_LINES = 700
MAX_FUNCTION = 100  # lines
# A function at the start of a line, up to its closing brace.
FUNCTION = re.compile(r"^([A-Za-z_][\w \t\n*,()\[\]]*\)\s*)\{\n.*?^\}",
                      re.M | re.S)
SPDX = "SPDX-License-Identifier: Apache-2.0"
NEEDS_SPDX = (".c", ".cc", ".h", ".def", ".py", ".sh", ".cmake")
COUNTED = (".c", ".cc", ".h", ".def", ".py", ".sh", ".cmake", ".hd", ".cu")
# Where CTest finds programs that are tests; other places nobody runs.
TESTS = re.compile(r"(tests/(run|diag|compile|check|cli)/.*\.(hd|hir)"
                   r"|tests/(check|cli)/.*\.cu"
                   r"|tests/cuda/(run|diag|check|compile)/.*\.cu"
                   r"|tests/runner/cases/.*|fuzz/corpus/.*"
                   r"|(examples|bench/gpu/kernels)/.*\.hd)$")
# Declarations for CUDA programs: C++, a row a function.
CUDA_HEADERS = "include/heddle/cuda/"
FORBIDDEN = re.compile(
    r"\b(exit|_exit|_Exit|quick_exit|abort|printf|vprintf|puts|putchar|perror)"
    r"\s*\(|\b(stdout|stderr)\b")
WEAK = re.compile(r"#\s*pragma\s+weak\b|\bweak(ref)?\b\s*(\)|,)")
BACK_END = re.compile(r"(->|\.)(cpu|nvptx)\b|\b\w+_code_ops\b")
SOURCE_KIND = re.compile(r"\bkernels_in_\w+|\bCudaUnit\b"
                         r"|\b(cuda|heddle)_unit\s*\(")
KNOWS_KINDS = re.compile(r"src/session/(program(_\w+)?|kernel_source)\.[ch]$")
# A library that ends or prints takes the decision away from its user.
ALLOWED = {
    # A bug of ours: says so on stderr and aborts.
    "src/base/panic.c": {"abort", "stderr", "stdout"},
    # What the library whose handler they are would do by itself.
    "src/base/catch.cc": {"abort"},
    "src/codegen/llvm_memory.cc": {"abort", "stderr"},
    "src/check/solve/isl_memory.c": {"abort"},
    # Ends the forked child whose exec failed, never the process of the user.
    "src/syntax/load/preprocess.c": {"_exit"},
    "src/syntax/load/preprocess_guard.c": {"_exit"},
    # What a kernel prints goes where its host's printf would go.
    "src/rt/cpu/cpu_services.c": {"stdout"},
}


def strip_c(text):
    """Blanks comments, strings and characters; keeps lines."""
    pattern = (r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"'
               r"|'(?:\\.|[^'\\\n])*'")
    return re.sub(pattern, lambda m: re.sub(r"[^\n]", " ", m.group()), text,
                  flags=re.S)


def listed_files(root):
    done = subprocess.run(["git", "-C", root, "ls-files", "-co",
                           "--exclude-standard"], capture_output=True,
                          text=True, check=False)
    if done.returncode == 0:
        names = done.stdout.split("\n")
    else:  # a source archive
        names = [os.path.relpath(os.path.join(folder, name), root)
                 for folder, _, files in os.walk(root) for name in files
                 if not os.path.relpath(folder, root).startswith("build")]
    return sorted(n for n in names
                  if n and os.path.isfile(os.path.join(root, n)))


def functions(name, text):
    """Each function's first line and number of lines."""
    if name.endswith(".py"):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef):
                yield node.lineno, node.end_lineno - node.lineno + 1
    elif name.endswith((".c", ".cc", ".h")):
        stripped = strip_c(text)
        for found in FUNCTION.finditer(stripped):
            if found.group(1).count("(") != found.group(1).count(")"):
                continue  # inside what a macro is given
            yield (stripped.count("\n", 0, found.start()) + 1,
                   found.group().count("\n") + 1)


def check(name, text):
    lines = text.split("\n")
    base = os.path.basename(name)
    if (name.endswith(NEEDS_SPDX) or base in ("CMakeLists.txt", "Makefile")):
        if not any(SPDX in line for line in lines[:3]):
            yield 1, f"no '{SPDX}' in the first three lines"
    is_test = re.search(r"^(//|;) TEST: ", text, re.M)
    if is_test and name.endswith((".hd", ".hir", ".cu")):
        if not TESTS.match(name):
            yield 1, "a test where CTest doesn't look for any"
    n_lines = text.count("\n")
    if name.endswith(COUNTED) and n_lines > MAX_LINES:
        yield n_lines, f"{n_lines} lines: split the file by meaning"
    for line, length in functions(name, text):
        if length > MAX_FUNCTION:
            yield line, f"a function of {length} lines: it is several"
    if name.endswith((".c", ".h", ".py", ".def", ".cmake")):
        for number, line in enumerate(lines, 1):
            if (re.search(r"\b(TODO|FIXME)\b(?!\(#\d+\))", line)
                    and name != "tools/check_sources.py"):
                yield number, "an unfinished mark without an issue: TODO(#12)"
    if name.startswith("src/") and not name.startswith("src/cli/"):
        if name.endswith((".c", ".cc", ".h")):
            for number, line in enumerate(strip_c(text).split("\n"), 1):
                for match in FORBIDDEN.finditer(line):
                    word = match.group(1) or match.group(2)
                    if word not in ALLOWED.get(name, ()):
                        yield number, f"'{word}' in a library"
                match = SOURCE_KIND.search(line)
                if (match and name.startswith("src/session/")
                        and not KNOWS_KINDS.match(name)):
                    yield number, (f"'{match.group()}' names a kind of source: "
                                   "ask its table, KernelSource")
                if WEAK.search(line):
                    yield number, "a weak symbol: who is called is linked"
                match = BACK_END.search(line)
                if match and not name.startswith("src/codegen/"):
                    yield number, (f"'{match.group()}' names a back end: ask "
                                   "its table, CodeOps")


def main():
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    root = sys.argv[1] if len(sys.argv) > 1 else root
    problems, count = [], 0
    for name in listed_files(root):
        if not name.endswith(COUNTED + (".hir", "CMakeLists.txt", "Makefile")):
            continue
        with open(os.path.join(root, name), encoding="utf-8",
                  errors="surrogateescape") as file:
            text = file.read()
        count += 1
        problems += [f"{name}:{line}: {what}" for line, what
                     in check(name, text)]
    print("\n".join(problems) or f"{count} files are in order")
    return 1 if problems or not count else 0


if __name__ == "__main__":
    sys.exit(main())
