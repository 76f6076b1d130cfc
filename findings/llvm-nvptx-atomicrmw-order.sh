#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Guess: LLVM's NVPTX back end gives atomicrmw the order and the scope that are
#   written, as it does for atomic loads, for cmpxchg and for fences, or refuses.
# Seen: LLVM 22.1 (llvmlite 0.50.0), sm_90: "atomicrmw add … seq_cst" is
#   "atom.global.add.u32", which PTX defines as relaxed and of the device's scope;
#   so are acquire, release, any syncscope, and a syncscope that doesn't exist.
#   cmpxchg beside it keeps order and scope. No warning.
# So: src/codegen/nvptx/llvm_nvptx_atomic.c leaves only relaxed ones to LLVM.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env" &&
  "$folder/env/bin/pip" install -q llvmlite==0.50.0 || exit 2

seen=$("$folder/env/bin/python" - <<'END'
import re
import llvmlite
import llvmlite.binding as llvm

llvm.initialize_all_targets()
llvm.initialize_all_asmprinters()
print(llvmlite.__version__, ".".join(map(str, llvm.llvm_version_info)))
target = llvm.Target.from_triple("nvptx64-nvidia-cuda")
machine = target.create_target_machine(cpu="sm_90", opt=2)
for line in ("atomicrmw add ptr addrspace(1) %p, i32 %v monotonic",
             "atomicrmw add ptr addrspace(1) %p, i32 %v acq_rel",
             "atomicrmw add ptr addrspace(1) %p, i32 %v seq_cst",
             'atomicrmw add ptr addrspace(1) %p, i32 %v syncscope("block") '
             "release",
             'atomicrmw add ptr addrspace(1) %p, i32 %v syncscope("nowhere") '
             "release",
             "cmpxchg ptr addrspace(1) %p, i32 %v, i32 0 acq_rel acquire",
             "load atomic i32, ptr addrspace(1) %p acquire, align 4"):
    module = llvm.parse_assembly(
        'target triple = "nvptx64-nvidia-cuda"\n'
        "define ptx_kernel void @k(ptr addrspace(1) %p, i32 %v) {\n"
        f"  %r = {line}\n  ret void\n}}\n")
    module.verify()
    text = machine.emit_assembly(module)
    made = re.findall(r"^\s*((?:atom|red|fence|membar|ld\.acquire)\S*)", text,
                      re.M)
    print(line.split("%p, ")[-1], "->", " ".join(made) or "nothing")
END
)
stated='0.50.0 22.1.0
i32 %v monotonic -> atom.global.add.u32
i32 %v acq_rel -> atom.global.add.u32
i32 %v seq_cst -> atom.global.add.u32
i32 %v syncscope("block") release -> atom.global.add.u32
i32 %v syncscope("nowhere") release -> atom.global.add.u32
i32 %v, i32 0 acq_rel acquire -> atom.acq_rel.sys.global.cas.b32
load atomic i32, ptr addrspace(1) %p acquire, align 4 -> ld.acquire.sys.global.b32'
echo "guess: as written"
echo "$seen"
[ "$seen" = "$stated" ] || { echo "changed: it was: $stated"; exit 1; }
