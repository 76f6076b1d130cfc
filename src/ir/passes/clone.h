// SPDX-License-Identifier: Apache-2.0
// What passes that copy a kernel share.
#ifndef HD_IR_PASSES_CLONE_H
#define HD_IR_PASSES_CLONE_H

#include "ir/form/ir.h"

// Host expressions and pairs of `to`, which `from` was copied to with its
// parameters and objects, speak of the copies. `objects`: those, by id.
void clone_host_tables(Arena *arena, const IrKernel *from, IrKernel *to,
                       IrObject *const *objects);

#endif
