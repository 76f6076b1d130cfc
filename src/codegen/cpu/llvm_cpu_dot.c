// SPDX-License-Identifier: Apache-2.0
// Sums of short products in the instructions that x86 has for them. They take
// one register, so a row of lanes is cut into registers and joined again.
#include "codegen/cpu/llvm_cpu.h"

#include <string.h>

typedef struct {
  IrOp op;
  uint32_t vector_bytes;
  bool needs_vnni;
  bool adds; // the sum is an operand
  const char *name;
} DotForm;

static const DotForm dot_forms[] = {
    {IR_DOT4, 64, true, true, "llvm.x86.avx512.vpdpbusd.512"},
    {IR_DOT4, 32, true, true, "llvm.x86.avx512.vpdpbusd.256"},
    {IR_DOT2, 64, true, true, "llvm.x86.avx512.vpdpwssd.512"},
    {IR_DOT2, 64, false, false, "llvm.x86.avx512.pmaddw.d.512"},
    {IR_DOT2, 32, false, false, "llvm.x86.avx2.pmadd.wd"},
    {IR_DOT2, 16, false, false, "llvm.x86.sse2.pmadd.wd"},
    {IR_FDOT2, 64, false, true, "llvm.x86.avx512bf16.dpbf16ps.512"},
};

// NULL: this machine has no instruction.
static const DotForm *dot_form(const LlvmTarget *target, IrOp op) {
  if (!target->is_x86 || (op == IR_FDOT2 && !target->has_fdot2))
    return NULL;
  for (size_t i = 0; i < sizeof dot_forms / sizeof *dot_forms; i++) {
    const DotForm *form = &dot_forms[i];
    if (form->op == op && form->vector_bytes == target->vector_bytes &&
        (!form->needs_vnni || target->has_dot4))
      return form;
  }
  return NULL;
}

// One register of the sums and of the words.
static LLVMValueRef dot_part(CpuEmit *e, const DotForm *form,
                             LLVMValueRef *args) {
  unsigned id = LLVMLookupIntrinsicID(form->name, strlen(form->name));
  LLVMTypeRef type = LLVMIntrinsicGetType(e->cx, id, NULL, 0), params[3];
  LLVMGetParamTypes(type, params);
  for (uint32_t i = 1; i < 3; i++)
    args[i] = LLVMBuildBitCast(e->b, args[i], params[form->adds ? i : i - 1],
                               CPU_NAME);
  if (form->adds)
    return cpu_intrinsic(e, form->name, NULL, 0, args, 3);
  LLVMValueRef products = cpu_intrinsic(e, form->name, NULL, 0, args + 1, 2);
  return LLVMBuildAdd(e->b, args[0], products, CPU_NAME);
}

LLVMValueRef cpu_dot(CpuEmit *e, const IrNode *node, LLVMValueRef *x) {
  LLVMTypeRef type = LLVMTypeOf(x[0]);
  if ((node->op != IR_DOT4 && node->op != IR_DOT2 && node->op != IR_FDOT2) ||
      LLVMGetTypeKind(type) != LLVMVectorTypeKind)
    return NULL;
  const DotForm *form = dot_form(e->target, node->op);
  uint32_t n = form ? form->vector_bytes / 4 : 0;
  if (n == 0 || LLVMGetVectorSize(type) % n != 0)
    return NULL;
  LLVMValueRef parts[CPU_WARP];
  uint32_t n_parts = LLVMGetVectorSize(type) / n;
  for (uint32_t k = 0; k < n_parts; k++) {
    LLVMValueRef args[3];
    for (uint32_t i = 0; i < 3; i++)
      args[i] = llvm_lanes(e->b, x[i], k * n, n);
    parts[k] = dot_part(e, form, args);
  }
  return llvm_join(e->b, parts, n_parts);
}
