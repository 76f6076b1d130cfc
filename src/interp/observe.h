// SPDX-License-Identifier: Apache-2.0
// What a run of the interpreter tells somebody who follows it: every access of
// memory that threads share, every meeting, arrival, copy and fence, in the
// order in which they happened. The race detector of the checker listens.
//
// Every function of the interface may be NULL. Without an observer a run costs
// one comparison at each of these operations.
#ifndef HD_INTERP_OBSERVE_H
#define HD_INTERP_OBSERVE_H

#include "interp/fault.h"

typedef struct {
  int64_t number; // linear index of the block * threads of a block + rank
  int64_t block;  // linear index
  uint32_t rank;  // in the block
} ObservedThread;

// An array, or one instance of a shared one, from when it is told until
// `gang_end` (shared) or the end of the run.
typedef struct {
  const IrObject *object;
  uint64_t address, size_bytes;
  int64_t block; // linear index of a shared array's block, else -1
  const int64_t *extents, *strides; // elements; NULL: not known
} ObservedMemory;

// Of memory outside of the thread's own.
typedef struct {
  const IrNode *node;
  uint64_t address;
  uint32_t n_bytes;
  bool reads, writes, is_atomic;
  bool acquires, releases; // atomic
  IrScope scope;           // atomic
  uint64_t value;          // a plain store: tells values apart
  // Of a section, for each element that is touched: its number in the tile,
  // row-major. `operation` names the execution, from 1; 0: no section.
  uint32_t element;
  uint64_t operation;
} ObservedAccess;

typedef enum {
  OBSERVED_SETS,    // copy_commit and copy_wait of each thread
  OBSERVED_BULK,    // tma_commit and tma_wait of each thread
  OBSERVED_GROUP,   // memcpy_async
  OBSERVED_BARRIER, // counted on an mbarrier
  OBSERVED_TENSOR,  // told to land on mbarriers; behind all before it
} ObservedDone;

// One part of a copy: the part of one thread of the group, or all of it, made
// once for the threads that are listed.
typedef struct {
  const IrNode *node;
  ObservedDone done;
  uint64_t part; // names this part in what follows
  uint64_t key;  // names the part of the group that copies together
  bool is_once;
  uint32_t rank, size; // not is_once: of the thread among those that copy
  uint32_t n_threads;  // is_once: all threads of the group, else the one
  const ObservedThread *threads;
} ObservedCopy;

// An mbarrier when its gang ends.
typedef struct {
  const IrObject *object;
  uint32_t number;  // among those of the gang
  uint32_t element; // in the array
  int64_t bytes;    // that the phase still waits for
  uint64_t phase;   // the one that isn't complete
  uint32_t arrived, count;
  const IrNode *last; // the last arrival; NULL: none
} ObservedMbarrier;

// Of a deadlock: a thread that can't go on. `turns`: of the loops around the
// place, as in "k=3, j=0"; maybe "".
typedef struct {
  ObservedThread thread;
  const IrNode *node;
  const char *turns;
  bool polls;                      // memory, which others could still write
  const ObservedMbarrier *barrier; // whose phase it waits for, or NULL
  uint64_t phase;
  uint32_t meeting; // that it waits for others in, by number from 1; 0: none
  const ObservedThread *missing; // those of its group that haven't come
  uint32_t n_missing;
} ObservedStuck;

typedef struct InterpObserver {
  void *context;
  void (*memory)(void *context, const ObservedMemory *memory);
  void (*access)(void *context, const ObservedThread *thread,
                 const ObservedAccess *access);
  // fence(scope); fence_async().
  void (*fence)(void *context, const ObservedThread *thread,
                const IrNode *node);
  void (*fence_async)(void *context, const ObservedThread *thread);
  // Signed arithmetic of the node went over.
  void (*overflow)(void *context, const ObservedThread *thread,
                   const IrNode *node);
  // A shift of the node goes by as many bits as the value has, or more.
  void (*wide_shift)(void *context, const ObservedThread *thread,
                     const IrNode *node);
  // A value that is stated to be uniform, by slots. `key` is the same for
  // threads of one part of the group in the same turns of all loops around.
  void (*uniform)(void *context, const ObservedThread *thread,
                  const IrNode *node, uint64_t key, const uint64_t *value,
                  uint32_t n_slots);

  // A clause of a thread loop, where an iteration begins: its operands, sign
  // extended. `key` is the same for all iterations of one execution of the
  // loop.
  void (*claim)(void *context, const ObservedThread *thread, const IrNode *node,
                uint64_t key, const int64_t *operands);

  // All of these threads came to a barrier.
  void (*sync)(void *context, const IrNode *node, const ObservedThread *threads,
               uint32_t n_threads);
  // The same of a collective that orders nothing in memory.
  void (*meet)(void *context, const ObservedThread *threads,
               uint32_t n_threads);
  // The halves of a split one; `number` names it until the last has waited.
  void (*arrive)(void *context, const ObservedThread *thread, uint32_t number,
                 bool is_first);
  void (*wait)(void *context, const ObservedThread *thread, uint32_t number);

  // mbarriers are numbered through the blocks of a gang. `count` arrivals in a
  // phase; the phase is complete; a wait for a parity begins, and ends.
  void (*mbarrier_arrive)(void *context, const ObservedThread *thread,
                          uint32_t barrier, uint32_t count);
  void (*mbarrier_phase)(void *context, const IrNode *node, uint32_t barrier,
                         uint64_t phase);
  // `phase` is the one that is current.
  void (*mbarrier_wait)(void *context, const ObservedThread *thread,
                        const IrNode *node, uint32_t barrier, uint32_t parity,
                        uint64_t phase);
  void (*mbarrier_waited)(void *context, const ObservedThread *thread,
                          uint32_t barrier);
  // A wait for the token of a phase has ended.
  void (*mbarrier_token)(void *context, const ObservedThread *thread,
                         uint32_t barrier, uint64_t phase);
  // When the gang ends.
  void (*mbarrier_end)(void *context, const ObservedMbarrier *barrier);

  // A part is asked for, then the bytes it moves: `to` or `from` is 0 where
  // nothing is written (dropped) or read (zeros).
  void (*copy)(void *context, const ObservedCopy *copy);
  void (*copy_bytes)(void *context, uint64_t part, uint64_t to, uint64_t from,
                     uint64_t n_bytes);
  // The thread has waited until the part was read, or until it was done.
  void (*copy_read)(void *context, const ObservedThread *thread, uint64_t part);
  void (*copy_waited)(void *context, const ObservedThread *thread,
                      uint64_t part);
  void (*copy_landed)(void *context, uint64_t part, uint32_t barrier);
  void (*copy_lost)(void *context, const ObservedThread *thread,
                    const IrNode *node);

  // A thread can't go on, or breaks a rule. True, which counts for BOUNDS,
  // ALIGNMENT, ASSERT and VALUE: it goes on as if the operation had not been
  // there, loads give 0.
  bool (*fault)(void *context, const Fault *fault, const ObservedThread *thread,
                const IrNode *node);
  // Of a deadlock: each thread that waits, or polls memory; then what those
  // would signal next if they could go on, the first arrival and the first copy
  // of each for each mbarrier (Note [Looking ahead]); then the whole.
  // `is_complete`: nothing that they would signal is left out. Without `ahead`
  // it isn't looked for.
  void (*stuck)(void *context, const ObservedStuck *stuck);
  void (*ahead)(void *context, const ObservedThread *thread, const IrNode *node,
                uint32_t barrier, const char *turns);
  void (*deadlock)(void *context, const StuckReport *report, bool is_complete);
  // The blocks that ran together have ended, or were given up.
  void (*gang_end)(void *context);
} InterpObserver;

#endif
