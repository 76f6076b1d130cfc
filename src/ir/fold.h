// SPDX-License-Identifier: Apache-2.0
// Constant folding of integer operations, exactly as ops.def says.
#ifndef HD_IR_FOLD_H
#define HD_IR_FOLD_H

#include "ir/ir.h"

// The node's value if all operands are constants and the table leaves no
// choice: integers and bools only, no division by zero or of MIN by -1.
bool ir_fold(const IrNode *node, uint64_t *bits);

#endif
