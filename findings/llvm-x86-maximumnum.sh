#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Guess: llvm.maximumnum of a NaN and a number is the number.
# Seen: LLVM 22.1 (llvmlite 0.50.0) for AVX-512 puts a scalar that is a quiet NaN
#   second into vmaxss, which gives that, if the other one is known not to be a NaN.
# So: cpu_extreme in src/codegen/cpu/llvm_cpu_arith.c looks at scalars before.
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
machine = llvm.Target.from_triple("x86_64-pc-linux-gnu").create_target_machine(
    cpu="skylake-avx512", opt=2)
module = llvm.parse_assembly("""
target triple = "x86_64-pc-linux-gnu"
define float @f(float %x, i32 %i) {
  %y = uitofp i32 %i to float
  %r = call float @llvm.maximumnum.f32(float %x, float %y)
  ret float %r
}
declare float @llvm.maximumnum.f32(float, float)
""")
text = machine.emit_assembly(module)
print("classes that are put second:", re.findall(r"vfpclassss\s+\$(\d+)", text),
      "looks for a NaN behind vmaxss:", "vcmpunordss" in text)
END
)
stated="classes that are put second: ['3'] looks for a NaN behind vmaxss: False"
echo "LLVM 22.1 (llvmlite 0.50.0)"
echo "guess: classes that are put second: ['2']"
echo "$seen"
[ "$seen" = "$stated" ] || { echo "changed: it was: $stated"; exit 1; }
