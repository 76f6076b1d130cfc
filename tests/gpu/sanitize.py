#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a bundle (bundle.py) under the tools of NVIDIA's compute-sanitizer.

    sanitize.py FOLDER [--tools memcheck,racecheck,synccheck] [--only PATTERN]

Each tool must be silent. Racecheck follows hardware barriers only, and synccheck
wants a wait between two arrivals of a thread: tests whose RACECHECK or SYNCCHECK
line says why the tool can't follow them are left out there, and counted.
Exit status 77: there is no compute-sanitizer.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
SECONDS_EACH = 60  # of a launch: the tools make kernels many times slower


def read_limits(folder, tool):
    """What the tool can't follow: reasons by file."""
    path = os.path.join(folder, tool)
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as lines:
        return dict(line.rstrip("\n").split("\t", 1) for line in lines)


def keep_launches(folder, out, limits):
    """Links the bundle from `out`, without the files in `limits`."""
    n_left_out = 0
    for name in os.listdir(folder):
        if name != "manifest":
            os.symlink(os.path.abspath(os.path.join(folder, name)),
                       os.path.join(out, name))
    with open(os.path.join(folder, "manifest"), "rb") as lines, \
            open(os.path.join(out, "manifest"), "wb") as kept:
        wanted = True
        for line in lines:
            if line.startswith(b"test "):
                path = line[5:].decode().strip().rsplit(":", 1)[0]
                wanted = path not in limits
                n_left_out += not wanted
            if wanted:
                kept.write(line)
    return n_left_out


def run_tool(tool, folder, pattern):
    """What it found, as text; None: nothing."""
    done = subprocess.run(
        ["compute-sanitizer", "--tool", tool, "--show-backtrace", "no",
         "--print-limit", "100", "--error-exitcode", "1",
         os.path.join(folder, "run_bundle"), folder, pattern,
         str(SECONDS_EACH)],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    text = done.stdout.decode(errors="replace")
    is_silent = "Race reported" not in text and (
        "ERROR SUMMARY: 0 errors" in text or
        "RACECHECK SUMMARY: 0 hazards" in text)
    return None if is_silent and done.returncode == 0 else text


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder")
    parser.add_argument("--tools", default="memcheck,racecheck,synccheck")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    if not shutil.which("compute-sanitizer"):
        print("skipped: no compute-sanitizer")
        return SKIPPED
    failed = False
    for tool in options.tools.split(","):
        with tempfile.TemporaryDirectory() as kept:
            n_left_out = keep_launches(options.folder, kept,
                                       read_limits(options.folder, tool))
            found = run_tool(tool, kept, options.only)
        failed = failed or found is not None
        print(f"{tool}: {'silent' if found is None else 'not silent'}, "
              f"{n_left_out} launches left out", flush=True)
        if found is not None:
            print(found, flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
