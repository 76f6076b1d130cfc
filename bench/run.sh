#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures the CPU suite at one and two threads and writes bench/RESULTS.md.
# Needs the release build, gcc's OpenMP, and pocl for the OpenCL columns.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${BUILD:-build/release}
runs=${RUNS:-21}
out=${OUT:-bench/RESULTS.md}
if [ -z "$(ldconfig -p | grep libOpenCL)" ] || [ ! -e /usr/include/CL/cl.h ]; then
  sudo=$([ "$(id -u)" = 0 ] || echo sudo)
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y \
    pocl-opencl-icd ocl-icd-opencl-dev opencl-headers
  cmake "$build" >/dev/null
fi
cmake --build "$build" --target heddle_bench heddle_command
temporary=$(mktemp)
trap 'rm -f "$temporary"' EXIT
{
  cat bench/METHOD.md
  echo
  echo "Measured on: $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1), \
$(nproc) cores; gcc $(gcc -dumpfullversion); commit \
$(git rev-parse --short HEAD 2>/dev/null || echo unknown); $runs runs."
  echo
  echo "| row | what | unit | threads | Heddle | gcc -O3 | pocl | floor | vs gcc | vs pocl | vs floor |"
  echo "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
  "$build/bin/heddle_bench" 1 "$runs" bench/kernels
  "$build/bin/heddle_bench" 2 "$runs" bench/kernels
  "$build/bin/heddle_bench" 2 "$runs" bench/kernels "$build/bin/heddle"
  if cmake --build "$build" --target heddle_products >/dev/null 2>&1; then
    echo
    echo "### Products of matrices"
    echo
    echo "| what | threads | Heddle | OpenBLAS | oneDNN | vs OpenBLAS | vs oneDNN |"
    echo "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    tiles=(BM=96 BN=64 BK=32)
    if grep -q avx512vl /proc/cpuinfo; then
      tiles=(BM=128 BN=64 BK=64)
    fi
    for threads in 1 2; do
      for type in float bfloat16 char; do
        "$build/bin/heddle_products" "$threads" "$runs" \
          examples/tiles/product.hd 1024 2048 4096 T=$type "${tiles[@]}"
      done
    done
  fi
  if cmake --build "$build" --target heddle_layers >/dev/null 2>&1; then
    echo
    echo "### Layers of networks"
    echo
    echo "| what | threads | Heddle | gcc -O3 | oneDNN | vs gcc | vs oneDNN |"
    echo "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    for threads in 1 2; do
      "$build/bin/heddle_layers" "$threads" "$runs" bench/kernels/layers.hd
    done
  fi
  python3 bench/sanitize.py "$build/bin/heddle"
  echo
  echo "## heddle check"
  echo
  python3 bench/check.py "$build/bin/heddle" tests/check examples
  if [ -e bench/results/gpu.md ]; then # measured by bench/gpu/run.sh
    echo
    cat bench/results/gpu.md
  fi
} >"$temporary"
cp "$temporary" "$out"
cat "$out"
