# SPDX-License-Identifier: Apache-2.0
"""Expected verdicts of `heddle check` (lines `// check: …`), for run_test.py.

tests/README.md describes the format.
"""

import re
from collections import namedtuple

# k, and of C++ ns::k, k<float, 4>, k<C<int>>, k(float *, int)
KERNEL = (r"[A-Za-z_]\w*(?:::\w+)*(?:<(?:[^<>]|<[^<>]*>)*>)?"
          r"(?:\([^)]*\))?")
VERDICT = re.compile(r"\s*//\s*check(?:\s+(" + KERNEL +
                     r"))?:(?!:)\s*(.*?)\s*$")
SANITIZE = re.compile(r"\s*//\s*sanitize(?:\s+([A-Za-z_]\w*))?:\s*(.*?)\s*$")
VERDICT_ARGS = re.compile(r"\s*//\s*check-args:\s*(.*?)\s*$")


class Verdict(namedtuple("Verdict", "kernel verdict code lines text written")):
    """What `heddle check` must say of a kernel (None: of every one).

    verdict: proved, bug, unknown, also (a bug) or remark. code "": any. lines:
    of the finding and its other access, in any order.
    """


def read_line(word, text):
    """The line that is meant by a number, or by @NAME: the one that has a
    comment //@NAME."""
    if not word.startswith("@"):
        return int(word)
    lines = [i for i, line in enumerate(text.split("\n"), 1)
             if re.search(r"//" + re.escape(word) + r"(?!\w)", line)]
    if len(lines) != 1:
        raise ValueError(f"{len(lines)} lines have a comment //{word}")
    return lines[0]


def read_verdict(match, number, program):
    kernel, text = match.groups()
    word, _, rest = text.partition(" ")
    if word not in ("proved", "bug", "unknown", "also", "remark"):
        raise ValueError(f"check: proved, bug or unknown, not '{word}'")
    rest = rest.strip()
    found = re.match(r"(?:(HD\d{4})\b\s*)?(?:line (\d+|@\w+)\s*)?"
                     r"(?:other (\d+|@\w+)\s*)?(.*)$", rest)
    code, line, other, text = found.groups()
    if word == "proved" and rest:
        raise ValueError("nothing stands behind 'proved'")
    if word in ("bug", "also", "remark") and not code:
        raise ValueError(f"'{word}' needs a code")
    if word == "unknown" and not rest:
        raise ValueError("'unknown' needs its reason")
    lines = [read_line(w, program) for w in (line, other) if w]
    return Verdict(kernel, word, code or "", lines, text, number)


def match_verdicts(kernels, verdicts):
    problems = []
    named = {v.kernel for v in verdicts if v.kernel}
    known = {k["kernel"] for k in kernels}
    problems += [f"there is no kernel '{n}'" for n in sorted(named - known)]
    for kernel in kernels:
        name = kernel["kernel"]
        own = [v for v in verdicts if v.kernel == name] or [
            v for v in verdicts if v.kernel is None]
        problems += [f"{name}: {p}" for p in match_kernel(kernel, own)]
    if not kernels:
        problems.append("no kernel was checked")
    return problems


def match_kernel(kernel, verdicts):
    """A bug has every bug among its findings expected; a kernel that isn't
    proved has every finding that is expected."""
    if not verdicts:
        return ["no expectation: say 'check KERNEL: …'"]
    kinds = {v.verdict for v in verdicts} - {"remark"}
    wanted = next((w for w in ("bug", "unknown", "proved") if w in kinds),
                  None)
    if not wanted:
        return ["'also' needs a 'bug' beside it, 'remark' a verdict"]
    findings = kernel["findings"]
    shown = [show_finding(f) for f in findings]
    if kernel["verdict"] != wanted or ("proved" in kinds and len(kinds) > 1):
        return [f"is {kernel['verdict']}, expected {wanted}", *shown]
    problems = [f"line {v.written}: there is no such finding"
                for v in verdicts if v.verdict not in ("proved", "also") and
                not any(is_finding(v, f) for f in findings)]
    for finding in findings:
        if finding["verdict"] in ("bug", "proved") and not any(is_finding(v, finding)
                                                   for v in verdicts):
            problems.append("unexpected: " + show_finding(finding))
    if problems and shown:
        problems += ["found:", *shown]
    return problems


def is_finding(verdict, finding):
    text = " ".join(finding.get(k) or "" for k in
                    ("message", "reason", "witness", "fix"))
    kind = {"also": "bug", "remark": "proved"}.get(verdict.verdict,
                                                   verdict.verdict)
    return (finding["verdict"] == kind and
            verdict.code in ("", finding["code"]) and
            has_lines(verdict.lines, finding) and verdict.text in text)


def has_lines(lines, finding):
    found = [finding["line"], finding["other_line"]]
    if len(lines) == 2:
        return sorted(lines) == sorted(found)
    return not lines or lines[0] in found


def show_finding(finding):
    other = f" other {finding['other_line']}" if finding["other_line"] else ""
    said = "; ".join(finding[k] for k in ("message", "reason", "witness", "fix")
                     if finding.get(k))
    return (f"  {finding['verdict']} {finding['code']} line {finding['line']}"
            f"{other} {said}")
