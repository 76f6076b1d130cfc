# SPDX-License-Identifier: Apache-2.0
"""Runs a command of heddle so often that each of its system calls fails once.

    sweep.py KEPT COMMAND …     KEPT: a file that the command replaces, or -

Prints "N failed" and what went wrong: a run must end as it would have, or with
an error that says why; what it was to replace is old or new then, with nothing
left beside it.
"""
import json
import os
import re
import subprocess
import sys

CALLS = ["read", "write", "open", "rename", "fsync", "memfd", "pipe"]
MOST = 9


def run(words, call=None, at=0):
    env = {**os.environ, "HEDDLE_CACHE_DIR": ""}
    if call:
        env |= {"LD_PRELOAD": os.path.abspath("fail_io.so"), "FAIL_CALL": call,
                "FAIL_AT": str(at), "FAILED_FILE": os.path.abspath("failed")}
    try:
        done = subprocess.run(words, capture_output=True, timeout=60, check=False,
                              text=True, errors="replace", env=env)
    except subprocess.TimeoutExpired:
        return "hangs", "", ""
    return done.returncode, done.stderr, re.sub(r"[0-9.]+ s\b", "", done.stdout)


def contents(path):
    with open(path, "rb") as file:
        return file.read()


def is_whole(path, files):
    """As before, or as after a run without failures, but for times."""
    found = contents(path)
    if not path.endswith(".json") or found in files:
        return found in files
    try:
        return bool(json.loads(found))
    except ValueError:
        return False


def problem(got, usual, kept, files):
    status, said, _ = got
    if status == "hangs" or status < 0:
        return f"ends with {status}"
    if "internal error" in said or "please report" in said.lower():
        return "calls it an internal error"
    if status not in (usual[0], 1, 2) or (status != usual[0] and not said):
        return f"ends with {status} and says: {said[-200:]}"
    if status == usual[0] and got[2] != usual[2]:
        return "prints something else"
    if kept and not is_whole(kept, files):
        return "leaves half a file"
    return None


def main():
    kept = None if sys.argv[1] == "-" else sys.argv[1]
    words = sys.argv[2:]
    usual = run(words)
    files = [b"old\n", contents(kept)] if kept else []
    n = 0
    for call in CALLS:
        for at in range(1, MOST):
            if kept:
                with open(kept, "wb") as file:
                    file.write(files[0])
            beside = sorted(os.listdir())
            got = run(words, call, at)
            if not os.path.exists("failed"):
                break
            os.remove("failed")
            n += 1
            what = problem(got, usual, kept, files)
            if not what and sorted(os.listdir()) != beside:
                what = "leaves a file"
            if what:
                print(f"{call} {at}: {what}")
    print(f"{n} failed")


main()
