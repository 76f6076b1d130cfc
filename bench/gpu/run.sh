#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures the GPU suite: the tables to bench/results/gpu.md and the end of
# bench/RESULTS.md, raw numbers to a file beside the former. Each group of rows is a process of its own, so that a kernel
# that takes the device down takes no other group with it.
set -uo pipefail
cd "$(dirname "$0")/../.."
build=${BUILD:-build/release}
runs=${RUNS:-21}
results=${RESULTS:-bench/results}
device=${DEVICE:-cuda:0}
bench="$build/bin/heddle_gpu_bench"
if [ ! -x "$bench" ] || [ -z "${NO_BUILD:-}" ]; then
  cmake --build "$build" --target heddle_gpu_bench heddle_gpu_peers || exit 1
fi
peers="$build/bin/heddle_gpu_peers.so"
[ -e "$peers" ] && peers=(--peers "$peers") || peers=()
mkdir -p "$results"
json="$results/gpu-$(date -u +%Y%m%d-%H%M%S).jsonl"
table="$results/gpu.md"
{
  echo "## NVIDIA GPUs"
  echo
  for group in memory compute groups latency; do
    timeout "${LIMIT_S:-120}" "$bench" --device "$device" --runs "$runs" \
      --json "$json" "${peers[@]}" ${TUNE:+--tune} bench/gpu/kernels "$group" ||
      echo "The rows of $group ended with status $?."
    echo
  done
  if python3 -c 'import torch, triton' 2>/dev/null; then
    echo "### Tile kernels"
    echo
    timeout "${LIMIT_S:-240}" python3 bench/gpu/tiles.py --build "$build" \
      --runs "$runs" || echo "The rows of tile kernels ended with status $?."
    echo
  fi
  echo "Commit $(git rev-parse --short HEAD 2>/dev/null || echo unknown); raw \
numbers in $(basename "$json")."
} >"$table"
others=$(sed '/^## NVIDIA GPUs$/,$d' bench/RESULTS.md)
printf '%s\n\n%s\n' "$others" "$(cat "$table")" >bench/RESULTS.md
cat "$table"
