#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs one test: a program whose comments say what is expected of it.

tests/README.md describes the format. Only the standard library is needed;
`OUT:` lines need NumPy, which is their oracle.
"""

import argparse
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field

from oracle import (BadTest, Failure, Oracle, compile_words, launch_values,
                    names_to_save, parse_oracle)
from verdicts import (SANITIZE, VERDICT, VERDICT_ARGS, match_verdicts,
                      read_verdict)

MODES = ("run", "diag", "compile", "check", "cli")
HEADER = {"TEST", "REF", "MODE", "ARGS", "ENV", "TIMEOUT", "XFAIL", "PY",
          "ALSO", "SIZE", "RACECHECK", "SYNCCHECK", "NVCC"}
STEPS = {"run": {"LAUNCH", "DUMP"}, "compile": {"DUMP"},
         "cli": {"RUN", "SETUP"}, "diag": set(), "check": set()}
OUTPUT = {"PRINTS", "PRINTS-UNORDERED", "STDOUT", "STDOUT-NOT", "STDERR",
          "STDERR-NOT", "EXIT", "GOLDEN"}
EXPECT = {"LAUNCH": OUTPUT | {"OUT", "TOL"},
          "RUN": OUTPUT | {"OUT", "TOL"}, "SETUP": set(),
          "DUMP": OUTPUT | {"IR-COUNT", "ROUNDTRIP", "CHECK"}}
IMPLICIT = {"diag": {"FIXED"}, "check": {"FIXED", "VERDICT"}}
FILECHECK = re.compile(r"CHECK(-(NEXT|SAME|NOT|DAG|LABEL|EMPTY|COUNT-\d+))?$")
DIRECTIVE = re.compile(r"\s*(?://|;|#)\s?([A-Z][A-Z0-9-]+):(?:\s(.*))?$")
KERNEL = re.compile(r"[\w:]+(<.*>)?$")
NOTE_KINDS = ("label", "note", "fix", "witness")
DEFAULT_TIMEOUT = 60
SKIPPED = 77  # exit status, as CTest knows it
CPU_ONLY = ("--sanitize", "--schedule", "--trace", "--device")


def kill_session(leader):
    """Ends a process and what it started, process groups of their own too."""
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and os.getsid(int(name)) == leader:
                os.kill(int(name), signal.SIGKILL)
        except ProcessLookupError:
            pass


class NothingToDo(Exception):
    """No launch of the file can run on the device that was asked for."""


@dataclass
class Directive:
    name: str
    value: str
    line: int


@dataclass
class Annotation:
    kind: str  # error, warning or one of NOTE_KINDS
    code: str
    text: str
    line: int  # the line that it is about; 0: no line
    written: int  # the line that it stands on
    found: bool = False


@dataclass
class Step:
    kind: str  # LAUNCH, DUMP, RUN, SETUP
    value: str
    line: int
    expects: list = field(default_factory=list)

    def all(self, name):
        return [d for d in self.expects if d.name == name]

    def last(self, name, default=None):
        found = self.all(name)
        return found[-1].value if found else default


@dataclass
class TestFile:
    path: str
    mode: str
    text: str
    header: list
    steps: list
    annotations: list
    implicit: list
    verdicts: list
    verdict_args: list
    sanitized: list  # (kernel or None, arguments, line)

    def all(self, name):
        return [d.value for d in self.header if d.name == name]

    def last(self, name, default=None):
        found = self.all(name)
        return found[-1] if found else default

    def args(self):
        return [a for v in self.all("ARGS") for a in shlex.split(v)]


@dataclass
class Outcome:
    command: str
    status: int
    stdout: bytes
    stderr: str

    def text(self):
        return self.stdout.decode("utf-8", "replace")


# --- reading a test ----------------------------------------------------------

def read_annotations(line, number):
    for part in line.split("//~")[1:]:
        match = re.match(r"(\^*|v|\?)\s*(\w+)(?:\s+(HD\d{4}))?\s*:\s*(.*?)\s*$",
                         part)
        if not match:
            raise BadTest(f"line {number}: not an annotation: //~{part}")
        where, kind, code, text = match.groups()
        if kind in ("error", "warning"):
            if not code:
                raise BadTest(f"line {number}: '{kind}' needs a code")
        elif kind not in NOTE_KINDS or code:
            raise BadTest(f"line {number}: unknown annotation '{kind}'")
        if not text:
            raise BadTest(f"line {number}: '{kind}' needs a text")
        about = {"?": 0, "v": number + 1}.get(where, number - len(where))
        yield Annotation(kind, code or "", text, about, number)


def read_mode(path, directives):
    given = [d.value for d in directives if d.name == "MODE"]
    if len(given) > 1:
        raise BadTest("more than one MODE")
    if given:
        if given[0] not in MODES:
            raise BadTest(f"unknown MODE '{given[0]}'")
        return given[0]
    parts = os.path.abspath(path).split(os.sep)
    folders = [p for p in parts[:-1] if p in MODES]
    if not folders:
        raise BadTest("no MODE, and no folder that tells it")
    return folders[-1]


def attach(test, directives):
    """Gives each expectation to its steps.

    Expectations before the first step belong to every step. Steps that follow
    each other without an expectation between them share what comes next,
    except RUN and SETUP: what follows one belongs to it alone.
    """
    common, group, closed = [], [], True
    for directive in directives:
        kind = "CHECK" if FILECHECK.match(directive.name) else directive.name
        if kind in STEPS[test.mode]:
            step = Step(directive.name, directive.value, directive.line)
            step.expects = [d for d in common if applies(step, d)]
            if closed or kind in ("RUN", "SETUP"):
                group = []
            group.append(step)
            closed = False
            test.steps.append(step)
        elif kind in IMPLICIT.get(test.mode, ()):
            test.implicit.append(directive)
        elif not group:
            common.append(directive)
        else:
            closed = True
            takers = [s for s in group if applies(s, directive)]
            if not takers:
                raise BadTest(f"line {directive.line}: {directive.name} says "
                              f"nothing about {group[-1].kind}")
            for step in takers:
                step.expects.append(directive)
    for directive in common:
        if not any(directive in s.expects for s in test.steps):
            raise BadTest(f"line {directive.line}: {directive.name} belongs to "
                          f"no step of mode '{test.mode}'")


def applies(step, directive):
    kind = "CHECK" if FILECHECK.match(directive.name) else directive.name
    return kind in EXPECT[step.kind]


def known_directive(name):
    return (name in HEADER or FILECHECK.match(name) or name == "CHECK" or
            any(name in s for s in STEPS.values()) or
            any(name in s for s in EXPECT.values()) or
            any(name in s for s in IMPLICIT.values()))


def read_test(path):
    with open(path, "rb") as file:
        text = file.read().decode("utf-8", "surrogateescape")
    directives, annotations = [], []
    verdicts, verdict_args, sanitized = [], [], []
    for number, line in enumerate(text.split("\n"), 1):
        line = line.rstrip("\r")
        match = VERDICT_ARGS.match(line)
        if match:
            verdict_args += shlex.split(match.group(1))
            continue
        match = SANITIZE.match(line)
        if match:
            sanitized.append((match.group(1), match.group(2), number))
            continue
        match = VERDICT.match(line)
        if match:
            try:
                verdicts.append(read_verdict(match, number, text))
            except ValueError as error:
                raise BadTest(f"line {number}: {error}") from error
            continue
        if "//~" in line:
            annotations += read_annotations(line, number)
            continue
        match = DIRECTIVE.match(line)
        if not match:
            continue
        name, value = match.group(1), match.group(2) or ""
        if not known_directive(name):
            raise BadTest(f"line {number}: unknown directive '{name}:'")
        if name not in ("PY", "PRINTS", "PRINTS-UNORDERED"):
            value = value.strip()
        directives.append(Directive(name, value, number))
    mode = read_mode(path, directives)
    header = [d for d in directives if d.name in HEADER]
    test = TestFile(path, mode, text, header, [], annotations, [], verdicts,
                    verdict_args, sanitized)
    attach(test, [d for d in directives if d.name not in HEADER])
    require_meaning(test)
    return test


def require_meaning(test):
    if len(test.all("TEST")) != 1 or not test.last("TEST"):
        raise BadTest("needs exactly one 'TEST:' sentence")
    errors = [a for a in test.annotations if a.kind == "error"]
    if test.mode == "diag" and not errors:
        raise BadTest("no expectation: mode 'diag' needs a '//~ error'")
    if test.mode == "run" and errors:
        raise BadTest("mode 'run' can't expect '//~ error': use 'diag'")
    if test.mode in ("compile", "cli") and test.annotations:
        raise BadTest(f"mode '{test.mode}' reads no '//~' annotations")
    if test.mode == "check" and not (test.annotations or test.implicit or
                                     test.verdicts):
        raise BadTest("no expectation: say 'check: proved' or "
                      "'VERDICT: accepted'")
    if (test.verdict_args or test.sanitized) and not test.verdicts:
        raise BadTest("check-args or sanitize without 'check:'")
    if test.mode in ("run", "compile", "cli") and not test.steps:
        wanted = " or ".join(sorted(STEPS[test.mode]))
        raise BadTest(f"no expectation: nothing to do, needs {wanted}")
    for step in test.steps:
        if step.kind != "SETUP" and not [d for d in step.expects
                                         if d.name != "TOL"]:
            raise BadTest(f"line {step.line}: no expectation for {step.kind}")
        if step.all("TOL") and not step.all("OUT"):
            raise BadTest(f"line {step.line}: TOL without OUT")


# --- running commands --------------------------------------------------------

class Runner:
    def __init__(self, options, test, scratch):
        self.heddle = os.path.abspath(options.heddle)
        self.filecheck = options.filecheck
        self.update = options.update
        self.device = options.device
        self.also = options.also + (["-O0", "-O3", "ir"] if
                                    os.environ.get("HD_LONG") else [])
        # Dumped IR is simplified: what --sanitize finds in a source may be
        # gone from it.
        if "--sanitize" in test.args():
            self.also = [words for words in self.also if words != "ir"]
        self.test = test
        self.scratch = scratch
        self.folder = os.path.dirname(os.path.abspath(test.path))
        self.name = os.path.basename(test.path)
        self.timeout = float(test.last("TIMEOUT", DEFAULT_TIMEOUT))
        self.timeout *= options.slower
        self.checked = 0

    def environment(self):
        env = {k: v for k, v in os.environ.items()
               if not k.startswith("HEDDLE_")}
        env["LC_ALL"] = "C.UTF-8"
        env["XDG_CACHE_HOME"] = os.path.join(self.scratch, "cache")
        env["PATH"] = os.path.dirname(self.heddle) + os.pathsep + env["PATH"]
        for pair in self.test.all("ENV"):
            name, _, value = pair.partition("=")
            env[name] = value
        return env

    def execute(self, argv, cwd=None, stdin=b""):
        shown = argv[2] if argv[:1] == ["bash"] else shlex.join(argv)
        child = subprocess.Popen(argv, cwd=cwd or self.folder,
                                 stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE,
                                 env=self.environment(),
                                 start_new_session=True)
        try:
            out, err = child.communicate(stdin, timeout=self.timeout)
        except subprocess.TimeoutExpired as error:
            kill_session(child.pid)
            out, err = child.communicate()
            raise Failure(f"no end within {self.timeout:g} s: {shown}\n"
                          + err.decode("utf-8", "replace")) from error
        outcome = Outcome(shown, child.returncode, out,
                          err.decode("utf-8", "replace"))
        if child.returncode < 0:
            self.fail(outcome, f"killed by signal {-child.returncode}")
        return outcome

    def run_heddle(self, *args, stdin=b""):
        return self.execute([self.heddle, *args], stdin=stdin)

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

    # --- what came out -------------------------------------------------------

    def check_streams(self, step, outcome, exit_default=0):
        self.check_exit(step, outcome, exit_default)
        out, err = outcome.text(), outcome.stderr
        for name, text, wanted in (("STDOUT", out, True), ("STDERR", err, True),
                                   ("STDOUT-NOT", out, False),
                                   ("STDERR-NOT", err, False)):
            for directive in step.all(name):
                if not directive.value:
                    raise BadTest(f"line {directive.line}: empty {name}")
                self.checked += 1
                if (directive.value in text) != wanted:
                    self.fail(outcome, f"line {directive.line}: {name}: "
                              f"{directive.value!r} is "
                              f"{'missing' if wanted else 'there'}")
        self.check_prints(step, outcome)
        for directive in step.all("GOLDEN"):
            self.check_golden(directive, outcome)

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
                     if v.split()[0] not in CPU_ONLY]
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
                else:
                    self.launch_once(step, self.name, shlex.split(step.value),
                                     shlex.split(extra))
            except Failure as error:
                raise Failure(f"variant '{extra}': {error}") from error

    def launch_ir(self, step):
        """The same launch of the kernel's dumped IR."""
        words = shlex.split(step.value)
        kernel = words[:1] if words and KERNEL.match(words[0]) else []
        early = compile_words(self.test.text, words)
        outcome = self.run_heddle("dump", self.name, *kernel, "--stage", "ir",
                                  *self.test.args(), *early)
        if outcome.status != 0:
            self.fail(outcome, "no IR to run")
        path = os.path.join(self.scratch, "dumped.hir")
        with open(path, "wb") as file:
            file.write(outcome.stdout)
        self.launch_once(step, path, [w for w in words if w not in early], [])

    def launch_once(self, step, program, words, extra):
        values = {name: value for name, (_, value)
                  in launch_values(shlex.split(step.value)).items()}
        oracles = [parse_oracle(d) for d in step.all("OUT")]
        saved, argv = {}, ["run", program, *words, *self.test.args(), *extra]
        if self.device:
            argv += ["--device", self.device]
        for name in sorted(names_to_save(oracles)):
            saved[name] = os.path.join(self.scratch, f"{name}.npy")
            if os.path.exists(saved[name]):
                os.remove(saved[name])
            argv += ["--save", f"{name}={saved[name]}"]
        outcome = self.run_heddle(*argv)
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
        stage = directive.value
        again = self.run_heddle("dump", "-", "--stage", stage,
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
        outcome = self.run_heddle("check", self.name, "--json",
                                  *self.verdict_words())
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
            outcome = self.run_heddle("run", self.name,
                                      *([kernel] if kernel else []),
                                      "--sanitize", *shlex.split(words))
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


# --- diagnostics -------------------------------------------------------------

def match_diagnostics(diags, annotations, name):
    problems = []
    for diag in diags:
        line = diag.get("line") or 0
        if diag.get("file") not in (None, name):
            line = 0
        for note in annotations:
            if (not note.found and note.kind == diag["severity"] and
                    note.code == diag["code"] and note.line == line and
                    note.text in diag["message"]):
                note.found = True
                break
        else:
            problems.append(f"unexpected: line {line}: {diag['severity']} "
                            f"{diag['code']}: {diag['message']}")
        for kind, entries in (("label", diag.get("labels", [])),
                              ("note", diag.get("notes", [])),
                              ("fix", diag.get("fixes", []))):
            for entry in entries:
                mark_note(annotations, kind, entry, line)
        if diag.get("witness"):
            mark_note(annotations, "witness", {"text": diag["witness"]}, line)
    for note in annotations:
        if not note.found:
            code = f" {note.code}" if note.code else ""
            problems.append(f"missing: line {note.line}: {note.kind}{code}: "
                            f"{note.text} (written in line {note.written})")
    return problems


def mark_note(annotations, kind, entry, diag_line):
    line = entry.get("line") or diag_line
    text = entry.get("text") or ""
    for note in annotations:
        if note.kind == kind and note.line == line and (
                note.text in text or note.text in entry.get("replacement", "")):
            note.found = True


def apply_fixes(text, fixes):
    """Columns count characters, from 1."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    edits = set()
    for fix in fixes:
        begin = starts[fix["line"] - 1] + fix["column"] - 1
        end = starts[fix["end_line"] - 1] + fix["end_column"] - 1
        edits.add((begin, end, fix["replacement"]))
    for begin, end, replacement in sorted(edits, reverse=True):
        text = text[:begin] + replacement + text[end:]
    return text.encode("utf-8", "surrogateescape")


# --- the command -------------------------------------------------------------

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


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file")
    parser.add_argument("--heddle", required=True, help="the command to test")
    parser.add_argument("--filecheck", default="FileCheck-22")
    parser.add_argument("--update", action="store_true",
                        help="rewrite golden files (never diagnostics)")
    parser.add_argument("--also", action="append", default=[],
                        help="one more variant of every launch, as ALSO:")
    parser.add_argument("--device",
                        help="do the launches there, and nothing else")
    parser.add_argument("--slower", type=float, default=1.0,
                        help="factor for time limits (sanitizers)")
    status, message = run_file(parser.parse_args())
    print(message)
    return status


if __name__ == "__main__":
    sys.exit(main())
