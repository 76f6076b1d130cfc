// SPDX-License-Identifier: Apache-2.0
// What every back end asks about the IR: the scalar leaves of values, the
// operands of accesses, constants.
#ifndef HD_CODEGEN_CODE_PARTS_H
#define HD_CODEGEN_CODE_PARTS_H

#include "ir/form/ir.h"

enum { CODE_WARPGROUP = 128 }; // threads

uint32_t code_leaf_count(const IrModule *module, IrType type);
// Type of leaf `index`, its offset in memory in *offset_bytes.
IrType code_leaf_type(const IrModule *module, IrType type, uint32_t index,
                      uint32_t *offset_bytes);
// First scalar leaf of member `number` of a vector or struct.
uint32_t code_leaf_of_member(const IrModule *module, IrType type,
                             uint32_t number);

// Position of an access' operands; -1 where there is none.
typedef struct {
  int pointer, index, offset, guard, value, compare;
} CodeOperands;

CodeOperands code_operands(const IrNode *node);

// The number where it is a constant integer.
bool code_host_const(const IrHost *host, int64_t *value);
// Stride of a dimension in elements where it is constant.
bool code_stride_const(const IrObject *object, uint32_t dim, int64_t *value);
// The bits of a constant integer, sign-extended; false if it is none.
bool code_const_int(const IrNode *node, int64_t *value);

// An operation that no back end has: only checks and runs of the interpreter
// know it, or a pass has taken it out.
_Noreturn void code_refuse(const IrNode *node);

#endif
