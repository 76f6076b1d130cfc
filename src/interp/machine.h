// SPDX-License-Identifier: Apache-2.0
// The state of an interpretation. A launch is set up once; a machine runs its
// blocks one after the other; a block's threads take turns, each until it
// waits, ends, or has used up its slice.
#ifndef HD_INTERP_MACHINE_H
#define HD_INTERP_MACHINE_H

#include "base/bits.h"
#include "base/map.h"
#include "base/vec.h"
#include "interp/interp.h"
#include "interp/observe.h"
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
  char *base;              // HOME_FIXED
  uint64_t offset;         // the others
  uint64_t size_bytes;     // of one instance
  uint32_t n_instances;    // HOME_SHARED
  uint32_t first_mbarrier; // of a block, of an mbarrier object
  bool has_extents;        // indices are checked against them
  int64_t extents[IR_MAX_RANK], strides[IR_MAX_RANK];
} ObjectPlace;

// A group row during one launch.
typedef struct {
  uint32_t n_instances; // parts of this row in one block that own memory
} GroupPlace;

// How many blocks run at the same time.
typedef enum { GANG_BLOCK, GANG_CLUSTER, GANG_GRID } Gang;

typedef struct Launch {
  Arena *arena;
  const IrKernel *kernel;
  const InterpLaunch *given;
  int32_t grid[3], cluster[3];
  uint32_t n_threads; // of a block
  Gang gang;
  uint32_t n_blocks;    // of a gang
  uint32_t n_clusters;  // of a gang, at least 1
  ObjectPlace *objects; // by object id of the kernel
  ObjectPlace *globals; // by object id of the module
  GroupPlace *groups;   // by group id
  uint32_t n_mbarriers; // of a block
  uint64_t shared_bytes, local_bytes;
  const char *why;
} Launch;

// launch.c: HD_ERROR_LAUNCH, HD_ERROR_UNSUPPORTED or HD_ERROR_MEMORY with
// launch->why.
HdStatus launch_setup(Launch *launch);
const ObjectPlace *launch_place(const Launch *launch, const IrObject *object);

// Bytes from one instance of a shared object to the next.
static inline uint64_t place_step(const ObjectPlace *place) {
  uint64_t align = place->object->align_bytes;
  if (align < 16)
    align = 16;
  return bits_align_up(place->size_bytes, align);
}

// host.c: an integer host expression; false when it has no 64-bit value.
bool host_evaluate(const Launch *launch, const IrHost *host, int64_t *out);

// --------------------------------------------------------------- threads

// Where a thread stands in one group.
typedef struct {
  int32_t rank, size, meta_rank, meta_size;
  uint32_t instance; // number of this part among those of its row
  uint32_t begin;    // in the parent
  uint64_t key;      // names this part: the same for all of its threads only
} GroupContext;

struct Thread;

// Threads of one part of a group that meet at a node, from the first arrival
// to the last; for a split barrier until all have waited.
typedef struct {
  const Insn *insn; // of the first that came
  const IrGroup *group;
  uint64_t key;
  uint32_t size, n_arrived, n_left, number, serial;
  bool is_complete;
  struct Thread **threads; // by rank; NULL: not here yet
  uint64_t *values;        // by rank: the operands
  uint32_t n_slots;        // of one thread's operands
  uint32_t thread_room, value_room;
} Meeting;

// An element of an mbarrier array.
typedef struct {
  const IrObject *object;
  uint32_t element;   // number in the array
  uint32_t count;     // arrivals that the next phase expects
  uint32_t pending;   // arrivals that this one still waits for
  uint64_t phase;     // phases completed
  int64_t bytes;      // that the phase still waits for
  uint32_t n_copies;  // under way that will signal it
  const IrNode *last; // the last arrival
} Mbarrier;

typedef struct Copy Copy; // copy.c

// A thread's asynchronous copies, oldest first.
typedef struct {
  hd_vec(Copy *) copies;
  uint32_t n_sets; // closed
} CopyQueue;

// How many memcpy_async a thread made as one of a group.
typedef struct {
  uint64_t key, made;
} GroupCount;

// One block of those that run now.
typedef struct {
  int32_t index[3];
  int64_t linear;
  int64_t told;        // what an observer knows it as
  uint32_t in_cluster; // rank
  char *shared;
  Mbarrier *mbarriers;
} Block;

typedef enum {
  WAIT_MEETING,
  WAIT_MBARRIER,
  WAIT_SEMAPHORE,
  WAIT_COALESCED,
} WaitKind;

typedef enum { THREAD_READY, THREAD_WAITS, THREAD_DONE } ThreadState;

typedef struct Thread {
  uint64_t *frame;
  struct TileValue **tiles; // registers, see tile.h
  GroupContext *groups;     // by group id
  char *locals;
  const char *touched; // by the access before, and how much: for `was_set`
  uint32_t touched_bytes;
  bool was_set; // what it read
  Block *block;
  uint32_t pc, rank;
  ThreadState state;
  bool did_poll; // read memory atomically in this slice
  WaitKind wait;
  Meeting *meeting;
  Mbarrier *mbarrier;
  uint64_t phase;        // of the mbarrier, that must be completed
  const char *semaphore; // memory
  uint64_t semaphore_value;
  const Insn *insn;              // where it waits
  const IrNode *node;            // where it waits or was interrupted
  CopyQueue asyncs, stores;      // copy_async, tma_store
  CopyQueue matrices;            // wgmma_load, wgmma_mma
  CopyQueue tensors;             // tcgen05_…
  hd_vec(uint64_t) tensor_parts; // told to the observer
  hd_vec(Copy *) group_copies;   // memcpy_async
  hd_vec(GroupCount) group_counts;
} Thread;

typedef struct {
  Arena *arena;
  const Launch *launch;
  const Program *program;
  Thread *threads; // of all blocks of the gang
  uint32_t n_threads;
  Block *blocks;
  Mbarrier *mbarriers;
  // In programs that ask: for each byte of shared memory and of the threads'
  // own whether somebody has written it. NULL: nobody asks.
  char *shared_set, *locals_set;
  const char *all_shared, *all_locals; // the first byte of each
  uint64_t all_shared_bytes, all_local_bytes;
  bool has_run;      // a gang, whose values are in the memory
  Arena *gang_arena; // meetings and copies; as long as the gang
  hd_vec(Meeting *) meetings;
  hd_vec(uint32_t) free_meetings; // index
  Map open_meetings;              // key to meeting
  ObservedThread *observed;       // of the meeting that is told
  uint32_t observed_room;
  struct TileValue *tiles; // all that there are
  uint64_t tile_bytes;     // of their elements
  struct TileMemo **memos; // by node id, or NULL (tile_memo.c)
  uint64_t memo_bytes;     // that they hold
  hd_vec(Copy *) pending;  // all that haven't landed
  hd_vec(Copy *) free_copies;
  uint64_t random; // state; 0: no random order
  uint64_t n_steps;
  uint64_t n_sections; // executions of loads, stores and atomics of tiles
  uint64_t n_writes;   // of memory, and barriers completed
  uint64_t n_copies;   // parts of copies that were asked for
  struct Ahead *ahead; // the run is over: what would come next
  const InterpObserver *observer; // or NULL
  HdStatus status;
  const char *why;
} Machine;

// Ends the interpretation: sets status and why, which says where, and returns
// false. `node` may be NULL.
bool machine_fault(Machine *m, const Thread *t, const IrNode *node,
                   HdStatus status, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

// The same for a rule of the program that is broken, HD_ERROR_TRAP. True: an
// observer wants to go on, as if the operation had not been there. `args`: what
// the code's text in fault.def needs.
bool machine_trap(Machine *m, const Thread *t, const IrNode *node,
                  FaultCode code, const FaultArgs *args);

static inline ObservedThread machine_observed(const Machine *m,
                                              const Thread *t) {
  int64_t n = m->launch->n_threads;
  return (ObservedThread){.number = t->block->told * n + t->rank,
                          .block = t->block->told,
                          .rank = t->rank};
}

// interp.c: how it is now.
ObservedMbarrier machine_observed_mbarrier(const Machine *m,
                                           const Mbarrier *barrier);

// run.c: runs the thread for a slice. False after a fault.
bool machine_run_slice(Machine *m, Thread *t);
// Runs the operator of reduce_by or scan_by for a pair, in the thread's frame:
// *left becomes the result, of as many slots as the node has.
bool machine_combine(Machine *m, Thread *t, const Insn *insn, uint64_t *left,
                     const uint64_t *right);
// The same for any operator: its variables are set before, and read behind.
bool machine_run_operator(Machine *m, Thread *t, const Insn *insn);
// Counts steps that the operation is about to make. False: they are too many,
// and the run ends.
bool machine_charge(Machine *m, Thread *t, const IrNode *node, uint64_t steps);
// A row that computes a scalar, of these values of its operands.
uint64_t machine_scalar(const Machine *m, const Thread *t, const Insn *insn,
                        const uint64_t values[3]);
// A number below `limit` from the machine's random order.
uint32_t machine_random(Machine *m, uint32_t limit);

static inline uint64_t machine_mix(uint64_t key, uint64_t value) {
  key = (key ^ key >> 31) * UINT64_C(0xbf58476d1ce4e5b9) + value;
  key = (key ^ key >> 29) * UINT64_C(0x9e3779b97f4a7c15);
  return key ^ key >> 32;
}

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
// Bytes [address, address + size) are inside one object that the thread sees.
bool machine_can_see(const Machine *m, const Thread *t, uint64_t address,
                     uint64_t size);
// Where the object is for this thread.
char *machine_base(const Machine *m, const Thread *t, const ObjectPlace *place);
// The same for shared memory of another block.
char *machine_base_in(const Machine *m, const Thread *t,
                      const ObjectPlace *place, const Block *block);
// The block of that rank in the thread's cluster, or NULL after a fault.
const Block *machine_cluster_block(Machine *m, const Thread *t,
                                   const Insn *insn, uint64_t rank);
bool machine_semaphore(Machine *m, Thread *t, const Insn *insn);
// Whether a thread that waits for one may go on, which it then does.
bool machine_semaphore_is_open(const Machine *m, const Thread *t);
bool machine_map_shared(Machine *m, Thread *t, const Insn *insn);
bool machine_shared_rank(Machine *m, Thread *t, const Insn *insn);
// Bytes that are written from now on; in no other memory than shared and own.
void machine_note_set(const Machine *m, const char *address, uint64_t size,
                      bool is_set);
// The thread's own object has no value again.
void machine_unset(const Machine *m, const Thread *t, const IrObject *object);
// Scalars in memory, by IrTypeKind.
extern const uint8_t machine_kind_bytes[IR_TYPE_COUNT];
uint64_t machine_read(const char *from, uint8_t kind);
void machine_write(char *to, uint8_t kind, uint64_t value);
// What an atomic operation leaves in memory.
uint64_t machine_updated(IrRmw rmw, IrType type, uint64_t old, uint64_t value);
bool machine_load(Machine *m, Thread *t, const Insn *insn);
bool machine_store(Machine *m, Thread *t, const Insn *insn);
bool machine_rmw(Machine *m, Thread *t, const Insn *insn);
bool machine_address(Machine *m, Thread *t, const Insn *insn);

// group.c
GroupContext group_context(const Machine *m, const Thread *t,
                           const IrGroup *group);
// Enters a group statement; *is_inside says whether this thread takes part.
bool group_enter(Machine *m, Thread *t, const Insn *insn, bool *is_inside);
void group_enter_split(Machine *m, Thread *t, const Insn *insn);
bool group_stride(Machine *m, Thread *t, const Insn *insn);
// tiled_partition; the others are meetings.
bool group_make_tiled(Machine *m, Thread *t, const Insn *insn);
bool group_make_labeled(Machine *m, const Meeting *meeting);
// coalesce.c: waits for the others of the warp.
bool group_make_coalesced(Machine *m, Thread *t, const Insn *insn);
// True when the thread need not wait any more.
bool group_coalesced_poll(Machine *m, Thread *t);

// meet.c: the thread comes to a collective operation of its part of a group,
// and waits unless it is the last; then the operation is done for all.
bool meet(Machine *m, Thread *t, const Insn *insn);
bool meet_arrive(Machine *m, Thread *t, const Insn *insn);
bool meet_wait(Machine *m, Thread *t, const Insn *insn);

// collective.c: what threads that met get. False after a fault.
bool collective_finish(Machine *m, Thread *t, Meeting *meeting);

// mbarrier.c
// matrix.c: an arrival when all that the thread's tensor core was asked to do
// before is done.
void matrix_ask_arrival(Machine *m, Thread *t, const IrNode *node,
                        Mbarrier *barrier);
bool mbarrier_operation(Machine *m, Thread *t, const Insn *insn);
bool mbarrier_is_done(Machine *m, const Thread *t);
// arrive_expect_multicast, once for the group.
bool mbarrier_multicast(Machine *m, Thread *t, const Insn *insn);
// The element that operands from number `first` on name; `t` may be any thread
// of the group. NULL after a fault.
Mbarrier *mbarrier_at(Machine *m, const Thread *t, const Insn *insn,
                      const IrObject *object, uint32_t first,
                      const Block *block);
bool mbarrier_arrive(Machine *m, const Thread *t, const IrNode *node,
                     Mbarrier *barrier, uint32_t count);
void mbarrier_bytes(Machine *m, const IrNode *node, Mbarrier *barrier,
                    int64_t landed);

// copy.c
bool copy_operation(Machine *m, Thread *t, const Insn *insn);
// Those of a group that copies once, together: tma_load, tma_store.
bool copy_issue_once(Machine *m, const Meeting *meeting);
// Somebody waits for or looks at the barrier: its copies land.
bool copy_land_for(Machine *m, const Mbarrier *barrier);
// Under a random order: some of those that are under way land.
bool copy_land_some(Machine *m);
bool copy_land_all(Machine *m);

// aggregate.c, print.c
void machine_pack(Machine *m, Thread *t, const Insn *insn);
void machine_extract(Machine *m, Thread *t, const Insn *insn);
void machine_insert(Machine *m, Thread *t, const Insn *insn);
void machine_bitcast(Machine *m, Thread *t, const Insn *insn);
void machine_print(Machine *m, Thread *t, const Insn *insn);

// deadlock.c: who waits where for what.
void machine_report_deadlock(Machine *m);

// ahead.c: tells the observer what threads would signal next. False: not all of
// it was found.
bool machine_look_ahead(Machine *m);
// In its place while looking ahead; an operation names it.
Mbarrier *ahead_mbarrier(const Machine *m, const Thread *t, const IrNode *node,
                         const Mbarrier *barrier);
// Instructions were made: no more than may be.
bool ahead_may_go_on(const Machine *m);
// Turns of the loops with a counter around the node: "k=3, j=0".
const char *machine_turns(const Machine *m, const Thread *t,
                          const IrNode *node);

#endif
