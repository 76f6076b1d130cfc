# SPDX-License-Identifier: Apache-2.0
"""A test as it is written: directives, steps and what is expected of them.

README.md describes the format.
"""

import os
import re
import shlex
from collections import namedtuple

from oracle import BadTest
from verdicts import SANITIZE, VERDICT, VERDICT_ARGS, read_verdict

MODES = ("run", "diag", "compile", "check", "cli")
HEADER = {"TEST", "REF", "MODE", "ARGS", "ENV", "TIMEOUT", "XFAIL", "PY",
          "ALSO", "SIZE", "RACECHECK", "SYNCCHECK", "NVCC",
          "NO-IR", "NO-ASAN", "NO-TSAN"}
STEPS = {"run": {"LAUNCH", "DUMP"}, "compile": {"DUMP"},
         "cli": {"RUN", "SETUP"}, "diag": set(), "check": set()}
OUTPUT = {"PRINTS", "PRINTS-UNORDERED", "STDOUT", "STDOUT-END", "STDOUT-NOT",
          "STDERR", "STDERR-END", "STDERR-NOT", "EXIT", "GOLDEN"}
EXPECT = {"LAUNCH": OUTPUT | {"OUT", "TOL"},
          "RUN": OUTPUT | {"OUT", "TOL"}, "SETUP": set(),
          "DUMP": OUTPUT | {"IR-COUNT", "ROUNDTRIP", "CHECK"}}
IMPLICIT = {"diag": {"FIXED"}, "check": {"FIXED", "VERDICT"}}
FILECHECK = re.compile(r"CHECK(-(NEXT|SAME|NOT|DAG|LABEL|EMPTY|COUNT-\d+))?$")
DIRECTIVE = re.compile(r"\s*(?://|;|#)\s?([A-Z][A-Z0-9-]+):(?:\s(.*))?$")
KERNEL = re.compile(r"[\w:]+(<.*>)?$")
NOTE_KINDS = ("label", "note", "fix", "witness")


Directive = namedtuple("Directive", "name value line")


class Annotation:
    def __init__(self, kind, code, text, line, written):
        self.kind = kind  # error, warning or one of NOTE_KINDS
        self.code, self.text = code, text
        self.line = line  # the line that it is about; 0: no line
        self.written = written  # the line that it stands on
        self.found = False


class Step:
    def __init__(self, kind, value, line):
        self.kind = kind  # LAUNCH, DUMP, RUN, SETUP
        self.value, self.line = value, line
        self.expects = []

    def all(self, name):
        return [d for d in self.expects if d.name == name]

    def last(self, name, default=None):
        found = self.all(name)
        return found[-1].value if found else default


class TestFile:
    """What stands in the file at `path`.

    header, implicit: directives; steps; annotations; verdicts and the arguments
    that they are asked for with; sanitized: (kernel or None, arguments, line).
    """

    def __init__(self, path, mode, text, header):
        self.path, self.mode, self.text, self.header = path, mode, text, header
        self.steps, self.annotations, self.implicit = [], [], []
        self.verdicts, self.verdict_args, self.sanitized = [], [], []

    def all(self, name):
        return [d.value for d in self.header if d.name == name]

    def last(self, name, default=None):
        found = self.all(name)
        return found[-1] if found else default

    def args(self):
        return [a for v in self.all("ARGS") for a in shlex.split(v)]


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
            step = Step(*directive)
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
    test = TestFile(path, mode, text, header)
    test.annotations, test.verdicts = annotations, verdicts
    test.verdict_args, test.sanitized = verdict_args, sanitized
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
