#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# if_there.sh DEVICES COMMAND…: runs the command if there is a GPU among what
# `heddle devices` wrote to the file DEVICES; else it is skipped.
grep -q '^cuda:' "$1" || { echo "skipped: $(grep '^cuda' "$1")"; exit 77; }
shift
exec "$@"
