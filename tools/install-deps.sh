#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian 12 packages that building and testing need and that are
# missing; asks nothing. Does nothing, quickly, when all are there.
#
#   tools/install-deps.sh           everything: build, tests, lint, fuzzing
#   tools/install-deps.sh --build   only what building and installing needs
#   tools/install-deps.sh --demo    that, and what the demo's check needs
#   tools/install-deps.sh --docs    only what `make docs` needs
#   tools/install-deps.sh --list [--build|--demo|--docs]
#                                   says which, installs nothing
#
# The test lint/dependencies compares this with what CMake looks for.
set -euo pipefail

build_packages=(
  build-essential cmake ninja-build ccache pkg-config clang-14
  llvm-22-dev libisl-dev libz3-dev libpng-dev zlib1g-dev libxxhash-dev
)
demo_packages=(python3 python3-numpy)
test_packages=(
  libcmocka-dev llvm-22-tools binutils lld
  libclang-rt-14-dev clang-format-14 clang-tidy-14 cppcheck man-db
)
docs_packages=(python3-sphinx python3-myst-parser furo)

is_list=false
[ "${1:-}" != --list ] || { is_list=true; shift; }
packages=("${build_packages[@]}")
case "${1:-}" in
  "") packages+=("${demo_packages[@]}" "${test_packages[@]}" "${docs_packages[@]}") ;;
  --build) ;;
  --demo) packages+=("${demo_packages[@]}") ;;
  --docs) packages=("${docs_packages[@]}") ;;
  *)
    echo "usage: tools/install-deps.sh [--list] [--build|--demo|--docs]" >&2
    exit 2
    ;;
esac
if $is_list; then
  printf '%s\n' "${packages[@]}"
  exit 0
fi

if ! command -v dpkg-query >/dev/null; then
  echo "install-deps: no dpkg here; install the equivalents of:" >&2
  echo "  ${packages[*]}" >&2
  exit 0
fi

missing=()
for package in "${packages[@]}"; do
  state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$state" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "install-deps: run as root, or install: ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
echo "Installing ${missing[*]}"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
  --no-install-recommends "${missing[@]}"
