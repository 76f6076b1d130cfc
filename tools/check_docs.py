#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the examples of a page, and follows its links.

    check_docs.py --heddle COMMAND --build BUILD_FOLDER [--sanitize=NAMES] PAGE.md

NAMES are the sanitizers that the library in the folder was built with.

What a fenced block shows is said after its opening fence:

    ```hd               `heddle check --rules-only` accepts it
    ```hd error HD0501  `heddle check` reports this code and no other
    ```hd proved        `heddle check` proves every kernel of it
    ```hd bug HD0601    `heddle check` finds bugs of this code and no other
    ```hd unknown HD0601  `heddle check` can't decide, with this code
    ```hd run ARGS      `heddle run FILE ARGS` succeeds; when the next block
                        is ```output, that is what it prints
    ```hd as NAME …     the same, and what follows on the page finds it as NAME
    ```cu …             any of these in CUDA C
    ```hd part          a fragment: not a program, not run
    ```c run            a C program against the library; it succeeds
    ```sh run           a shell, in which `heddle` is the command; it succeeds,
                        and prints what a next block ```output says

Blocks of other kinds are not run. A link to a file must lead somewhere.
"""

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BLOCK = re.compile(r"^```([^\n]*)\n(.*?)^```[ ]*$", re.M | re.S)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


class Page:
    def __init__(self, path, heddle, build, sanitize):
        self.path, self.heddle, self.build = path, heddle, build
        self.cc = ["cc", "-std=c17", "-Wall", "-Wextra", "-Werror"]
        if sanitize:
            self.cc.append("-fsanitize=" + sanitize)
        with open(path, encoding="utf-8") as file:
            self.text = file.read()
        self.checked = 0
        self.files = {}

    def run(self, *argv, folder):
        env = {k: v for k, v in os.environ.items()
               if not k.startswith("HEDDLE_")}
        env["XDG_CACHE_HOME"] = os.path.join(folder, ".cache")
        env["PATH"] = os.path.dirname(self.heddle) + ":" + env["PATH"]
        return subprocess.run(argv, capture_output=True, text=True, cwd=folder,
                              timeout=120, env=env, check=False)

    def check_verdict(self, path, folder, verdict, codes):
        done = self.run(self.heddle, "check", path, "--json", folder=folder)
        try:
            kernels = json.loads(done.stdout)["kernels"]
        except (ValueError, KeyError):
            return f"'check --json' failed: {done.stderr}"
        found = [f for k in kernels for f in k["findings"]]
        verdicts = {k["verdict"] for k in kernels}
        got = sorted({f["code"] for f in found if f["verdict"] == verdict})
        if verdict not in verdicts or got != codes or (
                verdict == "proved" and len(verdicts) > 1):
            return (f"is {verdicts} {got}, expected {verdict} {codes}: "
                    + "; ".join(f"{f['code']} {f['message']}: {f['reason']}"
                                for f in found))
        return None

    def check_codes(self, path, folder, wanted):
        done = self.run(self.heddle, "check", path, "--json", "--rules-only",
                        folder=folder)
        try:
            diags = json.loads(done.stdout)["diagnostics"]
        except (ValueError, KeyError):
            return f"'check --json' failed: {done.stderr}"
        found = sorted({d["code"] for d in diags})
        if found != wanted:
            return (f"reports {found or 'nothing'}, expected "
                    f"{wanted or 'nothing'}: "
                    + "; ".join(d["message"] for d in diags))
        return None

    def check_block(self, info, text, following):
        words = shlex.split(info)
        if words[:1] not in (["hd"], ["cu"]) and words[:2] not in (
                ["c", "run"], ["sh", "run"]):
            return None
        if words[1:2] == ["part"]:
            return None
        self.checked += 1
        if words[1:2] == ["as"]:
            self.files[words[2]] = text
            del words[1:3]
        with tempfile.TemporaryDirectory() as folder:
            name = "example." + words[0]
            with open(os.path.join(folder, name), "w",
                      encoding="utf-8") as file:
                file.write(text)
            if words[0] == "c":
                return self.check_c(name, folder)
            if words[0] == "sh":
                return self.check_shell(name, folder, following)
            if words[1:2] == ["error"]:
                return self.check_codes(name, folder, sorted(words[2:]))
            if words[1:2] in (["proved"], ["bug"], ["unknown"]):
                return self.check_verdict(name, folder, words[1],
                                          sorted(words[2:]))
            if words[1:2] == ["run"]:
                return self.check_run(name, folder, words[2:], following)
            if len(words) > 1:
                return f"unknown kind of block '{info}'"
            return self.check_codes(name, folder, [])

    def check_shell(self, name, folder, following):
        for file_name, text in self.files.items():
            with open(os.path.join(folder, file_name), "w",
                      encoding="utf-8") as file:
                file.write(text)
        done = self.run("bash", "-e", name, folder=folder)
        return self.check_output(done, following)

    def check_run(self, name, folder, args, following):
        done = self.run(self.heddle, "run", name, *args, folder=folder)
        return self.check_output(done, following)

    def check_output(self, done, following):
        if done.returncode != 0:
            return f"exit status {done.returncode}: {done.stderr}"
        if following and following[0].strip() == "output":
            if done.stdout != following[1]:
                return f"prints\n{done.stdout}and not\n{following[1]}"
        return None

    def check_c(self, name, folder):
        library = os.path.abspath(self.build)
        done = self.run(*self.cc, name, "-I" + os.path.join(ROOT, "include"),
                        "-L" + library, "-Wl,-rpath," + library, "-lheddle",
                        "-lm", "-o", "a", folder=folder)
        if done.returncode == 0:
            done = self.run("./a", folder=folder)
        if done.returncode != 0:
            return f"exit status {done.returncode}: {done.stderr}"
        return None

    def check_links(self):
        prose = BLOCK.sub("", self.text)
        for target in LINK.findall(prose):
            if re.match(r"[a-z]+:", target) or target.startswith("#"):
                continue
            path = os.path.join(os.path.dirname(self.path),
                                target.split("#")[0])
            if not os.path.exists(path):
                yield f"the link to {target} leads nowhere"

    def problems(self):
        blocks = [(m.group(1), m.group(2), m.start())
                  for m in BLOCK.finditer(self.text)]
        for index, (info, text, start) in enumerate(blocks):
            following = blocks[index + 1] if index + 1 < len(blocks) else None
            problem = self.check_block(info, text, following)
            if problem:
                line = self.text.count("\n", 0, start) + 1
                yield f"{self.path}:{line}: {problem.strip()}"
        for problem in self.check_links():
            yield f"{self.path}: {problem}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--build", required=True)
    parser.add_argument("--sanitize", default="")
    parser.add_argument("page")
    options = parser.parse_args()
    page = Page(options.page, os.path.abspath(options.heddle), options.build,
                options.sanitize)
    problems = list(page.problems())
    print("\n".join(problems) or f"{page.checked} examples work")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
