#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Guess: st.global.b32 of a 64-bit register stores its low half, whatever
#   instruction made the register: PTX lets .b32 chop a wider operand.
# Seen: ptxas 13.0.88 stores the *value converted to an integer* (F2I) if a
#   floating-point instruction made the register; the same for b16 of a float
#   and b8 of a half. ptxas 13.5.37 stores the low bits. LLVM's back end writes
#   this form for a truncation that is only stored.
# So: src/codegen/nvptx/llvm_nvptx_bits.c puts a move between the two.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for version in 13.0.88 13.5.37; do
  python3 -m venv "$folder/$version" &&
    "$folder/$version/bin/pip" install -q --no-deps \
      nvidia-cuda-nvcc==$version nvidia-cuda-nvdisasm==13.5.37 || exit 2
done

cat > "$folder/low.ptx" <<'END'
.version 8.0
.target sm_90
.address_size 64
.visible .entry low(.param .u64 from, .param .u64 to)
{
    .reg .b64 %a, %b, %v;
    .reg .b32 %w;
    .reg .b16 %h;
    ld.param.u64 %a, [from];
    ld.param.u64 %b, [to];
    cvta.to.global.u64 %a, %a;
    cvta.to.global.u64 %b, %b;
    ld.global.b64 %v, [%a];
    add.rn.f64 %v, %v, %v;
    st.global.b32 [%b], %v;
    ld.global.b32 %w, [%a+8];
    add.rn.f32 %w, %w, %w;
    st.global.b16 [%b+8], %w;
    ld.global.b16 %h, [%a+12];
    add.rn.f16 %h, %h, %h;
    st.global.b8 [%b+12], %h;
    ret;
}
END

# The conversions in what a version makes of it.
conversions() {
  local tools
  tools=$(dirname "$(find "$folder/$1" -type f -name ptxas)")
  "$tools/ptxas" -arch sm_90 "$folder/low.ptx" -o "$folder/low.cubin"
  "$tools/nvdisasm" -c "$folder/low.cubin" | grep -oE '\bF2I[A-Z0-9.]*' |
    sort | tr '\n' ' '
}
seen=$(for version in 13.0.88 13.5.37; do
  echo "ptxas $version: $(conversions $version)"
done)
echo "guess: no conversion"
echo "$seen"
stated="ptxas 13.0.88: F2I.U16.TRUNC.NTZ F2I.U32.F64.TRUNC F2I.U8.F16.TRUNC.NTZ 
ptxas 13.5.37: "
[ "$seen" = "$stated" ] || { echo "changed: it was: $stated"; exit 1; }
