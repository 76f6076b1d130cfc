// SPDX-License-Identifier: Apache-2.0
#include "ir/ir.h"

const IrOpInfo ir_op_table[IR_OP_COUNT] = {
#define OP(id, text, args, result, form, need, flags, memory, proxy, waits,    \
           signals, targets, doc)                                              \
  [IR_##id] = {text,   args,  result, form,    need,    flags,                 \
               memory, proxy, waits,  signals, targets, doc},
#include "ir/ops.def"
#undef OP
};
