// SPDX-License-Identifier: Apache-2.0
// Plain pointers lead to the memory of their buffer and nowhere else: what
// generated code asks when its quick test fails.
#ifndef HD_RT_CPU_CPU_REACH_H
#define HD_RT_CPU_CPU_REACH_H

#include "rt/cpu/cpu_worker.h"

// HdCpuLaunch.reach of the run, to be freed by the caller; the run fails where
// memory is out. NULL: the kernel has no plain pointers.
uint64_t *cpu_reach_new(CpuRun *run, const RtLaunch *launch);

// The services.
void cpu_reach_same(HdCpuBlock *block, uint32_t site, uint32_t warp,
                    uint32_t mask, uint64_t address);
void cpu_reach_lanes(HdCpuBlock *block, uint32_t site, uint32_t warp,
                     uint32_t mask, const uint64_t *addresses);

#endif
