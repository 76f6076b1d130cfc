// SPDX-License-Identifier: Apache-2.0
// The order of independent multiplications and additions.
//
// Note [Order of outer products]
// sum[i][j] += u[i] * v[j] is row after row of FFMAs in the program. Each reads
// three registers of a file that has two banks, and what it doesn't take from
// the instruction before it is a read that may have to wait. Row by row, no
// operand is handed on from the end of a row to the next one, and ptxas gives
// the sums registers that suit that order. Two rows at a time, from side to
// side, each shares one with the one before, and who is shared changes:
//
//   u0 v0   u1 v0   u1 v1   u0 v1   u0 v2   u1 v2   u1 v3   u0 v3
//   u2 v3   u3 v3   u3 v2   u2 v2   ...
//
// On an H100 the product of matrices with 8 x 8 sums a thread is 10 % faster so
// than row by row, wherever the loads of the next u and v stand; other orders
// lose up to 2 % or win up to 9. Sums of other types were not measured.
#include "codegen/nvptx/llvm_nvptx.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

enum { MAX_RUN = 256, LEAST_ROW = 4 };

// Instructions that stand together, none of which uses another's result.
typedef struct {
  LLVMValueRef inst[MAX_RUN];
  unsigned count;
} Run;

static bool is_product_sum(LLVMValueRef inst) {
  size_t length;
  if (!LLVMIsACallInst(inst))
    return false;
  const char *name = LLVMGetValueName2(LLVMGetCalledValue(inst), &length);
  return strcmp(name, "llvm.fma.f32") == 0 ||
         strcmp(name, "llvm.fmuladd.f32") == 0;
}

static bool uses_any(const Run *run, LLVMValueRef inst) {
  for (unsigned operand = 0; operand < 3; operand++)
    for (unsigned i = 0; i < run->count; i++)
      if (LLVMGetOperand(inst, operand) == run->inst[i])
        return true;
  return false;
}

// The next run at or behind an instruction; the result is what follows it.
static LLVMValueRef next_run(LLVMValueRef inst, Run *run) {
  run->count = 0;
  for (; inst && run->count < MAX_RUN; inst = LLVMGetNextInstruction(inst)) {
    bool goes_on = is_product_sum(inst) && !uses_any(run, inst);
    if (goes_on)
      run->inst[run->count++] = inst;
    else if (run->count > 0)
      break;
  }
  return inst;
}

static LLVMValueRef factor(const Run *run, unsigned i, unsigned which) {
  return LLVMGetOperand(run->inst[i], which);
}

// How many from `first` on have its factor `which`.
static unsigned row_length(const Run *run, unsigned first, unsigned which) {
  unsigned n = 1;
  while (first + n < run->count &&
         factor(run, first + n, which) == factor(run, first, which))
    n++;
  return n;
}

static bool nvptx_order_is_row(const Run *run, unsigned first, unsigned row,
                               unsigned n, unsigned which) {
  if (row + n > run->count || row_length(run, row, which) < n)
    return false;
  for (unsigned i = 0; i < n; i++)
    if (factor(run, row + i, !which) != factor(run, first + i, !which))
      return false;
  return true;
}

// Puts an instruction behind another one; the result is it.
static LLVMValueRef nvptx_order_place(LLVMBuilderRef b, LLVMValueRef at,
                                      LLVMValueRef inst) {
  if (LLVMGetNextInstruction(at) == inst)
    return inst;
  LLVMMetadataRef place_in_source = LLVMInstructionGetDebugLoc(inst);
  LLVMInstructionRemoveFromParent(inst);
  LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(at));
  LLVMInsertIntoBuilder(b, inst);
  LLVMInstructionSetDebugLoc(inst, place_in_source);
  return inst;
}

// Rows of n, two at a time. The first instruction stays where it is.
static void order(LLVMBuilderRef b, const Run *run, unsigned first,
                  unsigned n_rows, unsigned n) {
  LLVMValueRef at = NULL;
  for (unsigned pair = 0; pair < n_rows / 2; pair++)
    for (unsigned k = 0; k < 2 * n; k++) {
      unsigned turn = k / 2, column = pair % 2 ? n - 1 - turn : turn;
      unsigned row = 2 * pair + (turn % 2 ? 1 - k % 2 : k % 2);
      LLVMValueRef inst = run->inst[first + row * n + column];
      at = at ? nvptx_order_place(b, at, inst) : inst;
    }
}

static void order_run(LLVMBuilderRef b, const Run *run) {
  for (unsigned first = 0; first < run->count;) {
    unsigned which = row_length(run, first, 0) > 1 ? 0 : 1, n_rows = 1;
    unsigned n = row_length(run, first, which);
    while (nvptx_order_is_row(run, first, first + n_rows * n, n, which))
      n_rows++;
    if (n >= LEAST_ROW && n_rows > 1)
      order(b, run, first, n_rows, n);
    first += n_rows * n;
  }
}

void nv_order_products(LLVMModuleRef module) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  Run run;
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
       function = LLVMGetNextFunction(function))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef at = LLVMGetFirstInstruction(block); at;) {
        at = next_run(at, &run);
        order_run(b, &run);
      }
  LLVMDisposeBuilder(b);
}
