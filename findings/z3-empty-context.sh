#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Guess: an empty context of Z3 is small: nothing is declared or asserted in it.
# Seen: each one of Z3 4.8.12 touches 17 MB, two tables of 8 MB nearly all of it,
#   which takes 6 ms where a small question takes 1.
# So: src/check/solve/z3_context.c keeps one context for many questions.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install -q --target "$folder/z3" z3-solver==4.8.12.0 || exit 2
export PYTHONPATH=$folder/z3

cat >"$folder/measure.py" <<'END'
import ctypes, resource, z3

FIELDS = ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks",
          "uordblks", "fordblks", "keepcost")


class Mallinfo(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in FIELDS]


def measure():
    info = libc.mallinfo2()
    pages = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    return info.hblks, info.hblkhd, pages * resource.getpagesize()


libc = ctypes.CDLL(None)
libc.mallinfo2.restype = Mallinfo
contexts = [z3.Context()]  # what only the first one sets up doesn't count
before = measure()
contexts.append(z3.Context())
blocks, size, touched = (b - a for a, b in zip(before, measure()))
print(f"Z3 {z3.get_version_string()}: {touched / 1e6:.0f} MB touched, "
      f"{blocks} blocks of {size // max(blocks, 1) >> 20} MB")
END
seen=$(python3 "$folder/measure.py")
stated='Z3 4.8.12: 17 MB touched, 2 blocks of 8 MB'
echo "guess: less than 1 MB"
echo "seen: $seen"
[ "$seen" = "$stated" ] || { echo "changed: it was: $stated"; exit 1; }
