// SPDX-License-Identifier: Apache-2.0
// Which groups a plain load's memory is the same for: inside the uniformity
// analysis.
#ifndef HD_IR_ANALYSES_UNIFORM_LOAD_H
#define HD_IR_ANALYSES_UNIFORM_LOAD_H

#include "ir/analyses/uniform.h"

typedef struct UniformLoads UniformLoads;

// Collects the kernel's loads and writes, and lowers the base of every load
// whose array may be written at any time.
UniformLoads *uniform_loads_new(Arena *scratch, Uniformity *u);
// Lowers the bases of loads by what the current solution says about branches.
// True if any changed: then solve again.
bool uniform_loads_update(UniformLoads *loads);

#endif
