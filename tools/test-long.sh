#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The long tests: full counts and a new seed in the preset `dev`, then the
# whole suite as it is under ASan with UBSan, under TSan, and in the stress
# configuration, with random kernels of that seed. Writes the result with
# commit and seed to tests/LONG.md. On two free cores it takes about an hour.
#
#   tools/test-long.sh [SEED [PRESET …]]
set -euo pipefail
cd "$(dirname "$0")/.."
seed=${1:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
[ $# -gt 1 ] && shift && presets=("$@") || presets=(dev asan tsan stress)
export HD_SEED=$seed
commit=$(git rev-parse --short=12 HEAD)
[ -z "$(git status --porcelain)" ] || commit="$commit with local changes"
report=$(mktemp)
trap 'rm -f "$report"' EXIT
failed=0

run_preset() { # PRESET
  local preset=$1 log status=0
  log=build/$preset/long.log
  cmake --preset "$preset" >/dev/null
  cmake --build --preset "$preset"
  # Every launch in all variants and ten times the random kernels.
  if [ "$preset" = dev ]; then export HD_LONG=1; else unset HD_LONG; fi
  ctest --preset "$preset" 2>&1 | tee "$log" || status=$?
  [ $status -eq 0 ] || failed=1
  {
    echo "| $preset | $(grep -E 'tests passed' "$log" | tail -1) |" \
      "$(grep -E 'Total Test time' "$log" | tail -1 | sed 's/.*= *//') |"
  } >>"$report"
}

write_result() {
  {
    echo "# Last run of the long tests"
    echo
    echo "Written by \`make test-long\`."
    echo
    echo "- commit: $commit"
    echo "- seed: $seed (\`tools/test-long.sh $seed\` repeats it)"
    echo
    echo "| preset | result | time |"
    echo "|---|---|---|"
    cat "$report"
  } >tests/LONG.md
}

# The file is written anew after each preset, so that a run that is broken off
# leaves what it found.
for preset in "${presets[@]}"; do
  run_preset "$preset"
  write_result
done
cat tests/LONG.md
exit $failed
