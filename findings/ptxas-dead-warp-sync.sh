#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Guess: shfl.sync, vote.sync, match.sync and redux.sync are kept although nobody
#   reads their result, as barrier.red is: PTX says that the executing thread
#   waits until all threads of the mask have come.
# Seen: ptxas 13.0.88 and 13.5.37 delete all four, and keep barrier.red. A thread
#   that is missing from the mask is then no fault that the hardware could show.
# So: src/check (docs/internals/check-order.md) takes no order of memory from a
#   shuffle.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for version in 13.0.88 13.5.37; do
  python3 -m venv "$folder/$version" &&
    "$folder/$version/bin/pip" install -q --no-deps \
      nvidia-cuda-nvcc==$version nvidia-cuda-nvdisasm==13.5.37 || exit 2
done

cat > "$folder/dead.ptx" <<'END'
.version 8.0
.target sm_90
.address_size 64
.visible .entry dead(.param .u64 at)
{
    .reg .b64 %a;
    .reg .b32 %v, %r<6>;
    .reg .pred %p;
    ld.param.u64 %a, [at];
    cvta.to.global.u64 %a, %a;
    ld.global.b32 %v, [%a];
    shfl.sync.down.b32 %r1, %v, 1, 31, -1;
    vote.sync.ballot.b32 %r2, 1, -1;
    match.any.sync.b32 %r3, %v, -1;
    redux.sync.add.s32 %r4, %v, -1;
    barrier.red.popc.u32 %r5, 0, 1;
    st.global.b32 [%a], %v;
    ret;
}
END

left() {
  local tools
  tools=$(dirname "$(find "$folder/$1" -type f -name ptxas)")
  "$tools/ptxas" -arch sm_90 "$folder/dead.ptx" -o "$folder/dead.cubin"
  "$tools/nvdisasm" -c "$folder/dead.cubin" |
    grep -oE '\b(SHFL|VOTEU?|MATCH|REDUX|WARPSYNC|BAR)\b' | sort | tr '\n' ' '
}
seen=$(for version in 13.0.88 13.5.37; do
  echo "ptxas $version: $(left $version)"
done)
stated="ptxas 13.0.88: BAR 
ptxas 13.5.37: BAR "
echo "guess: SHFL, VOTE, MATCH, REDUX and BAR"
echo "$seen"
[ "$seen" = "$stated" ] || { echo "changed: it was: $stated"; exit 1; }
