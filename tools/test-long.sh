#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The long tests: full counts, every float for the device math library and a new
# seed in the preset `dev`, then the whole suite as it is under ASan with UBSan,
# under TSan, and in the stress configuration, with random kernels of that seed.
# Last `make demo` and `make test`, each where nothing is installed: the presets
# bare-demo and bare-test (tools/bare-root.sh). Each leaves its result with commit
# and seed in tests/LONG.md; on two free cores all take about three hours. Lint is
# the business of `make test`.
#
#   tools/test-long.sh [SEED [PRESET …]]
set -euo pipefail
cd "$(dirname "$0")/.."
seed=${1:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
all=(dev asan tsan stress bare-demo bare-test)
[ $# -gt 1 ] && shift && presets=("$@") || presets=("${all[@]}")
export HD_SEED=$seed
result=tests/LONG.md
commit=$(git rev-parse --short=12 HEAD)
[ -z "$(git status --porcelain -- ":!$result")" ] ||
  commit="$commit with local changes"
failed=0

# One row a preset; those that were not run keep theirs.
write_result() { # PRESET ROW
  local rows preset
  rows=$([ -f $result ] && grep -v "^| $1 |" $result || true)
  {
    echo "# Last run of the long tests"
    echo
    echo "Written by \`make test-long\`; \`tools/test-long.sh SEED PRESET\`" \
      "repeats a row."
    echo
    echo "| preset | commit | seed | result | time |"
    echo "|---|---|---|---|---|"
    for preset in "${all[@]}"; do
      [ "$preset" = "$1" ] && echo "$2" || grep "^| $preset |" <<<"$rows" || true
    done
  } >$result.new
  mv $result.new $result
}

run_preset() { # PRESET
  local preset=$1 log=build/$1/long.log status=0 passed seconds
  cmake --preset "$preset" >/dev/null
  cmake --build --preset "$preset"
  # Every launch in all variants and ten times the random kernels.
  if [ "$preset" = dev ]; then export HD_LONG=1; else unset HD_LONG; fi
  ctest --preset "$preset" -LE lint 2>&1 | tee "$log" || status=$?
  [ $status -eq 0 ] || failed=1
  # Every float for functions of one.
  [ "$preset" != dev ] ||
    build/dev/tests/unit_devicemath_test_devicemath exhaustive || failed=1
  passed=$(grep -E 'tests passed' "$log" | tail -1)
  seconds=$(grep -E 'Total Test time' "$log" | tail -1 | sed 's/.*= *//')
  write_result "$preset" "| $preset | $commit | $seed | $passed | $seconds |"
}

run_bare() { # PRESET
  local preset=$1 log=build/$1.log status=0 passed start=$SECONDS
  mkdir -p build
  tools/bare-root.sh make "${preset#bare-}" 2>&1 | tee "$log" || status=$?
  [ $status -eq 0 ] || failed=1
  passed=$(grep -E 'tests passed' "$log" | tail -1 || true)
  [ -n "$passed" ] || passed="exit status $status"
  write_result "$preset" \
    "| $preset | $commit | $seed | $passed | $((SECONDS - start)) sec |"
}

for preset in "${presets[@]}"; do
  case $preset in
    bare-*) run_bare "$preset" ;;
    *) run_preset "$preset" ;;
  esac
done
cat $result
exit $failed
