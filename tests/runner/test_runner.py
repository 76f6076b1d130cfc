#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of tests/run_test.py: files that must pass, and that must fail.

Every file of cases/ starts with `//expect pass: what it shows` or
`//expect fail: a part of the reason that the runner must give`.
"""

import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from collections import namedtuple

HERE = os.path.dirname(os.path.abspath(__file__))
RUNNER = os.path.join(HERE, os.pardir, "run_test.py")
FAKE = os.path.join(HERE, "fake_heddle.py")
sys.path.insert(0, os.path.dirname(HERE))
import run_test  # noqa: E402
from outcomes import Outcomes  # noqa: E402
from server import Servers  # noqa: E402
from steps import Runner, kill_session  # noqa: E402

# The cases say what one launch does, the long tests repeat launches.
os.environ.pop("HD_LONG", None)
Done = namedtuple("Done", "returncode stdout")


def run(*words):
    """As the command does, in this process: starting it takes longer."""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        status = run_test.main(["--heddle", FAKE, *words])
    return Done(status, printed.getvalue())


class Cases(unittest.TestCase):
    def check(self, path):
        with open(path) as file:
            first = file.readline()
        wish, reason = re.match(r"//expect (pass|fail): (.+)", first).groups()
        done = run(path)
        self.assertEqual(done.returncode, 0 if wish == "pass" else 1,
                         done.stdout)
        if wish == "fail":
            self.assertIn(reason.strip(), done.stdout)

    def test_the_command(self):
        for name, status in (("run_prints", 0), ("diag_missing", 1)):
            path = os.path.join(HERE, "cases", name + ".hd")
            done = subprocess.run([sys.executable, RUNNER, "--heddle", FAKE, path],
                                  capture_output=True, text=True, timeout=60)
            self.assertEqual((done.returncode, done.stderr), (status, ""))
            self.assertEqual(done.stdout, run(path).stdout)


def add_cases():
    folder = os.path.join(HERE, "cases")
    for name in sorted(os.listdir(folder)):
        if name.endswith(".hd"):
            path = os.path.join(folder, name)
            label = re.sub(r"\W", "_", name[:-3])
            setattr(Cases, f"test_{label}",
                    lambda self, path=path: self.check(path))


class Several(unittest.TestCase):
    """Several files in one run."""

    def run_cases(self, *names):
        return run(*[os.path.join(HERE, "cases", name + ".hd") for name in names])

    def test_all_pass(self):
        done = self.run_cases("run_prints", "run_scalar_default")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertRegex(done.stdout, r"(?m)^run_prints\.hd \(.* s\): passed: ")
        self.assertIn("2 files, 0 skipped, 0 failed\n", done.stdout)

    def test_one_fails(self):
        done = self.run_cases("run_prints", "diag_missing", "run_scalar_default")
        self.assertEqual(done.returncode, 1)
        self.assertIn("run_scalar_default.hd", done.stdout)
        self.assertTrue(done.stdout.endswith(
            "3 files, 0 skipped, 1 failed: diag_missing.hd\n"), done.stdout)


@unittest.skipUnless(os.environ.get("HD_SERVE"), "needs serve/serve.c")
class Serves(unittest.TestCase):
    """A shell that is asked for several commands, in place of `heddle`."""

    def setUp(self):
        servers = Servers(os.environ["HD_SERVE"])
        self.addCleanup(servers.__exit__)
        self.server = servers.of("/bin/sh")
        self.assertIs(self.server, servers.of("/bin/sh"))

    def run_shell(self, command, *words, stdin=b"", timeout=60,
                  end=lambda pid: os.kill(pid, 9), **env):
        return self.server.run(["sh", "-c", command, *words], "/", env, stdin,
                               timeout, end)

    def test_what_a_program_finds(self):
        for _ in range(2):
            self.assertEqual(
                self.run_shell('read a; echo "$a $1 $X"; pwd; echo no >&2; exit 3',
                               "sh", "b  c", stdin=b"from in\n", X="yes"),
                (3, b"from in b  c yes\n/\n", b"no\n"))
        self.assertEqual(self.run_shell('read a || echo "none$X"'),
                         (0, b"none\n", b""))

    def test_signals_are_told(self):
        self.assertEqual(self.run_shell("kill -SEGV $$")[0], -11)
        self.assertEqual(self.run_shell("echo 1"), (0, b"1\n", b""))

    def test_a_hang_is_ended(self):
        ended = []

        def end(pid):
            ended.append(pid)
            kill_session(pid)

        status, out, _ = self.run_shell("echo before; sleep 60", timeout=0.2,
                                        end=end)
        self.assertEqual((status, out, len(ended)), (None, b"before\n", 1))
        self.assertEqual(self.run_shell("echo 1"), (0, b"1\n", b""))


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

    def test_schedules_repeat_launches(self):
        path = os.path.join(HERE, "cases", "run_scalar_default.hd")
        counts = [run(path, "--schedules", str(n)).stdout.split()[1]
                  for n in (0, 2)]
        self.assertEqual(int(counts[1]), 3 * int(counts[0]))

    def test_costly_runs_are_sampled(self):
        def taken(is_long):
            runner = Runner.__new__(Runner)
            runner.name, runner.is_long = "a.hd", is_long
            runner.sampled = set()
            return [i for i in range(300) if runner.is_sampled("", 3, f"k{i}")]

        self.assertEqual(taken(True), list(range(300)))
        self.assertEqual(taken(False), taken(False))
        self.assertEqual(taken(False)[0], 0)
        self.assertTrue(70 < len(taken(False)) < 130)

    def test_who_asks_for_sanitized_runs_has_one(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.hd")
            with open(path, "w") as file:
                file.write("// TEST: x\n// MODE: run\n// ALSO: --sanitize\n"
                           "// LAUNCH: n=1\n// EXIT: 0\n")
            self.assertIn("passed: 2 expectations", run(path).stdout)

    def test_the_interpreter_is_asked(self):
        path = os.path.join(HERE, "cases", "run_scalar_default.hd")
        done = run(path, "--also", "interpreter", "--interpreter", "/bin/false")
        self.assertEqual(done.returncode, 1)
        self.assertIn("variant 'interpreter'", done.stdout)
        done = run(path, "--also", "interpreter", "--interpreter", FAKE)
        self.assertEqual(done.returncode, 0, done.stdout)


class Shared(unittest.TestCase):
    """Outcomes that two tests look at (outcomes.py)."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.share = folder.name
        self.path = os.path.join(folder.name, "a.hd")
        with open(self.path, "w") as file:
            file.write("// TEST: x\n// MODE: run\n//fake stdout: made\n"
                       "//fake save: y = np.arange(3)\n"
                       "// LAUNCH: y=zeros\n// PRINTS: made\n"
                       "// OUT: y = np.arange(3)\n")

    def outcomes(self, reader, *more):
        with open(self.path) as file:
            return Outcomes(self.share, reader, FAKE, (
                os.path.dirname(self.path), "a.hd", file.read(), [], *more))

    def run_shared(self):
        return run(self.path, "--share", self.share)

    def words(self):
        return ["run", "a.hd", "y=zeros"]

    def test_another_test_reads_what_one_did(self):
        self.assertEqual(self.run_shared().returncode, 0)
        copy = os.path.join(self.share, "copy.npy")
        self.assertEqual(self.outcomes("converted").find(
            self.words(), {"y": copy}), (0, b"made\n", ""))
        self.assertTrue(os.path.exists(copy))

    def test_what_was_read_is_compared(self):
        for outcome, array, why in (
                ((0, b"other\n", ""), "arange(3)", "PRINTS"),
                ((3, b"made\n", ""), "arange(3)", "exit status 3"),
                ((0, b"made\n", ""), "ones(3, int)", "elements differ")):
            source = os.path.join(self.share, "y.npy")
            subprocess.run([sys.executable, "-c", "import sys, numpy as np; "
                            f"np.save(sys.argv[1], np.{array})", source],
                           check=True)
            self.outcomes("converted").keep(self.words(), {"y": source}, outcome)
            done = self.run_shared()
            self.assertEqual(done.returncode, 1, why)
            self.assertIn(why, done.stdout)

    def test_only_the_same_is_read(self):
        outcome = (0, b"", "")
        mine = self.outcomes("as it is")
        mine.keep(self.words(), {}, outcome)
        other = self.outcomes("converted")
        self.assertEqual(other.find(self.words(), {}), outcome)
        self.assertIsNone(mine.find(self.words(), {}))  # its own
        self.assertIsNone(other.find(self.words(), {"y": "y.npy"}))
        self.assertIsNone(other.find([*self.words(), "-O0"], {}))
        self.assertIsNone(self.outcomes("converted", "HD=1").find(
            self.words(), {}))
        with open(self.path, "a") as file:
            file.write("\n")
        self.assertIsNone(self.outcomes("converted").find(self.words(), {}))

    def test_on_a_gpu_the_interpreter_is_not_asked(self):
        with open(self.path, "a") as file:
            file.write("// ALSO: interpreter\n")
        done = run(self.path, "--device", "cuda")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(run(self.path).returncode, 1)

    def test_a_folder_that_another_run_removed_is_not_needed(self):
        mine = self.outcomes("as it is")
        os.rename(self.share, self.share + ".gone")
        mine.keep(self.words(), {}, (0, b"", ""))
        self.assertIsNone(mine.find(self.words(), {}))
        os.rename(self.share + ".gone", self.share)

    def test_nothing_is_shared_outside_of_a_run(self):
        gone = os.path.join(self.share, "gone")
        self.assertEqual(run(self.path, "--share", gone).returncode, 0)
        self.assertFalse(os.path.exists(gone))


add_cases()
if __name__ == "__main__":
    unittest.main()
