// SPDX-License-Identifier: Apache-2.0
// The state of an interpretation. A launch is set up once; a machine runs its
// blocks one after the other; a block's threads take turns, each until it
// waits, ends, or has used up its slice.
#ifndef HD_INTERP_MACHINE_H
#define HD_INTERP_MACHINE_H

#include "interp/interp.h"
#include "interp/program.h"

// ---------------------------------------------------------------- launch

typedef enum {
  HOME_FIXED,  // one place for the whole launch
  HOME_SHARED, // offset into the block's shared memory, one for each instance
  HOME_LOCAL,  // offset into the thread's own memory
} Home;

// An object during one launch.
typedef struct {
  const IrObject *object;
  Home home;
  char *base;           // HOME_FIXED
  uint64_t offset;      // the others
  uint64_t size_bytes;  // of one instance
  uint32_t n_instances; // HOME_SHARED
  bool has_extents;     // indices are checked against them
  int64_t extents[IR_MAX_RANK], strides[IR_MAX_RANK];
} ObjectPlace;

// A group row during one launch.
typedef struct {
  uint32_t n_instances; // parts of this row in one block
  uint32_t first_barrier;
  uint32_t n_begins; // barriers of one instance: one for each possible begin
} GroupPlace;

typedef struct Launch {
  Arena *arena;
  const IrKernel *kernel;
  const InterpLaunch *given;
  int32_t grid[3];
  uint32_t n_threads;
  ObjectPlace *objects; // by object id of the kernel
  ObjectPlace *globals; // by object id of the module
  GroupPlace *groups;   // by group id
  uint32_t n_barriers;
  uint64_t shared_bytes, local_bytes;
  const char *why;
} Launch;

// launch.c: HD_ERROR_LAUNCH, HD_ERROR_UNSUPPORTED or HD_ERROR_MEMORY with
// launch->why.
HdStatus launch_setup(Launch *launch);
const ObjectPlace *launch_place(const Launch *launch, const IrObject *object);

// host.c: an integer host expression; false when it has no 64-bit value.
bool host_evaluate(const Launch *launch, const IrHost *host, int64_t *out);

// --------------------------------------------------------------- threads

// Where a thread stands in one group.
typedef struct {
  int32_t rank, size, meta_rank, meta_size;
  uint32_t instance; // number of this part among those of its row
  uint32_t begin;    // in the parent
} GroupContext;

typedef struct {
  uint32_t arrived, generation;
  const IrNode *node; // where those that arrived wait
} Barrier;

typedef enum { THREAD_READY, THREAD_WAITS, THREAD_DONE } ThreadState;

typedef struct {
  uint64_t *frame;
  GroupContext *groups; // by group id
  char *locals;
  uint32_t pc, rank;
  ThreadState state;
  bool did_poll; // read memory atomically in this slice
  Barrier *barrier;
  uint32_t generation;
  const IrNode *node; // where it waits or was interrupted
} Thread;

typedef struct {
  Arena *arena;
  const Launch *launch;
  const Program *program;
  Thread *threads;
  Barrier *barriers;
  char *shared;
  int32_t block[3];
  int64_t block_linear;
  uint64_t n_steps;
  uint64_t n_writes; // of memory, and barriers completed
  HdStatus status;
  const char *why;
} Machine;

// Ends the interpretation: sets status and why, which says where, and returns
// false. `node` may be NULL.
bool machine_fault(Machine *m, const Thread *t, const IrNode *node,
                   HdStatus status, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

// run.c: runs the thread for a slice. False after a fault.
bool machine_run_slice(Machine *m, Thread *t);

// Operand `index` of an instruction; slots are neighbours for aggregates.
static inline const uint64_t *machine_operand(const Machine *m, const Thread *t,
                                              const Insn *insn,
                                              uint32_t index) {
  uint32_t slot = m->program->args.data[insn->args + index];
  if (slot & SLOT_IN_POOL)
    return &m->program->pool.data[slot & ~SLOT_IN_POOL];
  return &t->frame[slot];
}

// access.c
bool machine_load(Machine *m, Thread *t, const Insn *insn);
bool machine_store(Machine *m, Thread *t, const Insn *insn);
bool machine_rmw(Machine *m, Thread *t, const Insn *insn);
bool machine_address(Machine *m, Thread *t, const Insn *insn);

// group.c
void group_start(Machine *m, Thread *t);
GroupContext group_context(const Machine *m, const Thread *t,
                           const IrGroup *group);
// Enters a group statement; *is_inside says whether this thread takes part.
bool group_enter(Machine *m, Thread *t, const Insn *insn, bool *is_inside);
void group_enter_split(Machine *m, Thread *t, const Insn *insn);
bool group_stride(Machine *m, Thread *t, const Insn *insn);
// Arrives at the barrier; the thread waits unless it was the last.
bool group_sync(Machine *m, Thread *t, const Insn *insn);

// aggregate.c, print.c
void machine_pack(Machine *m, Thread *t, const Insn *insn);
void machine_extract(Machine *m, Thread *t, const Insn *insn);
void machine_insert(Machine *m, Thread *t, const Insn *insn);
void machine_bitcast(Machine *m, Thread *t, const Insn *insn);
void machine_print(Machine *m, Thread *t, const Insn *insn);

// deadlock.c: who waits where for what.
void machine_report_deadlock(Machine *m);

#endif
