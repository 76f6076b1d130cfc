// SPDX-License-Identifier: Apache-2.0
// Writes in the phase of a load of a shared array: inside the uniformity
// analysis.
#ifndef HD_IR_ANALYSES_UNIFORM_PHASE_H
#define HD_IR_ANALYSES_UNIFORM_PHASE_H

#include "ir/analyses/uniform.h"

typedef struct Phases Phases;

typedef hd_vec(const IrNode *) NodeVec;

// `loads` are plain loads of shared arrays, `writes` all nodes that write.
Phases *phases_new(Arena *scratch, Uniformity *u, const NodeVec *loads,
                   const NodeVec *writes);
// Lowers the bases of the loads to what nobody writes in their phases, by the
// current solution of the analysis. True if one changed.
bool phases_update(Phases *phases);

#endif
