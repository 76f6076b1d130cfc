# SPDX-License-Identifier: Apache-2.0
"""Runs the steps of a test, and compares what they did with its expectations."""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import zlib
from collections import namedtuple

from diagnostics import apply_fixes, match_diagnostics
from oracle import (BadTest, Failure, Oracle, SCALAR, compile_words,
                    launch_values, launch_words, names_to_save, parse_oracle)
from outcomes import Outcomes
from test_file import FILECHECK, KERNEL
from verdicts import match_verdicts

DEFAULT_TIMEOUT = 180
LONG_SCHEDULES = 50
SKIPPED = 77  # exit status, as CTest knows it
# Variants that one of so many kernels has without HD_LONG.
SAMPLED = {"--sanitize": 3, "--schedule": 2}
CPU_ONLY = ("--sanitize", "--schedule", "--trace", "--device")
ARRAY = re.compile(r"(\w+)((?:\[[^]]*\])*)=(.*)$", re.S)
VALUE_OF_ARRAY = ("@", "zeros", "iota", "full:", "random:")


def arrays_of(words, without_extent=True):
    """The names of the arrays that the words of a launch fill. Without an extent it
    may also be a member that is filled with zeros, say."""
    return [m.group(1) for m in map(ARRAY.match, words) if m and
            (m.group(2) or without_extent) and
            m.group(3).startswith(VALUE_OF_ARRAY)]


NOT_BUILT_WITH = {"address": "NO-ASAN", "thread": "NO-TSAN"}


class NothingToDo(Exception):
    """No launch of the file can run on the device that was asked for, or nothing of
    it in this build."""


class Outcome(namedtuple("Outcome", "command status stdout stderr")):
    """What a command did; its standard output in bytes."""

    def text(self):
        return self.stdout.decode("utf-8", "replace")


def fill_options(options):
    """What only run_test.py lets its users choose, for its siblings."""
    options.also, options.update, options.schedules = [], False, 0
    vars(options).setdefault("sanitizers", "")
    options.interpreter = options.filecheck = options.device = None


def kill_session(leader):
    """Ends a process and what it started, process groups of their own too."""
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and os.getsid(int(name)) == leader:
                os.kill(int(name), signal.SIGKILL)
        except ProcessLookupError:
            pass


def start(argv, cwd, env, stdin, timeout, end):
    """Starts a command, as Server.run (server.py) runs one."""
    child = subprocess.Popen(argv, cwd=cwd, stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             env=env, start_new_session=True)
    try:
        out, err = child.communicate(stdin, timeout=timeout)
        return child.returncode, out, err
    except subprocess.TimeoutExpired:
        end(child.pid)
        return (None, *child.communicate())


class Runner:
    reader = "as it is"  # whose outcomes others take (outcomes.py)

    def __init__(self, options, test, scratch):
        self.heddle = os.path.abspath(options.heddle)
        self.filecheck = options.filecheck
        self.update = options.update
        self.device = options.device
        self.interpreter = options.interpreter and os.path.abspath(
            options.interpreter)
        self.servers = options.servers
        is_long = os.environ.get("HD_LONG")
        self.also = options.also + (["-O0", "-O3", "ir"] if is_long else [])
        self.is_long = bool(is_long)
        # What is found doesn't depend on the level, the time that LLVM takes does.
        self.sanitize = ["--sanitize"] + ([] if is_long else ["-O0"])
        self.first_words = []
        self.sampled = set()
        schedules = LONG_SCHEDULES if is_long and options.schedules else \
            options.schedules
        self.also += [f"--schedule {seed}" for seed in range(schedules)]
        # Dumped IR is simplified: what --sanitize finds in a source may be
        # gone from it.
        if "--sanitize" in test.args():
            self.also = [words for words in self.also if words != "ir"]
        self.test = test
        for sanitizer in options.sanitizers.split(","):
            reason = test.last(NOT_BUILT_WITH.get(sanitizer, ""))
            if reason:
                raise NothingToDo(reason)
        self.scratch = scratch
        self.folder = os.path.dirname(os.path.abspath(test.path))
        self.name = os.path.basename(test.path)
        self.timeout = float(test.last("TIMEOUT", DEFAULT_TIMEOUT))
        self.timeout *= options.slower
        self.slower = options.slower
        self.checked = 0
        self.outcomes = Outcomes(options.share, self.reader, self.heddle, (
            self.folder, self.name, test.text, test.all("ENV")))

    def environment(self):
        env = {k: v for k, v in os.environ.items()
               if not k.startswith("HEDDLE_")}
        env["LC_ALL"] = "C.UTF-8"
        env["HD_SLOWER"] = str(self.slower)
        env["XDG_CACHE_HOME"] = os.path.join(self.scratch, "cache")
        env["PATH"] = os.path.dirname(self.heddle) + os.pathsep + env["PATH"]
        for pair in self.test.all("ENV"):
            name, _, value = pair.partition("=")
            env[name] = value
        return env

    def execute(self, argv, cwd=None, stdin=b""):
        shown = argv[2] if argv[:1] == ["bash"] else shlex.join(argv)
        server = self.servers.of(argv[0]) if argv[0] in (
            self.heddle, self.interpreter) else None
        execute = server.run if server else start
        status, out, err = execute(argv, cwd or self.folder, self.environment(),
                                   stdin, self.timeout, kill_session)
        err = err.decode("utf-8", "replace")
        if status is None:
            raise Failure(f"no end within {self.timeout:g} s: {shown}\n{err}")
        outcome = Outcome(shown, status, out, err)
        if status < 0:
            self.fail(outcome, f"killed by signal {-status}")
        return outcome

    def run_heddle(self, *args, stdin=b""):
        return self.execute([self.heddle, *args], stdin=stdin)

    def outcome_of(self, words, saved, is_shared):
        """What `heddle WORDS` does, with arrays saved as files {NAME: PATH}.

        is_shared: of the program as it is, so that another test may ask the same.
        """
        argv = [self.heddle, *self.first_words, *words]
        for name, path in sorted(saved.items()):
            argv += ["--save", f"{name}={path}"]
        known = self.outcomes.find(words, saved) if is_shared else None
        if known:
            return Outcome(shlex.join(argv), *known)
        outcome = self.execute(argv)
        if is_shared:
            self.outcomes.keep(words, saved, outcome[1:])
        return outcome

    def fail(self, outcome, why):
        lines = [why, f"  command: {outcome.command}",
                 f"  exit status: {outcome.status}"]
        for title, text in (("stdout", outcome.text()),
                            ("stderr", outcome.stderr)):
            if text.strip():
                shown = text if len(text) < 6000 else text[:6000] + "\n…"
                lines.append(f"  {title}:\n    " +
                             "\n    ".join(shown.rstrip().split("\n")))
        raise Failure("\n".join(lines))

    def is_sampled(self, kind, n, *words):
        """Whether a run that costs much is made: without HD_LONG the first one of
        a file, and one of n of the others."""
        is_first = kind not in self.sampled
        self.sampled.add(kind)
        return is_first or self.is_one_of(n, *words)

    def is_one_of(self, n, *words):
        """One of n, always the same, and of 2 * n only such; with HD_LONG all."""
        return self.is_long or zlib.crc32("\0".join([self.name, *words]).encode()) % n == 0

    # --- what came out -------------------------------------------------------

    def check_streams(self, step, outcome, exit_default=0):
        self.check_exit(step, outcome, exit_default)
        out, err = outcome.text(), outcome.stderr
        for name, text, wanted in (("STDOUT", out, True), ("STDERR", err, True),
                                   ("STDOUT-END", out, True),
                                   ("STDERR-END", err, True),
                                   ("STDOUT-NOT", out, False),
                                   ("STDERR-NOT", err, False)):
            for directive in step.all(name):
                if not directive.value:
                    raise BadTest(f"line {directive.line}: empty {name}")
                self.checked += 1
                if self.is_said(name, directive.value, text) != wanted:
                    self.fail(outcome, f"line {directive.line}: {name}: "
                              f"{directive.value!r} is "
                              f"{'missing' if wanted else 'there'}")
        self.check_prints(step, outcome)
        for directive in step.all("GOLDEN"):
            self.check_golden(directive, outcome)

    @staticmethod
    def is_said(name, said, text):
        """Whether text has what the directive says, at the end of a line for -END."""
        if not name.endswith("-END"):
            return said in text
        return any(line.endswith(said) for line in text.splitlines())

    def check_exit(self, step, outcome, default):
        wanted = step.last("EXIT", str(default))
        self.checked += 1
        if not wanted.isdigit():
            raise BadTest(f"EXIT must be a number: {wanted}")
        if outcome.status != int(wanted):
            self.fail(outcome, f"exit status {outcome.status}, "
                      f"expected {wanted}")

    def check_prints(self, step, outcome):
        lines = outcome.text().split("\n")
        if lines[-1] == "":
            lines.pop()
        for name, key in (("PRINTS", list), ("PRINTS-UNORDERED", sorted)):
            wanted = [d.value for d in step.all(name)]
            if not wanted:
                continue
            self.checked += len(wanted)
            if key(lines) != key(wanted):
                self.fail(outcome, f"{name}: expected exactly\n    " +
                          "\n    ".join(wanted))

    def check_golden(self, directive, outcome):
        path = os.path.join(self.folder, directive.value)
        self.checked += 1
        if self.update:
            with open(path, "wb") as file:
                file.write(outcome.stdout)
            return
        if not os.path.exists(path):
            raise Failure(f"line {directive.line}: no golden file "
                          f"{directive.value}; --update writes it")
        with open(path, "rb") as file:
            if file.read() != outcome.stdout:
                self.fail(outcome, f"differs from {directive.value}; "
                          "--update rewrites it")

    # --- mode run ------------------------------------------------------------

    def is_for_cpu(self, words, step):
        """Asks for what only the CPU does, or must end in a deadlock, which
        only the CPU tells."""
        return (any(w.split("=")[0] in CPU_ONLY for w in words) or
                any("deadlock" in d.value for d in step.all("STDERR")))

    def run_on_device(self):
        steps = [s for s in self.test.steps if s.kind == "LAUNCH" and
                 not self.is_for_cpu(shlex.split(s.value) + self.test.args(), s)]
        if not steps:
            raise NothingToDo("its launches are about the CPU")
        self.also = [v for v in self.test.all("ALSO") + self.also
                     if v.split()[0] not in (*CPU_ONLY, "interpreter")]
        for step in steps:
            self.run_launch(step)
        return self.checked

    def run_launch(self, step):
        self.launch_once(step, self.name, shlex.split(step.value), [])
        own = [] if self.device else self.test.all("ALSO")
        for extra in own + self.also:
            try:
                if extra == "ir":
                    self.launch_ir(step)
                elif extra.split()[0] == "interpreter":
                    self.launch_interpreted(step, extra.split()[1:])
                else:
                    self.launch_variant(step, extra)
            except Failure as error:
                raise Failure(f"variant '{extra}': {error}") from error

    def launch_variant(self, step, extra):
        """A variant for which LLVM compiles the kernel anew, and takes many times
        as long over what --sanitize adds: without HD_LONG some kernels have it. A
        file that asks for it has it once at least."""
        words, level = shlex.split(step.value), []
        early = [*filter(KERNEL.match, words[:1]),
                 *compile_words(self.test.text, words)]
        n = SAMPLED.get(extra.split()[0])
        is_own = extra in self.test.all("ALSO")
        if n and not (self.is_sampled(extra, n, *early) if is_own else
                      self.is_one_of(n, *early)):
            return
        is_stated = any(re.match("-O\\d", w) for w in self.test.args())
        if extra == "--sanitize" and not (is_stated or
                                          self.is_one_of(6, *early)):
            level = ["-O0"]
        self.launch_once(step, self.name, words, shlex.split(extra) + level)

    def launch_ir(self, step):
        """The same launch of the kernel's dumped IR."""
        if self.test.all("NO-IR"):
            return
        words = shlex.split(step.value)
        kernel = words[:1] if words and KERNEL.match(words[0]) else []
        early = compile_words(self.test.text, words)
        values = [w for w in words if SCALAR.match(w) and w not in early]
        outcome = self.run_heddle("dump", self.name, *kernel, "--stage", "ir",
                                  *self.test.args(), *early, *values)
        if outcome.status != 0:
            self.fail(outcome, "no IR to run")
        path = os.path.join(self.scratch, "dumped.hir")
        with open(path, "wb") as file:
            file.write(outcome.stdout)
        text = outcome.stdout.decode()
        rest = launch_words(words[len(kernel):], text)
        named = re.search(r'^kernel "([^"]*)"', text, re.M)
        self.launch_once(step, path, ([named.group(1)] if kernel else []) + rest,
                         [])

    def launch_interpreted(self, step, words):
        """The same launch in the reference interpreter, with words for it."""
        if not self.interpreter:
            raise BadTest("ALSO: interpreter needs --interpreter")
        heddle = self.heddle
        self.heddle = self.interpreter
        self.first_words = words
        try:
            self.launch_once(step, self.name, shlex.split(step.value),
                             ["--no-cache"])
        finally:
            self.heddle = heddle
            self.first_words = []

    def files_for(self, names):
        """Paths of arrays that a launch saves; none is there yet."""
        saved = {n: os.path.join(self.scratch, f"{n}.npy") for n in names}
        for path in saved.values():
            if os.path.exists(path):
                os.remove(path)
        return saved

    def launch_once(self, step, program, words, extra):
        values = {name: value for name, (_, value)
                  in launch_values(shlex.split(step.value)).items()}
        oracles = [parse_oracle(d) for d in step.all("OUT")]
        argv = ["run", program, *words, *self.test.args(), *extra]
        if self.device:
            argv += ["--device", self.device]
        names = names_to_save(oracles)
        is_shared = program == self.name and not extra
        if is_shared and self.outcomes.folder:
            names.update(arrays_of(words, without_extent=False))
        saved = self.files_for(names)
        outcome = self.outcome_of(argv, saved, is_shared)
        self.check_streams(step, outcome)
        quiet = step.all("STDERR") or self.test.annotations
        said = [line for line in outcome.stderr.splitlines()
                if not line.startswith("heddle: --sanitize found nothing in ")]
        if outcome.status == 0 and said and not quiet:
            self.fail(outcome, "unexpected text on stderr")
        if oracles:
            Oracle(self, step, outcome).check(oracles, saved, values)

    # --- mode compile --------------------------------------------------------

    def run_dump(self, step):
        argv = ["dump", self.name, *shlex.split(step.value), *self.test.args()]
        outcome = self.run_heddle(*argv)
        self.check_streams(step, outcome)
        if any(FILECHECK.match(d.name) for d in step.expects):
            self.check_patterns(step, outcome)
        for directive in step.all("IR-COUNT"):
            self.check_counts(directive, outcome)
        for directive in step.all("ROUNDTRIP"):
            self.check_round_trip(directive, outcome)

    def check_patterns(self, step, outcome):
        if not self.filecheck or not shutil.which(self.filecheck):
            raise Failure("FileCheck was not found: install llvm-22-tools")
        lines = [""] * (self.test.text.count("\n") + 1)
        for directive in step.expects:
            if FILECHECK.match(directive.name):
                lines[directive.line - 1] = (f"// {directive.name}: "
                                             f"{directive.value}")
                self.checked += 1
        path = os.path.join(self.scratch, self.name + ".check")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines))
        done = subprocess.run([self.filecheck, path, "--dump-input=fail"],
                              input=outcome.stdout, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
        if done.returncode != 0:
            raise Failure(f"FileCheck on: {outcome.command}\n"
                          + done.stdout.decode("utf-8", "replace"))

    def check_counts(self, directive, outcome):
        for item in directive.value.split(","):
            match = re.match(r"\s*([\w.]+)\s+(<=|>=)?\s*(\d+)\s*$", item)
            if not match:
                raise BadTest(f"line {directive.line}: not 'OP N': {item}")
            word, relation, number = match.groups()
            pattern = r"(?<![\w.%@])" + re.escape(word) + r"(?![\w.])"
            got, want = len(re.findall(pattern, outcome.text())), int(number)
            self.checked += 1
            if not {"<=": got <= want, ">=": got >= want}.get(relation,
                                                              got == want):
                self.fail(outcome, f"line {directive.line}: {got} x '{word}', "
                          f"expected {relation or ''}{want}")

    def check_round_trip(self, directive, outcome):
        stage = directive.value  # and options
        again = self.run_heddle("dump", "-", "--stage", *shlex.split(stage),
                                stdin=outcome.stdout)
        self.checked += 1
        if again.status != 0 or again.stdout != outcome.stdout:
            self.fail(again, f"the text of stage '{stage}' reads back "
                      "as something else")

    # --- mode cli ------------------------------------------------------------

    def run_shell(self, step):
        command = step.value
        for key, value in (("%s", os.path.join(self.folder, self.name)),
                           ("%S", self.folder), ("%t", self.scratch),
                           ("%python", sys.executable)):
            command = re.sub(re.escape(key) + r"(?!\w)", shlex.quote(value),
                             command)
        cwd = os.path.join(self.scratch, "cwd")
        os.makedirs(cwd, exist_ok=True)
        outcome = self.execute(["bash", "-c", command], cwd=cwd)
        if step.kind == "SETUP":
            if outcome.status != 0:
                self.fail(outcome, f"line {step.line}: SETUP failed")
            return
        self.check_streams(step, outcome)
        oracles = [parse_oracle(d, files=True) for d in step.all("OUT")]
        if oracles:
            Oracle(self, step, outcome, cwd).check_files(oracles)

    # --- modes diag and check ------------------------------------------------

    def check_words(self):
        """Proofs are for files that say which verdict they expect, and what
        is told beside it."""
        if self.test.verdicts and self.test.annotations:
            return self.verdict_words()
        return ["--rules-only", *self.test.args()]

    def verdict_words(self):
        own = self.test.args() if self.test.mode in ("check", "diag") else []
        return own + self.test.verdict_args

    def run_verdicts(self):
        outcome = self.outcome_of(["check", self.name, "--json",
                                   *self.verdict_words()], {}, True)
        if outcome.status not in (0, 1):
            self.fail(outcome, "no verdict")
        kernels = self.read_json(outcome, "kernels")
        problems = match_verdicts(kernels, self.test.verdicts)
        bugs = any(k["verdict"] == "bug" for k in kernels)
        if not problems and outcome.status != int(bugs):
            problems = [f"exit status {outcome.status} with "
                        f"{'' if bugs else 'no '}bugs"]
        self.checked += len(self.test.verdicts)
        if problems:
            self.fail(outcome, "\n".join(problems))

    def run_sanitized(self):
        """The same verdicts from runs, as far as a run can give one."""
        for kernel, words, line in self.test.sanitized:
            own = [v for v in self.test.verdicts if v.kernel == kernel] or [
                v for v in self.test.verdicts if v.kernel is None]
            if not own:
                raise BadTest(f"line {line}: no verdict for this kernel")
            has_bug = any(v.verdict == "bug" for v in own)
            if not self.is_sampled("verdict", 5, kernel or "", words):
                continue
            outcome = self.run_heddle("run", self.name,
                                      *([kernel] if kernel else []),
                                      *self.sanitize, *shlex.split(words))
            self.checked += 1
            if outcome.status != int(has_bug):
                self.fail(outcome, f"line {line}: --sanitize finds "
                          f"{'nothing' if has_bug else 'something'}")

    def run_diagnostics(self):
        outcome = self.run_heddle("check", self.name, "--json",
                                  *self.check_words())
        diags = self.read_json(outcome)
        errors = [a for a in self.test.annotations if a.kind == "error"]
        if outcome.status != (1 if errors else 0):
            self.fail(outcome, f"exit status {outcome.status}, expected "
                      f"{1 if errors else 0}")
        problems = match_diagnostics(diags, self.test.annotations, self.name)
        self.checked += len(self.test.annotations)
        if problems:
            self.fail(outcome, "\n".join(problems))
        self.check_text_form(diags, outcome.status)
        for directive in self.test.implicit:
            if directive.name == "FIXED":
                self.check_fixed(diags)
            elif directive.value != "accepted" or errors:
                raise BadTest(f"line {directive.line}: VERDICT: accepted, and "
                              "no '//~ error'")
            else:
                self.checked += 1

    def read_json(self, outcome, key="diagnostics"):
        try:
            data = json.loads(outcome.text())
        except ValueError as error:
            self.fail(outcome, f"--json did not print JSON: {error}")
        found = data.get(key) if isinstance(data, dict) else None
        if not isinstance(found, list):
            self.fail(outcome, f"--json: no list '{key}'")
        return found

    def check_text_form(self, diags, status):
        outcome = self.run_heddle("check", self.name, *self.check_words())
        if outcome.status != status:
            self.fail(outcome, f"exit status differs from --json's {status}")
        for diag in diags:
            head = f"{diag['severity']}[{diag['code']}]: {diag['message']}"
            place = f"{diag['file']}:{diag['line']}:" if diag.get("line") else ""
            for text in (head, place):
                if text not in outcome.stderr:
                    self.fail(outcome, f"the text form has no '{text}'")

    def check_fixed(self, diags):
        fixes = [f for d in diags for f in d.get("fixes", []) if f["certain"]]
        if not fixes:
            raise Failure("FIXED: there is no certain fix-it")
        path = os.path.join(self.scratch, "fixed_" + self.name)
        with open(path, "wb") as file:
            file.write(apply_fixes(self.test.text, fixes))
        outcome = self.run_heddle("check", path, "--json",
                                  *self.check_words())
        self.checked += 1
        left = [d for d in self.read_json(outcome) if d["severity"] == "error"]
        if left or outcome.status != 0:
            self.fail(outcome, "FIXED: errors are left after the fix-its")

    def run(self):
        if self.device:
            return self.run_on_device()
        if self.test.verdicts:
            self.run_verdicts()
            self.run_sanitized()
        if self.test.annotations or self.test.implicit:
            self.run_diagnostics()
        for step in self.test.steps:
            {"LAUNCH": self.run_launch, "DUMP": self.run_dump,
             "RUN": self.run_shell, "SETUP": self.run_shell}[step.kind](step)
        if self.checked == 0:
            raise BadTest("no expectation was tested")
        return self.checked
