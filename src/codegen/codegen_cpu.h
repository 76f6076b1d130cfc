// SPDX-License-Identifier: Apache-2.0
// CPU code from IR: a warp is a SIMD value.
//
// Expects  a kernel that passed ir_verify and the analyses, joins decided.
// Gives    an ELF object (x86-64 or AArch64) whose symbol `hd_kernel` is an
//          HdCpuKernel; loaded by cpu_image_load, kept on disk as it is.
// Owns     the returned buffers, freed by their own functions; loaded code and
//          what LLVM keeps from kernel to kernel belong to the CpuCompiler.
#ifndef HD_CODEGEN_CODEGEN_CPU_H
#define HD_CODEGEN_CODEGEN_CPU_H

#include "abi/cpu.h"
#include "base/status.h"
#include "base/text.h"
#include "codegen/code_excess.h"
#include "ir/form/ir.h"

// "heddle 0.1.0 (LLVM 22.1.8, glibc libmvec)": what compiles and computes, for
// bug reports.
const char *cpu_version_text(void);

typedef struct {
  int opt_level;        // 0..3
  const char *cpu;      // LLVM's name, NULL: this machine
  const char *features; // LLVM's feature string, NULL: this machine's
  bool schedules;       // warps of every kernel can be put in any order
  bool checks;          // tell the runtime of every access and barrier
} CpuOptions;

typedef struct {
  char *data;
  size_t size_bytes;
} CpuObject;

// A compiler and linker for one machine. Its target machine and its linker are
// made when they are first needed and serve all kernels that follow: making
// them anew takes a fifth of the time that a small kernel takes. One thread at
// a time; different compilers are independent.
typedef struct CpuCompiler CpuCompiler;

// `options` are copied; NULL: for this machine, level 2.
CpuCompiler *cpu_compiler_new(const CpuOptions *options);
// Unloads all that cpu_load has loaded.
void cpu_compiler_free(CpuCompiler *compiler);

// "x86-64 znver5 +avx512f…": what the code depends on, for cache keys. Valid as
// long as the compiler.
const char *cpu_target_text(CpuCompiler *compiler);

// Compiles one kernel. Trouble with LLVM is HD_ERROR_DEVICE with *why (from
// `arena`); errors of the program were all found before.
__attribute__((warn_unused_result)) HdStatus
cpu_compile(CpuCompiler *compiler, Arena *arena, const IrModule *module,
            const IrKernel *kernel, CpuObject *out, const char **why);
void cpu_object_free(CpuObject *object);

// Of the kernel that was compiled or dumped last.
const CodeExcess *cpu_excess(const CpuCompiler *compiler);

// The optimised LLVM IR or assembly as text, for `heddle dump`.
__attribute__((warn_unused_result)) HdStatus
cpu_dump(CpuCompiler *compiler, Arena *arena, const IrModule *module,
         const IrKernel *kernel, bool as_assembly, Text *out, const char **why);

// Loads an object into this process. `*kernel` stays valid as long as the
// compiler; *why is from `arena`.
__attribute__((warn_unused_result)) HdStatus
cpu_load(CpuCompiler *compiler, const void *data, size_t size_bytes,
         Arena *arena, const HdCpuKernel **kernel, const char **why);

#endif
