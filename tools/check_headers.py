#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles every header alone, with the flags of its folder.

    check_headers.py BUILD_FOLDER
"""

import concurrent.futures
import json
import os
import shlex
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DROPPED_WITH_VALUE = {"-o", "-MF", "-MT", "-MQ"}


def flags_by_folder(build):
    with open(os.path.join(build, "compile_commands.json")) as file:
        commands = json.load(file)
    flags = {}
    for command in commands:
        inner = os.path.relpath(command["file"], os.path.join(ROOT, "src"))
        folder = inner.split(os.sep)[0]
        if not inner.startswith("..") and folder not in flags:
            words = shlex.split(command["command"])
            compiler = next(i for i, w in enumerate(words)
                            if os.path.basename(w).split("-")[0] in
                            ("cc", "gcc", "clang"))
            flags[folder] = keep(words[compiler:], command["file"])
    return flags


def keep(words, source):
    kept, skip = [], False
    for word in words:
        if skip:
            skip = False
        elif word in DROPPED_WITH_VALUE:
            skip = True
        elif word not in ("-c", "-MD", "-MMD", source):
            kept.append(word)
    return kept


def headers():
    for top in ("src", "include"):
        for folder, folders, names in os.walk(os.path.join(ROOT, top)):
            if folder.endswith("include/heddle"):
                for foreign in ("c", "cuda"):  # for kernels, not for hosts
                    if foreign in folders:
                        folders.remove(foreign)
            for name in sorted(names):
                if name.endswith(".h"):
                    path = os.path.relpath(os.path.join(folder, name),
                                           os.path.join(ROOT, top))
                    yield path


def compile_alone(name, flags):
    with tempfile.NamedTemporaryFile("w", suffix=".c") as file:
        # Twice: the guard must work. The declaration: no empty unit.
        file.write(f'#include "{name}"\n#include "{name}"\n'
                   "extern int not_empty;\n")
        file.flush()
        done = subprocess.run([*flags, "-fsyntax-only", file.name],
                              capture_output=True, text=True, check=False)
    return f"{name} alone:\n{done.stderr}" if done.returncode else None


def main():
    flags = flags_by_folder(sys.argv[1])
    names = sorted(headers())
    if not flags or not names:
        sys.exit("nothing to check")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = pool.map(lambda n: compile_alone(
            n, flags.get(n.split(os.sep)[0], flags["base"])), names)
        problems = [p for p in found if p]
    print("\n".join(problems) or f"{len(names)} headers stand alone")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
