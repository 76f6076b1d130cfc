// SPDX-License-Identifier: Apache-2.0
// What the files about inline assembly share.
#ifndef HD_CUDA_TRANSLATE_CU_ASM_PARTS_H
#define HD_CUDA_TRANSLATE_CU_ASM_PARTS_H

#include "cuda/form/cu_asm.h"

enum { CU_MOST_OPERANDS = 12 };

typedef struct {
  const char *name;
  CuVariable *variable;
} CuRegister;

// One asm statement.
typedef struct {
  const CxStmt *stmt;
  hd_vec(CuRegister) registers;
  CuVariable *carry; // NULL: nothing has set it
  bool has_failed;
} CuAsmScope;

// One instruction: `@guard op a, b, c`.
typedef struct {
  const CxStmt *stmt;
  CuAsmScope *scope;
  const char *guard; // "p", "!p", or NULL
  const char *op;
  const char *operands[CU_MOST_OPERANDS];
  uint32_t n_operands;
  uint32_t n_in_braces; // of the operands, if the first one is a vector
} CuInstruction;

void cu_asm_refuse(CuContext *cu, const CuInstruction *instruction);
// %0 and %[name]; NULL: it is something else.
const CxAsmOperand *cu_asm_placeholder(const CxStmt *stmt, const char *text);
// %name, without the %; poison: there is none of this name.
CuValue cu_asm_special_register(CuContext *cu, const char *name, Span span);
// .reg .u32 a, b;
void cu_asm_registers(CuContext *cu, CuAsmScope *scope, char *text);
// NULL: it was refused.
Expr *cu_asm_guard(CuContext *cu, const CuInstruction *instruction);
// An instruction that is a function of the prelude.
void cu_asm_call(CuContext *cu, const CuInstruction *instruction);
// The function of the prelude that is such an instruction: orders and scopes
// are arguments of its template.
const char *cu_asm_function_name(CuContext *cu, const char *op);
// Operand i; what stands in brackets is a pointer.
CuValue cu_asm_operand(CuContext *cu, const CuInstruction *instruction,
                       uint32_t i);
// Operand i as an int: a number or a placeholder.
CuValue cu_asm_number(CuContext *cu, const CuInstruction *instruction,
                      uint32_t i);
// operand i = value; false: it doesn't fit.
bool cu_asm_store(CuContext *cu, const CuInstruction *instruction, uint32_t i,
                  CuValue value);

// --- bar and barrier (cu_asm_named.c) ---
// True: the instruction was translated, or refused.
bool cu_asm_named_barrier(CuContext *cu, const CuInstruction *instruction);

// --- addresses and mbarriers (cu_asm_barrier.c) ---
// True: the instruction was translated, or refused.
bool cu_asm_address(CuContext *cu, const CuInstruction *instruction);
// A loop that waits for an mbarrier begins with the first of these
// instructions, the last one NULL. How many of them it has; 0: it is none.
uint32_t cu_asm_wait_loop(CuContext *cu, CuAsmScope *scope, char **texts);
// "LABEL:" in front of an instruction; its length, 0: there is none.
size_t cu_asm_label(const char *text);
void cu_asm_instruction(CuContext *cu, CuAsmScope *scope, char *text);

#endif
