#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of tests/run_test.py: files that must pass, and that must fail.

Every file of cases/ starts with `//expect pass: what it shows` or
`//expect fail: a part of the reason that the runner must give`.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
RUNNER = os.path.join(HERE, os.pardir, "run_test.py")
FAKE = os.path.join(HERE, "fake_heddle.py")


def run(path, *options):
    # The cases say what one launch does, the long tests repeat launches.
    environment = {k: v for k, v in os.environ.items() if k != "HD_LONG"}
    return subprocess.run([sys.executable, RUNNER, "--heddle", FAKE, *options,
                           path], capture_output=True, text=True, timeout=60,
                          env=environment)


class Cases(unittest.TestCase):
    def check(self, path):
        with open(path) as file:
            first = file.readline()
        wish, reason = re.match(r"//expect (pass|fail): (.+)", first).groups()
        done = run(path)
        self.assertNotIn("Traceback", done.stderr + done.stdout)
        self.assertEqual(done.returncode, 0 if wish == "pass" else 1,
                         done.stdout + done.stderr)
        if wish == "fail":
            self.assertIn(reason.strip(), done.stdout)


def add_cases():
    folder = os.path.join(HERE, "cases")
    for name in sorted(os.listdir(folder)):
        if name.endswith(".hd"):
            path = os.path.join(folder, name)
            label = re.sub(r"\W", "_", name[:-3])
            setattr(Cases, f"test_{label}",
                    lambda self, path=path: self.check(path))


class Update(unittest.TestCase):
    def test_update_writes_goldens(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.hd")
            with open(path, "w") as file:
                file.write("// TEST: x\n// MODE: compile\n//fake stdout: hi\n"
                           "// DUMP: --stage ir\n// GOLDEN: a.golden\n")
            self.assertIn("no golden file", run(path).stdout)
            self.assertEqual(run(path, "--update").returncode, 0)
            with open(os.path.join(folder, "a.golden")) as file:
                self.assertEqual(file.read(), "hi\n")
            self.assertEqual(run(path).returncode, 0)

    def test_update_leaves_diagnostics(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.hd")
            shutil.copy(os.path.join(HERE, "cases", "diag_missing.hd"), path)
            with open(path) as file:
                before = file.read()
            self.assertEqual(run(path, "--update").returncode, 1)
            with open(path) as file:
                self.assertEqual(file.read(), before)


class Variants(unittest.TestCase):
    def test_also_option_repeats_launches(self):
        path = os.path.join(HERE, "cases", "run_scalar_default.hd")
        done = run(path, "--also", "n=4")
        self.assertEqual(done.returncode, 1)
        self.assertIn("variant 'n=4'", done.stdout)


add_cases()
if __name__ == "__main__":
    unittest.main()
