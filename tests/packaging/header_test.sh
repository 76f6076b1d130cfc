#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The header is C++17 and C++20 without a warning, for g++ and, if it is there,
# clang++; what they make runs.
# usage: header_test.sh SOURCE_FOLDER LIBRARY_FOLDER
set -euo pipefail
source=$1 folder=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for compiler in g++ clang++ clang++-14; do
  [ "$compiler" = g++ ] || command -v "$compiler" >/dev/null || continue
  for standard in c++17 c++20; do
    echo "$compiler -std=$standard"
    "$compiler" -std=$standard -Wall -Wextra -Wpedantic -Werror \
      -I "$source/include" "$source/tests/packaging/header_test.cpp" \
      -o "$work/test" -L "$folder" -lheddle -Wl,-rpath,"$folder"
    "$work/test"
  done
done
