#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CUDA tests beside what `heddle convert` makes of them.

    convert.py --heddle PATH FILE …

Each launch of a test is repeated with the converted kernel: the arrays must
have the same bits afterwards, and what is printed must be the same. A test of
verdicts must get them for the converted kernels, too; only what was unknown for
want of an extent may be proved.
"""

import argparse
import json
import os
import re
import shlex
import sys
import tempfile

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import run_test  # noqa: E402
from oracle import BadTest, Failure, compile_words  # noqa: E402
from verdicts import match_verdicts  # noqa: E402

ARRAY = re.compile(r"(\w+)((?:\[[^]]*\])*)=(.*)$", re.S)
OVERFLOW = "HD0704"  # CUDA C trusts signed arithmetic
# What Heddle C does by itself: the kernel that becomes of it is right.
OF_CUDA = re.compile(r"before it is initialised|a block may end while|"
                     r"is initialised outside of|the value of an absent lane")
# What CUDA C can't say and Heddle C can: a bug there until it does.
OF_INPUT = re.compile(r"what memory holds when the kernel starts|"
                      r"what the kernel asks of its launch|"
                      r"the index comes from memory|"
                      r"a real number that is made whole")
VALUE_OF_ARRAY = ("@", "zeros", "iota", "full:", "random:")
LEFT_OUT = "kernels with errors are left out"
# "// convert leaves out a, b: REASON", of kernels that Heddle C refuses, whose
# verdict is about a launch, or where it means something else.
LEAVES_OUT = re.compile(r"^// convert leaves out ([\w<>, ]+): \w", re.M)
KERNEL = re.compile(r"^kernel void (\w+)\((.*?)\)\n", re.M | re.S)


def converted_name(name):
    """k<float, 4> as it is called in Heddle C."""
    return "_".join(re.findall(r"\w+", name))


def pairs_of(before, after):
    """Kernels with what they became. Those with errors are left out."""
    right = [was for was in before
             if was["obligations"] or was["verdict"] == "proved"]
    if len(right) != len(after):
        names = [", ".join(f"'{k['kernel']}'" for k in kernels)
                 for kernels in (right, after)]
        raise Failure(f"{names[0]} became {names[1]}")
    return zip(right, after)


def is_same(before, after):
    """Bit for bit, as far as the extent goes that the kernel says."""
    if after is None or len(after) > len(before):
        return False
    return before[:len(after)].tobytes() == after.tobytes()


class Converted(run_test.Runner):
    def convert(self, kernel, words):
        """The text of one kernel, or of all of them, in a file."""
        path = os.path.join(self.scratch, "converted.hd")
        outcome = self.run_heddle("convert", self.name, *kernel, *words, "-o",
                                  path)
        is_partial = outcome.status == 1 and LEFT_OUT in outcome.stderr
        if outcome.status != 0 and not (is_partial and not kernel):
            self.fail(outcome, "isn't converted")
        with open(path, encoding="utf-8") as file:
            return path, file.read()

    # --- launches ------------------------------------------------------------

    def launch(self, step):
        words = shlex.split(step.value)
        kernel = words[:1] if words and run_test.KERNEL.match(words[0]) else []
        early = compile_words(self.test.text, words) + self.test.args()
        block, rest = [], words[len(kernel):]
        if "--block" in rest:
            at = rest.index("--block")
            block, rest = rest[at:at + 2], rest[:at] + rest[at + 2:]
        path, text = self.convert(kernel, [w for w in early if "=" not in w] +
                                  block)
        name, params = KERNEL.findall(text)[-1]
        arrays = [m.group(1) for m in map(ARRAY.match, rest) if m and
                  m.group(3).startswith(VALUE_OF_ARRAY)]
        rest, renamed = self.renamed(rest, params, text)
        want = self.outcome_of(self.name, words, arrays)
        # What Heddle C states as uniform is tested by --sanitize alone.
        tested = ["--sanitize"] if "(HD0405)" in want[0].stderr else []
        got = self.outcome_of(
            path, [name, *self.adapted(rest, params), *tested],
            [renamed.get(a, a) for a in arrays])
        self.compare(want, (got[0], {
            a: got[1][renamed.get(a, a)] for a in arrays
            if renamed.get(a, a) in got[1]}), text)

    def renamed(self, words, params, text):
        """What is called by words of Heddle C has a '_' behind it there."""
        declared = params + "\n".join(
            re.findall(r"^(?:global|constant) (.*)", text, re.M))
        names = {m.group(1) for m in map(ARRAY.match, words) if m}
        renamed = {n: f"{n}_" for n in names
                   if not re.search(rf"\b{n}\b", declared) and
                   re.search(rf"\b{n}_\b", declared)}
        out = []
        for word in words:
            match = ARRAY.match(word)
            if match and match.group(1) in renamed:
                word = renamed[match.group(1)] + word[match.end(1):]
            out.append(word)
        return out, renamed

    def adapted(self, words, params):
        """Sizes of arrays stand in the kernel now, where it has extents.

        But for textures, whose sizes are parameters of their own.
        """
        out = []
        for word in words:
            match = ARRAY.match(word)
            if match and match.group(2) and re.search(
                    rf"\b{match.group(1)}\[", params) and not re.search(
                    rf"\[{match.group(1)}_(width|height|depth)\]", params):
                word = f"{match.group(1)}={match.group(3)}"
            out.append(f"dynamic_shared_bytes={word}"
                       if out and out[-1] == "--shared" else word)
        if "dynamic_shared_bytes" not in params:
            out = [w for w in out if not w.startswith("dynamic_shared_bytes=")]
        return [w for w in out if w != "--shared"]

    def outcome_of(self, program, words, arrays):
        saved, argv = {}, ["run", program, *words, *self.test.args()]
        for name in arrays:
            saved[name] = os.path.join(self.scratch, f"{name}.npy")
            argv += ["--save", f"{name}={saved[name]}"]
        outcome = self.run_heddle(*argv)
        data = {}
        for name, path in saved.items():
            if os.path.exists(path):
                data[name] = np.load(path).ravel()
                os.remove(path)
        return outcome, data

    def compare(self, want, got, text):
        (before, arrays), (after, converted) = want, got
        differs = [what for what, a, b in (
            ("exit status", before.status, after.status),
            ("printed text", before.stdout, after.stdout)) if a != b]
        differs += [f"array '{name}'" for name, array in arrays.items()
                    if not is_same(array, converted.get(name))]
        self.checked += 2 + len(arrays)
        if differs:
            self.fail(after, f"{' and '.join(differs)} differs from that of: "
                      f"{before.command}\n{before.stderr}\n{text}")

    # --- verdicts ------------------------------------------------------------

    def verdicts(self, program, words):
        outcome = self.run_heddle("check", program, "--json", *words)
        if outcome.status not in (0, 1):
            self.fail(outcome, "no verdict")
        return json.loads(outcome.text())["kernels"]

    def left_out(self):
        return [name for names in LEAVES_OUT.findall(self.test.text)
                for name in names.split(", ")]

    def check(self):
        words = self.verdict_words()
        early, rest = [], []
        for i, word in enumerate(words):
            if words[i - 1] == "--shared":  # a parameter of Heddle C
                early[-1:] = ["--assume", f"dynamic_shared_bytes == {word}"]
            elif {"--assume", "--block", "--shared"} & {word, words[i - 1]}:
                early.append(word)
            else:
                rest.append(word)
        path, text = self.convert([], early)
        left_out = self.left_out()
        before = [was for was in self.verdicts(self.name, words)
                  if was["kernel"] not in left_out]
        after = [now for now in
                 self.verdicts(path, rest + ["--allow-same-value"])
                 if now["kernel"] not in map(converted_name, left_out)]
        for was, now in pairs_of(before, after):
            self.checked += 1
            if any("which are a guess" in (f["reason"] or "") or
                   OF_INPUT.search(f["reason"] or "")
                   for f in was["findings"]):  # which is stated then
                continue
            found = [f for f in now["findings"] if f["code"] != OVERFLOW]
            verdict = max((f["verdict"] for f in found), default="proved",
                          key=["remark", "proved", "unknown", "bug"].index)
            is_better = verdict == "proved" and (
                was["verdict"] == "unknown" or
                all(OF_CUDA.search(f["message"]) for f in was["findings"]
                    if f["verdict"] == "bug"))
            if verdict != was["verdict"] and not is_better:
                raise Failure(f"'{was['kernel']}' is {was['verdict']}, and "
                              f"{verdict} when converted\n{text}")

    def run(self):
        for step in self.test.steps:
            if step.kind == "LAUNCH" and \
                    step.value.split()[0] not in self.left_out():
                self.launch(step)
        if self.test.verdicts:
            self.check()
        if not self.checked:
            raise run_test.NothingToDo("nothing to launch or to prove")
        return self.checked


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file", nargs="+")
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--slower", type=float, default=1.0)
    options = parser.parse_args()
    options.also, options.update = [], False
    options.device = options.filecheck = None
    worst = 0
    for path in options.file:
        try:
            test = run_test.read_test(path)
            with tempfile.TemporaryDirectory(prefix="heddle_test_") as scratch:
                print(f"{path}: passed: "
                      f"{Converted(options, test, scratch).run()} expectations")
        except run_test.NothingToDo as reason:
            print(f"{path}: skipped: {reason}")
            worst = max(worst, run_test.SKIPPED if len(options.file) == 1 else 0)
        except (Failure, BadTest) as error:
            print(f"{path}: FAILED: {error}")
            worst = 1
    return worst


if __name__ == "__main__":
    sys.exit(main())
