// SPDX-License-Identifier: Apache-2.0
// Operations of a warp or tile as those of its threads that are there: what
// ir_decide_whole makes of the ones that it can't prove whole.
#ifndef HD_IR_PASSES_DECIDE_LANES_H
#define HD_IR_PASSES_DECIDE_LANES_H

#include "ir/form/ir.h"

// Where nodes are made: before `before`.
typedef struct {
  IrKernel *kernel;
  IrGroup *warp; // the plain row
  IrNode *before;
} LaneMaker;

IrNode *lanes_put(const LaneMaker *m, IrOp op, IrType type, IrNode *const *args,
                  uint32_t n_args);
// rank, size of the group.
IrNode *lanes_ask(const LaneMaker *m, IrOp op, IrGroup *group);
// The threads of the group that get there: a row that is made there.
IrGroup *lanes_here(const LaneMaker *m, IrGroup *group);
// The ranks in `group` that threads of `here` have, as a mask.
IrNode *lanes_of(const LaneMaker *m, IrGroup *here, IrGroup *group);
// How many threads of a tile a mask of the warp's lanes has.
IrNode *lanes_count(const LaneMaker *m, IrNode *lanes, IrGroup *tile);
// The group whose threads must come together at such an operation.
IrGroup **lanes_group_of(IrNode *node);
// `node` does for those in `here` what it did for `group`: ranks stay those of
// `group`, and who isn't there has no part in it. `is_whole`: all are there.
void lanes_do(IrKernel *kernel, IrGroup *warp, IrNode *node, IrGroup *here,
              bool is_whole);
// Marks what threads leave the kernel by as returns, where they do nothing
// more.
void decide_ends(IrKernel *kernel);
// present_lanes(): all lanes of the warp.
void lanes_make_full(const LaneMaker *m, IrNode *node);

#endif
