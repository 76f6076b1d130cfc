#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""each.py COMMAND … -- FILE …: runs the command on each file, some at a time.
Fails if one of them fails, and says which."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor


def main():
    words = sys.argv[1:]
    cut = words.index("--")
    command, files = words[:cut], words[cut + 1:]

    def run(path):
        return subprocess.run(command + [path], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)

    with ThreadPoolExecutor(min(8, os.cpu_count())) as pool:
        results = list(pool.map(run, files))
    failed = [(path, done) for path, done in zip(files, results)
              if done.returncode != 0]
    for path, done in failed:
        print(f"--- {path}: exit status {done.returncode}")
        print(done.stdout.decode("utf-8", "replace"))
    print(f"{len(files) - len(failed)} of {len(files)} programs passed")
    return 1 if failed or not files else 0


if __name__ == "__main__":
    sys.exit(main())
