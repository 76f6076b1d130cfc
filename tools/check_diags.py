#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when a code of src/diag/diag.def isn't documented or isn't tested.

    check_diags.py --heddle COMMAND [--root FOLDER]
    check_diags.py --update-index      writes docs/errors/README.md

Every code has a page docs/errors/CODE.md whose title starts with the code, and
a test that expects it. Each example of the page is run:

    ```hd             `heddle check --rules-only` reports the page's code and no other
    ```hd check ARGS  the same with arguments
    ```hd run ARGS    `heddle run FILE ARGS` fails and names the code
    ```hd dump ARGS   `heddle dump FILE ARGS` does
    ```hd fixed ARGS  `heddle check` accepts it
    ```hd remark ARGS   the checker proves it with a remark of the page's code
    ```hd bug ARGS      the checker finds a bug of the page's code, no other
    ```hd unknown ARGS  the checker can't decide, and says so with this code
    ```hd proved ARGS   the checker proves every kernel
    ```sh             prints a program that is checked like ```hd, for those
                      that are too long to show, or aren't text
    ```cu             any of these in CUDA C

Where a diagnostic of an example has fixes that are certain, they must mend it.
What the checker finds (codes of src/check/report/finding.h), it must find in the page's
wrong example, whoever else reports it there, and prove the right one.
The index docs/errors/README.md lists the titles of all pages.
A page has at least one example that isn't `fixed`.
"""

import argparse
import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests"))
from diagnostics import apply_fixes  # noqa: E402
TESTED = (".hd", ".cu", ".hir", ".c", ".py", ".sh")


def read_codes(root):
    with open(os.path.join(root, "src", "diag", "diag.def")) as file:
        return re.findall(r"^DIAG\((HD\d{4}),", file.read(), re.M)


def checker_codes(root):
    with open(os.path.join(root, "src", "check", "report",
                           "finding.h")) as file:
        return {f"HD{int(number):04}" for number in
                re.findall(r"^ *CODE_\w+ = (\d+)", file.read(), re.M)}


def tested_codes(root):
    found = set()
    for folder, _, names in os.walk(os.path.join(root, "tests")):
        if os.path.relpath(folder, root).startswith("tests/runner"):
            continue
        for name in names:
            if name.endswith(TESTED):
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8", errors="replace") as file:
                    found.update(re.findall(r"\bHD\d{4}\b", file.read()))
    return found


def run(command, *args):
    env = {k: v for k, v in os.environ.items() if not k.startswith("HEDDLE_")}
    with tempfile.TemporaryDirectory() as cache:
        env["XDG_CACHE_HOME"] = cache
        return subprocess.run([command, *args], capture_output=True, text=True,
                              timeout=120, env=env, check=False)


def diagnostics_of(command, text, arguments):
    """What `heddle check` reports for the program; a text when it can't."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "example.hd")
        with open(path, "wb") as file:
            file.write(text)
        done = run(command, "check", path, "--json", "--rules-only",
                   *arguments)
    try:
        return json.loads(done.stdout)["diagnostics"]
    except (ValueError, KeyError):
        return f"'check --json' gave no diagnostics: {done.stderr}"


def check_run(command, code, kind, text, arguments):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "example.hd")
        with open(path, "wb") as file:
            file.write(text)
        done = run(command, kind, path, *arguments)
    if done.returncode == 0 or code not in done.stderr:
        return f"'{kind}' doesn't report {code}: {done.stderr}"
    return None


def check_verdict(command, code, kind, text, arguments):
    """Examples of what the checker proves, finds, or can't decide."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "example.hd")
        with open(path, "wb") as file:
            file.write(text)
        done = run(command, "check", path, "--json", *arguments)
    try:
        report = json.loads(done.stdout)
        kernels, diags = report["kernels"], report["diagnostics"]
    except (ValueError, KeyError):
        return f"'check --json' gave no verdict: {done.stderr}"
    found = [f for k in kernels for f in k["findings"]]
    told = "; ".join(f"{f['verdict']} {f['code']} {f['message']}: "
                     f"{f['reason'] or f['witness']}" for f in found)
    if kind == "proved":
        right = kernels and not found and not diags and all(
            k["verdict"] == kind for k in kernels)
        return None if right else f"is not proved: {told or diags or kernels}"
    if kind == "remark":
        codes = {f["code"] for f in found} | {d["code"] for d in diags}
        proved = kernels and all(k["verdict"] == "proved" for k in kernels)
        right = proved and codes == {code}
        return None if right else f"not only remark {code}: {codes or told}"
    codes = {f["code"] for f in found if f["verdict"] == kind}
    if any(k["verdict"] == kind for k in kernels) and codes == {code}:
        return None
    return f"is not '{kind} {code}': {told or 'nothing found'}"


def check_fixes(command, text, diags, arguments):
    """Fixes that are certain must mend the example."""
    fixes = [f for d in diags for f in d.get("fixes", []) if f["certain"]]
    if not fixes:
        return None
    mended = apply_fixes(text.decode(), fixes)
    left = diagnostics_of(command, mended, arguments)
    return f"its certain fixes leave {left}" if left else None


def check_example(command, code, info, text):
    kind, *arguments = shlex.split(info) or [""]
    if kind in ("run", "dump"):
        return check_run(command, code, kind, text, arguments)
    if kind in ("bug", "unknown", "proved", "remark"):
        return check_verdict(command, code, kind, text, arguments)
    if kind not in ("", "check", "fixed"):
        return f"unknown kind of example '{info}'"
    diags = diagnostics_of(command, text, arguments)
    if isinstance(diags, str):
        return diags
    found = [d["code"] for d in diags]
    if kind == "fixed":
        return f"the mended example has {found}" if found else None
    if code not in found:
        return f"the example gives {found or 'nothing'}"
    others = sorted(set(found) - {code})
    if others:
        return f"the example also gives {others}"
    return check_fixes(command, text, diags, arguments)


def page_path(root, code):
    return os.path.join(root, "docs", "errors", f"{code}.md")


def read_examples(page):
    """(what follows "hd", the program) of each."""
    examples = []
    for language, info, text in re.findall(
            r"^```(hd|cu|sh)\b *([^\n]*)\n(.*?)^```", page, re.M | re.S):
        program = text.encode()
        if language == "sh":
            program = subprocess.run(["sh", "-c", text], capture_output=True,
                                     timeout=120, check=True).stdout
        if language == "cu":
            info = f"{info.strip() or 'check'} --language cuda"
        examples.append((info.strip(), program))
    return examples


def check_page(root, command, code):
    path = page_path(root, code)
    if not os.path.exists(path):
        return [f"{code}: no page docs/errors/{code}.md"]
    with open(path, encoding="utf-8") as file:
        text = file.read()
    problems = []
    if not text.startswith(f"# {code}"):
        problems.append(f"{code}: the page must start with '# {code}'")
    examples = read_examples(text)
    if all(info.startswith(("fixed", "proved")) for info, _ in examples):
        problems.append(f"{code}: the page has no example of the error")
    for info, example in examples:
        problem = check_example(command, code, info, example)
        if problem:
            problems.append(f"{code}: {problem.strip()}")
    return problems


def as_checker_example(info):
    """What the checker must say of an example, with its arguments for `check`;
    of what it is asked already, nothing."""
    kind, *arguments = shlex.split(info) or [""]
    if kind in ("", "run"):
        return "bug", []
    if kind == "check":
        return "bug", arguments
    return ("proved", arguments) if kind == "fixed" else None


def check_by_checker(root, command, code):
    """The page's wrong example, and the right one, by `heddle check` alone."""
    with open(page_path(root, code), encoding="utf-8") as file:
        examples = read_examples(file.read())
    problems, kinds = [], set()
    for info, example in examples:
        kinds.add((info.split() or [""])[0])
        wanted = as_checker_example(info)
        if not wanted:
            continue
        kinds.add(wanted[0])
        problem = check_verdict(command, code, wanted[0], example, wanted[1])
        if problem:
            problems.append(f"{code}: by the checker: {problem}")
    if not kinds & {"bug", "unknown", "remark"} or "proved" not in kinds:
        problems.append(f"{code}: the page needs a wrong and a right example")
    return problems


def strays(root, codes):
    folder = os.path.join(root, "docs", "errors")
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    return [f"docs/errors/{name}: no such code" for name in names
            if re.match(r"HD\d{4}\.md$", name) and name[:-3] not in codes]


FAMILIES = {"01": "Lexical", "02": "Syntax", "03": "Names and types",
            "04": "Address spaces and uniformity",
            "05": "Groups and divergence", "06": "Races", "07": "Bounds",
            "08": "Launch and ABI", "09": "Target", "10": "Barriers",
            "11": "CUDA mode"}


def index_text(root, codes):
    lines = ["# Diagnostics", "",
             "`heddle explain CODE` prints these pages."]
    family = None
    for code in sorted(codes):
        if not os.path.exists(page_path(root, code)):
            continue
        if code[2:4] != family:
            family = code[2:4]
            lines += ["", f"## HD{family}: {FAMILIES[family].lower()}"]
        with open(page_path(root, code), encoding="utf-8") as file:
            title = file.readline().strip().removeprefix(f"# {code}: ")
        lines.append(f"- [{code}]({code}.md) {title}")
    return "\n".join(lines) + "\n"


def index_problems(root, codes):
    path = os.path.join(root, "docs", "errors", "README.md")
    found = ""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            found = file.read()
    if found == index_text(root, codes):
        return []
    return ["docs/errors/README.md is old: run check_diags.py --update-index"]


def update_index(root, codes):
    path = os.path.join(root, "docs", "errors", "README.md")
    with open(path, "w", encoding="utf-8") as file:
        file.write(index_text(root, codes))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--heddle")
    parser.add_argument("--root", default=ROOT)
    parser.add_argument("--update-index", action="store_true")
    options = parser.parse_args()
    root, codes = options.root, read_codes(options.root)
    if options.update_index:
        update_index(root, codes)
        return 0
    tested = tested_codes(root)
    problems = [f"{c}: no test expects it" for c in codes if c not in tested]
    problems += [f"{c}: in diag.def twice" for c in sorted(set(codes))
                 if codes.count(c) > 1]
    problems += strays(root, codes) + index_problems(root, codes)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for found in pool.map(lambda c: check_page(root, options.heddle, c),
                              codes):
            problems += found
        if not problems:
            for found in pool.map(
                    lambda c: check_by_checker(root, options.heddle, c),
                    sorted(checker_codes(root))):
                problems += found
    print("\n".join(problems) or f"{len(codes)} codes have page and test")
    return 1 if problems or not codes else 0


if __name__ == "__main__":
    sys.exit(main())
