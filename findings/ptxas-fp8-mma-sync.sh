#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Guess: mma.sync of e4m3 is one tensor core instruction on every target that has
#   fp8 tensor cores, sm_90a first of all.
# Seen: ptxas 13.0.88: one QMMA on sm_89 and sm_120a, but on sm_90a and sm_100a
#   twelve conversions to half and two HMMA of half, so half the rate at best and
#   the rounding of half's tensor cores. Only wgmma (tcgen05 on sm_100a) reaches
#   the fp8 units there. mma.sync of s4 is one instruction on sm_80, on sm_90a
#   ninety logical ones around two IMMA.
# So: tile products of fp8 on sm_90a have to be made of wgmma, not of mma.sync.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env" &&
  "$folder/env/bin/pip" install -q --no-deps nvidia-cuda-nvcc==13.0.88 \
    nvidia-cuda-nvdisasm==13.5.37 || exit 2
ptxas=$(find "$folder/env" -type f -name ptxas)
nvdisasm=$(find "$folder/env" -type f -name nvdisasm)

# The products and conversions of one mma on a target: TARGET SHAPE+TYPES TYPE
made_of() {
  cat > "$folder/mma.ptx" <<END
.version 8.7
.target $1
.address_size 64
.visible .entry mma(.param .u64 from, .param .u64 to)
{
    .reg .b64 %p, %q;
    .reg .b32 %a<4>, %b<2>, %c<4>;
    ld.param.u64 %p, [from];
    ld.param.u64 %q, [to];
    cvta.to.global.u64 %p, %p;
    cvta.to.global.u64 %q, %q;
    ld.global.v4.b32 {%a0, %a1, %a2, %a3}, [%p];
    ld.global.v2.b32 {%b0, %b1}, [%p+16];
    ld.global.v4.b32 {%c0, %c1, %c2, %c3}, [%p+32];
    mma.sync.aligned.$2
        {%c0, %c1, %c2, %c3}, {%a0, %a1, %a2, %a3}, {%b0, %b1},
        {%c0, %c1, %c2, %c3};
    st.global.v4.b32 [%q], {%c0, %c1, %c2, %c3};
    ret;
}
END
  "$ptxas" -arch "$1" "$folder/mma.ptx" -o "$folder/mma.cubin"
  "$nvdisasm" -c "$folder/mma.cubin" |
    grep -oE '\b(F2FP|[HQI]MMA|LOP3)\b' | sort | uniq -c | tr -s ' \n' ' '
}
seen=$(
  for target in sm_89 sm_90a sm_100a sm_120a; do
    echo "$target e4m3:$(made_of $target \
      m16n8k32.row.col.f32.e4m3.e4m3.f32)"
  done
  for target in sm_80 sm_90a; do
    echo "$target s4:$(made_of $target m16n8k64.row.col.s32.s4.s4.s32)"
  done)
stated="sm_89 e4m3: 1 QMMA 
sm_90a e4m3: 12 F2FP 2 HMMA 
sm_100a e4m3: 12 F2FP 2 HMMA 
sm_120a e4m3: 1 QMMA 
sm_80 s4: 1 IMMA 
sm_90a s4: 2 IMMA 90 LOP3 "
echo "guess: one QMMA or IMMA everywhere"
echo "$seen"
[ "$seen" = "$stated" ] || { echo "changed: it was: $stated"; exit 1; }
