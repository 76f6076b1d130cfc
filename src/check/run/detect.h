// SPDX-License-Identifier: Apache-2.0
// The exact race detector of the concrete checker: an observer of a run of the
// interpreter that knows which access comes before which (FastTrack: Flanagan
// and Freund, PLDI 2009; here nothing is forgotten that another pair of places
// could race with).
//
// Note [Who did it]
// Which thread of a group performs which part of a copy is not said, so a copy
// is one agent for all of it: it comes after what *every* thread of the group
// knew when it asked for its part, and before what knows that *every* part has
// landed. What comes out is then a race for some distribution of the parts.
//
// Note [Known]
// A thread knows of each thread the clock up to which its accesses come before
// the own next one, and which parts of copies are done. Both also exist for the
// copy engine: what of it has reached the other proxy through a fence. A third
// kind says only what happened before what, for the phases of barriers: a copy
// that arrives on a barrier publishes nothing of its thread, but was asked for
// before; threads of a collective have waited for each other, and see nothing
// of what the others wrote. The last two are about fences: Note [Fences of
// all].
#ifndef HD_CHECK_RUN_DETECT_H
#define HD_CHECK_RUN_DETECT_H

#include "base/map.h"
#include "check/run/concrete.h"
#include "check/run/trial.h"
#include "interp/observe.h"

// ---------------------------------------------------------------- knowing

enum {
  HALF_GENERIC,
  HALF_ASYNC,
  HALF_CAUSE,
  HALF_FENCED,
  HALF_SEEN,
  HALF_COUNT
};

// Counts references. Changed only while nobody shares it.
typedef struct Know {
  uint32_t refs, n_words;
  uint32_t *clocks[HALF_COUNT]; // by thread of the launch
  uint64_t *copies[HALF_COUNT]; // a bit a part
  uint32_t *floors; // by block: all its threads up to there, generic half
  struct Know *next_free;
} Know;

typedef struct {
  Know *know;
  uint32_t clock;
  Know *released; // by its last fence: what relaxed stores publish
  Know *seen;     // what relaxed loads have seen, until a fence
  // The same for fences of the block alone: of, and by, threads of the block.
  Know *released_near, *seen_near;
  hd_vec(uint32_t) tensors; // bits of what its tensor core was asked to do
} DetectThread;

// ----------------------------------------------------------------- shadow

enum {
  KIND_WRITES = 1,
  KIND_ATOMIC = 2,
  KIND_COPY = 4,
  KIND_ASYNC = 8, // by the copy engine's proxy
  KIND_SCOPE = 4, // shift: IrScope of atomics
};

// Accesses of one node by threads of one block with the same clock, or by a
// copy.
typedef struct {
  uint32_t next, node, clock;
  uint32_t who;     // first thread (of the launch), or the copy
  uint32_t members; // number of its bitmap by rank; 0: only `who`
  uint32_t value;   // of plain stores: the same for equal values; 0: none
  uint8_t kind;
} Record;

typedef struct {
  const IrObject *object;
  uint64_t base, size_bytes, n_cells;
  int64_t block;
  uint32_t *cells; // first record, 0: none
  void *large;     // the same, if of calloc
  const int64_t *strides;
} DetectArray;

typedef struct {
  uint64_t to, from, n_bytes;
} CopyRun;

// A copy by all threads of a group together.
typedef struct {
  const IrNode *node;
  uint64_t key;
  uint32_t first_bit, n_bits, n_asked, size;
  uint32_t written_bit; // first of those of what is written; often first_bit
  uint32_t block;
  bool is_once, is_barrier;
  const ObservedThread *threads; // is_once
  Know *least;                   // what all knew that have asked
  uint64_t *asked;               // by rank
  hd_vec(CopyRun) runs;
} DetectCopy;

// --------------------------------------------------------------- barriers

// How a thread stands to an mbarrier. Phases count from 0; -1 is the one
// before the first.
typedef struct {
  int64_t meant;  // phase it waits or waited for; -2: none
  uint32_t clock; // when that wait returned; 0: not yet
  int64_t known;  // newest phase that it knows to be complete
  const IrNode *node;
  int64_t arrived, waited; // newest phase that it did so for; -2: none
  uint32_t n_arrivals;     // in phase `arrived`
  bool signals;            // it arrived in a phase that it didn't wait for
} BarrierView;

typedef struct {
  Know *open; // what was released into the current phase
  hd_vec(Know *) ended;
  BarrierView *views; // by thread of the launch, or NULL
} DetectBarrier;

typedef struct {
  Know *know;
} DetectMeeting;

// A thread of a deadlock. What it waits for: a phase of a barrier (`phase` is
// -1: none), or threads of its group.
typedef struct {
  ObservedThread thread;
  const IrNode *node;
  const char *turns;
  ObservedMbarrier barrier;
  int64_t phase;
  uint32_t meeting;
  const ObservedThread *missing;
  uint32_t n_missing;
} DetectStuck;

// What it would signal next if it could go on.
typedef struct {
  ObservedThread thread;
  const IrNode *node;
  uint32_t barrier;
  const char *turns;
} DetectAhead;

// The last execution of a store of a tile that stored there.
typedef struct {
  uint64_t operation;
  uint32_t who;
} Stored;

// Who accesses.
typedef struct {
  const Know *know;
  int64_t thread; // -1: a copy
  uint32_t who, clock, node, value;
  uint8_t kind;
  IrScope scope;
} Actor;

typedef struct Detect {
  Arena *arena;  // as long as the run
  Arena *result; // of findings
  const IrKernel *kernel;
  ConcreteResult *out;
  InterpObserver observer;
  uint32_t n_threads; // of a block
  uint32_t n_blocks, n_all;
  const int64_t *blocks;   // by number, if not all of the grid's run; or NULL
  uint32_t cluster_blocks; // blocks of a cluster
  int32_t grid[3], cluster[3];
  bool owner_strict;
  bool keeps[HALF_COUNT]; // kinds of knowledge that the kernel needs
  bool has_fenced;        // there was a fence of all
  uint32_t cell_log2;
  bool is_too_coarse; // an access is smaller than cells: run again with 0
  bool is_too_much;   // copies or records beyond the limits
  bool is_assumption; // an assume() is false: no launch that counts
  const struct Decisive *trusts_overflow, *open_shifts;
  bool reads_own; // the race at hand is of a read that gets its own value
  bool is_over;   // the run is to end: by time, or by records compared
  SolveEnd end;
  uint64_t n_compared, most_compared, n_touched;
  uint64_t n_joined;    // clocks, where threads meet: work that is no step
  const IrNode **nodes; // by id, once it is needed
  bool is_tainted;      // the run went on behind an access that wasn't there
  const IrNode *tainted_by; // it; NULL: there are others, or other reasons
  bool is_order_lost; // one of them was an atomic: it may have ordered threads
  uint32_t time;
  DetectThread *threads;
  Know *free_knows[32]; // by log2 of words
  Know *nothing;
  hd_vec(DetectArray) arrays; // sorted by base
  uint32_t last_array;
  hd_vec(Record) records;
  uint32_t free_record;
  hd_vec(uint64_t) bitmaps;
  uint32_t free_bitmap;
  hd_vec(DetectCopy *) copies;
  hd_vec(uint32_t) open_copies; // that not all threads have asked for
  hd_vec(uint64_t) parts;       // by part number: copy << 32 | bit in the copy
  hd_vec(Know *) askers;        // by part number, of copies with a barrier
  uint32_t n_bits;
  hd_vec(DetectBarrier) barriers;
  hd_vec(DetectMeeting) meetings;
  Map stored;       // address to Stored: by stores through index tiles
  Map atomics;      // address to Know **
  Map near_atomics; // address to Know *[n_blocks], if has_near_fences
  bool has_near_fences;
  Map told;              // kind and places to found
  Map claims;            // uniform values
  struct DetectOwn *own; // clauses of loops, NULL: the kernel has none
  Know *acquired_by, *acquired_from, *acquired; // the last acquire
  hd_vec(DetectStuck) stuck;
  hd_vec(DetectAhead) ahead;
  bool polls;
} Detect;

// `out` and its findings are `result`'s. All else is freed by detect_end.
void detect_begin(Detect *d, Arena *result, const IrKernel *kernel,
                  const Trial *trial, uint32_t cell_log2, ConcreteResult *out);
void detect_end(Detect *d);

// detect_clock.c. Results have one reference.
Know *know_copy(Detect *d, const Know *from);
Know *know_keep(Know *know);
void know_drop(Detect *d, Know *know); // NULL is fine
void know_join(Detect *d, Know *into, const Know *from);
// What both know.
void know_meet(const Detect *d, Know *into, const Know *from);
// To be called after changes of clocks.
void know_seal(const Detect *d, Know *know);
void know_add_bit(const Detect *d, Know *know, uint32_t bit);

// A fence that orders for the threads of its block alone.
static inline bool detect_is_near(const IrNode *node) {
  return node->op == IR_FENCE && node->u.text.scope == SCOPE_BLOCK;
}

// All parts of it have been written, or at least read.
bool know_has_copy(const Know *know, int half, const DetectCopy *copy,
                   bool is_written);

// The kind that says what happened before what.
static inline int know_cause(const Detect *d) {
  return d->keeps[HALF_CAUSE] ? HALF_CAUSE : HALF_GENERIC;
}

// All that `what` holds has happened before.
bool know_has_all(const Detect *d, const DetectThread *t, uint32_t number,
                  const Know *what);
// What the thread knows with its own past.
Know *know_own(Detect *d, uint32_t thread);
void detect_release(Detect *d, uint32_t thread, Know **into);
void detect_acquire(Detect *d, uint32_t thread, Know *from);
void detect_sync(Detect *d, const ObservedThread *threads, uint32_t n,
                 bool is_grid);
// A fence of the device, and what atomic writes and reads have to do with it.
void detect_fence_all(Detect *d, uint32_t thread);
void detect_leave_fenced(Detect *d, uint32_t thread, Know **at);
void detect_see_fenced(Detect *d, uint32_t thread, const Know *at);
// A collective.
void detect_meet(Detect *d, const ObservedThread *threads, uint32_t n);

// detect_shadow.c
void detect_add_array(Detect *d, const ObservedMemory *memory);
// Drops the arrays of blocks.
void detect_drop_shared(Detect *d);
void detect_touch(Detect *d, const Actor *actor, uint64_t address,
                  uint64_t n_bytes);
const DetectArray *detect_find_array(Detect *d, uint64_t address);

// detect_report.c
void detect_race(Detect *d, const Actor *actor, const Record *record,
                 uint32_t who, uint64_t address, bool is_fence);
// What isn't a race. Returns it, or NULL when the place was told already.
ConcreteFinding *detect_found(Detect *d, ConcreteKind kind,
                              const ObservedThread *thread, const IrNode *node,
                              const IrNode *other, const Fact *fact);
// It would return NULL: for what is found often, before a Fact is made.
bool detect_is_told(const Detect *d, ConcreteKind kind,
                    const ObservedThread *thread, const IrNode *node,
                    const IrNode *other);
void detect_block_index(const Detect *d, int64_t linear, int32_t out[3]);
uint32_t detect_cluster_of(const Detect *d, int64_t block);

// detect_chain.c. What waits for what, from the stuck thread of that number on.
// `is_complete`: all that could still be signalled is in `ahead`.
void detect_chain(Detect *d, uint32_t stuck, bool is_complete,
                  ConcreteFinding *found);

// detect_own.c
void detect_own_begin(Detect *d);
void detect_claim(void *detect, const ObservedThread *thread,
                  const IrNode *node, uint64_t key, const int64_t *operands);
void detect_owned(Detect *d, const ObservedThread *thread,
                  const ObservedAccess *access);

// detect_events.c
// By its number in the array where there are several.
const char *detect_barrier_name(Detect *d, const ObservedMbarrier *barrier);
// The thread has arrived in the barrier's current phase.
bool detect_has_arrived(const Detect *d, const ObservedMbarrier *barrier,
                        const ObservedThread *thread);
InterpObserver detect_observer(Detect *d);

#endif
