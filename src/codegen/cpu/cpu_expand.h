// SPDX-License-Identifier: Apache-2.0
// Collectives of groups over several strands, before planning.
//
// Note [Expansion]
// A group that lies in one strand combines its lanes in registers. One that
// reaches over several meets in memory: its collectives become stores to
// scratch arrays in shared memory, syncs of the group, and loads. What is made
// is ordinary IR, so that phases and coroutines, vectors and scalars come out
// as for any program.
//
//   scratch S   by block rank, or by warp: read between the first and the
//               second sync of an operation only
//   result S2   one for each group row: read behind the second sync, and
//               written next behind the first sync of the group's next one
//
// Parts that begin at a warp and have whole warps but for the last (fast):
//   each warp combines its lanes; the first warp combines the warps' results
// All others (slow):
//   rank 0 combines element by element, in the same order
// Above a block: the block's result, then block 0 (of the cluster or grid)
// combines the blocks', which it reads from their shared memory.
#ifndef HD_CODEGEN_CPU_CPU_EXPAND_H
#define HD_CODEGEN_CPU_CPU_EXPAND_H

#include "codegen/cpu/cpu_plan.h"

// True if the plan (its strands are known) has operations to expand.
bool cpu_needs_expansion(const CpuPlan *plan);
// A copy of the kernel without them, nor the copies of
// cpu_copies_at_once.
IrKernel *cpu_expand(const CpuPlan *plan);

// ------------------------------------------- for the parts of the expansion

// Where nodes are made: at the end of `region`, or before `before`.
typedef struct {
  const CpuPlan *plan;
  IrKernel *kernel;
  Arena *arena;
  IrRegion *region;
  IrNode *before;
  IrLocId loc;
  hd_vec(IrObject *) scratch;
  hd_vec(uint32_t) keys;  // of the scratch arrays: group row and use
  hd_vec(IrNode *) loops; // whose turns are counted, and in which variables
  hd_vec(uint32_t) counters;
} Expand;

IrNode *expand_node(Expand *x, IrOp op, IrType type, uint32_t n_args, ...);
IrNode *expand_node_of(Expand *x, IrOp op, IrType type, IrNode *const *args,
                       uint32_t n_args);
IrNode *expand_number(Expand *x, int64_t value); // i32
IrNode *expand_rank(Expand *x, IrOp op, IrGroup *group);
IrNode *expand_get(Expand *x, uint32_t var);
void expand_set(Expand *x, uint32_t var, IrNode *value);
uint32_t expand_var(Expand *x, IrType type);

// Elements by number in a scratch array; what it is for tells arrays of a type
// apart. Parts don't wait for each other, so an element belongs to one part:
// VALUES has one a thread, WARPS one a warp, for all groups.
enum { SCRATCH_VALUES, SCRATCH_WARPS, SCRATCH_RESULT, SCRATCH_BEFORE };

IrObject *expand_scratch(Expand *x, IrType type, const IrGroup *group,
                         uint32_t use);
uint32_t expand_align(const Expand *x, IrType type); // of its members
IrNode *expand_load(Expand *x, IrObject *object, IrNode *index);
void expand_store(Expand *x, IrObject *object, IrNode *index, IrNode *value);
void expand_sync(Expand *x, IrGroup *group);

// What follows goes into the branch until expand_end.
typedef struct {
  IrRegion *region;
  IrNode *before;
} ExpandPlace;

ExpandPlace expand_if(Expand *x, IrNode *condition);

// A loop for var = first; var + ahead < n; the body adds to it.
typedef struct {
  ExpandPlace place;
  IrNode *node;
} ExpandLoop;

ExpandLoop expand_loop(Expand *x);
void expand_leave_unless(Expand *x, const ExpandLoop *loop, IrNode *condition);
void expand_end(Expand *x, ExpandPlace place);
// left op right, by the operator of a reduction or scan.
IrNode *expand_combine(Expand *x, const IrNode *node, IrNode *left,
                       IrNode *right);

// Where the threads of a part have their scratch elements.
typedef struct {
  IrGroup *group;
  IrNode *own, *base; // of this thread; of rank 0 where parts are contiguous
  IrNode *warp, *mask;
  IrNode *first; // where parts are pieces of a set of lanes: rank 0's place
} Slots;

Slots expand_slots(Expand *x, IrGroup *group);
IrNode *expand_slot_of(Expand *x, const Slots *slots, IrNode *rank);

// cpu_expand_fold.c: the value of a reduction or scan.
IrNode *expand_reduce(Expand *x, const IrNode *node);
IrNode *expand_scan(Expand *x, const IrNode *node);

// --- cpu_expand_copy.c
// A copy of one thread that needn't be asynchronous.
bool cpu_copies_at_once(const CpuPlan *plan, const IrNode *node);
void expand_copy(Expand *x, IrNode *node);
// Commits and waits, if nothing is left that they are for.
void expand_drop_sets(Expand *x);

#endif
