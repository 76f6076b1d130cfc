#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Assembles the PTX of test programs with ptxas, for every target.

Of each program the kernels are taken that it launches, with the embedded values
of the launches; without HD_LONG each kernel for one of the targets. Tile kernels
with clusters are refused, and for sm_80 all that need clusters; everything else
compiles. Without ptxas it exits with 77. `--made FOLDER` has
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
import zlib
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


def targets_of(path, words):
    """The targets that a kernel is assembled for."""
    if "HD_LONG" in os.environ:
        return TARGETS
    key = "\0".join([os.path.basename(path), *words])
    return TARGETS[zlib.crc32(key.encode()) % len(TARGETS)],


def text_name(path, words, target):
    """What the file of a PTX text is called, in a folder of them."""
    key = "\0".join([os.path.realpath(path), target, *words])
    return hashlib.sha256(key.encode()).hexdigest()[:32] + ".ptx"


class Generator:
    """PTX of kernels, by tests/gpu/dumps.c."""

    def __init__(self, options, scratch):
        self.options, self.scratch = options, scratch
        self.env = dict(os.environ,
                        HEDDLE_CACHE_DIR=os.path.join(scratch, "cache"))

    def generate(self, items):
        """For each (path, words, target): None, or what was wrong, and the file
        of the text."""
        bases = [os.path.join(self.scratch, str(i)) for i in range(len(items))]
        requests = ["\t".join([base, path, *words, "--stage", "ptx", "--target",
                               target]) + "\n"
                    for base, (path, words, target) in zip(bases, items)]
        done = subprocess.run([self.options.dumps, str(self.options.jobs)],
                              input="".join(requests), stdout=subprocess.PIPE,
                              text=True, env=self.env, check=True)
        status = dict(line.rsplit(" ", 1) for line in done.stdout.splitlines())
        return [(self.problem(base, status[base]), base + ".out")
                for base in bases]

    def problem(self, base, status):
        with open(base + ".err", encoding="utf-8", errors="replace") as file:
            why = file.read().strip()
        return None if status == "0" else why or f"exit status {status}"


def is_refused(target, why):
    """Kernels with clusters are, for sm_80, and tiles that need the memory of sm_90;
    tile kernels with clusters, for all."""
    return ((target == "sm_80" and ("before sm_90 have none" in why or
                                    "error[HD0904]" in why)) or
            "error[HD0903]" in why)


class Assembler:
    def __init__(self, options, scratch):
        self.options, self.scratch = options, scratch

    def assemble(self, text):
        """None, or what went wrong."""
        path, words, target, ptx = text
        cubin = os.path.join(self.scratch, text_name(path, words, target))
        done = subprocess.run([self.options.ptxas, "-arch", target, ptx, "-o",
                               cubin + ".cubin"], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
        if done.returncode == 0:
            return None
        if self.options.keep:
            os.makedirs(self.options.keep, exist_ok=True)
            shutil.copy(ptx, self.options.keep)
        return (f"{path} {shlex.join(words)} for {target}: ptxas: "
                + done.stdout.decode("utf-8", "replace").strip())


def texts_of(options, items, scratch):
    """(path, words, target, file) of each item that has a text, and the errors
    and refusals of others."""
    texts, missing, errors, refused = [], [], [], []
    for item in items:
        ptx = options.made and os.path.join(options.made, text_name(*item))
        if ptx and os.path.exists(ptx):
            texts.append((*item, ptx))
        else:
            missing.append(item)
    results = Generator(options, scratch).generate(missing)
    for item, (why, ptx) in zip(missing, results):
        path, words, target = item
        shown = f"{path} {shlex.join(words)} for {target}: {why}"
        if why is None:
            texts.append((*item, ptx))
        elif is_refused(target, why):
            refused.append(f"refused: {shown}")
        else:
            errors.append(shown)
    return texts, errors, refused


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--dumps", required=True,
                        help="the program that generates: build/dev/tests/dumps")
    parser.add_argument("--ptxas", default="ptxas")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--target", action="append", choices=TARGETS)
    parser.add_argument("--keep", help="folder for PTX that isn't assembled")
    parser.add_argument("--made", help="folder with PTX of instructions.py")
    options = parser.parse_args()
    options.dumps = os.path.abspath(options.dumps)
    if not shutil.which(options.ptxas):
        print("skipped: there is no ptxas (of a CUDA toolkit) in the path")
        return SKIPPED
    items = []
    for path in options.files:
        try:
            for words in kernels_of(path):
                items += [(path, words, target) for target in
                          options.target or targets_of(path, words)]
        except BadTest as error:
            print(f"{path}: bad test: {error}")
            return 1
    with tempfile.TemporaryDirectory(prefix="heddle_ptx_") as scratch:
        texts, failures, refused = texts_of(options, items, scratch)
        with ThreadPoolExecutor(options.jobs) as pool:
            results = pool.map(Assembler(options, scratch).assemble, texts)
            failures += [r for r in results if r]
    for line in failures + refused:
        print(line)
    print(f"{len(items)} texts: {len(items) - len(failures) - len(refused)} "
          f"assembled, {len(refused)} refused, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
