#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Guess: numpy.save(sys.stdout.buffer, a) writes to a pipe, as it does to a file.
# Seen: NumPy 1.24.2 raises OSError behind the header when the stream is buffered
#   and no file, and writes all 140 bytes when Python runs unbuffered (-u).
# So: tests/cli/arrays/npy_bad.hd saves to memory and writes that.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install -q --target "$folder/numpy" numpy==1.24.2 || exit 2
export PYTHONPATH=$folder/numpy
unset PYTHONUNBUFFERED

code='import numpy, sys
numpy.save(sys.stdout.buffer, numpy.arange(3, dtype="f4"))'
python3 -c 'import numpy; print("numpy", numpy.__version__)'
seen=$({ python3 -c "$code" 2>"$folder/error" || true; } | wc -c)
seen="$seen bytes buffered ($(tail -1 "$folder/error")),"
seen="$seen $(python3 -u -c "$code" | wc -c) unbuffered"
stated='128 bytes buffered (OSError: obtaining file position failed), 140 unbuffered'
echo "guess: 140 bytes both ways"
echo "seen: $seen"
[ "$seen" = "$stated" ] || { echo "changed: it was: $stated"; exit 1; }
