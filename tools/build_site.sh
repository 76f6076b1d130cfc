#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the documentation as a site; any warning, such as a link or a heading
# that isn't there, is an error, and so is a page that needs the network.
#
#   tools/build_site.sh OUTPUT_FOLDER [ROOT]
set -euo pipefail
[ $# -ge 1 ] || { echo "usage: tools/build_site.sh OUTPUT_FOLDER [ROOT]" >&2; exit 2; }
mkdir -p "$1"
output=$(cd "$1" && pwd)
root=$(cd "${2:-$(dirname "$0")/..}" && pwd)

# What was parsed is kept beside the site, so that the next run is quick.
sphinx-build -b html -q -n -W --keep-going -c "$root/docs/site" \
  -d "$output.parsed" "$root" "$output"
if grep -rnoE '<(script|link|img|iframe)[^>]*(src|href)="(https?:)?//[^"]*"' \
  --include='*.html' "$output"; then
  echo "build_site: these pages load something from the network" >&2
  exit 1
fi
echo "$(find "$output" -name '*.html' | wc -l) pages: $output/index.html"
