// SPDX-License-Identifier: Apache-2.0
// PTX from IR: a thread is a thread.
//
// Expects  a kernel that passed ir_verify and the analyses, joins decided.
// Gives    PTX text as abi/cuda.h describes it, for the driver to assemble.
// Owns     nothing: texts live in the caller's arena.
#ifndef HD_CODEGEN_CODEGEN_NVPTX_H
#define HD_CODEGEN_CODEGEN_NVPTX_H

#include "abi/cuda.h"
#include "base/status.h"
#include "base/text.h"
#include "codegen/code_excess.h"
#include "ir/form/ir.h"

typedef struct {
  int opt_level; // 0..3
  int sm;        // 80, 90, 100: sm_80, sm_90a, sm_100a
} NvptxOptions;

// One target. One thread at a time; different compilers are independent.
typedef struct NvptxCompiler NvptxCompiler;

NvptxCompiler *nvptx_compiler_new(const NvptxOptions *options);
void nvptx_compiler_free(NvptxCompiler *compiler);

// "nvptx64 sm_90a ptx86 abi1": what the code depends on, for cache keys. Valid
// as long as the compiler.
const char *nvptx_target_text(NvptxCompiler *compiler);

// PTX of one kernel, its header lines first. What the target can't do is
// HD_ERROR_UNSUPPORTED, trouble with LLVM HD_ERROR_DEVICE, with *why (from
// `arena`).
__attribute__((warn_unused_result)) HdStatus
nvptx_compile(NvptxCompiler *compiler, Arena *arena, const IrModule *module,
              const IrKernel *kernel, Text *out, const char **why);

// Of the kernel that was compiled or dumped last.
const CodeExcess *nvptx_excess(const NvptxCompiler *compiler);

// A group of whole warps that meets at an mbarrier because the hardware has too
// few barriers for all groups of the kernel, the first in the program; NULL:
// there is none. The answer is a row of the kernel.
const IrGroup *nvptx_left_out(Arena *arena, const IrKernel *kernel);

// The optimised LLVM IR as text, for `heddle dump`.
__attribute__((warn_unused_result)) HdStatus
nvptx_dump(NvptxCompiler *compiler, Arena *arena, const IrModule *module,
           const IrKernel *kernel, Text *out, const char **why);

#endif
