#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Assembles the PTX of test programs with ptxas, for every target.

Of each program the kernels are taken that it launches, with the embedded values
of the launches. For sm_80 those may be refused that need clusters; for later
targets everything compiles. Without ptxas it exits with 77. `--made FOLDER` has
texts that instructions.py generated in the same run.
"""

import argparse
import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                ".."))
from oracle import BadTest, compile_words  # noqa: E402
from test_file import KERNEL, read_test  # noqa: E402

TARGETS = ("sm_80", "sm_90a", "sm_100a")
SKIPPED = 77
CODE_OPTIONS = {"-O0", "-O1", "-O2", "-O3", "--fast-math"}


def kernels_of(path):
    """The words after `heddle dump FILE` for each kernel that is launched."""
    test = read_test(path)
    found = []
    for step in test.steps:
        if step.kind != "LAUNCH" or step.last("EXIT", "0") == "2":
            continue
        words = shlex.split(step.value)
        kernel = words[:1] if words and KERNEL.match(words[0]) else []
        own = kernel + compile_words(test.text, words)
        own += [w for w in words + test.args() if w in CODE_OPTIONS]
        if own not in found:
            found.append(own)
    return found


def text_name(path, words, target):
    """What the file of a PTX text is called, in a folder of them."""
    key = "\0".join([os.path.realpath(path), target, *words])
    return hashlib.sha256(key.encode()).hexdigest()[:32] + ".ptx"


class Work:
    def __init__(self, options, scratch):
        self.options, self.scratch = options, scratch
        self.env = dict(os.environ,
                        HEDDLE_CACHE_DIR=os.path.join(scratch, "cache"))

    def call(self, *argv):
        return subprocess.run(argv, env=self.env, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, check=False)

    def dump(self, path, words, target):
        return self.call(self.options.heddle, "dump", path, *words, "--stage",
                         "ptx", "--target", target)

    def made(self, path, words, target):
        """The file of a text that was generated before; None: there is none."""
        if not self.options.made:
            return None
        ptx = os.path.join(self.options.made, text_name(path, words, target))
        return ptx if os.path.exists(ptx) else None

    def assemble(self, item):
        """None, or what went wrong; "refused: …" where that is right."""
        number, path, words, target = item
        shown = f"{path} {shlex.join(words)} for {target}"
        ptx = self.made(path, words, target)
        if not ptx:
            dumped = self.dump(path, words, target)
            if dumped.returncode != 0:
                why = dumped.stderr.decode("utf-8", "replace").strip()
                if (target == "sm_80" and dumped.returncode == 2 and
                        "before sm_90 have none" in why):
                    return f"refused: {shown}: {why}"
                return f"{shown}: {why}"
            ptx = os.path.join(self.scratch, f"{number}.ptx")
            with open(ptx, "wb") as file:
                file.write(dumped.stdout)
        done = self.call(self.options.ptxas, "-arch", target, ptx, "-o",
                         os.path.join(self.scratch, f"{number}.cubin"))
        if done.returncode == 0:
            return None
        why = (done.stderr + done.stdout).decode("utf-8", "replace").strip()
        if self.options.keep:
            os.makedirs(self.options.keep, exist_ok=True)
            shutil.copy(ptx, self.options.keep)
        return f"{shown}: ptxas: {why}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--ptxas", default="ptxas")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--target", action="append", choices=TARGETS)
    parser.add_argument("--keep", help="folder for PTX that isn't assembled")
    parser.add_argument("--made", help="folder with PTX of instructions.py")
    options = parser.parse_args()
    options.heddle = os.path.abspath(options.heddle)
    if not shutil.which(options.ptxas):
        print("skipped: there is no ptxas (of a CUDA toolkit) in the path")
        return SKIPPED
    items = []
    for path in options.files:
        try:
            for words in kernels_of(path):
                items += [(len(items) + i, path, words, target) for i, target
                          in enumerate(options.target or TARGETS)]
        except BadTest as error:
            print(f"{path}: bad test: {error}")
            return 1
    with tempfile.TemporaryDirectory(prefix="heddle_ptx_") as scratch:
        with ThreadPoolExecutor(options.jobs) as pool:
            results = list(pool.map(Work(options, scratch).assemble, items))
    refused = [r for r in results if r and r.startswith("refused: ")]
    failures = [r for r in results if r and not r.startswith("refused: ")]
    for line in failures + refused:
        print(line)
    print(f"{len(items)} texts: {len(items) - len(failures) - len(refused)} "
          f"assembled, {len(refused)} refused, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
