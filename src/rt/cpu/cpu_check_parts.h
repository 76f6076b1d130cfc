// SPDX-License-Identifier: Apache-2.0
// What the files of the checks share.
#ifndef HD_RT_CPU_CPU_CHECK_PARTS_H
#define HD_RT_CPU_CPU_CHECK_PARTS_H

#include "rt/cpu/cpu_check.h"

// What was released into the open phase, and by those that ended last, by
// their number.
enum { KEPT_PHASES = 16 };

typedef struct {
  RaceSync open, ended[KEPT_PHASES];
  RaceSync asked; // of an mbarrier: before its copies were asked for
  uint32_t n_ended;
} CheckPhases;

// Values that are said to be the same for a group: who had which first.
typedef struct {
  uint64_t key; // never 0 where something is
  uint64_t value;
  int64_t block; // linear
  uint32_t thread;
} CheckClaim;

typedef struct {
  CheckClaim *slots; // a power of two of them, or none
  uint32_t count, capacity;
} CheckClaims;

// What iterations own, by the clauses of their loops (cpu_check_own.c).
typedef struct CheckOwn CheckOwn;

struct CpuCheck {
  Race *race;
  const HdCpuKernel *kernel;
  bool allows_equal; // stores of equal values are no race
  const int32_t *interrupt;
  uint32_t n_threads;
  uint32_t n_mbarriers;     // elements of all arrays
  uint32_t *first_mbarrier; // by row of HdCpuKernel.mbarriers
  uint32_t n_agents;        // see Note [Agents] in cpu_check_sync.c
  RaceSite *sites;
  RaceArray *arrays; // of the kernel's table, as they are in this launch
  uint64_t *quiet;   // HdCpuLaunch.quiet
  char *names;       // of the arrays of arrays of arrays
  RaceArray *shared; // one for each instance
  uint32_t n_shared;
  CheckPhases grid; // split barriers of the grid
  CheckClaims claims;
  CheckOwn *own;               // NULL: no clause was met
  uint32_t n_outside;          // accesses outside of arrays, by warps
  size_t block_bytes;          // of a CpuCheckBlock with its tables
  struct CpuCheckBlock *spare; // of blocks that have ended
};

// A thread's wait for an mbarrier.
typedef struct {
  int32_t meant;   // the phase
  uint32_t clock;  // of the thread when it was back; 0: it isn't
  uint32_t before; // likewise, from the phase before that; 0: it didn't wait
  bool is_begun;
} CheckWait;

typedef struct {
  uint64_t key; // group, warp, part
  RaceSync sync;
} CheckPart;

// Serials of an agent's copies at each commit, or of each copy of a group.
typedef struct {
  uint32_t *serials;
  uint32_t count, capacity;
} CheckMarks;

// A running block's part, in HdCpuBlock.check.
typedef struct CpuCheckBlock {
  CpuCheck *check;
  struct CpuCheckBlock *next; // of the spare ones
  const int32_t *interrupt;   // CpuRun.interrupt
  const HdCpuSite *sites;     // of the kernel
  RaceBlock *race;
  RaceStore store;   // what is stored next; values are NULL: isn't known
  uint32_t n_words;  // of a set of threads
  uint32_t *counts;  // by barrier row: threads that have arrived
  uint32_t *members; // by barrier row: which
  CheckPhases *rows; // by barrier row
  CheckPhases *mbarriers;
  // Of the cluster's first block: split barriers, and claims for all of it.
  CheckPhases cluster;
  CheckClaims cluster_claims;
  CheckClaims claims; // of groups inside the block
  int32_t *seen;      // by mbarrier and thread: phases waited for
  CheckWait *waits;   // likewise: the last one
  CheckPart *parts;
  uint32_t n_parts, part_capacity;
  uint32_t *serials; // by agent: of its newest copy
  CheckMarks *marks; // by agent
  void *latest;      // by thread and clause: what it said last, or NULL
} CpuCheckBlock;

// A key of two numbers, never 0.
static inline uint64_t check_mix(uint64_t a, uint64_t b) {
  uint64_t v = a * UINT64_C(0x9e3779b97f4a7c15) ^ (b + UINT64_C(0x7f4a7c15));
  v ^= v >> 30;
  v *= UINT64_C(0xbf58476d1ce4e5b9);
  v ^= v >> 27;
  v *= UINT64_C(0x94d049bb133111eb);
  v ^= v >> 31;
  return v ? v : 1;
}

// Stops the launch with a report.
void check_stop(HdCpuBlock *block, const char *text) __attribute__((noreturn));
// Ends the block where hd_interrupt was called: what only computes and arrives
// waits for nothing for a long time.
void check_leave(const HdCpuBlock *block);

static inline void check_interrupt(const HdCpuBlock *block) {
  const CpuCheckBlock *mine = block->check;
  if (mine->interrupt && __atomic_load_n(mine->interrupt, __ATOMIC_RELAXED))
    check_leave(block);
}

void check_own_free(CheckOwn *own);
// Lanes access bytes: of loops with clauses that the site is in, what these
// give to the lanes' iterations.
void check_own_bytes(HdCpuBlock *block, uint32_t site, uint32_t warp,
                     uint32_t mask, uint64_t address, uint64_t n_bytes);
void check_own_lanes(HdCpuBlock *block, uint32_t site, uint32_t warp,
                     uint32_t mask, const uint64_t *addresses);
void check_phases_turn(Race *race, CheckPhases *phases);
uint32_t check_agent_count(const HdCpuKernel *kernel, uint32_t n_threads,
                           uint32_t n_mbarriers);

// Row of the kernel's table as the launch has it.
RaceArray check_describe_array(const CpuRun *run, const RtLaunch *launch,
                               const HdCpuArray *row);
// Tells the detector of all other arrays; false: memory is out.
bool check_add_globals(CpuCheck *check, const RtLaunch *launch);
// Shared arrays, one for each instance; false: memory is out.
bool check_list_shared(CpuCheck *check);
void check_list_sites(CpuCheck *check);
// Operations of one expression may begin at one place: told once.
uint64_t check_place_hash(const char *text);
// Of accesses outside of arrays, each place is told once.
uint64_t check_outside_key(const char *place);

#endif
