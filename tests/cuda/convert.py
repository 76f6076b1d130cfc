#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CUDA tests beside what `heddle convert` makes of them.

    convert.py --heddle PATH FILE …

Each launch of a test is repeated with the converted kernel: the arrays must
have the same bits afterwards, and what is printed must be the same. A test of
verdicts must get them for the converted kernels, too; only what was unknown for
want of an extent may be proved. Without HD_LONG a sixth of the tests do so; of
the others all kernels are converted, and the result is read.
"""

import argparse
import json
import os
import re
import shlex
import sys
import tempfile
import zlib

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from oracle import BadTest, Failure, compile_words  # noqa: E402
from run_test import run_files  # noqa: E402
from steps import (ARRAY, SKIPPED, NothingToDo, Runner, arrays_of,  # noqa: E402
                   fill_options)
from test_file import KERNEL, read_test  # noqa: E402
from verdicts import match_verdicts  # noqa: E402

OVERFLOW = "HD0704"  # CUDA C trusts signed arithmetic
# What Heddle C does by itself: the kernel that becomes of it is right.
OF_CUDA = re.compile(r"before it is initialised|a block may end while|"
                     r"is initialised outside of|the value of an absent lane")
# What CUDA C can't say and Heddle C can: a bug there until it does.
OF_INPUT = re.compile(r"the contents of memory when the kernel starts|"
                      r"a requirement on the launch|"
                      r"the index comes from memory|"
                      r"depends on what is in memory|"
                      r"a float converted to an integer")
LEFT_OUT = "kernels with errors are left out"
# "// convert leaves out a, b: REASON", of kernels that Heddle C refuses, whose
# verdict is about a launch, or where it means something else.
LEAVES_OUT = re.compile(r"^// convert leaves out ([\w<>, ]+): \w", re.M)
CONVERTED = re.compile(r"^kernel void (\w+)\((.*?)\)\n", re.M | re.S)
NO_ARRAY = re.compile(r"'(\w+)' is not an array: there is nothing to save")
NPY = re.compile(rb"\x93NUMPY.{4}\{'descr': '[<>|=]?(\w)(\d+)'[^\n]*\n", re.S)


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


def read_array(path):
    """(bytes of an element, bytes of all) of an array in NumPy's format."""
    with open(path, "rb") as file:
        data = file.read()
    head = NPY.match(data)
    if not head:
        raise Failure(f"{path} is no array")
    return int(head.group(2)), data[head.end():]


def is_same(before, after):
    """Bit for bit, as far as the extent goes that the kernel says."""
    return (after is not None and before[0] == after[0] and
            before[1].startswith(after[1]))


class Converted(Runner):
    reader = "converted"

    def __init__(self, *args):
        super().__init__(*args)
        self.texts = {}  # path and text, by the arguments of `heddle convert`

    def convert(self, kernel, words):
        """The text of one kernel, or of all of them, in a file. Launches with the
        same embedded values and block share it."""
        key = (*kernel, *words)
        if key not in self.texts:
            self.texts[key] = self.convert_once(
                kernel, words, os.path.join(
                    self.scratch, f"converted{len(self.texts)}.hd"))
        return self.texts[key]

    def convert_once(self, kernel, words, path):
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
        kernel = words[:1] if words and KERNEL.match(words[0]) else []
        early = compile_words(self.test.text, words) + self.test.args()
        block, rest = [], words[len(kernel):]
        if "--block" in rest:
            at = rest.index("--block")
            block, rest = rest[at:at + 2], rest[:at] + rest[at + 2:]
        path, text = self.convert(kernel, [w for w in early if "=" not in w] +
                                  block)
        name, params = CONVERTED.findall(text)[-1]
        rest, renamed = self.renamed(rest, params, text)
        want, arrays = self.launched_before(words)
        self.check_exit(step, want[0], 0)
        # What Heddle C states as uniform is tested by --sanitize alone.
        tested = ["--sanitize"] if "(HD0405)" in want[0].stderr else []
        got = self.launched(
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

    def launched_before(self, words):
        """What the launch does, and the names of its arrays."""
        arrays = arrays_of(words)
        while True:
            want = self.launched(self.name, words, arrays)
            other = NO_ARRAY.search(want[0].stderr)
            if not other or want[0].status != 2:
                return want, arrays
            arrays.remove(other.group(1))

    def launched(self, program, words, arrays):
        argv = ["run", program, *words, *self.test.args()]
        saved = self.files_for(arrays)
        outcome = self.outcome_of(argv, saved, program == self.name)
        return outcome, {name: read_array(path) for name, path in saved.items()
                         if os.path.exists(path)}

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
        outcome = self.outcome_of(["check", program, "--json", *words], {},
                                  program == self.name)
        if outcome.status not in (0, 1):
            self.fail(outcome, "no verdict")
        return json.loads(outcome.text())["kernels"]

    def left_out(self):
        found = LEAVES_OUT.findall(self.test.text)
        if self.test.text.count("\n// convert leaves out ") != len(found):
            raise Failure("'convert leaves out' needs names and ': REASON'")
        return [name for names in found
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

    def read_all(self):
        """Converts all kernels as they are, and reads what becomes of them."""
        outcome = self.run_heddle("convert", self.name)
        if outcome.status != 0:
            return  # for want of what launches embed, say
        again = self.run_heddle("check", "-", "--rules-only", stdin=outcome.stdout)
        self.checked += 1
        if again.status != 0:
            self.fail(again, "is converted to what isn't Heddle C")

    def run(self):
        if "HD_LONG" not in os.environ and zlib.crc32(self.name.encode()) % 6:
            self.read_all()
        if self.checked:
            return self.checked
        for step in self.test.steps:
            if step.kind == "LAUNCH" and \
                    step.value.split()[0] not in self.left_out():
                self.launch(step)
        if self.test.verdicts:
            self.check()
        if not self.checked:
            raise NothingToDo("nothing to launch or to prove")
        return self.checked


def run_file(options, path):
    try:
        test = read_test(path)
        with tempfile.TemporaryDirectory(prefix="heddle_test_") as scratch:
            return 0, (f"passed: {Converted(options, test, scratch).run()} "
                       "expectations")
    except NothingToDo as reason:
        return SKIPPED, f"skipped: {reason}"
    except (Failure, BadTest) as error:
        return 1, f"{path}: FAILED: {error}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file", nargs="+")
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--share", help="folder of outcomes.py")
    parser.add_argument("--slower", type=float, default=1.0)
    parser.add_argument("--sanitizers", default="")
    parser.add_argument("--serve", help="the library of serve/serve.c")
    options = parser.parse_args()
    fill_options(options)
    return run_files(options, run_file)


if __name__ == "__main__":
    sys.exit(main())
