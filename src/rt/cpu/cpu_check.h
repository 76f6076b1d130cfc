// SPDX-License-Identifier: Apache-2.0
// Launches of programs compiled with checks: what generated code tells is
// passed to the race detector, with the arrays of the launch.
#ifndef HD_RT_CPU_CPU_CHECK_H
#define HD_RT_CPU_CPU_CHECK_H

#include "rt/cpu/cpu_worker.h"
#include "rt/cpu/race.h"

// NULL: memory is out. Only for kernels with checks; one worker runs them.
CpuCheck *cpu_check_new(const CpuRun *run, const RtLaunch *launch);
// Adds what was found to the run's result, unless it failed otherwise.
void cpu_check_end(CpuCheck *check, CpuRun *run);

// Around every block. False: memory is out.
bool cpu_check_block_begin(CpuCheck *check, HdCpuBlock *block);
void cpu_check_block_end(HdCpuBlock *block);

// The services.
void cpu_check_same(HdCpuBlock *block, uint32_t site, uint32_t warp,
                    uint32_t mask, uint64_t address);
void cpu_check_row(HdCpuBlock *block, uint32_t site, uint32_t warp,
                   uint32_t mask, uint64_t address, int64_t step);
void cpu_check_lanes(HdCpuBlock *block, uint32_t site, uint32_t warp,
                     uint32_t mask, const uint64_t *addresses);
void cpu_check_outside(HdCpuBlock *block, uint32_t site, uint32_t warp,
                       uint32_t mask, uint32_t dim, const int64_t *indices,
                       int64_t extent);
void cpu_check_arrive(HdCpuBlock *block, uint32_t row, uint32_t warp,
                      uint32_t mask);
void cpu_check_parts(HdCpuBlock *block, uint32_t warp, uint32_t mask,
                     const int32_t *parts);
void cpu_check_fence(HdCpuBlock *block, uint32_t warp, uint32_t mask,
                     int32_t is_async);
void cpu_check_value(HdCpuBlock *block, uint32_t loc, uint32_t warp,
                     uint32_t mask, const char *name);

#endif
