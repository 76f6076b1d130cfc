// SPDX-License-Identifier: Apache-2.0
// Constant folding of integer operations, exactly as ops.def says.
#ifndef HD_IR_FORM_FOLD_H
#define HD_IR_FORM_FOLD_H

#include "ir/form/ir.h"

// The node's value if all operands are constants and the table leaves no
// choice: integers and bools only, no division by zero or of MIN by -1.
bool ir_fold(const IrNode *node, uint64_t *bits);

// The value of an operand, or false where it isn't known.
typedef bool (*IrValueOf)(void *context, const IrNode *node, uint64_t *bits);

// The node's value by what `value` says of its operands; of a choice it asks
// for the condition and the operand that this chooses.
bool ir_fold_by(const IrNode *node, IrValueOf value, void *context,
                uint64_t *bits);

#endif
