#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Guess: a call in a template whose operands don't depend on its parameters is
#   the same function in nvcc's device code as in its host code, which g++
#   compiles: the one that is declared where the template stands.
# Seen: a call by name is; an operator, and a call with an argument whose value
#   (not its type) depends on a parameter, are looked up again where the template
#   is used, so that device code calls an overload that is declared later and is
#   a better match. Host code of the same program calls the earlier one (nvcc
#   13.0.88, g++ of the machine).
# So: Heddle calls the earlier one, as the standard, g++ and clang++ say
#   (src/cuda/translate/cu_depend.c); docs/reference/cuda.md names the
#   difference.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install -q --target "$folder/site" --no-deps \
  nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88 \
  nvidia-cuda-runtime==13.0.88 nvidia-cuda-cccl==13.0.85 ||
  { echo "the packages can't be installed"; exit 2; }
cuda=$(find "$folder/site/nvidia" -maxdepth 1 -name 'cu1*')
chmod +x "$cuda"/bin/* "$cuda"/nvvm/bin/* 2>/dev/null || true

cat > "$folder/lookup.cu" <<'END'
#include <cstdio>
#define BOTH __host__ __device__
struct X { int v; };
BOTH int name(X, double) { return 1; }
BOTH int operator+(X, double) { return 1; }
template <class A> BOTH int by_name(A) { X x{0}; return name(x, 1); }
template <class A> BOTH int by_sign(A) { X x{0}; return x + 1; }
template <int N> BOTH int by_value() { X x{0}; return name(x, N); }
BOTH int name(X, int) { return 2; }
BOTH int operator+(X, int) { return 2; }
__global__ void k(int *out) {
  out[0] = by_name(1);
  out[1] = by_sign(1);
  out[2] = by_value<3>();
}
int main() {
  std::printf("%d %d %d\n", by_name(1), by_sign(1), by_value<3>());
}
END
nvcc=("$cuda/bin/nvcc" -arch=sm_90 -I "$cuda/include")
"${nvcc[@]}" -ptx -o "$folder/lookup.ptx" "$folder/lookup.cu"
"${nvcc[@]}" -L "$cuda/lib" -o "$folder/host" "$folder/lookup.cu"
# What the kernel stores, constants all: three registers in order.
device=$(awk '/mov\.(u|b)32/ { gsub(/[,;]/, ""); value[$2] = $3 }
              /st\.global/ { gsub(/[;]/, ""); printf "%s ", value[$NF] }' \
  "$folder/lookup.ptx")
host=$("$folder/host")
"$cuda/bin/nvcc" --version | tail -1
seen="by name, by operator, by value: device $device, host $host"
echo "guess: device 1 1 1 , host 1 1 1"
echo "seen:  $seen"
[ "$seen" = "by name, by operator, by value: device 1 2 2 , host 1 1 1" ]
