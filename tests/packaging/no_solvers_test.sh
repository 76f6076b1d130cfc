#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The checker builds without isl and Z3, and its solver then still gives no
# wrong answer: the tiers that are missing say `unknown`.
#
#   no_solvers_test.sh SOURCE_FOLDER C_COMPILER
set -euo pipefail
source=$1
compiler=$2
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
cd "$source"

flags=(-std=c17 -D_GNU_SOURCE -DHD_VERSION='"test"' -O1 -Wall -Wextra -Werror
       -Isrc -Iinclude -Itests/unit/check)
# Headers of both must not be needed either: they are made to fail.
mkdir -p "$build/poison/isl"
echo '#error "z3.h was included"' >"$build/poison/z3.h"
for header in ctx set map union_map space; do
  echo '#error "isl was included"' >"$build/poison/isl/$header.h"
done
flags+=(-I"$build/poison")

for file in src/check/{term,solve}/*.c; do
  "$compiler" "${flags[@]}" -c "$file" -o "$build/$(basename "$file" .c).o"
done
for file in src/base/*.c; do
  "$compiler" "${flags[@]}" -w -c "$file" -o "$build/base_$(basename "$file" .c).o"
done
c++ -std=c++17 -O1 -Isrc -c src/base/catch.cc -o "$build/base_catch.o"
for test in solver solver_random; do
  "$compiler" "${flags[@]}" -o "$build/$test" "tests/unit/check/test_$test.c" \
    "$build"/{term,solve,isl_solve,isl_cover,z3_}*.o "$build"/base_*.o \
    -lcmocka -lxxhash -lstdc++ -lm
  HD_ROUNDS=20 "$build/$test"
done
