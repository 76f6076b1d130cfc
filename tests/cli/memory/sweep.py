# SPDX-License-Identifier: Apache-2.0
"""Runs commands of heddle where memory runs out at many places.

    sweep.py space COMMAND …    address space limited, from what loading takes on
    sweep.py malloc COMMAND …   allocations that fail, from the n-th on

A command is one argument, words with blanks between. Prints "ok" if each run
ends as it would have, or with an error that says that memory ran out; otherwise
what it did instead.
"""

import os
import re
import resource
import shutil
import subprocess
import sys

N_RUNS = 24
# What is said: by the command, and by those that it starts or is loaded by.
SAID = re.compile(r"out of memory|HD0902|[Cc]annot allocate memory|"
                  r"error while loading shared libraries|"
                  r"can't be started|preprocessor")


def run(words, env=None, limit=0):
    def confine():
        if limit:
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    try:
        done = subprocess.run(words, capture_output=True, timeout=60, check=False,
                              text=True, errors="replace", preexec_fn=confine,
                              env={**os.environ, "HEDDLE_CACHE_DIR": "",
                                   **(env or {})})
    except subprocess.TimeoutExpired:
        return "hangs", ""
    return done.returncode, done.stderr


def problem(status, said, usual):
    if status == "hangs" or status < 0:
        return f"ends with {status}"
    if "internal error" in said or "please report" in said.lower():
        return "calls it an internal error"
    if status == usual or (status in (1, 2, 127) and SAID.search(said)):
        return None
    return f"ends with {status} and says: {said[-200:]}"


def smallest(words):
    """With less it can't be loaded, in bytes."""
    low, high = 1 << 20, 1 << 34
    while high - low > 1 << 18:
        middle = (low + high) // 2
        if run(words, limit=middle)[0] == 0:
            high = middle
        else:
            low = middle
    return high


def sweep_space(words, usual):
    first = smallest([words[0], "--version"])
    for i in range(N_RUNS):
        # Close to each other first: 256 KiB, then further apart.
        limit = first + (i - 2) * (1 << 18) + (i * i << 16)
        yield f"{limit} bytes", *run(words, limit=limit), usual


def sweep_malloc(words, usual):
    shim = os.path.abspath("fail_malloc.so")
    count = os.path.abspath("count")
    run(words, {"LD_PRELOAD": shim, "COUNT_FILE": count})
    with open(count) as file:
        n = int(file.read())
    for i in range(N_RUNS):
        at = 1 + (n - 1) * i // (N_RUNS - 1)
        env = {"LD_PRELOAD": shim, "FAIL_FROM": str(at)}
        yield f"allocation {at} of {n}", *run(words, env), usual


def main():
    sweep = sweep_space if sys.argv[1] == "space" else sweep_malloc
    bad = 0
    for command in sys.argv[2:]:
        words = command.split()
        words[0] = shutil.which(words[0])
        usual = run(words)[0]
        for place, status, said, expected in sweep(words, usual):
            what = problem(status, said, expected)
            if what:
                bad += 1
                print(f"{command}: at {place}: {what}")
    print("bad" if bad else "ok")


main()
