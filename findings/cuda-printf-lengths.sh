#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Guess: device printf takes the length modifiers of C's printf: "%zu" of a size_t,
#   "%hhd" of a char, and what follows is printed as it is.
# Seen: "%zu", "%zx", "%zd", "%jd", "%td", "%hhd" and "%hhu" print their own
#   argument rightly, but the next argument is another number; "%hd", "%ld" and
#   "%lld" do no harm. The compiler (13.0) doesn't warn.
# So: src/codegen/nvptx/llvm_nvptx_effect.c writes formats anew, with no modifier
#   but ll, and narrows the values itself.
# GPU: NVIDIA H200, driver 580.159.04 (CUDA 13.0); nvcc 13.0 of the machine.
set -euo pipefail
command -v nvidia-smi >/dev/null && nvidia-smi -L 2>/dev/null | grep -q GPU ||
  { echo "no NVIDIA GPU here: nothing tried"; exit 0; }
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
PATH=$PATH:/usr/local/cuda/bin
command -v nvcc >/dev/null || { echo "no nvcc"; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cat > "$folder/lengths.cu" <<'END'
#include <cstdio>
#define SHOW(length, value) printf(length " %" length " %d\n", value, 7)
__global__ void show() {
  SHOW("d", 5);
  SHOW("hd", 5);
  SHOW("ld", 5L);
  SHOW("lld", 5LL);
  SHOW("zu", (size_t)5);
  SHOW("zx", (size_t)5);
  SHOW("zd", (size_t)5);
  SHOW("jd", 5L);
  SHOW("td", 5L);
  SHOW("hhd", 5);
  SHOW("hhu", 5);
}
int main() {
  show<<<1, 1>>>();
  return cudaDeviceSynchronize();
}
END
nvcc -arch=native -o "$folder/lengths" "$folder/lengths.cu"
# The other number differs from run to run: only whether it is 7 is compared.
seen=$("$folder/lengths" | sed -E 's/^(.* 5) 7$/\1 then 7/; t; s/^(.* 5) .*/\1 then another/')
stated="d 5 then 7
hd 5 then 7
ld 5 then 7
lld 5 then 7
zu 5 then another
zx 5 then another
zd 5 then another
jd 5 then another
td 5 then another
hhd 5 then another
hhu 5 then another"
echo "guess: 5 then 7 everywhere"
echo "$seen"
[ "$seen" = "$stated" ] || { echo "changed: it was: $stated"; exit 1; }
