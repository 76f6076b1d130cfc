#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails on an include that tools/layers.txt doesn't allow.

Also reports a row of the table that names what stands below it, a folder with
too many files, headers that include each other in a circle, a .c file that doesn't include its own header first, an include
guard that doesn't follow the path, and an include of a file that isn't there.
"""

import collections
import fnmatch
import os
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
POSIX = {"dirent", "dlfcn", "fcntl", "poll", "pthread", "sched", "spawn",
         "strings", "unistd", "sys", "linux", "sanitizer", "immintrin",
         "libgen", "pwd", "termios", "ucontext", "arpa", "cpuid", "langinfo",
         "elf", "link", "x86intrin", "getopt", "malloc", "semaphore",
         "execinfo"}
C17 = {"assert", "complex", "ctype", "errno", "fenv", "float", "inttypes",
       "iso646", "limits", "locale", "math", "setjmp", "signal", "stdalign",
       "stdarg", "stdatomic", "stdbool", "stddef", "stdint", "stdio", "stdlib",
       "stdnoreturn", "string", "tgmath", "threads", "time", "uchar", "wchar",
       "wctype"}
CXX = {"cstdio", "cstdlib", "cxxabi", "exception", "mutex", "new",
       "system_error"}  # in .cc files


MAX_FILES = 60  # of a folder


def read_table(path):
    """Rows in order: (name, allowed names); and (pattern, users) of others."""
    rows, outside = {}, []
    with open(path, encoding="utf-8") as file:
        for line in file:
            line = line.split("#")[0].strip()
            if line.startswith("<"):
                pattern, *users = line.split()
                outside.append((pattern.strip("<>"), users))
            elif line:
                name, _, allowed = line.partition(":")
                rows[name.strip()] = allowed.split()
    return rows, outside


def covers(name, inner):
    """The row `name` is of the file: `ir/` of those in src/ir itself."""
    folder = os.path.dirname(inner)
    if name.endswith("/"):
        return folder == name[:-1]
    return folder == name or folder.startswith(name + "/")


def row_of(rows, inner):
    """The longest row that the file belongs to; None: there is none."""
    return max((name for name in rows if covers(name, inner)), key=len,
               default=None)


def sources(root):
    for top, prefix in (("src", ""), ("include/heddle", "heddle")):
        for folder, folders, names in os.walk(os.path.join(root, top)):
            if folder.endswith("include/heddle") and "cuda" in folders:
                folders.remove("cuda")  # C++ with rules of its own
            for name in sorted(names):
                if name.endswith((".c", ".cc", ".h", ".def")):
                    path = os.path.join(folder, name)
                    inner = os.path.relpath(path, os.path.join(root, top))
                    yield path, os.path.join(prefix, inner)


class Checker:
    def __init__(self, root):
        self.root = root
        self.table = os.path.join(root, "tools", "layers.txt")
        self.rows, self.outside = read_table(self.table)
        self.included = {}  # by header: those that it includes
        self.problems = []

    def report(self, path, line, text):
        self.problems.append(f"{os.path.relpath(path, self.root)}:{line}: "
                             f"{text}")

    def check_rows(self):
        above = set()
        for name, allowed in self.rows.items():
            for other in allowed:
                if other not in above:
                    self.report(self.table, 1, f"{name} names {other}, which "
                                "doesn't stand above it")
            above.add(name)

    def check_circles(self):
        begun, done = [], set()

        def visit(name):
            if name in begun:
                circle = begun[begun.index(name):] + [name]
                self.report(os.path.join(self.root, "src", name), 1,
                            f"a circle of headers: {' '.join(circle)}")
            elif name not in done:
                begun.append(name)
                for other in self.included.get(name, ()):
                    visit(other)
                begun.pop()
                done.add(name)

        for name in sorted(self.included):
            visit(name)

    def check_count(self, folder, n):
        if n > MAX_FILES:
            self.report(folder, 1, f"{n} files in a folder: make rooms of it")

    def check_file(self, path, inner):
        row = row_of(self.rows, inner)
        folder = inner.split(os.sep)[0]
        has_rooms = any(r.startswith(folder + "/") for r in self.rows)
        if row is None or has_rooms and row == folder:
            self.report(path, 1, f"folder '{os.path.dirname(inner)}' isn't in "
                        "layers.txt")
            return
        with open(path, encoding="utf-8") as file:
            lines = file.read().split("\n")
        includes = [(n, *m.groups()) for n, l in enumerate(lines, 1)
                    if (m := INCLUDE.match(l))]
        if path.endswith(".h"):
            self.included[inner] = [name for _, bracket, name in includes
                                    if bracket == '"']
        for number, bracket, name in includes:
            if bracket == '"':
                self.check_own(path, number, row, name)
            else:
                self.check_outside(path, number, inner, name)
        if path.endswith((".c", ".cc")):
            self.check_first(path, inner, includes)
        elif path.endswith(".h") and not inner.endswith("/c/assert.h"):
            # C wants that one without a guard
            self.check_guard(path, inner, lines)

    def check_own(self, path, number, row, name):
        beside = os.path.join(os.path.dirname(path), name)
        if "/" not in name and os.path.exists(beside):
            self.report(path, number, f'write "FOLDER/{name}" in full')
            return
        folder, target = row.split("/")[0], name.split("/")[0]
        allowed = self.rows[row] + [row]
        if target != folder:
            allowed = self.rows.get(folder, []) + [folder]
        if not any(covers(a, name) for a in allowed):
            if target != folder:
                row, other = folder, target
            else:
                other = row_of(self.rows, name)
            self.report(path, number, f"{row} may not include {other}")
        base = "include" if target == "heddle" else "src"
        if not os.path.exists(os.path.join(self.root, base, name)):
            self.report(path, number, f"there is no {name}")

    def check_outside(self, path, number, inner, name):
        stem = re.split(r"[/.]", name)[0]
        for pattern, users in self.outside:
            if fnmatch.fnmatch(name, pattern):
                if not any(fnmatch.fnmatch(inner, u) for u in users):
                    self.report(path, number, f"<{name}> may be included by "
                                f"{' '.join(users)} only")
                return
        is_cxx = path.endswith(".cc") and stem in CXX
        if not is_cxx and stem not in C17 and stem not in POSIX:
            self.report(path, number, f"<{name}> isn't in layers.txt")

    def check_first(self, path, inner, includes):
        own = re.sub(r"\.cc?$", ".h", inner)
        if os.path.exists(os.path.join(self.root, "src", own)):
            if not includes or includes[0][2] != own:
                self.report(path, includes[0][0] if includes else 1,
                            f'"{own}" must be the first include')

    def check_guard(self, path, inner, lines):
        name = re.sub(r"[/.-]", "_", inner).upper()
        guard = name if inner.startswith("heddle") else f"HD_{name}"
        if f"#ifndef {guard}" not in lines or f"#define {guard}" not in lines:
            self.report(path, 1, f"the include guard must be {guard}")


def main():
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    checker = Checker(sys.argv[1] if len(sys.argv) > 1 else root)
    checker.check_rows()
    folders = collections.Counter()
    count = 0
    for path, inner in sources(checker.root):
        checker.check_file(path, inner)
        folders[os.path.dirname(path)] += 1
        count += 1
    checker.check_circles()
    for folder, n in folders.items():
        checker.check_count(folder, n)
    print("\n".join(checker.problems) or f"{count} files follow the table")
    return 1 if checker.problems or not count else 0


if __name__ == "__main__":
    sys.exit(main())
