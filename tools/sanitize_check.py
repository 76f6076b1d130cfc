#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Verdicts of `heddle check` against launches with --sanitize.

    tools/sanitize_check.py --build build/dev [--schedules N] [--jobs N]
                            [--files F] [--seed SEED] [FILE|FOLDER …]

Each kernel that is proved is launched with N schedules of random sizes and
contents, and must be silent; each bug must show in the launch that the checker
names (fuzz/oracle/sanitized). Programs in CUDA C are converted first, with the
assumptions that their `check-args` state, as their pointers' arrays have no
extents otherwise. F files are taken (0: all); all files and ten times as many
schedules where HD_LONG is set. HD_SEED chooses others. The result is 1 if a
kernel failed.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
from collections import Counter

from sampling import some_files

LIMIT_S = 3600
COUNT = re.compile(r"(\d+) ([a-z]+)")


def run(command):
    try:
        return subprocess.run([str(c) for c in command], capture_output=True,
                              text=True, timeout=LIMIT_S)
    except subprocess.TimeoutExpired as late:
        return subprocess.CompletedProcess(late.cmd, 124, "", "")


def check_words(path):
    """The arguments that the file's tests are made with."""
    found = re.findall(r"^//\s*check-args:[^\S\n]*(.*)$", path.read_text(),
                       re.MULTILINE)
    return shlex.split(" ".join(found))


def embeds(words):
    return [w for w in words if re.fullmatch(r"[A-Za-z_]\w*=\S+", w)]


def converted(options, path, words, folder):
    """The program as Heddle C; None if no kernel of it can be."""
    assumed = [f"--assume={words[i + 1]}" for i, w in enumerate(words)
               if w == "--assume"]
    done = run([options.heddle, "convert", path, *assumed])
    if done.returncode != 0 or not done.stdout.strip():
        return None
    made = pathlib.Path(folder) / (path.stem + ".hd")
    made.write_text(done.stdout)
    return made


def compare(options, path):
    """(its counts, what it printed)"""
    words = check_words(path)
    with tempfile.TemporaryDirectory() as folder:
        program = path
        if path.suffix == ".cu":
            program = converted(options, path, words, folder)
        if program is None:
            return Counter({"unconverted": 1}), ""
        done = run([options.sanitized, program, "--schedules",
                    options.schedules, *embeds(words)])
    lines = done.stdout.strip().split("\n")
    counts = Counter({name: int(n) for n, name in COUNT.findall(lines[-1])})
    shown = "\n".join(lines[:-1])
    if done.returncode not in (0, 1, 2):
        counts, shown = Counter({"wrong": 1}), (
            f"{path}: ended with {done.returncode}\n{done.stderr}")
    return counts, shown


def read_options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build/dev", type=pathlib.Path)
    parser.add_argument("--schedules", default=200, type=int)
    parser.add_argument("--jobs", default=2, type=int)
    parser.add_argument("--files", default=0, type=int)
    parser.add_argument("--seed", default="1")
    parser.add_argument("paths", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    if os.environ.get("HD_LONG"):
        options.schedules *= 10
        options.files = 0
    options.seed += os.environ.get("HD_SEED", "")
    options.heddle = options.build / "bin/heddle"
    options.sanitized = options.build / "fuzz/oracle/sanitized"
    return options


def find_programs(options):
    root = pathlib.Path(__file__).resolve().parent.parent
    folders = options.paths or [root / "tests/check", root / "examples",
                                root / "tests/cuda/check"]
    files = [f for p in folders for f in
             (sorted([*p.rglob("*.hd"), *p.rglob("*.cu")])
              if p.is_dir() else [p])]
    return some_files(files, options.files, options.seed)


def main():
    options = read_options()
    total = Counter()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for counts, shown in pool.map(lambda f: compare(options, f),
                                      find_programs(options)):
            total.update(counts)
            if shown:
                print(shown, flush=True)
    print(", ".join(f"{n} {name}" for name, n in total.items()))
    return 1 if total["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
