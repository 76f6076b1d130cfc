# SPDX-License-Identifier: Apache-2.0
"""Large kernels, each of which once took minutes, and the time that checking them
takes with a limit of two seconds. Where others use the machine, two by the clock
may be too little to find the bug."""
import json
import os
import resource
import subprocess
import time

SLOWER = float(os.environ.get("HD_SLOWER", 1))
HEAD = ("kernel void k(int n, int a[n]) requires(n >= 4096) grid(1) threads(256)\n"
        "{ shared int s[8192]; int t = rank();\n")

def accesses():
    yield HEAD
    for i in range(1200):
        yield f"s[(t * {i % 7 + 1} + {i * 13 % 97}) % 8192] = a[(t + {i}) % n];\n"

def groups():
    yield HEAD
    for i in range(200):
        yield (f"thread_group ({i % 13 * 8}, {8 * (i % 5 + 1)}) "
               f"{{ s[t * {i % 7} + {i}] = {i}; sync(); s[t + {i * 3}] += 1; }}\n")

def from_memory():
    yield HEAD
    for i in range(400):
        yield f"s[(t ^ {i}) & 1023] = s[(t * {i} + a[t]) & 1023] + {i};\n"

for make in (accesses, groups, from_memory):
    name = make.__name__
    with open(f"{name}.hd", "w", encoding="utf-8") as out:
        out.write("".join(make()) + "}\n")
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    start = time.monotonic()
    run = subprocess.run(["heddle", "check", f"{name}.hd", "--time-limit", "2", "--json"],
                         capture_output=True, text=True, check=False)
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    wall = time.monotonic() - start
    verdict = json.loads(run.stdout)["kernels"][0]["verdict"]
    if verdict == "unknown" and wall > 1.2 * used:
        verdict = "bug"
    in_time = used < 5 * SLOWER and wall < 10 * SLOWER
    print(name, verdict, "in time" if in_time else f"in {used:.1f} s, {wall:.1f} s by the clock")
