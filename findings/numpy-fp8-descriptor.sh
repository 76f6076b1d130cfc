#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Guess: numpy.load reads what numpy.save wrote, and the formats of ml_dtypes
#   that NumPy doesn't know are all saved as bytes ("<V1").
# Seen: NumPy 2.2.6 with ml_dtypes 0.5.1 saves float8_e5m2 as "<f1", a type that
#   NumPy then refuses to load; float8_e4m3fn is "<V1" and loses its name.
# So: src/cli/npy.c takes "<f1" as fp8_e5m2 and writes "|V1".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env" &&
  "$folder/env/bin/pip" install -q numpy==2.2.6 ml_dtypes==0.5.1 || exit 2

seen=$("$folder/env/bin/python" - <<'END'
import io
import ml_dtypes
import numpy as np
print(np.__version__, ml_dtypes.__version__)
for name in ("float8_e5m2", "float8_e4m3fn", "bfloat16"):
    file = io.BytesIO()
    np.save(file, np.zeros(3, getattr(ml_dtypes, name)))
    file.seek(0)
    descr = file.getvalue().split(b"'")[3].decode()
    try:
        print(name, descr, "loads as", np.load(file).dtype)
    except ValueError:
        print(name, descr, "doesn't load")
END
)
stated="2.2.6 0.5.1
float8_e5m2 <f1 doesn't load
float8_e4m3fn <V1 loads as |V1
bfloat16 <V2 loads as |V2"
echo "guess: what was saved loads"
echo "$seen"
[ "$seen" = "$stated" ] || { echo "changed: it was: $stated"; exit 1; }
