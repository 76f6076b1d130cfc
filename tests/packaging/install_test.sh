#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs into a fresh prefix, moves it, and builds programs against it.
#
#   install_test.sh BUILD_FOLDER CC
set -euo pipefail
build=$1 cc=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/prefix" # package files must not name the old place
prefix=$work/prefix
lib=$(dirname "$(find "$prefix" -name libheddle.so)")
export PKG_CONFIG_PATH=$lib/pkgconfig

say() { echo "-- $*"; }

say "the command runs from where it was installed"
"$prefix/bin/heddle" --version

say "shared library, by pkg-config"
# shellcheck disable=SC2046
"$cc" -std=c17 -Wall -Wextra -Wpedantic -Werror "$here/use_api.c" \
  -o "$work/shared" $(pkg-config --cflags --libs heddle) "-Wl,-rpath,$lib"
"$work/shared"

say "shared library where nobody looks: only LD_LIBRARY_PATH finds it"
[ "$lib" = "$prefix/lib" ] # what README.md says
# shellcheck disable=SC2046
"$cc" -std=c17 "$here/use_api.c" -o "$work/plain" \
  $(pkg-config --cflags --libs heddle)
if "$work/plain" 2>/dev/null; then
  echo "libheddle.so was found elsewhere" >&2
  exit 1
fi
LD_LIBRARY_PATH=$prefix/lib "$work/plain"

say "static library, by pkg-config"
# shellcheck disable=SC2046
"$cc" -std=c17 "$here/use_api.c" -o "$work/static" \
  $(pkg-config --cflags heddle) "$lib/libheddle.a" \
  $(pkg-config --static --libs-only-other --libs-only-l heddle |
    sed 's/-lheddle\b//') $(pkg-config --static --libs-only-L heddle)
"$work/static"

say "the header in C++"
echo '#include <heddle/heddle.h>
int main() { return hd_version()[0] == 0; }' >"$work/use.cpp"
# shellcheck disable=SC2046
c++ -std=c++17 -Wall -Wextra -Werror "$work/use.cpp" -o "$work/cpp" \
  $(pkg-config --cflags --libs heddle) "-Wl,-rpath,$lib"
"$work/cpp"

say "shared library and runtime, by CMake's find_package"
cmake -S "$here/consumer" -B "$work/consumer" -DCMAKE_PREFIX_PATH="$prefix" \
  -DCMAKE_C_COMPILER="$cc" >/dev/null
cmake --build "$work/consumer" >/dev/null
"$work/consumer/use_api"

say "the manual page is there"
test -f "$prefix/share/man/man1/heddle.1"
echo "everything installed works"
