#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails on a .c, .cc or .h file that clang-format would change.

    check_format.py CLANG_FORMAT
"""

import os
import re
import subprocess
import sys

from check_sources import CUDA_HEADERS, listed_files

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def main():
    names = [n for n in listed_files(ROOT)
             if n.endswith((".c", ".cc", ".h")) and not n.startswith(CUDA_HEADERS)]
    if not names:
        sys.exit("nothing to check")
    done = subprocess.run([sys.argv[1], "--dry-run", "--Werror", *names],
                          cwd=ROOT, capture_output=True, text=True,
                          check=False)
    wrong = sorted(set(re.findall(r"^(\S+?):\d+:\d+: error", done.stderr,
                                  re.M)))
    print("\n".join(f"{n}: make format would change it" for n in wrong)
          or done.stderr or f"{len(names)} files are formatted")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
