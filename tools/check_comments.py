#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that comments and pages name files that exist.

    check_comments.py [ROOT]

A name with a folder (`check/solve/solve.c`) must be the end of a path in the
tree, or lead somewhere from the file that names it. A bare name
(`solve_query.c`) must be that of some file. `_reduce.c` stands for a file
beside the one that was named last, `vec_{get,set}.h` for two. A path that
begins with `src/` may also be a folder.

Programs and pages for users name their own files, too: there only names that
begin with a folder of this project count.
"""

import io
import os
import re
import sys
import tokenize

from check_sources import listed_files

KINDS = r"(?:c|cc|h|def|py|sh|md|cmake|cu|cuh|hd|hir|hdh|ebnf)"
NAME = re.compile(r"(?<![\w./<%@$*\\-])((?:[\w.+-]+/)*[\w+{},-]+\." + KINDS +
                  r")(?![\w/*]|\.\w)")
FOLDER = re.compile(r"(?<![\w./<%@$*-])(src(?:/[\w-]+)+)/?(?![\w/*{-]|\.\w)")
C_COMMENT = re.compile(r'(//[^\n]*|/\*.*?\*/)|"(?:\\.|[^"\\\n])*"'
                       r"|'(?:\\.|[^'\\\n])*'", re.S)
HASH_COMMENT = re.compile(r"(?<!\S)#[^\n]*")

C_FILES = (".c", ".cc", ".h", ".def")
HASH_FILES = (".sh", ".cmake", "CMakeLists.txt", "layers.txt")
PROGRAMS = (".hd", ".hdh", ".hir", ".cu")
FOR_USERS = ("docs/guide/", "docs/reference/", "docs/errors/", "README.md",
             "CHANGELOG.md", "changelog.d/", "examples/")
# Input of fuzzing is kept as it was found.
SKIPPED = ("fuzz/corpus/",)

# Stands for a name: CODE.md, test_NAME.c, HDnnnn.md.
PLACEHOLDER = re.compile(r"(?:.*[/_-])?[A-Z]{2,}[/_.-].*|(?:.*/)?HDnnnn\.md")
# Any file, unless it is said to lie in a folder of ours.
EXAMPLE = re.compile(r"(?:.*/)?(?:[a-z]|file|header)\.\w+")
OTHERS = {
    # Headers of other projects.
    "helper_cuda.h", "helper_math.h", "cutil_math.h",
    # Names that STYLE.md warns of.
    "misc.c", "utils2.c",
    # The example that this file and its test explain.
    "vec_get.h", "vec_set.h", "braces.h", "bracesd.h",
    # Made by the build.
    "error_pages.c", "gpu-bundle/sanitize.py",
}


def python_comments(text):
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        row, column = token.start
        is_doc = (token.type == tokenize.STRING
                  and token.string.startswith('"""')
                  and not token.line[:column].strip())
        if token.type == tokenize.COMMENT or is_doc:
            yield starts[row - 1] + column, token.string


def commented(name, text):
    """Yields (offset, text) of what is said rather than done."""
    if name.endswith(".md"):
        yield 0, text
    elif name.endswith(C_FILES + PROGRAMS):
        if name.endswith(".hir"):
            text = re.sub(r"^;", "//", text, flags=re.M)
        for match in C_COMMENT.finditer(text):
            if match.group(1):
                yield match.start(), match.group(1)
    elif name.endswith(".py"):
        yield from python_comments(text)
    elif name.endswith(HASH_FILES):
        for match in HASH_COMMENT.finditer(text):
            yield match.start(), match.group()


def expanded(name):
    """The names that `braces{,d}.h` stands for."""
    match = re.match(r"(.*?)\{([^}]*)\}(.*)", name)
    if not match:
        return [name]
    return [match.group(1) + part + match.group(3)
            for part in match.group(2).split(",")]


class Tree:
    def __init__(self, root):
        self.root = root
        self.files = listed_files(root)
        self.ends, self.bases, self.folders = set(), {}, set()
        for name in self.files:
            parts = name.split("/")
            self.ends.update("/".join(parts[i:]) for i in range(len(parts)))
            self.bases.setdefault(parts[-1], []).append(name)
            self.folders.update("/".join(parts[:i])
                                for i in range(1, len(parts)))
        tops = {folder.split("/")[0] for folder in self.folders}
        self.ours = tops | {folder.split("/")[1] for folder in self.folders
                            if folder.startswith("src/")}

    def has(self, name, said_in, last):
        """Whether `name` means a file; `last` is what was named before."""
        if name.startswith("_"):
            folder = os.path.dirname(last)
            return any(path.endswith(name)
                       and os.path.dirname(path).endswith(folder)
                       for path in self.files)
        if name.lstrip("./") in self.ends:
            return True
        beside = os.path.join(self.root, os.path.dirname(said_in), name)
        return os.path.exists(beside)

    def counts(self, name, said_in):
        """Whether `name` claims to be a file of this project."""
        if PLACEHOLDER.fullmatch(name) or name in OTHERS:
            return False
        if "/" in name and name.split("/")[0] in self.ours:
            return True
        return not (EXAMPLE.fullmatch(name) or said_in.endswith(PROGRAMS)
                    or said_in.startswith(FOR_USERS))

    def check(self, said_in, text):
        for offset, words in commented(said_in, text):
            last = ""
            for match in NAME.finditer(words):
                line = text.count("\n", 0, offset + match.start()) + 1
                for name in expanded(match.group(1)):
                    if not self.counts(name, said_in):
                        continue
                    if not self.has(name, said_in, last):
                        yield line, f"there is no file '{name}'"
                    if not name.startswith("_"):
                        last = name
            if said_in.startswith(FOR_USERS):
                continue
            for match in FOLDER.finditer(words):
                line = text.count("\n", 0, offset + match.start()) + 1
                path = match.group(1)
                if path not in self.folders and not re.search("[A-Z]", path):
                    yield line, f"there is no folder '{path}'"


def main():
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    tree = Tree(sys.argv[1] if len(sys.argv) > 1 else root)
    problems, count = [], 0
    for name in tree.files:
        if name.startswith(SKIPPED) or not name.endswith(
                C_FILES + HASH_FILES + PROGRAMS + (".md", ".py")):
            continue
        with open(os.path.join(tree.root, name), encoding="utf-8",
                  errors="surrogateescape") as file:
            text = file.read()
        count += 1
        problems += [f"{name}:{line}: {what}" for line, what
                     in tree.check(name, text)]
    print("\n".join(problems) or f"{count} files name files that exist")
    return 1 if problems or not count else 0


if __name__ == "__main__":
    sys.exit(main())
