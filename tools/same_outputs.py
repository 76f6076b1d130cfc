#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows that a change of the compiler changes none of its outputs.

    same_outputs.py collect --heddle BINARY FILE.json
    same_outputs.py compare BEFORE.json AFTER.json

`collect` runs every program of tests/, examples/ and bench/gpu/ through check,
convert and each stage of dump, and stores a digest of exit status, standard
output and standard error. `compare` names the commands that differ, and fails
if there is one. The assembly stands for object code, which comes from it.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ["tests/check", "tests/run", "tests/compile", "tests/diag",
           "tests/gpu", "tests/cuda", "examples", "bench/gpu"]
STAGES = [["--stage", "ast"], ["--stage", "ir"], ["--stage", "check"],
          ["--stage", "llvm"], ["--stage", "asm"],
          ["--stage", "ptx", "--target", "sm_80"],
          ["--stage", "ptx", "--target", "sm_90a"]]
# How long something took is no output.
SECONDS = re.compile(rb"\b\d+(\.\d+)? m?s\b")
TIME_LIMIT_S = 300
# Which of several witnesses the solvers find varies with where memory lies.
FIXED_ADDRESSES = ["setarch", "-R"]


def programs():
    found = []
    for folder in FOLDERS:
        for suffix in ("*.hd", "*.cu", "*.hir"):
            found += sorted((ROOT / folder).rglob(suffix))
    return found


def commands(path):
    """Argument lists of everything that is compared for one program."""
    name = str(path.relative_to(ROOT))
    text = path.read_text(errors="replace")
    checked = re.search(r"^\s*// check-args: (.*)$", text, re.M)
    words = shlex.split(checked.group(1)) if checked else []
    yield ["check", name] + words
    if path.suffix == ".cu":
        yield ["convert", name]
    for stage in STAGES:
        yield ["dump", name] + stage


def digest(binary, arguments):
    environment = {k: v for k, v in os.environ.items()
                   if not k.startswith("HEDDLE_")}
    environment["HEDDLE_CACHE_DIR"] = ""
    # Places in our headers are told with their paths: those of this tree.
    environment["HEDDLE_INCLUDE"] = str(ROOT / "include" / "heddle" / "c")
    try:
        done = subprocess.run(FIXED_ADDRESSES + [binary] + arguments, cwd=ROOT,
                              env=environment,
                              stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=TIME_LIMIT_S)
    except subprocess.TimeoutExpired:
        return "time limit"
    text = b"\0".join([str(done.returncode).encode(), done.stdout, done.stderr])
    return hashlib.sha256(SECONDS.sub(b"TIME", text)).hexdigest()


def collect(options):
    binary = str(Path(options.heddle).resolve())
    jobs = [c for path in programs() for c in commands(path)
            if re.search(options.only, " ".join(c))]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        digests = pool.map(lambda c: digest(binary, c), jobs)
        found = {" ".join(c): d for c, d in zip(jobs, digests)}
    Path(options.file).write_text(json.dumps(found, indent=0))
    print(f"{len(found)} outputs")
    return 0 if found else 1


def compare(options):
    before, after = (json.loads(Path(f).read_text())
                     for f in (options.before, options.after))
    both = before.keys() & after.keys()
    different = sorted(c for c in both if before[c] != after[c])
    for command in different:
        print(f"differs: heddle {command}")
    print(f"{len(both)} outputs, {len(different)} differ, "
          f"{len(before.keys() ^ after.keys())} are in one only")
    return 1 if different or not both else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    commands_of = parser.add_subparsers(required=True)
    collecting = commands_of.add_parser("collect")
    collecting.add_argument("--heddle", required=True)
    collecting.add_argument("--jobs", type=int, default=os.cpu_count())
    collecting.add_argument("--only", default="", metavar="REGEX",
                            help="commands that match")
    collecting.add_argument("file")
    collecting.set_defaults(do=collect)
    comparing = commands_of.add_parser("compare")
    comparing.add_argument("before")
    comparing.add_argument("after")
    comparing.set_defaults(do=compare)
    options = parser.parse_args()
    return options.do(options)


if __name__ == "__main__":
    sys.exit(main())
