#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs cppcheck over sources of the compile database (recent.py).

    run_cppcheck.py CPPCHECK BUILD_FOLDER
"""

import os
import subprocess
import sys

from recent import recent_files
from run_tidy import ROOT, sources


def main():
    cppcheck, build = sys.argv[1], os.path.abspath(sys.argv[2])
    paths = recent_files(ROOT, sources(build))
    if not paths:
        print("no file changed")
        return 0
    folder = os.path.join(build, "cppcheck")
    os.makedirs(folder, exist_ok=True)
    return subprocess.run([
        cppcheck, f"--project={build}/compile_commands.json",
        f"--library={ROOT}/tools/cppcheck.cfg", f"--cppcheck-build-dir={folder}",
        "--enable=warning,performance,portability", "--inline-suppr",
        "--suppress=missingIncludeSystem", "--error-exitcode=1", "--quiet", "-j2",
        *(f"--file-filter={path}" for path in paths)], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
