#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Guess: frem without fast-math flags is fmod on every target: exact, below the
#   divisor, and the same at compile time as at run time.
# Seen: LLVM 22.1 (llvmlite 0.50.0) writes x - trunc(x / y) * y for NVPTX, each
#   step rounded: of 1e10f and 3.0f that is 256. The same module folds the same
#   frem of two constants to 1.
# So: src/devicemath/dm_exact.c computes fmod, and the back end never emits frem.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env" &&
  "$folder/env/bin/pip" install -q llvmlite==0.50.0 numpy==2.2.6 || exit 2

seen=$("$folder/env/bin/python" - <<'END'
import re
from fractions import Fraction
import llvmlite.binding as llvm
import numpy as np

llvm.initialize_all_targets()
llvm.initialize_all_asmprinters()
target = llvm.Target.from_triple("nvptx64-nvidia-cuda")
machine = target.create_target_machine(cpu="sm_90", opt=2)
module = llvm.parse_assembly("""
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @run(ptr addrspace(1) %p, float %x, float %y) {
  %r = frem float %x, %y
  store float %r, ptr addrspace(1) %p
  ret void
}
define ptx_kernel void @fold(ptr addrspace(1) %p) {
  %r = frem float 1.0e10, 3.0
  store float %r, ptr addrspace(1) %p
  ret void
}
""")
builder = llvm.create_pass_builder(machine,
                                   llvm.create_pipeline_tuning_options())
builder.getModulePassManager().run(module, builder)
run, fold = machine.emit_assembly(module).split(".entry fold")
print("run:", *re.findall(r"^\s*((?:div|cvt|neg|fma|call|rem)\S*)", run, re.M))
bits = re.search(r"st\.global\S*\s+\[\S+\], (?:0f)?(\w+);", fold)[1]
value = int(bits, 16) if len(bits) == 8 else int(bits)
print("fold:", np.uint32(value).view(np.float32))
# What the steps of "run" give, each rounded to the nearest float.
x, y = np.float32(1e10), np.float32(3)
whole = np.trunc(x / y)
exact = Fraction(float(x)) - Fraction(float(whole)) * Fraction(float(y))
print("run of 1e10, 3:", np.float32(float(exact)))
END
)
stated="run: div.rn.f32 cvt.rzi.f32.f32 neg.f32 fma.rn.f32
fold: 1.0
run of 1e10, 3: 256.0"
echo "guess: a call or a loop, and 1.0 twice"
echo "$seen"
[ "$seen" = "$stated" ] || { echo "changed: it was: $stated"; exit 1; }
