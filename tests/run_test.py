#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs one test: a program whose comments say what is expected of it.

tests/README.md describes the format. Only the standard library is needed;
`OUT:` lines need NumPy, which is their oracle. What is imported here is kept
as bytecode: a thousand tests start with it.
"""

import argparse
import re
import sys
import tempfile

from oracle import BadTest, Failure
from steps import SKIPPED, NothingToDo, Runner
from test_file import read_test


def run_file(options):
    try:
        test = read_test(options.file)
    except BadTest as error:
        return 1, f"{options.file}: bad test: {error}"
    expected_failure = test.last("XFAIL")
    if expected_failure is not None and not re.match(r"#\d+\b",
                                                     expected_failure):
        return 1, f"{options.file}: bad test: XFAIL: #ISSUE reason"
    with tempfile.TemporaryDirectory(prefix="heddle_test_") as scratch:
        try:
            checked = Runner(options, test, scratch).run()
        except BadTest as error:
            return 1, f"{options.file}: bad test: {error}"
        except NothingToDo as reason:
            return SKIPPED, f"{options.file}: skipped: {reason}"
        except Failure as error:
            if expected_failure is not None:
                return 0, f"fails as expected: {expected_failure}"
            return 1, f"{options.file}: FAILED: {test.last('TEST')}\n{error}"
    if expected_failure is not None:
        return 1, f"{options.file}: passes now: remove its XFAIL"
    return 0, f"passed: {checked} expectations"


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file")
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
    status, message = run_file(parser.parse_args(arguments))
    print(message)
    return status


if __name__ == "__main__":
    sys.exit(main())
