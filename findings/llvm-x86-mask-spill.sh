#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Guess: a mask of which the first 8 of 32 lanes are kept stays so where registers
#   run out.
# Seen: LLVM 22.1 (llvmlite 0.50.0) for AVX-512 cuts it with KMOVB, takes that for a
#   copy where the whole mask is on the stack, and stores all 32 lanes.
# So: src/codegen/cpu/llvm_masked.c writes such shuffles as an AND of integers.
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
others = ", ".join(["i1 poison"] * 8 + ["i1 false"] * 24)
picks = ", ".join(f"i32 {i if i < 8 else i + 32}" for i in range(32))
taken = ",".join(f"~{{k{i}}}" for i in range(8))
full = f'call void asm sideeffect "", "{taken}"()'


def store(mask, to):
    return (f"call void @llvm.masked.store.v32i8.p0(<32 x i8> %a, "
            f"ptr align 1 %{to}, <32 x i1> %{mask})")


machine = llvm.Target.from_triple("x86_64-pc-linux-gnu").create_target_machine(
    cpu="sapphirerapids", opt=2)
module = llvm.parse_assembly(f"""
target triple = "x86_64-pc-linux-gnu"
define void @f(<32 x i8> %a, <32 x i8> %b, ptr %p, ptr %q) {{
  %m = icmp slt <32 x i8> %a, %b
  {full}
  {store('m', 'p')}
  %cut = shufflevector <32 x i1> %m, <32 x i1> <{others}>, <32 x i32> <{picks}>
  {full}
  {store('m', 'p')}
  {store('cut', 'q')}
  {full}
  {store('m', 'p')}
  {store('cut', 'q')}
  ret void
}}
declare void @llvm.masked.store.v32i8.p0(<32 x i8>, ptr, <32 x i1>)
""")
print("masks cut to 8 lanes:", len(re.findall(r"\bkmovb\b|\bkand|\bkshift",
                                              machine.emit_assembly(module))))
END
)
stated="masks cut to 8 lanes: 0"
echo "guess: masks cut to 8 lanes: 1"
echo "$seen"
[ "$seen" = "$stated" ] || { echo "changed: it was: $stated"; exit 1; }
