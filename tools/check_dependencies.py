#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what CMake looks for with what tools/install-deps.sh installs.

    check_dependencies.py [ROOT]

Configures every preset in a temporary folder. What was found (every path in
the cache, every program that was run, every Python module that was imported)
must be in a package that install-deps.sh installs for the preset, or that one
of those depends on; what our own files look for must be found, or be listed
here as something that may be missing. Exit status 77: not a machine with dpkg.
"""

import functools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

# What install-deps.sh is called with before a preset is built; all, if not here.
ARGUMENTS = {"release": ["--build"]}
# Prefixes of cache entries that may be missing, or come from elsewhere.
OPTIONAL = {
    "HD_NVCC": "only peers in benchmarks, and tests where there is a GPU",
    "HD_ONEDNN": "only a peer in benchmarks: bench/run.sh installs it",
    "HD_OPENBLAS": "only a peer in benchmarks: bench/run.sh installs it",
    "OpenCL_": "only a peer in benchmarks: bench/run.sh installs it",
    "OpenMP_": "only a peer in benchmarks: gcc brings its own",
}
# CMake looks for these by itself and takes what there is, from any package.
TOOLS = re.compile(r"CMAKE_((C|CXX)_COMPILER_)?(ADDR2LINE|AR|DLLTOOL|LINKER|MT|NM"
                   r"|OBJCOPY|OBJDUMP|RANLIB|READELF|STRIP|TAPI)$")
FINDS = {"find_program", "find_library", "find_path", "find_file"}


def output(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=True,
                          **options).stdout


class Packages:
    """The installed packages: what needs what, and whose a file is."""

    def __init__(self):
        self.needs, self.essential, self.providers = {}, set(), {}
        rows = output("dpkg-query", "-W", "-f", "${Package}\t${db:Status-Status}"
                      "\t${Essential}\t${Pre-Depends}, ${Depends}\t${Provides}\n")
        for row in rows.splitlines():
            name, status, essential, needs, provides = row.split("\t")
            if status != "installed":
                continue
            self.needs.setdefault(name, set()).update(self.names(needs))
            for other in self.names(provides) | {name}:
                self.providers.setdefault(other, set()).add(name)
            if essential == "yes":
                self.essential.add(name)

    @staticmethod
    def names(text):
        """Of "a (>= 1) | b:any, c": a, b, c."""
        words = re.split(r"[,|]", re.sub(r"\([^)]*\)", "", text))
        return {word.strip().split(":")[0] for word in words if word.strip()}

    def closure(self, wanted):
        """The packages of these names, and all that they need."""
        found, todo = set(), set(wanted) | self.essential
        while todo:
            for name in self.providers.get(todo.pop(), ()):
                if name not in found:
                    found.add(name)
                    todo |= self.needs[name]
        return found

    @staticmethod
    @functools.lru_cache(maxsize=None)
    def owners(path):
        """The packages that a file or folder is of, by any of its names."""
        real = os.path.realpath(path)
        names = {path, real}
        for name in (path, real):  # /lib is a link to /usr/lib
            names.add(name[4:] if name.startswith("/usr/") else "/usr" + name)
        found = set()
        # It complains of the names that no package has.
        done = subprocess.run(["dpkg-query", "-S", *names], text=True,
                              capture_output=True, check=False)
        for line in done.stdout.splitlines():
            packages = line.rpartition(": ")[0]
            if not packages.startswith("diversion "):
                found |= Packages.names(packages)
        return found


def cmake_files(root):
    """Our files that look for something."""
    words = FINDS | {"execute_process"}
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders
                      if not name.startswith(("build", "."))]
        for name in names:
            if name == "CMakeLists.txt" or name.endswith(".cmake"):
                path = os.path.join(folder, name)
                with open(path) as file:
                    text = file.read()
                if any(word in text for word in words):
                    yield path


def configure(root, preset, build):
    """What CMake's trace and cache say: our own calls, the entries."""
    trace = build + ".trace"
    done = subprocess.run(
        ["cmake", "--preset", preset, "-B", build, "--trace-expand",
         "--trace-format=json-v1", "--trace-redirect=" + trace,
         *("--trace-source=" + path for path in cmake_files(root))],
        cwd=root, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return None, done.stdout + done.stderr
    with open(trace) as file:
        calls = [json.loads(line) for line in file
                 if '"find_' in line or '"execute_process"' in line]
    entries = {}
    with open(os.path.join(build, "CMakeCache.txt")) as file:
        for line in file:
            match = re.match(r"([^#/][^:]*):(\w+)=(.*)$", line)
            if match and match.group(2) in ("FILEPATH", "PATH"):
                entries[match.group(1)] = match.group(3)
    return calls, entries


def imported(command):
    """The file of the module in PYTHON -c "import MODULE"; None if there isn't."""
    for flag, code in zip(command, command[1:]):
        match = re.match(r"import (\w+)$", code) if flag == "-c" else None
        if match:
            module = match.group(1)
            return output(command[0], "-c",
                          "import %s; print(%s.__file__)" % (module, module)).strip()
    return None


def run_paths(calls):
    """Programs that the configuration ran, and modules that they imported."""
    for call in calls:
        if call["cmd"].lower() != "execute_process":
            continue
        command = call["args"][call["args"].index("COMMAND") + 1:]
        program = shutil.which(command[0])
        if program:
            yield os.path.basename(program), program
        module = imported([program] + command[1:]) if program else None
        if module:
            yield "import", module


def headers(calls, entries):
    """The files behind find_path(NAME header.h): the cache has the folder."""
    for call in calls:
        if call["cmd"].lower() != "find_path":
            continue
        name, *words = call["args"]
        for word in words:
            path = os.path.join(entries.get(name, ""), word)
            if path.startswith("/") and os.path.isfile(path):
                yield name, path


def is_optional(name):
    return any(name.startswith(prefix) for prefix in OPTIONAL)


def check(root, preset, packages, scratch):
    """Sentences about what is wrong."""
    build = os.path.join(scratch, preset)
    calls, entries = configure(root, preset, build)
    if calls is None:
        return ["%s: can't be configured:\n%s" % (preset, entries)]
    arguments = ARGUMENTS.get(preset, [])
    script = os.path.join(root, "tools", "install-deps.sh")
    installed = packages.closure(
        output("bash", script, "--list", *arguments).split())
    wrong = []
    for call in calls:
        name = call["args"][0] if call["args"] else ""
        if call["cmd"].lower() in FINDS and not is_optional(name) and \
           entries.get(name, "").endswith("-NOTFOUND"):
            wrong.append("%s: %s looks for %s, which isn't found" %
                         (preset, os.path.relpath(call["file"], root), name))
    found = [(name, path) for name, path in sorted(entries.items())
             if path.startswith("/") and os.path.exists(path)]
    for name, path in (*found, *headers(calls, entries), *run_paths(calls)):
        real = os.path.realpath(path)
        if is_optional(name) or TOOLS.match(name) or \
           real.startswith((root, scratch)):
            continue
        owners = packages.owners(path)
        if not owners & installed and not is_shared_folder(real, owners):
            wrong.append(
                "%s: %s is %s of %s; 'install-deps.sh %s' doesn't install that"
                % (preset, name, path, " or ".join(sorted(owners)) or
                   "no package", " ".join(arguments)))
    return wrong


def is_shared_folder(path, owners):
    """An installation prefix such as /usr/local, which nothing brings."""
    return os.path.isdir(path) and not owners


def main():
    root = os.path.realpath(sys.argv[1] if len(sys.argv) > 1 else
                            os.path.join(os.path.dirname(__file__), ".."))
    if not shutil.which("dpkg-query"):
        print("no dpkg here: nothing to compare with")
        return 77
    with open(os.path.join(root, "CMakePresets.json")) as file:
        presets = [preset["name"] for preset in json.load(file)["configurePresets"]
                   if not preset.get("hidden")]
    packages = Packages()
    scratch = os.path.realpath(tempfile.mkdtemp())
    try:
        wrong = [text for preset in presets
                 for text in check(root, preset, packages, scratch)]
    finally:
        shutil.rmtree(scratch)
    for text in wrong:
        print(text)
    print("%d presets, %d faults" % (len(presets), len(wrong)))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
