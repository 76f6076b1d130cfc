#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the instructions in the PTX of test programs with tests/gpu/expected.

    instructions.py --dumps PATH --expected FILE [--update] PROGRAM …

Of each program the kernels are taken that it launches, with the embedded values
of the launches (ptx.py). FILE holds for each program the forms of all its
instructions, without registers and addresses, in alphabetical order: a broken
emitter makes others. Instructions that order, exchange, copy or update memory
are counted. A line `sm_80` holds what is more (+) and less (-) there than for
sm_90a. Programs without one are generated for sm_90a alone, but for a sixth of
them, and with HD_LONG or `--update` all. `--update` rewrites FILE: read the
difference before you commit it.
`--keep FOLDER` leaves the texts there for ptx.py, if there is a ptxas.
"""

import argparse
import os
import re
import shlex
import shutil
import sys
import tempfile
import zlib
from collections import Counter

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from ptx import Generator, is_refused, kernels_of, text_name  # noqa: E402
from oracle import BadTest  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
TARGETS = ("sm_80", "sm_90a")
INSTRUCTION = re.compile(r"\s*(?:\{\s*)?(?:@!?%\w+\s+)?(?<![.\w%])([a-z][\w.:]*)\b([^;]*);")
SPECIAL = re.compile(r"%(?!r\d|rd\d|rs\d|rq\d|f\d|fd\d|p\d|b\d|tmp|SP)[a-z]\w*"
                     r"(?:\.[xyz])?")
COUNTED = re.compile(r"(atom|bar|barrier|cp|discard|elect|fence|griddepcontrol|"
                     r"match|mbarrier|membar|prefetch|red|redux|setmaxnreg|shfl|"
                     r"vote|wgmma)\b")
# What every kernel has, and how LLVM moves and compares values.
COMMON = re.compile(r"(bra|cvta|exit|ld\.param|mov|ret|selp|setp|st\.param)\b")
WIDTH = 78


def forms(text):
    """The forms of instructions in a text, with how often each occurs."""
    found = Counter()
    for line in text.split("\n"):
        line = line.split("//")[0]
        if line.lstrip().startswith("."):
            continue
        for name, operands in INSTRUCTION.findall(line):
            special = SPECIAL.findall(operands)
            if special or not COMMON.match(name):
                found[" ".join([name] + special)] += 1
    return found


def items_of(found):
    return {f"{name} {found[name]}" if COUNTED.match(name) else name
            for name in found}


def wrapped(title, items):
    lines, line = [], title
    for item in items:
        if len(line) + len(item) + 2 > WIDTH:
            lines.append(line)
            line = "   "
        line += f" {item},"
    return lines + [line.rstrip(",")]


def describe(path, results):
    """The lines of one program, from the texts of its kernels by target."""
    found = {target: Counter() for target in TARGETS}
    for target, text in results:
        found[target] += forms(text)
    new, old = items_of(found["sm_90a"]), items_of(found["sm_80"])
    lines = [os.path.relpath(path, ROOT)] + wrapped("   ", sorted(new))
    if old and old != new:
        lines += wrapped("    sm_80:", [f"+{i}" for i in sorted(old - new)] +
                         [f"-{i}" for i in sorted(new - old)])
    return lines


def generate(options, items):
    """(target, text) of each program's kernels, by its path, and the errors."""
    texts, errors = {path: [] for path, _, _ in items}, []
    with tempfile.TemporaryDirectory(prefix="heddle_ptx_") as scratch:
        results = Generator(options, scratch).generate(items)
        for (path, words, target), (why, ptx) in zip(items, results):
            if why is None:
                with open(ptx, encoding="utf-8") as file:
                    texts[path].append((target, file.read()))
                if options.keep:
                    shutil.move(ptx, os.path.join(
                        options.keep, text_name(path, words, target)))
            elif not is_refused(target, why):
                shown = shlex.join([os.path.relpath(path, ROOT)] + words)
                errors.append(f"{shown} for {target}: {why}")
    return texts, errors


def targets_of(options, path, expected):
    """The targets that a program is generated for."""
    name = os.path.relpath(path, ROOT)
    is_both = (options.update or "HD_LONG" in os.environ or
               "sm_80:" in expected.get(name, "") or
               zlib.crc32(name.encode()) % 6 == 0)
    return TARGETS if is_both else TARGETS[1:]


def read_expected(options):
    """The text of what is expected; None: there is none."""
    if not os.path.exists(options.expected):
        return None
    with open(options.expected, encoding="utf-8") as file:
        return file.read()


def empty_folder(path):
    """None, or the folder that texts are kept in: nothing of an earlier run is
    in it, and nothing at all where nobody assembles them."""
    if path:
        shutil.rmtree(path, ignore_errors=True)
    if not path or not shutil.which("ptxas"):
        return None
    os.makedirs(path)
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--dumps", required=True)
    parser.add_argument("--expected", required=True)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--keep", help="folder for the texts")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    options.dumps = os.path.abspath(options.dumps)
    options.keep = empty_folder(options.keep)
    expected = read_expected(options)
    known = entries(expected or "")
    try:
        items = [(path, words, target) for path in sorted(options.files)
                 for words in kernels_of(path)
                 for target in targets_of(options, path, known)]
    except BadTest as error:
        print(f"bad test: {error}")
        return 1
    texts, failures = generate(options, items)
    text = "".join(line + "\n" for path in sorted(options.files)
                   for line in describe(path, texts.get(path, [])))
    if options.update and not failures:
        with open(options.expected, "w", encoding="utf-8") as file:
            file.write(text)
        expected = text
    if expected is not None:
        failures += compare(expected, text)
    else:
        failures.append(f"there is no {options.expected}; --update writes it")
    print("\n".join(failures) or
          f"{len(options.files)} programs as expected")
    return 1 if failures else 0


def entries(text):
    """Lines of forms by title."""
    found, title = {}, None
    for line in text.split("\n"):
        if line and not line.startswith(" "):
            title = line
            found[title] = ""
        elif title:
            found[title] += line.strip() + " "
    return found


def compare(expected, found):
    """What differs, in words."""
    old, new = entries(expected), entries(found)
    lines = [f"{title}: not in the file" for title in new if title not in old]
    lines += [f"{title}: isn't made any more" for title in old
              if title not in new]
    for title in old.keys() & new.keys():
        had, has = ({w.strip() for w in part[title].split(", ")}
                    for part in (old, new))
        if had != has:
            lines.append(f"{title}: without {', '.join(sorted(had - has))}; "
                         f"now {', '.join(sorted(has - had))}")
    return lines


if __name__ == "__main__":
    sys.exit(main())
