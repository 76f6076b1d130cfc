#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The long tests: full counts, new seeds, every float for the device math library,
# the whole suite under ASan with UBSan, under TSan and in the stress build, and
# `make demo` and `make test` where nothing is installed (tools/bare-root.sh).
#
#   tools/test-long.sh --list      the parts, with what each contains
#   tools/test-long.sh [PART …]    these parts, or all
#   HD_SEED=SEED                   of random kernels and samples; a new one if unset
#
# A part is meant to take about an hour on two free cores. It leaves its result in
# build/PRESET/long/PART.log, and its row in tests/LONG.md (tools/long_table.py).
set -euo pipefail
cd "$(dirname "$0")/.."

# A part: its name, its preset, and the entries of CTest that it runs: `K/N` takes
# every N-th from the K-th on. Together the parts of a preset contain all its entries
# but lint. Those that need the build tree or the sources are parts of their own, so
# that the others may run where only the executables are.
campaigns='^(fuzz|facts)/'
random='^fuzz/(kernels|functions|tile|verdicts|sanitize-generated)'
checker='^(facts/|fuzz/(mutants|sanitize)$)'
tree='^(unit|docs|bench|runner|api)/'
parts() {
  cat <<END
units      dev entries 1/1 of $tree
programs   dev entries 1/1 but $tree|$campaigns
kernels    dev entries 1/1 of $random
checker    dev entries 1/1 of $checker
math       dev exhaustive
lint       dev lint
asan-units asan entries 1/1 of $tree
asan       asan entries 1/1 but $tree
tsan-units tsan entries 1/1 of $tree
tsan-1     tsan entries 1/2 but $tree
tsan-2     tsan entries 2/2 but $tree
stress-units stress entries 1/1 of $tree
stress     stress entries 1/1 but $tree
bare-demo  bare demo
bare-test  bare test
END
}

seed=${HD_SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
export HD_SEED=$seed
commit=$(git rev-parse --short=12 HEAD)
[ -z "$(git status --porcelain -- ':!tests/LONG.md')" ] ||
  commit="$commit with local changes"

# The arguments of CTest for a row of the table.
select_entries() { # entries K/N [of|but REGEX]
  selection=()
  [ "$2" = 1/1 ] || selection+=(-I "${2%/*},,${2#*/}")
  case "${3:-}" in
    of) selection+=(-R "$4") ;;
    but) selection+=(-E "$4") ;;
  esac
}

run_suite() { # PRESET WHAT …
  local preset=$1
  shift
  cmake --preset "$preset" >/dev/null && cmake --build --preset "$preset" ||
    return
  # Every launch in all variants, and many times the random kernels.
  [ "$preset" != dev ] || export HD_LONG=1
  if [ "$1" = exhaustive ]; then
    build/dev/tests/unit_devicemath_test_devicemath exhaustive
    return
  fi
  if [ "$1" = lint ]; then
    ctest --preset "$preset" -L lint
    return
  fi
  select_entries "$@"
  ctest --preset "$preset" -LE lint "${selection[@]}"
}

run_part() ( # NAME PRESET WHAT …: in a shell of its own, for its variables
  name=$1 preset=$2
  shift 2
  log=build/$preset/long/$name.log
  mkdir -p "$(dirname "$log")"
  status=0 start=$SECONDS
  echo "long-test: $name, commit $commit, seed $seed" >"$log"
  if [ "$preset" = bare ]; then
    tools/bare-root.sh make "$1" 2>&1 | tee -a "$log" || status=$?
  else
    run_suite "$preset" "$@" 2>&1 | tee -a "$log" || status=$?
  fi
  echo "long-test: exit status $status, $((SECONDS - start)) s" >>"$log"
  python3 tools/long_table.py "$log"
  exit "$status"
)

if [ "${1:-}" = --list ]; then
  parts
  exit 0
fi
names=("$@")
[ $# -gt 0 ] || mapfile -t names < <(parts | cut -d ' ' -f 1)
for name in "${names[@]}"; do
  parts | grep -q "^$name " || {
    echo "test-long: no part '$name'; tools/test-long.sh --list has them" >&2
    exit 2
  }
done
failed=0
for name in "${names[@]}"; do
  read -ra row < <(parts | grep "^$name ")
  run_part "${row[@]}" || failed=1
done
cat tests/LONG.md
exit $failed
