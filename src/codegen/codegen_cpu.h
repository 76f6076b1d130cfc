// SPDX-License-Identifier: Apache-2.0
// CPU code from IR: a warp is a SIMD value.
//
// Expects  a kernel that passed ir_verify and the analyses, joins decided.
// Gives    an ELF object (x86-64 or AArch64) whose symbol `hd_kernel` is an
//          HdCpuKernel; loaded by cpu_image_load, kept on disk as it is.
// Owns     the returned buffers, freed by their own functions.
#ifndef HD_CODEGEN_CODEGEN_CPU_H
#define HD_CODEGEN_CODEGEN_CPU_H

#include "abi/cpu.h"
#include "base/status.h"
#include "base/text.h"
#include "ir/ir.h"
#include <llvm/Config/llvm-config.h>

// What compiles and computes, for bug reports.
#define CPU_BACKEND_TEXT "LLVM " LLVM_VERSION_STRING ", glibc libmvec"

typedef struct {
  int opt_level;        // 0..3
  const char *cpu;      // LLVM's name, NULL: this machine
  const char *features; // LLVM's feature string, NULL: this machine's
} CpuOptions;

typedef struct {
  char *data;
  size_t size_bytes;
} CpuObject;

// Compiles one kernel. Trouble with LLVM is HD_ERROR_DEVICE with *why (from
// `arena`); errors of the program were all found before.
__attribute__((warn_unused_result)) HdStatus
cpu_compile(Arena *arena, const IrModule *module, const IrKernel *kernel,
            const CpuOptions *options, CpuObject *out, const char **why);
void cpu_object_free(CpuObject *object);

// The optimised LLVM IR or assembly as text, for `heddle dump`.
__attribute__((warn_unused_result)) HdStatus
cpu_dump(Arena *arena, const IrModule *module, const IrKernel *kernel,
         const CpuOptions *options, bool as_assembly, Text *out,
         const char **why);

// "x86-64 znver5 +avx512f…": what the code depends on, for cache keys.
const char *cpu_target_text(Arena *arena, const CpuOptions *options);

typedef struct CpuImage CpuImage;

// Loads an object into this process. `*kernel` stays valid until
// cpu_image_free. Safe from several threads.
__attribute__((warn_unused_result)) HdStatus
cpu_image_load(const void *data, size_t size_bytes, Arena *arena,
               CpuImage **out, const HdCpuKernel **kernel, const char **why);
void cpu_image_free(CpuImage *image);

#endif
