#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs tests: programs whose comments say what is expected of them.

tests/README.md describes the format. Only the standard library is needed;
`OUT:` lines need NumPy, which is their oracle.
"""

import argparse
import os
import re
import sys
import tempfile
import time

from oracle import BadTest, Failure
from server import Servers
from steps import SKIPPED, NothingToDo, Runner
from test_file import read_test


def run_file(options, path):
    try:
        test = read_test(path)
    except BadTest as error:
        return 1, f"{path}: bad test: {error}"
    expected_failure = test.last("XFAIL")
    if expected_failure is not None and not re.match(r"#\d+\b",
                                                     expected_failure):
        return 1, f"{path}: bad test: XFAIL: #ISSUE reason"
    with tempfile.TemporaryDirectory(prefix="heddle_test_") as scratch:
        try:
            checked = Runner(options, test, scratch).run()
        except BadTest as error:
            return 1, f"{path}: bad test: {error}"
        except NothingToDo as reason:
            return SKIPPED, f"{path}: skipped: {reason}"
        except Failure as error:
            if expected_failure is not None:
                return 0, f"fails as expected: {expected_failure}"
            return 1, f"{path}: FAILED: {test.last('TEST')}\n{error}"
    if expected_failure is not None:
        return 1, f"{path}: passes now: remove its XFAIL"
    return 0, f"passed: {checked} expectations"


def run_files(options, run):
    """The worst status of run(options, PATH), which also gives a message. Several
    files: their names and times, too, and at the end those that failed."""
    failed, skipped = [], []
    several = len(options.file) > 1
    with Servers(options.serve) as options.servers:
        for path in options.file:
            start = time.monotonic()
            status, message = run(options, path)
            name = os.path.basename(path)
            print(f"{name} ({time.monotonic() - start:.1f} s): {message}"
                  if several else message, flush=True)
            if status not in (0, SKIPPED):
                failed.append(name)
            elif status:
                skipped.append(name)
    if several:
        print(f"{len(options.file)} files, {len(skipped)} skipped, {len(failed)} "
              f"failed{': ' if failed else ''}{', '.join(failed)}")
    return 1 if failed else SKIPPED if len(skipped) == len(options.file) else 0


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file", nargs="+")
    parser.add_argument("--heddle", required=True, help="the command to test")
    parser.add_argument("--filecheck", default="FileCheck-22")
    parser.add_argument("--update", action="store_true",
                        help="rewrite golden files (never diagnostics)")
    parser.add_argument("--also", action="append", default=[],
                        help="one more variant of every launch, as ALSO:")
    parser.add_argument("--interpreter", help="the program for ALSO: interpreter")
    parser.add_argument("--schedules", type=int, default=0,
                        help="so many orders of blocks for every launch; "
                        "50 with HD_LONG=1")
    parser.add_argument("--device",
                        help="do the launches there, and nothing else")
    parser.add_argument("--share", help="folder of outcomes.py")
    parser.add_argument("--slower", type=float, default=1.0,
                        help="factor for time limits (sanitizers)")
    parser.add_argument("--sanitizers", default="",
                        help="that the command was built with: address,undefined")
    parser.add_argument("--serve", help="the library of serve/serve.c")
    return run_files(parser.parse_args(arguments), run_file)


if __name__ == "__main__":
    sys.exit(main())
