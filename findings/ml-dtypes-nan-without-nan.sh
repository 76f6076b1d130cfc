#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Guess: a NaN cast to float4_e2m1fn, float6_e2m3fn or float6_e3m2fn, which have
#   no NaN, saturates as infinity does, or keeps its sign.
# Seen: ml_dtypes 0.5.3 gives -0 for a positive NaN and +0 for a negative one,
#   while infinities give the largest value of their sign. PTX defines that
#   cvt.rn.satfinite.e2m1x2.f32 gives the largest positive value.
# So: no test takes what becomes of NaN from a cast of ml_dtypes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env" &&
  "$folder/env/bin/pip" install -q numpy==2.2.6 ml_dtypes==0.5.3 || exit 2

seen=$("$folder/env/bin/python" - <<'END'
import ml_dtypes
import numpy as np

given = np.array([0x7fc00000, 0xffc00000, 0x7f800000, 0xff800000],
                 np.uint32).view(np.float32)
for name in ("float4_e2m1fn", "float6_e2m3fn", "float6_e3m2fn"):
    made = given.astype(getattr(ml_dtypes, name)).astype(np.float32)
    print(name, "NaN", made[0], "-NaN", made[1], "inf", made[2], "-inf",
          made[3])
END
)
stated="float4_e2m1fn NaN -0.0 -NaN 0.0 inf 6.0 -inf -6.0
float6_e2m3fn NaN -0.0 -NaN 0.0 inf 7.5 -inf -7.5
float6_e3m2fn NaN -0.0 -NaN 0.0 inf 28.0 -inf -28.0"
echo "guess: the largest value for NaN, too"
echo "$seen"
[ "$seen" = "$stated" ] || { echo "changed: it was: $stated"; exit 1; }
