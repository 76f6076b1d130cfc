// SPDX-License-Identifier: Apache-2.0
// Which arrays a kernel writes, and which of them may be the same memory.
#ifndef HD_IR_ANALYSES_ALIAS_H
#define HD_IR_ANALYSES_ALIAS_H

#include "ir/form/ir.h"

// The two may overlap in one launch: the same object, one alias class, a
// may_alias pair, or a plain pointer beside any other array of its space.
bool ir_may_alias(const IrKernel *kernel, const IrObject *a, const IrObject *b);
// The kernel says so itself.
bool ir_is_alias_pair(const IrKernel *kernel, const IrObject *a,
                      const IrObject *b);
// An access through a pointer of unknown object may reach the object.
bool ir_pointer_may_reach(const IrNode *access, const IrObject *object);
// What the node writes or, for other accesses, reads; NULL: it is not known.
const IrObject *ir_target_object(const IrNode *access);

// The node writes memory as the instruction table says.
static inline bool ir_is_write(const IrNode *node) {
  return (ir_op_table[node->op].memory & MEM_WRITE) != 0;
}

#endif
