#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Guess: sitofp i32 to bfloat rounds once, on every target and at compile time.
# Seen: LLVM 22.1 (llvmlite 0.50.0) goes through float, and so rounds twice, on
#   x86-64 and on sm_80, and rounds once on sm_90 and in the constant folder.
#   1077936129 is 0x4e81 there and 0x4e80 here: the bits depend on whether the
#   optimiser knew the number.
# So: src/codegen/cpu/llvm_cpu_convert.c and nvptx/llvm_nvptx_convert.c round the
#   first step to odd.
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
for triple, cpu in (("x86_64-pc-linux-gnu", "x86-64-v3"),
                    ("nvptx64-nvidia-cuda", "sm_80"),
                    ("nvptx64-nvidia-cuda", "sm_90")):
    machine = llvm.Target.from_triple(triple).create_target_machine(cpu=cpu,
                                                                    opt=2)
    module = llvm.parse_assembly(f"""
target triple = "{triple}"
define void @run(ptr %p, i32 %x) {{
  %r = sitofp i32 %x to bfloat
  store bfloat %r, ptr %p
  ret void
}}
define i16 @fold() {{
  %r = sitofp i32 1077936129 to bfloat
  %b = bitcast bfloat %r to i16
  ret i16 %b
}}
""")
    builder = llvm.create_pass_builder(machine,
                                       llvm.create_pipeline_tuning_options())
    builder.getModulePassManager().run(module, builder)
    steps = re.findall(r"cvt(?:\.\w+)+|vcvtsi2ss\w*|__trunc\w+",
                       machine.emit_assembly(module))
    folded = int(re.search(r"ret i16 (-?\d+)", str(module))[1])
    print(f"{cpu}: {' then '.join(steps)}; folded {folded:#x}")
END
)
stated="x86-64-v3: vcvtsi2ss then __truncsfbf2; folded 0x4e81
sm_80: cvt.rn.f32.s32 then cvt.rn.bf16.f32; folded 0x4e81
sm_90: cvt.rn.bf16.s32; folded 0x4e81"
echo "guess: one step each"
echo "$seen"
[ "$seen" = "$stated" ] || { echo "changed: it was: $stated"; exit 1; }
