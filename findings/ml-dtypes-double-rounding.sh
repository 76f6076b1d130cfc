#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Guess: a cast of a float64 array to float8_e4m3fn gives, element by element,
#   what the type's constructor gives of the same float64: the nearest value.
# Seen: ml_dtypes 0.5.3: the array goes through float32 and rounds twice (1.0),
#   the constructor rounds once (1.125). bfloat16 rounds twice in both, from
#   float64 and from int32; NumPy's own float16 rounds once.
# So: tests/run/types/fp8.hd rounds what it compares with itself.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env" &&
  "$folder/env/bin/pip" install -q numpy==2.2.6 ml_dtypes==0.5.3 || exit 2

seen=$("$folder/env/bin/python" - <<'END'
import ml_dtypes
import numpy as np

for kind, bits in ((ml_dtypes.bfloat16, 7), (ml_dtypes.float8_e4m3fn, 3),
                   (ml_dtypes.float8_e5m2, 2), (np.float16, 10)):
    # Just above the middle between 1 and the next value.
    x = np.float64(1 + 2.0**-bits / 2 + 2.0**-40)
    print(kind.__name__, "nearest", 1 + 2.0**-bits, "array",
          float(np.array([x]).astype(kind)[0]), "constructor", float(kind(x)))
n = 2**30 + 2**22 + 1
print("bfloat16 nearest", 2**30 + 2**23, "array",
      int(np.array([n], np.int32).astype(ml_dtypes.bfloat16)[0]))
END
)
stated="bfloat16 nearest 1.0078125 array 1.0 constructor 1.0
float8_e4m3fn nearest 1.125 array 1.0 constructor 1.125
float8_e5m2 nearest 1.25 array 1.0 constructor 1.25
float16 nearest 1.0009765625 array 1.0009765625 constructor 1.0009765625
bfloat16 nearest 1082130432 array 1073741824"
echo "guess: the nearest value everywhere"
echo "$seen"
[ "$seen" = "$stated" ] || { echo "changed: it was: $stated"; exit 1; }
