// SPDX-License-Identifier: Apache-2.0
// What LLVM generates code for, and running it: passes, object code, text.
// The one place that owns LLVM's settings: nothing it meets ends the process.
#ifndef HD_CODEGEN_LLVM_TARGET_H
#define HD_CODEGEN_LLVM_TARGET_H

#include "base/status.h"
#include "codegen/codegen_cpu.h"
#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>

typedef struct {
  const char *triple;
  const char *cpu;
  const char *features;
  LLVMTargetMachineRef machine;
  uint32_t vector_bytes; // of the widest registers to use
  char mvec_letter;      // glibc's vector functions for them; 0: none
  bool has_f16c;         // half to float and back in instructions
  bool has_fma;
  bool is_x86;
} LlvmTarget;

// Once a process; every entry into LLVM comes after it.
void llvm_initialise(void);

// Freed by llvm_target_fini. Trouble is HD_ERROR_DEVICE with *why.
__attribute__((warn_unused_result)) HdStatus
llvm_target_init(LlvmTarget *target, Arena *arena, const CpuOptions *options,
                 const char **why);
void llvm_target_fini(LlvmTarget *target);

// A context whose diagnostics are collected instead of printed.
typedef struct {
  LLVMContextRef cx;
  LLVMModuleRef module;
  Arena *arena;
  const char *error; // first error seen, or NULL
} LlvmUnit;

void llvm_unit_init(LlvmUnit *unit, Arena *arena, const LlvmTarget *target,
                    const char *name);
void llvm_unit_fini(LlvmUnit *unit);
__attribute__((warn_unused_result)) HdStatus
llvm_optimise(LlvmUnit *unit, const LlvmTarget *target, int opt_level,
              bool has_coroutines, bool has_arrays, const char **why);
// Object code or assembly; *out is freed by LLVMDisposeMemoryBuffer.
__attribute__((warn_unused_result)) HdStatus
llvm_emit(LlvmUnit *unit, const LlvmTarget *target, bool as_assembly,
          LLVMMemoryBufferRef *out, const char **why);

#endif
