// SPDX-License-Identifier: Apache-2.0
// Kernels whose only barriers are those of the whole block, as phases.
//
// Note [Phases]
// Where all threads of a block meet, all conditions on the way are the same
// for the whole block. So the block runs as one function: its control is
// executed once, and what lies between two barriers (a run) is a loop over
// the warps. A barrier costs nothing then. What a warp keeps from one run to
// the next lies in arrays by warp; values that can be computed again are.
//
//   half = 128                      block node: once, a scalar
//   loop                            phased node: contains a barrier
//     exit if half <= 0             phased: leaves a phased node
//     if (rank() < half) …          run: for each warp
//     sync()                        nothing
//     half = half / 2               block node
//
// Short runs of small blocks are repeated for each warp instead: places are
// constants then, and what one run leaves the next one finds in registers.
//
// Kernels with other barriers, or that wait for memory, use coroutines.
//
// With checks, what is told is told by each warp where the program does it:
// what may tell of an overflow is no block node, and is computed once; no warp
// skips a run; and at a barrier the runtime is told that all have met.
#ifndef HD_CODEGEN_CPU_CPU_PHASE_H
#define HD_CODEGEN_CPU_CPU_PHASE_H

#include "codegen/cpu/cpu_plan.h"

typedef struct {
  hd_vec(IrNode *) nodes;
  hd_vec(const IrNode *) externals; // values from other runs that it uses
  hd_vec(uint32_t) loads;           // variables that it finds
  hd_vec(uint32_t) stores;          // variables that it leaves behind
  hd_vec(const IrNode *) results;   // values that it leaves behind
  hd_vec(uint32_t) objects;         // private arrays that it uses
  bool is_in_loop;
  bool is_straight; // emitted warp after warp, without a loop
} CpuRun;

typedef enum { ITEM_BLOCK_NODE, ITEM_RUN, ITEM_PHASED } CpuItemKind;

typedef struct {
  CpuItemKind kind;
  const IrNode *node; // BLOCK_NODE, PHASED
  uint32_t run;       // RUN
} CpuItem;

typedef struct {
  hd_vec(CpuItem) items;
} CpuItems;

typedef struct CpuPhases {
  CpuItems body;
  CpuItems *regions[2]; // by node id, of phased nodes
  hd_vec(CpuRun *) runs;
  bool *is_phased;   // by node id
  bool *is_block;    // by node id: evaluated once a block
  uint32_t *run_of;  // by node id: run + 1 that evaluates it
  bool *is_shared;   // by variable: one for the whole block
  bool *is_kept;     // by variable: kept from run to run
  bool *keeps_array; // by object id: a private array used by several runs
  bool *is_pointed;  // by object id: a private array of which pointers are made
  bool has_straight; // what such runs keep may live in registers
  bool has_checks;   // each warp tells of what it does, once
} CpuPhases;

// NULL: the kernel has barriers that phases can't express.
CpuPhases *cpu_phases_new(CpuPlan *plan);
// The value can be had again from nothing but arguments and positions.
bool cpu_is_cheap(const CpuPhases *phases, const IrNode *node, uint32_t depth);

#endif
