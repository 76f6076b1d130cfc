#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Stands in for the command in the runner's own tests.

It does what lines `//fake WHAT: …` of the program say:
  json      the diagnostics that `check --json` lists
  kernel    name, verdict and findings ("CODE VERDICT LINE OTHER TEXT", with
            " | " between) of a kernel that `check --json` lists
  text      replaces the text form of `check`
  stdout    a line on standard output (run, dump)
  stderr    a line on standard error (run, dump)
  save      NAME = NumPy expression, the array that `--save` writes;
            values of the command line are names in it
  exit      the exit status (run, dump, check)
  signal    the signal that kills it
  sleep     seconds before it ends
"""

import json
import os
import re
import sys
import time


def read_fakes(path):
    text = sys.stdin.read() if path == "-" else open(path).read()
    fakes = {}
    for what, value in re.findall(r"^//fake (\w+): ?(.*)$", text, re.M):
        fakes.setdefault(what, []).append(value)
    return fakes, text


def read_kernel(text):
    name, verdict, *rest = text.split(" ", 2)
    findings = []
    for part in rest[0].split(" | ") if rest else []:
        code, found, line, other, said = part.split(" ", 4)
        findings.append({"code": code, "verdict": found, "line": int(line),
                         "other_line": int(other), "message": said,
                         "reason": None, "witness": None, "fix": None})
    return {"kernel": name, "verdict": verdict, "findings": findings}


def check(fakes, as_json):
    diags = [json.loads(v) for v in fakes.get("json", [])]
    kernels = [read_kernel(v) for v in fakes.get("kernel", [])]
    if as_json:
        print(json.dumps({"kernels": kernels, "diagnostics": diags}))
    elif "text" in fakes:
        print("\n".join(fakes["text"]), file=sys.stderr)
    else:
        for d in diags:
            print(f"{d['severity']}[{d['code']}]: {d['message']}\n"
                  f"  --> {d['file']}:{d['line']}:{d['column']}",
                  file=sys.stderr)
    has_bug = any(k["verdict"] == "bug" for k in kernels)
    return int(has_bug or any(d["severity"] == "error" for d in diags))


def save(fakes, args):
    import numpy as np
    space = {"np": np}
    for word in args:
        match = re.match(r"(\w+)=(-?\d+)$", word)
        if match:
            space[match.group(1)] = int(match.group(2))
    arrays = dict(v.split(" = ", 1) for v in fakes.get("save", []))
    for flag, word in zip(args, args[1:]):
        name, _, path = word.partition("=")
        if flag == "--save" and name in arrays:
            np.save(path, eval(arrays[name], space))


def main():
    command, path, args = sys.argv[1], sys.argv[2], sys.argv[3:]
    fakes, text = read_fakes(path)
    time.sleep(float(fakes.get("sleep", ["0"])[0]))
    if "signal" in fakes:
        os.kill(os.getpid(), int(fakes["signal"][0]))
    status = 0
    if command == "check":
        status = check(fakes, "--json" in args)
    else:
        for line in fakes.get("stdout", []):
            print(line)
        for line in fakes.get("stderr", []):
            print(line, file=sys.stderr)
        if "echo" in fakes:
            sys.stdout.write(text)
        save(fakes, args)
    sys.exit(int(fakes.get("exit", [status])[0]))


main()
