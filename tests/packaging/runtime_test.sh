#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the runtime without the compiler and links it with nothing but libc.
#
#   runtime_test.sh SOURCE_FOLDER CC
set -euo pipefail
source=$1 cc=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake -S "$source" -B "$work/build" -G Ninja -DHD_COMPILER=OFF \
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER="$cc" >/dev/null
cmake --build "$work/build" >/dev/null
cmake --install "$work/build" --prefix "$work/prefix" >/dev/null

if grep -iE 'llvm|isl|z3' "$work/build/compile_commands.json"; then
  echo "the runtime was compiled with the compiler's dependencies" >&2
  exit 1
fi

lib=$(dirname "$(find "$work/prefix" -name libheddle_rt.a)")
export PKG_CONFIG_PATH=$lib/pkgconfig
libraries=$(pkg-config --libs heddle-rt | sed 's/-lheddle_rt//')
echo 'int main(void) { return 0; }' >"$work/main.c"
# All of it, so that everything it needs must be found.
# shellcheck disable=SC2086
"$cc" "$work/main.c" -o "$work/main" -Wl,--whole-archive \
  "$lib/libheddle_rt.a" -Wl,--no-whole-archive $libraries
"$work/main"
if ldd "$work/main" | grep -iE 'llvm|isl|z3'; then
  echo "the runtime needs the compiler's dependencies" >&2
  exit 1
fi
echo "the runtime stands alone"
