#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the examples on real data and checks what they compute. `make demo`
# builds Heddle first; by hand: HEDDLE=path/to/heddle examples/demo.sh [FOLDER]
# Results go to FOLDER, or to build/demo.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/../build/demo}
mkdir -p "$out"
out=$(cd "$out" && pwd)
heddle=${HEDDLE:-heddle}
case $heddle in */*) heddle=$(cd "$(dirname "$heddle")" && pwd)/${heddle##*/} ;; esac
python=python3
if [ -x /usr/bin/python3 ] && /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
  python=/usr/bin/python3
elif ! "$python" -c 'import numpy' 2>/dev/null; then
  echo "demo: the results are checked with NumPy: install python3-numpy" >&2
  exit 2
fi
cd "$here"

# A title, then the command as it runs.
title() { printf '\n== %s\n' "$*"; }
run() {
  printf '$ heddle run'
  for word in "$@"; do printf ' %s' "${word//"$out/"/}"; done
  printf '\n'
  "$heddle" run "$@"
}
# check NAME: compares the files in $out with what NumPy computes.
check() { "$python" "$here/demo_check.py" "$out" "$@"; }

"$python" "$here/demo_data.py" "$out"
"$heddle" --version

title "saxpy: y = a x + y, 16 million elements"
run saxpy.hd a=2.5 x="@$out/x.npy" y="@$out/y.npy" --save y="$out/saxpy.npy" --time 5
check saxpy

title "matrix product through shared memory, 500 x 400 x 300"
run matmul.hd A="@$out/A.npy" B="@$out/B.npy" --save C="$out/C.npy" --time 5
check matmul

title "the same, one warp loading tiles while four compute"
run load_compute.hd A="@$out/A.npy" B="@$out/B.npy" --save C="$out/C.npy" --time 5
check matmul

title "transpose, 4000 x 3000"
run transpose.hd A="@$out/plate.npy" --save B="$out/transposed.npy" --time 5
check transpose

title "histogram of a megabyte of bytes by shared, then global atomics"
run histogram.hd data="@$out/bytes.npy" --save counts="$out/counts.npy"
check histogram

title "sum of a million numbers by a tree, three launches"
run reduce.hd x="@$out/million.npy" --save partial="$out/p1.npy"
run reduce.hd x="@$out/p1.npy" --save partial="$out/p2.npy"
run reduce.hd x="@$out/p2.npy" --save partial="$out/sum.npy"
check reduce

title "prefix sums of a million integers in one launch, blocks waiting in turn"
run scan.hd scan_chained x="@$out/words.npy" --save y="$out/scan.npy"
check scan

title "sort of 16384 integers by a bitonic network, pass by pass"
n=16384
"$heddle" run bitonic.hd sort_chunks data="@$out/unsorted.npy" --save data="$out/sorted.npy"
for ((k = 1024; k <= n; k *= 2)); do
  for ((j = k / 2; j >= 512; j /= 2)); do
    "$heddle" run bitonic.hd merge_pass k=$k j=$j data="@$out/sorted.npy" \
      --save data="$out/sorted.npy"
  done
  "$heddle" run bitonic.hd merge_chunks k=$k data="@$out/sorted.npy" \
    --save data="$out/sorted.npy"
done
check sort

title "Black-Scholes prices of a million options"
run black_scholes.hd rate=0.02 volatility=0.3 spot="@$out/spot.npy" \
  strike="@$out/strike.npy" years="@$out/years.npy" --save call="$out/call.npy" \
  --save put="$out/put.npy" --time 5
check black_scholes

title "n-body: one step of 2048 bodies"
run nbody.hd dt=0.01 body="@$out/body.npy" speed="@$out/speed.npy" \
  --save moved="$out/moved.npy" --save new_speed="$out/new_speed.npy" --time 5
check nbody

title "Jacobi step on a plate of 4000 x 3000"
run jacobi.hd u="@$out/plate.npy" --save v="$out/jacobi.npy" --time 5
check jacobi

title "Mandelbrot set, 1200 x 800"
run mandelbrot.hd width=1200 height=800 --save image="$out/mandelbrot.png" \
  --save image="$out/mandelbrot.npy" --time 5
check mandelbrot
run mandelbrot.hd width=1200 height=800 cx=-0.743643 cy=0.131825 radius=0.0005 \
  limit=2000 --save image="$out/mandelbrot_zoom.png"

title "a photograph, blurred, and its edges"
run blur.hd in=@data/chelsea.png --save out="$out/blurred.png" --save out="$out/blurred.npy" --time 5
run sobel.hd in=@data/chelsea.png --save out="$out/edges.png" --save out="$out/edges.npy" --time 5
check photograph

title "groups of threads and loops over threads"
for program in groups/partition groups/scope groups/pipeline loops/levels loops/reverse; do
  "$python" ../tests/run_test.py --heddle "$heddle" "$program.hd" > /dev/null
  printf '%-20s checked against NumPy: ok\n' "$program"
done

title "mistakes are found before anything runs"
cat > "$out/mistake.hd" <<'END'
kernel void mistake(int n, float x[n]) grid(1) threads(32)
{
    if (rank() < 16)
        sync();
    x[rank()] = 1;
}
END
if (cd "$out" && "$heddle" check mistake.hd); then
  echo "demo: a barrier that half of the threads reach was accepted" >&2
  exit 1
fi

rm -f "$out"/*.npy
title "done: everything above was checked; the pictures are in"
ls "$out"/*.png
