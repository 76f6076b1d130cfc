// SPDX-License-Identifier: Apache-2.0
// What LLVM generates code for, and running it: passes, object code, text.
// The one place that owns LLVM's settings: nothing it meets ends the process.
#ifndef HD_CODEGEN_LLVM_TARGET_H
#define HD_CODEGEN_LLVM_TARGET_H

#include "base/rescue.h"
#include "base/status.h"
#include "codegen/code_ops.h"
#include <llvm-c/Core.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/TargetMachine.h>

typedef struct {
  const char *triple;
  const char *cpu;
  const char *features;
  int opt_level;                 // 0..3
  bool checks, schedules;        // see CodeOptions
  LLVMTargetMachineRef machine;  // NULL until llvm_target_open
  LLVMTargetMachineRef lower[2]; // of levels 0 and 1; NULL until needed
  uint32_t vector_bytes;         // of the widest registers to use
  uint32_t n_vectors;            // of these registers
  uint32_t cache_bytes;          // of the first level, for data; 0: unknown
  char mvec_letter;              // glibc's vector functions for them; 0: none
  bool has_f16c;                 // half to float and back in instructions
  bool has_fma;
  bool has_dot4, has_dot2, has_fdot2; // these operations in instructions
  bool is_fdot2_slow;                 // slower than two fused multiply-adds
  bool has_matrix; // registers for matrices, which the process may use
  bool is_x86;
} LlvmTarget;

// Once a process; every entry into LLVM comes after it.
void llvm_initialise(void);
// Likewise, of the code generator for NVIDIA GPUs.
void llvm_initialise_nvptx(void);

// What became of a call that did not end as it should; the target machines and
// units that it used are abandoned.
HdStatus llvm_fail_foreign(RescueEnd end, const char **why);

// Names and describes this machine. Strings come from `arena`.
void llvm_target_init(LlvmTarget *target, Arena *arena,
                      const CodeOptions *options);
// Makes the target machine unless it is there. Trouble is HD_ERROR_DEVICE with
// *why, from `arena`. Freed by llvm_target_fini.
__attribute__((warn_unused_result)) HdStatus
llvm_target_open(LlvmTarget *target, Arena *arena, const char **why);
void llvm_target_fini(LlvmTarget *target);

// Of this machine. Its target machine and its linker are made when they are
// first needed and serve all kernels that follow: making them anew takes a
// fifth of the time that a small kernel takes.
typedef struct {
  CodeCompiler base;
  Arena *arena;
  LlvmTarget target;
  LLVMOrcLLJITRef jit; // NULL until the first load
  uint32_t n_loaded;
} CpuCompiler;

// CodeOps.load for this machine.
__attribute__((warn_unused_result)) HdStatus
llvm_load(CodeCompiler *compiler, const void *data, size_t size_bytes,
          Arena *arena, const void **out, const char **why);
// Frees the linker and all that it loaded.
void llvm_loader_fini(CpuCompiler *compiler);

// A context whose diagnostics are collected instead of printed.
typedef struct {
  LLVMContextRef cx;
  LLVMModuleRef module;
  Arena *arena;
  const char *error; // first error seen, or NULL
  bool is_abandoned; // after a fatal error: nothing may be touched again
} LlvmUnit;

void llvm_unit_init(LlvmUnit *unit, Arena *arena, const LlvmTarget *target,
                    const char *name);
void llvm_unit_fini(LlvmUnit *unit);
// Runs the passes that are named, as `opt -passes` has them.
__attribute__((warn_unused_result)) HdStatus
llvm_optimise(LlvmUnit *unit, const LlvmTarget *target, const char *passes,
              const char **why);
// Object code or assembly; *out is freed by LLVMDisposeMemoryBuffer. Its level
// is the target's, or `most_level` if that is lower (llvm_size.h).
__attribute__((warn_unused_result)) HdStatus
llvm_emit(LlvmUnit *unit, LlvmTarget *target, int most_level, bool as_assembly,
          LLVMMemoryBufferRef *out, const char **why);

#endif
