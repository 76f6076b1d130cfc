#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a bundle of all launches of test programs: code for a GPU, inputs, and
what the CPU computes. See bundle.h.

    bundle.py --maker PATH --runner PATH --out FOLDER FILE …

FOLDER then holds the bundle and the runner: FOLDER/run_bundle FOLDER runs it.
"""

import argparse
import os
import shlex
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                ".."))
from oracle import BadTest, parse_oracle  # noqa: E402
from steps import CPU_ONLY  # noqa: E402
from test_file import read_test  # noqa: E402

LIMITED = ("racecheck", "synccheck")  # as sanitize.py reads


def launches_of(path, shown):
    """One line of make_bundle's input each."""
    test = read_test(path)
    folder, name = os.path.split(os.path.abspath(path))
    for step in test.steps:
        words = shlex.split(step.value) + test.args()
        texts = [d.value for d in step.all("STDERR")]
        if (step.kind != "LAUNCH" or
                any(w.split("=")[0] in CPU_ONLY for w in words) or
                any("deadlock" in t for t in texts)):
            continue
        # What an expectation computes from the result itself may differ from
        # run to run.
        names = {o.name for o in map(parse_oracle, step.all("OUT"))
                 if "out_" not in o.source}
        numbers = (step.last("TOL", "").split() + ["0"])[:2]
        # Two results, each within it of the exact one.
        tolerance = (" ".join(str(2 * float(t)) for t in numbers)
                     if step.last("TOL") else "")
        prints = ("unordered" if step.all("PRINTS-UNORDERED") else
                  "exact" if step.all("PRINTS") and "--print" not in words
                  else "")
        if "--print" in words and prints == "unordered":
            prints = ""
        yield "\t".join([f"{shown}:{step.line}", folder,
                         ",".join(sorted(names)), tolerance, prints,
                         texts[0] if texts else "", name, *words])


def write_limits(options, tool):
    """Why a tool can't follow a test, by file: for sanitize.py."""
    with open(os.path.join(options.out, tool), "w", encoding="utf-8") as out:
        for path in options.files:
            why = read_test(path).last(tool.upper())
            if why:
                out.write(f"{os.path.relpath(path, options.root)}\t{why}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--maker", required=True)
    parser.add_argument("--runner", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--target", default="sm_90a")
    parser.add_argument("--root", default=".")
    options = parser.parse_args()
    shutil.rmtree(options.out, ignore_errors=True)
    os.makedirs(options.out)
    lines = []
    for path in options.files:
        try:
            lines += launches_of(path, os.path.relpath(path, options.root))
        except BadTest as error:
            print(f"{path}: bad test: {error}")
            return 1
    env = dict(os.environ, HEDDLE_CACHE_DIR="", LC_ALL="C.UTF-8")
    done = subprocess.run([options.maker, options.out, options.target],
                          input="\n".join(lines) + "\n", text=True, env=env,
                          check=False)
    if done.returncode != 0:
        return 1
    shutil.copy(options.runner, options.out)
    shutil.copy(os.path.join(os.path.dirname(os.path.abspath(__file__)),
                             "sanitize.py"), options.out)
    for tool in LIMITED:
        write_limits(options, tool)
    return 0


if __name__ == "__main__":
    sys.exit(main())
