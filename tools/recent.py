# SPDX-License-Identifier: Apache-2.0
"""Which files `make test` has analysed: what changed in the last hours of history."""

import os
import subprocess

HOURS = 4


def git(root, *args):
    return subprocess.run(["git", "-C", root, *args], capture_output=True, text=True,
                          check=True).stdout


def recent_files(root, paths):
    """Those of the paths that commits of the last hours before HEAD changed, or that
    differ from HEAD; all of them with HD_LONG, or where the history isn't known."""
    if "HD_LONG" in os.environ:
        return paths
    try:
        if git(root, "rev-parse", "--is-shallow-repository").strip() != "false":
            return paths
        begin = int(git(root, "log", "-1", "--format=%ct")) - HOURS * 60 * 60
        names = git(root, "log", f"--since={begin}", "--name-only", "--format=")
        names += git(root, "status", "--porcelain", "--untracked-files=all",
                     "--no-renames")
    except (OSError, subprocess.CalledProcessError):
        return paths
    changed = {os.path.join(root, line.strip().split(" ")[-1])
               for line in names.splitlines()}
    return [path for path in paths if path in changed]
