// SPDX-License-Identifier: Apache-2.0
// Launches of programs compiled with checks: what generated code tells is
// passed to the race detector, with the arrays of the launch.
#ifndef HD_RT_CPU_CPU_CHECK_H
#define HD_RT_CPU_CPU_CHECK_H

#include "rt/cpu/cpu_worker.h"
#include "rt/cpu/race.h"

// NULL: memory is out. Only for kernels with checks; one worker runs them.
// The run's launch says what needn't be told. `memory` outlives the check.
CpuCheck *cpu_check_new(CpuRun *run, const RtLaunch *launch,
                        RaceMemory *memory);
// Adds what was found to the run's result, unless it failed otherwise.
void cpu_check_end(CpuCheck *check, CpuRun *run);

// Around every block. False: memory is out.
bool cpu_check_block_begin(CpuCheck *check, HdCpuBlock *block);
void cpu_check_block_end(HdCpuBlock *block);

// --- what the runtime tells, of blocks that are checked
// A barrier of whole blocks is complete: all have synced, or arrived.
// `is_own`: for a collective.
void cpu_check_wide(HdCpuBlock *const *blocks, uint32_t n, bool is_grid,
                    bool is_own);
// Lanes arrive, `thread` is that of lane 0; a phase ends.
void cpu_check_mbar_arrive(HdCpuBlock *block, const HdCpuMbarrier *barrier,
                           uint32_t lanes, int32_t thread);
void cpu_check_mbar_phase(HdCpuBlock *block, const HdCpuMbarrier *barrier);
// A copy is asked for (its serial is set); lands on its barrier; is waited for.
void cpu_check_copy(HdCpuBlock *block, HdCpuCopy *copy);
// What a tensor core touches, or a commit for all of it, with a barrier.
void cpu_check_tensor(HdCpuBlock *block, HdCpuCopy *copy);
void cpu_check_landed(HdCpuBlock *block, const HdCpuCopy *copy);
void cpu_check_commit(HdCpuBlock *block, uint32_t kind, uint32_t strand,
                      uint32_t lanes);
// Stops the launch unless each lane made n copies with the group.
void cpu_check_copies_left(HdCpuBlock *block, uint32_t strand, uint32_t lanes,
                           uint32_t group, int64_t n, uint32_t loc);
void cpu_check_copies_waited(HdCpuBlock *block, uint32_t kind, uint32_t strand,
                             uint32_t lanes, uint32_t group, int64_t n);
// When a block ends.
void cpu_check_lost_copy(HdCpuBlock *block, const HdCpuCopy *copy);
void cpu_check_mbarriers_end(HdCpuBlock *block);
// Stops the launch: some bytes of a copy are in no array.
void cpu_check_stop_copy(HdCpuBlock *block, uint32_t site, uint32_t warp,
                         uint32_t lanes, uint64_t address, uint64_t bytes);

// The services.
uint32_t cpu_check_same(HdCpuBlock *block, uint32_t site, uint32_t warp,
                        uint32_t mask, uint64_t address);
uint32_t cpu_check_row(HdCpuBlock *block, uint32_t site, uint32_t warp,
                       uint32_t mask, uint64_t address, int64_t step);
uint32_t cpu_check_rows(HdCpuBlock *block, uint32_t site, uint32_t warp,
                        uint32_t mask, uint64_t address, int64_t step,
                        int64_t row_bytes, uint32_t period_log2);
uint32_t cpu_check_lanes(HdCpuBlock *block, uint32_t site, uint32_t warp,
                         uint32_t mask, const uint64_t *addresses);
uint32_t cpu_check_turns(HdCpuBlock *block, uint32_t warp, uint32_t mask,
                         uint32_t n_turns, uint32_t n_reads,
                         const HdCpuTurns *reads);
void cpu_check_stored(HdCpuBlock *block, uint32_t mask, const void *values,
                      uint32_t part_bytes);
void cpu_check_outside(HdCpuBlock *block, uint32_t site, uint32_t warp,
                       uint32_t mask, uint32_t dim, const int64_t *indices,
                       int64_t extent);
void cpu_check_block_sync(HdCpuBlock *block);
void cpu_check_arrive(HdCpuBlock *block, uint32_t row, uint32_t warp,
                      uint32_t mask, uint32_t n_threads);
void cpu_check_parts(HdCpuBlock *block, uint32_t group, uint32_t warp,
                     uint32_t mask, const int32_t *parts);
void cpu_check_meet(HdCpuBlock *block, uint32_t row, uint32_t warp,
                    uint32_t mask, uint32_t n_threads);
void cpu_check_meet_parts(HdCpuBlock *block, uint32_t group, uint32_t warp,
                          uint32_t mask, const int32_t *parts);
void cpu_check_row_arrive(HdCpuBlock *block, uint32_t row, uint32_t warp,
                          uint32_t mask, uint32_t n_threads);
void cpu_check_row_wait(HdCpuBlock *block, uint32_t row, uint32_t warp,
                        uint32_t mask, uint32_t n_threads);
void cpu_check_parts_arrive(HdCpuBlock *block, uint32_t group, uint32_t warp,
                            uint32_t mask, const int32_t *parts);
void cpu_check_parts_wait(HdCpuBlock *block, uint32_t group, uint32_t warp,
                          uint32_t mask, const int32_t *parts);
void cpu_check_wide_half(HdCpuBlock *block, uint32_t is_grid, uint32_t warp,
                         uint32_t mask, int32_t is_arrival);
int32_t cpu_check_waiting(HdCpuBlock *block, HdCpuMbarrier *barrier,
                          uint32_t warp, uint32_t mask, int32_t wanted,
                          int32_t what);
void cpu_check_waited(HdCpuBlock *block, HdCpuMbarrier *barrier, uint32_t warp,
                      uint32_t mask, int32_t wanted, int32_t what);
void cpu_check_fence(HdCpuBlock *block, uint32_t warp, uint32_t mask,
                     int32_t kind);
void cpu_check_value(HdCpuBlock *block, uint32_t loc, uint32_t warp,
                     uint32_t mask, const char *name);
void cpu_check_overflow(HdCpuBlock *block, uint32_t loc, uint32_t warp,
                        uint32_t mask, uint32_t op, uint32_t bits,
                        const int64_t *a, const int64_t *b);
void cpu_check_claim(HdCpuBlock *block, const HdCpuClaim *claim);
void cpu_check_clause(HdCpuBlock *block, const HdCpuClause *clause);

#endif
