# SPDX-License-Identifier: Apache-2.0
"""What NumPy says that a kernel should have written, compared with what it did.

README.md describes the `OUT:` lines of tests that this computes.
"""

import os
import re
from collections import namedtuple


class BadTest(Exception):
    """The test file itself is wrong."""


class Failure(Exception):
    """The program under test did not do what the file expects."""


Formula = namedtuple("Formula", "name source line")


def parse_oracle(directive, files=False):
    import ast  # as late as NumPy, for many tests need neither
    name, equals, source = directive.value.partition("=")
    name, source = name.strip(), source.strip()
    if not equals or not source or not (files or name.isidentifier()):
        raise BadTest(f"line {directive.line}: OUT: NAME = EXPRESSION")
    try:
        ast.parse(source, mode="eval")
    except SyntaxError as error:
        raise BadTest(f"line {directive.line}: OUT: {error}") from error
    return Formula(name, source, directive.line)


def names_to_save(oracles):
    names = {o.name for o in oracles}
    if not names:
        return names
    import ast
    for oracle in oracles:
        for node in ast.walk(ast.parse(oracle.source, mode="eval")):
            if isinstance(node, ast.Name):
                match = re.match(r"(?:in|out)_(\w+)$", node.id)
                if match:
                    names.add(match.group(1))
    return names


SCALAR = re.compile(r"([A-Za-z_][\w.]*)=")  # NAME=VALUE, the value of a number


def is_compile_option(words, i):
    """Word i is an option that decides about the code, or its value."""
    with_value = ("-D", "-I", "--block")
    return (words[i] in (*with_value, "--fast-math") or
            i > 0 and words[i - 1] in with_value)


def compile_words(text, words):
    """Words of a launch that decide about its code: embedded values, -D, …"""
    return [w for i, w in enumerate(words) if
            is_compile_option(words, i) or
            "=" in w and re.search(r"\bconstexpr\b[^,;)]*\b" +
                                   re.escape(w.split("=")[0]) + r"\b", text)]


def launch_words(words, ir):
    """What is left of a launch's words for the kernel in this IR text: without
    the options of its compilation, and without numbers that went into it, whose
    parameters it lacks."""
    def is_compiled_in(i):
        name = SCALAR.match(words[i])
        return (is_compile_option(words, i) or
                name and f'param "{name.group(1)}" ' not in ir)
    return [w for i, w in enumerate(words) if not is_compiled_in(i)]


def launch_values(words):
    """NAME=VALUE and NAME[COUNT]=VALUE of a launch: {NAME: (COUNT, VALUE)}.

    The COUNT of NAME[H][W]=VALUE is "H,W".
    """
    values = {}
    for word in words:
        match = re.match(r"([A-Za-z_]\w*)((?:\[[^\]]*\])*)=(.*)$", word, re.S)
        if match:
            name, counts, value = match.groups()
            count = ",".join(re.findall(r"\[([^\]]*)\]", counts)) or None
            values[name] = (count, value)
    return values


def scalar_value(text):
    if text in ("true", "false"):
        return text == "true"
    for read in (lambda t: int(t, 0), float):
        try:
            return read(text)
        except ValueError:
            continue
    return text


class Oracle:
    """Computes with NumPy what a kernel should have written, and compares."""

    def __init__(self, runner, step, outcome, folder=None):
        try:
            import numpy
        except ImportError as error:
            raise Failure("OUT: needs NumPy: install python3-numpy") from error
        self.np = numpy
        self.runner, self.step, self.outcome = runner, step, outcome
        self.folder = folder or runner.folder
        self.tolerance = self.read_tolerance()

    def read_tolerance(self):
        text = self.step.last("TOL")
        if text is None:
            return None
        try:
            numbers = [float(t) for t in text.split()]
        except ValueError:
            numbers = []
        if len(numbers) not in (1, 2) or min(numbers) < 0 or max(numbers) >= 1:
            raise BadTest(f"TOL: RELATIVE [ABSOLUTE], not '{text}'")
        return (numbers + [0.0])[:2]

    def load(self, path):
        path = os.path.join(self.folder, path)
        if not os.path.exists(path):
            raise Failure(f"{os.path.basename(path)} was not written")
        if path.endswith(".png"):
            from png import read_png
            return read_png(path)
        array = self.np.load(path, allow_pickle=False)
        if array.dtype.kind == "V" and array.dtype.itemsize == 2:
            bits = array.view(self.np.uint16).astype(self.np.uint32) << 16
            return bits.view(self.np.float32)  # bfloat16
        if array.dtype.kind == "V" and array.dtype.itemsize == 1:
            return array.view(self.np.uint8)  # an 8-bit float: its bits
        return array

    def names(self):
        space = {"np": self.np, "load": self.load,
                 "splitmix64": self.splitmix64}
        helpers = "\n".join(self.runner.test.all("PY"))
        if helpers:
            exec(compile(helpers, "PY", "exec"), space)
        return space

    def evaluate(self, formula, space):
        try:
            with self.np.errstate(all="ignore"):
                return self.np.asarray(eval(formula.source, space))
        except Failure:
            raise
        except Exception as error:
            raise BadTest(f"line {formula.line}: OUT: {error}") from error

    def check(self, formulas, saved, values):
        space = self.names()
        space.update({name: scalar_value(v) for name, v in values.items()
                      if name not in saved})
        for name, path in saved.items():
            space["out_" + name] = self.load(path)
            space["in_" + name] = self.initial(values.get(name, "zeros"),
                                               space["out_" + name],
                                               self.digits(path))
        for formula in formulas:
            self.compare(formula, space["out_" + formula.name],
                         self.evaluate(formula, space))

    def check_files(self, formulas):
        space = self.names()
        for formula in formulas:
            self.compare(formula, self.load(formula.name),
                         self.evaluate(formula, space))

    def digits(self, path):
        """Bits of precision of the elements in a file; 0 for integers."""
        dtype = self.np.load(path, allow_pickle=False).dtype
        if dtype.kind == "V":
            return 8
        return {8: 53, 4: 24, 2: 11}[dtype.itemsize] if dtype.kind == "f" else 0

    def initial(self, spec, like, digits):
        """The array before the launch, from its argument and final shape."""
        np, dtype = self.np, like.dtype
        index = np.arange(like.size, dtype=np.uint64)
        if spec.startswith("@"):
            return self.load(spec[1:])
        if spec == "zeros":
            flat = np.zeros(like.size, dtype)
        elif spec == "iota":
            flat = index.astype(dtype)
        elif spec.startswith("full:"):
            flat = np.full(like.size, scalar_value(spec[5:])).astype(dtype)
        elif spec.startswith("list:"):
            first = np.array([scalar_value(v) for v in spec[5:].split(",")])
            flat = np.zeros(like.size, dtype)
            flat[:first.size] = first.astype(dtype)
        elif spec.startswith("random:"):
            flat = self.random(int(spec[7:], 0), index, dtype, digits)
        else:
            raise BadTest(f"line {self.step.line}: no array is '{spec}'")
        return flat.reshape(like.shape)

    def splitmix64(self, state):
        np = self.np
        with np.errstate(over="ignore"):
            z = np.asarray(state, np.uint64) + np.uint64(0x9E3779B97F4A7C15)
            z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            return z ^ (z >> np.uint64(31))

    def random(self, seed, index, dtype, keep):
        np = self.np
        with np.errstate(over="ignore"):
            bits = self.splitmix64(np.uint64(seed % 2**64) + index)
        if dtype.kind != "f":
            low = bits & np.uint64(1) if dtype.kind == "b" else bits
            return low.astype(dtype)
        return ((bits >> np.uint64(64 - keep)).astype(np.float64)
                / 2.0**keep).astype(dtype)

    def compare(self, formula, got, want):
        np = self.np
        self.runner.checked += 1
        where = f"line {formula.line}: OUT: {formula.name}"
        if want.shape not in ((), got.shape):
            self.runner.fail(self.outcome, f"{where} has shape {got.shape}, "
                             f"the oracle's is {want.shape}")
        want = np.broadcast_to(want, got.shape)
        if want.dtype.kind not in "biuf" or got.dtype.kind not in "biuf":
            raise BadTest(f"{where}: can't compare {got.dtype} "
                          f"with {want.dtype}")
        if got.dtype.kind == "f" and self.tolerance:
            bad = self.differs_more(got, want)
        else:
            bad = self.differs(got, want, where)
        if bad.any():
            self.runner.fail(self.outcome,
                             f"{where}: " + self.describe(bad, got, want))

    def differs_more(self, got, want):
        np = self.np
        relative, absolute = self.tolerance
        with np.errstate(all="ignore"):
            got, want = got.astype(np.float64), want.astype(np.float64)
            near = np.abs(got - want) <= absolute + relative * np.abs(want)
            same = (got == want) | (np.isnan(got) & np.isnan(want))
        return ~(near | same)

    def differs(self, got, want, where):
        np = self.np
        if got.dtype.kind == "f":
            with np.errstate(all="ignore"):
                want = want.astype(got.dtype)
            nan = np.isnan(got) & np.isnan(want)
            same = (got == want) & (np.signbit(got) == np.signbit(want))
            return ~(same | nan)
        if want.dtype.kind == "f" and not (want == np.rint(want)).all():
            raise BadTest(f"{where}: the oracle isn't integral")
        with np.errstate(all="ignore"):
            return got != want.astype(got.dtype)

    def describe(self, bad, got, want):
        places = self.np.argwhere(bad)
        lines = [f"{len(places)} of {got.size} elements differ"]
        for place in places[:5]:
            index = tuple(int(i) for i in place)
            lines.append(f"    {list(index)}: got {got[index]!r}, "
                         f"expected {want[index]!r}")
        return "\n".join(lines)
