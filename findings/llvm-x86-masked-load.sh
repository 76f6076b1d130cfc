#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Guess: a masked load gives its third operand in the lanes whose mask is false.
# Seen: LLVM 22.1 (llvmlite 0.50.0) for AVX2 loads lanes 8 to 15 and 24 to 31 of 32
#   without a mask if the mask is a splat of one bit in lanes 0 and 1, and false
#   elsewhere.
# So: src/codegen/cpu/llvm_masked.c names the instruction for such loads.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env" &&
  "$folder/env/bin/pip" install -q llvmlite==0.50.0 || exit 2

seen=$("$folder/env/bin/python" - <<'END'
import re
import llvmlite.binding as llvm

llvm.initialize_all_targets()
llvm.initialize_all_asmprinters()
lanes = ", ".join(f"i1 {'true' if i < 2 else 'false'}" for i in range(32))
machine = llvm.Target.from_triple("x86_64-pc-linux-gnu").create_target_machine(
    cpu="haswell", opt=0)
module = llvm.parse_assembly(f"""
target triple = "x86_64-pc-linux-gnu"
define void @f(ptr %p, ptr %q, i1 %b) {{
  %a = insertelement <32 x i1> poison, i1 %b, i64 0
  %s = shufflevector <32 x i1> %a, <32 x i1> poison, <32 x i32> zeroinitializer
  %m = and <32 x i1> %s, <{lanes}>
  %v = call <32 x float> @llvm.masked.load.v32f32.p0(
      ptr align 4 %p, <32 x i1> %m, <32 x float> zeroinitializer)
  store <32 x float> %v, ptr %q, align 4
  ret void
}}
declare <32 x float> @llvm.masked.load.v32f32.p0(ptr, <32 x i1>, <32 x float>)
""")
print("loaded without a mask:", re.findall(r"vmovups\s+(\d*)\(%rdi\)",
                                           machine.emit_assembly(module)))
END
)
stated="loaded without a mask: ['32', '96']"
echo "guess: loaded without a mask: []"
echo "$seen"
[ "$seen" = "$stated" ] || { echo "changed: it was: $stated"; exit 1; }
