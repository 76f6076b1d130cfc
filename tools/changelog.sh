#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Moves the fragments of changelog.d/ into CHANGELOG.md under a new heading.
#
#   tools/changelog.sh VERSION
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -eq 1 ] || { echo "usage: tools/changelog.sh VERSION" >&2; exit 2; }
fragments=()
for file in changelog.d/*.md; do
  [ "$file" = changelog.d/README.md ] || fragments+=("$file")
done
[ ${#fragments[@]} -gt 0 ] || { echo "nothing in changelog.d" >&2; exit 1; }
new=$(mktemp)
trap 'rm -f "$new"' EXIT
# The new version stands before the newest old one, or at the end.
{
  printf '%s\n\n## %s\n\n' "$(sed '/^## /,$d' CHANGELOG.md)" "$1"
  cat "${fragments[@]}"
  echo
  sed -n '/^## /,$p' CHANGELOG.md
} >"$new"
cat "$new" >CHANGELOG.md
rm -f "${fragments[@]}"
