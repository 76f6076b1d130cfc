#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy over sources of the compile database (recent.py), two at a time.

    run_tidy.py CLANG_TIDY BUILD_FOLDER

A file whose text, headers and configuration were clean before is not looked at
again: its stamp is in BUILD_FOLDER/tidy.
"""

import concurrent.futures
import hashlib
import json
import os
import re
import subprocess
import sys

from recent import recent_files

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def sources(build):
    with open(os.path.join(build, "compile_commands.json")) as file:
        names = {c["file"] for c in json.load(file)}
    return sorted(n for n in names
                  if n.startswith(os.path.join(ROOT, "src") + os.sep))


class Digests:
    """Hash of a file with the project's headers that it includes."""

    def __init__(self, common):
        self.common = common
        self.texts = {}

    def read(self, path):
        if path not in self.texts:
            with open(path, "rb") as file:
                self.texts[path] = file.read()
        return self.texts[path]

    def closure(self, path, seen):
        seen.add(path)
        for name in re.findall(rb'#\s*include\s*"([^"]+)"', self.read(path)):
            for top in ("src", "include"):
                inner = os.path.join(ROOT, top, name.decode())
                if os.path.exists(inner) and inner not in seen:
                    self.closure(inner, seen)
        return seen

    def of(self, path):
        digest = hashlib.sha256(self.common)
        for part in sorted(self.closure(path, set())):
            digest.update(part.encode() + b"\0" + self.read(part))
        return digest.hexdigest()


def check(tidy, build, path, stamp):
    if os.path.exists(stamp):
        return None
    done = subprocess.run([tidy, "-p", build, "--quiet", path],
                          capture_output=True, text=True, check=False)
    if done.returncode == 0:
        with open(stamp, "w"):
            return None
    return done.stdout or done.stderr


def main():
    tidy, build = sys.argv[1:3]
    with open(os.path.join(ROOT, ".clang-tidy"), "rb") as file:
        version = subprocess.run([tidy, "--version"], capture_output=True,
                                 check=True).stdout
        digests = Digests(file.read() + version)
    stamps = os.path.join(build, "tidy")
    os.makedirs(stamps, exist_ok=True)
    paths = sources(build)
    if not paths:
        sys.exit("nothing to check")
    paths = recent_files(ROOT, paths)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda p: check(
            tidy, build, p, os.path.join(stamps, digests.of(p))), paths))
    problems = [f for f in found if f]
    print("\n".join(problems) or f"{len(paths)} files are clean")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
