// SPDX-License-Identifier: Apache-2.0
// What code generated for CPUs and the CPU runtime share: plain structs, no
// functions. The code generator mirrors these layouts in LLVM types; change
// both together and raise HD_CPU_ABI_VERSION.
//
//   kernel that never blocks         kernel that blocks across strands
//   run_range(launch, block, a, b)   start(launch, block, s) for every strand,
//   runs blocks [a, b)               then the scheduler resumes frames in turn
//
// One HdCpuBlock belongs to one worker at a time and is reused for the next
// block. Generated code never allocates but through `frame_alloc`.
#ifndef HD_ABI_CPU_H
#define HD_ABI_CPU_H

#include <assert.h>
#include <stdint.h>

#define HD_CPU_ABI_VERSION 22

struct HdCpuBlock;

#define HD_CPU_PRINT_MORE UINT32_C(0x80000000)

// What a wait for an mbarrier names.
enum {
  HD_CPU_WANTS_PARITY,
  HD_CPU_WANTS_PHASE,  // its number, a token
  HD_CPU_WANTS_NEWEST, // a parity, of the phase that ended last
};

// An mbarrier: one element of an array in shared memory. A phase ends when
// nothing is pending: neither arrivals nor bytes of copies.
typedef struct HdCpuMbarrier {
  int32_t phase;    // phases that have ended
  int32_t pending;  // arrivals that this one still waits for
  int32_t expected; // arrivals of the next phase
  int32_t bytes;    // expected of copies, less those that have landed
  uint32_t row;     // in HdCpuKernel.mbarriers
  uint32_t element;
  uint32_t n_copies; // not performed yet that will signal it
  uint32_t reserved;
} HdCpuMbarrier;

// How completion of a copy is asked for.
enum {
  HD_CPU_COPY_SET,    // copy_commit, copy_wait
  HD_CPU_COPY_BULK,   // tma_commit, tma_wait
  HD_CPU_COPY_SOURCE, // no copy: of BULK, what tma_wait_read waits for
  HD_CPU_COPY_MATRIX, // wgmma_commit, wgmma_wait: is read, not moved
  // tcgen05_commit: is touched, not moved. With a barrier: the commit, which
  // arrives there next.
  HD_CPU_COPY_TENSOR,
  HD_CPU_COPY_GROUP,  // memcpy_wait of its group
  HD_CPU_COPY_ARRIVE, // each lane arrives on the barrier
  HD_CPU_COPY_BYTES,  // its bytes are counted on the barrier
  HD_CPU_COPY_JOIN,   // the current phase waits for each lane's part
};

// A copy that was asked for: a rectangle of `rank` dimensions. The runtime
// keeps it and performs it when somebody waits for it.
// How a copy combines elements with what is there; 0: it doesn't.
enum {
  HD_CPU_COMBINE_ADD = 1,
  HD_CPU_COMBINE_MIN, // signed
  HD_CPU_COMBINE_MAX,
  HD_CPU_COMBINE_UMIN,
  HD_CPU_COMBINE_UMAX,
  HD_CPU_COMBINE_AND,
  HD_CPU_COMBINE_OR,
  HD_CPU_COMBINE_XOR
};

// Elements of such copies.
enum {
  HD_CPU_COMBINES_INTS,
  HD_CPU_COMBINES_F16,
  HD_CPU_COMBINES_BF16,
  HD_CPU_COMBINES_F32,
  HD_CPU_COMBINES_F64
};

typedef struct HdCpuCopy {
  char *to, *from; // first element of the sections
  HdCpuMbarrier *barrier;
  int64_t length[8];                    // elements along each dimension
  int64_t to_stride[8], from_stride[8]; // bytes
  // Elements [low, high) of the section lie inside the global array: others
  // are read as zeros, and not written.
  int64_t low[8], high[8];
  uint32_t rank, element_bytes;
  uint32_t kind, is_store; // is_store: `to` is the global side
  uint32_t lanes;          // that copy, bits by lane of the strand's warp
  uint32_t strand, loc;
  uint32_t group;         // GROUP: a number below HdCpuKernel.n_copy_groups
  uint32_t site;          // first of the copy's two, in programs with checks
  uint32_t serial, arrow; // the runtime's
  int32_t n_threads;      // of the group, or 1: done once
  uint32_t combine, combines; // HD_CPU_COMBINE_, HD_CPU_COMBINES_
  uint32_t blocks;   // bits by cluster rank: copied to each of these blocks;
                     // 0: to the own
  int16_t ranks[32]; // of the lanes in the group
} HdCpuCopy;

// How far a group reaches whose threads are said to have one value.
enum {
  HD_CPU_CLAIM_STRAND, // no further than the strand that says so
  HD_CPU_CLAIM_WARP,
  HD_CPU_CLAIM_BLOCK,
  HD_CPU_CLAIM_CLUSTER,
  HD_CPU_CLAIM_GRID,
};

// What the bits of such a value are.
enum {
  HD_CPU_VALUE_INT,
  HD_CPU_VALUE_UNSIGNED,
  HD_CPU_VALUE_FLOAT,
  HD_CPU_VALUE_POINTER
};

// Reads of a loop that each turn makes, as its first turn makes them: rows of
// 2^period_log2 lanes, `step` bytes from lane to lane, row_bytes from row to
// row; each turn turn_bytes further on. All lanes are one row, or one address
// for a step of 0, if period_log2 is 5.
typedef struct HdCpuTurns {
  uint64_t address; // of lane 0
  int64_t step, row_bytes, turn_bytes;
  uint32_t site, period_log2;
} HdCpuTurns;

enum { HD_CPU_MOST_TURNS = 16 }; // reads of one loop

// Lanes that state that their values are those of all threads of their group.
typedef struct HdCpuClaim {
  const char *group;
  const int32_t *parts;   // of 32 lanes: equal in one part of the group
  const uint64_t *values; // of 32 lanes: integers extended, floats as
                          // double
  const uint64_t *turns;  // of 32 lanes: equal in one turn of all loops around
  uint32_t number;        // of the place
  uint32_t loc, warp, mask;
  uint32_t scope; // HD_CPU_CLAIM_
  uint32_t kind;  // HD_CPU_VALUE_
} HdCpuClaim;

// A clause of a thread loop: what an iteration owns or reads.
enum {
  HD_CPU_CLAUSE_OWNS = 1,     // others don't touch it
  HD_CPU_CLAUSE_UNINIT = 2,   // written before it is read
  HD_CPU_CLAUSE_CONTENTS = 4, // there is something to be read
  HD_CPU_CLAUSE_NEST = 8,     // the iterations are those of the launch
  HD_CPU_CLAUSE_WARP = 16,    // the loop's group is part of a warp
  HD_CPU_CLAUSE_PART = 32,    // bounds are those of a range of memory
};

typedef struct HdCpuClauseInfo {
  uint32_t loc;     // index into HdCpuKernel.locs
  uint32_t loop;    // clauses of one loop have one number
  uint32_t flags;   // HD_CPU_CLAUSE_ bits
  uint32_t n_names; // operands that name the iteration
  int32_t array;    // row of HdCpuKernel.arrays; -1: not known
} HdCpuClauseInfo;

// Lanes that begin iterations with that clause.
typedef struct HdCpuClause {
  const int32_t *parts;  // of 32 lanes: equal in one part of the loop's group
  const uint64_t *turns; // of 32 lanes: equal in one execution of the loop
  // Of 32 lanes each: names of the iteration, then lowest index and length of
  // each dimension. HD_CPU_CLAUSE_PART: an index a dimension, the bytes from
  // there to the start, the number of bytes.
  const int64_t *const *operands;
  uint32_t number; // row of HdCpuKernel.clauses
  uint32_t warp, mask;
} HdCpuClause;

enum {
  HD_CPU_WIDE_GRID = 1, // not the cluster's
  HD_CPU_WIDE_OWN = 2,  // orders nothing that the program can see
};

// fence(device or system), of the others, fence_async().
enum {
  HD_CPU_FENCE_DEVICE,
  HD_CPU_FENCE_CLUSTER,
  HD_CPU_FENCE_BLOCK,
  HD_CPU_FENCE_ASYNC
};

enum { HD_CPU_ADD, HD_CPU_SUB, HD_CPU_MUL, HD_CPU_NEG, HD_CPU_SHL };

// Services of the runtime that generated code calls.
typedef struct HdCpuServices {
  // Memory for a coroutine frame or a strand's private arrays, 64-byte
  // aligned, freed by the runtime when the block ends. Never NULL: the runtime
  // stops the launch (longjmp) when memory is out.
  void *(*frame_alloc)(struct HdCpuBlock *block, uint64_t size_bytes);
  // Stops the launch and does not return (longjmp to the worker). `loc` is an
  // index into HdCpuKernel.locs, `thread` the linear rank in the block, `text`
  // the assertion's condition or NULL for trap().
  void (*trap)(struct HdCpuBlock *block, uint32_t loc, int32_t thread,
               const char *text);
  // The same for an assertion about the element with that index of a tile.
  void (*trap_element)(struct HdCpuBlock *block, uint32_t loc, int32_t thread,
                       const char *text, const int32_t *index,
                       uint32_t n_index);
  // printf of one thread: `args` holds n_args 64-bit values, integers extended
  // to 64 bits, floats as double; strings are not supported as arguments but
  // for literals (their address). One call is one untorn write, together with
  // those before it whose n_args have HD_CPU_PRINT_MORE.
  void (*print)(struct HdCpuBlock *block, const char *format,
                const uint64_t *args, uint32_t n_args);

  // Of programs compiled with checks (HdCpuKernel.sites). Each names a site, a
  // warp and a mask of its lanes.
  // The lanes access size_bytes each: at one address, in a row of `step` bytes
  // a lane, in rows of 2^period_log2 lanes that are row_bytes apart, or
  // anywhere (32 addresses). Returns the lanes whose bytes are outside of all
  // arrays, which must not access them.
  uint32_t (*check_same)(struct HdCpuBlock *block, uint32_t site, uint32_t warp,
                         uint32_t mask, uint64_t address);
  uint32_t (*check_row)(struct HdCpuBlock *block, uint32_t site, uint32_t warp,
                        uint32_t mask, uint64_t address, int64_t step);
  uint32_t (*check_rows)(struct HdCpuBlock *block, uint32_t site, uint32_t warp,
                         uint32_t mask, uint64_t address, int64_t step,
                         int64_t row_bytes, uint32_t period_log2);
  uint32_t (*check_lanes)(struct HdCpuBlock *block, uint32_t site,
                          uint32_t warp, uint32_t mask,
                          const uint64_t *addresses);
  // Lanes are about to make n_turns turns of a loop that accesses no shared
  // memory but by n_reads reads, and suspends nobody. Not 0: they are told, and
  // nothing is wrong with them. 0: each has to be told.
  uint32_t (*check_turns)(struct HdCpuBlock *block, uint32_t warp,
                          uint32_t mask, uint32_t n_turns, uint32_t n_reads,
                          const HdCpuTurns *reads);
  // What the access that is told next stores: 32 values for each of the
  // element's parts of part_bytes, one part after the other.
  void (*check_stored)(struct HdCpuBlock *block, uint32_t mask,
                       const void *values, uint32_t part_bytes);
  // An index of dimension `dim` is outside the extent in the lanes, which must
  // not make the access. `indices` of 32 lanes.
  void (*check_outside)(struct HdCpuBlock *block, uint32_t site, uint32_t warp,
                        uint32_t mask, uint32_t dim, const int64_t *indices,
                        int64_t extent);
  // The lanes arrive at barrier row `row` of n_threads threads, which a sync of
  // threads of several strands is.
  // All threads of the block are at a barrier of it.
  void (*check_block_sync)(struct HdCpuBlock *block);
  void (*check_arrive)(struct HdCpuBlock *block, uint32_t row, uint32_t warp,
                       uint32_t mask, uint32_t n_threads);
  // The lanes sync with those of the same part: equal numbers.
  void (*check_parts)(struct HdCpuBlock *block, uint32_t group, uint32_t warp,
                      uint32_t mask, const int32_t *parts);
  // The same of collectives, which order nothing in memory.
  void (*check_meet)(struct HdCpuBlock *block, uint32_t row, uint32_t warp,
                     uint32_t mask, uint32_t n_threads);
  void (*check_meet_parts)(struct HdCpuBlock *block, uint32_t group,
                           uint32_t warp, uint32_t mask, const int32_t *parts);
  // The halves of split barriers, likewise; the wait is over.
  void (*check_row_arrive)(struct HdCpuBlock *block, uint32_t row,
                           uint32_t warp, uint32_t mask, uint32_t n_threads);
  void (*check_row_wait)(struct HdCpuBlock *block, uint32_t row, uint32_t warp,
                         uint32_t mask, uint32_t n_threads);
  void (*check_parts_arrive)(struct HdCpuBlock *block, uint32_t group,
                             uint32_t warp, uint32_t mask,
                             const int32_t *parts);
  void (*check_parts_wait)(struct HdCpuBlock *block, uint32_t group,
                           uint32_t warp, uint32_t mask, const int32_t *parts);
  // The halves of barriers of the cluster or grid.
  void (*check_wide_half)(struct HdCpuBlock *block, uint32_t is_grid,
                          uint32_t warp, uint32_t mask, int32_t is_arrival);
  // The lanes begin to wait for the phase that is wanted (HD_CPU_WANTS_); not
  // 0: the one they mean is over. Then the wait is over.
  int32_t (*check_waiting)(struct HdCpuBlock *block, HdCpuMbarrier *barrier,
                           uint32_t warp, uint32_t mask, int32_t wanted,
                           int32_t what);
  void (*check_waited)(struct HdCpuBlock *block, HdCpuMbarrier *barrier,
                       uint32_t warp, uint32_t mask, int32_t wanted,
                       int32_t what);
  // A fence of the lanes: HD_CPU_FENCE_.
  void (*check_fence)(struct HdCpuBlock *block, uint32_t warp, uint32_t mask,
                      int32_t kind);
  // The lanes read variable `name`, which has no value yet.
  void (*check_value)(struct HdCpuBlock *block, uint32_t loc, uint32_t warp,
                      uint32_t mask, const char *name);
  // Signed numbers of `bits` bits, of 32 lanes: for some of the lanes the
  // result of the operation (HD_CPU_ADD …) may not have so many.
  void (*check_overflow)(struct HdCpuBlock *block, uint32_t loc, uint32_t warp,
                         uint32_t mask, uint32_t op, uint32_t bits,
                         const int64_t *a, const int64_t *b);
  // A value that is said to be the same for all threads of a group.
  void (*check_claim)(struct HdCpuBlock *block, const HdCpuClaim *claim);
  void (*check_clause)(struct HdCpuBlock *block, const HdCpuClause *clause);
  // As trap, for misuse that `text` describes.
  void (*fault)(struct HdCpuBlock *block, uint32_t loc, int32_t thread,
                const char *text);
  // Likewise: `count` elements from `first`, of a view or an element that is
  // accessed, are outside of what `where` names, which has `extent`.
  void (*outside)(struct HdCpuBlock *block, uint32_t loc, int32_t thread,
                  const char *where, int32_t is_element, int64_t first,
                  int64_t count, int64_t extent);
  // Every lane of `lanes` arrives `count` times, in order; `thread` is that of
  // lane 0. tokens[lane], unless NULL, is the phase before. With `drops` later
  // phases expect so many arrivals fewer.
  void (*mbar_arrive)(struct HdCpuBlock *block, HdCpuMbarrier *barrier,
                      int32_t count, int32_t drops, uint32_t lanes,
                      int32_t thread, uint32_t loc, int32_t *tokens);
  // The phase waits for bytes more; `times` threads say so.
  void (*mbar_expect)(struct HdCpuBlock *block, HdCpuMbarrier *barrier,
                      int32_t bytes, int32_t times, int32_t thread,
                      uint32_t loc);
  // Performs what the barrier waits for; its phase.
  int32_t (*mbar_poll)(struct HdCpuBlock *block, HdCpuMbarrier *barrier);
  // The same element in the cluster's block of rank `rank`.
  HdCpuMbarrier *(*mbar_remote)(struct HdCpuBlock *block,
                                HdCpuMbarrier *barrier, int32_t rank,
                                int32_t thread, uint32_t loc);
  void (*copy)(struct HdCpuBlock *block, const HdCpuCopy *copy);
  // Closes the sets of HD_CPU_COPY_SET, _BULK or _MATRIX of these lanes.
  void (*copy_commit)(struct HdCpuBlock *block, uint32_t kind, uint32_t strand,
                      uint32_t lanes);
  // All but the newest n sets (GROUP: copies of the group) have landed then.
  void (*copy_wait)(struct HdCpuBlock *block, uint32_t kind, uint32_t strand,
                    uint32_t lanes, uint32_t group, int64_t n, uint32_t loc);
  // `threads` more of the cluster's (or grid's) have arrived; the generation
  // before. The last one raises *block->wide[is it the grid's?].
  int32_t (*wide_arrive)(struct HdCpuBlock *block, uint32_t which,
                         int32_t threads); // HD_CPU_WIDE_ bits

  // Lanes of `mask` access memory through a plain pointer: at one address, or
  // anywhere (32 addresses). Those outside of its memory stop the launch.
  void (*reach_same)(struct HdCpuBlock *block, uint32_t site, uint32_t warp,
                     uint32_t mask, uint64_t address);
  void (*reach_lanes)(struct HdCpuBlock *block, uint32_t site, uint32_t warp,
                      uint32_t mask, const uint64_t *addresses);

  // Nanoseconds of a clock that never runs backwards, the same one for all
  // threads of the process.
  int64_t (*nanoseconds)(void);
} HdCpuServices;

// A place in the program that accesses memory.
enum {
  HD_CPU_WRITES = 1,
  HD_CPU_ATOMIC = 2,
  HD_CPU_BLOCK_SCOPE = 4,
  HD_CPU_ASYNC = 8,
  HD_CPU_RMW = 16,
  HD_CPU_ACQUIRES = 32,
  HD_CPU_RELEASES = 64,
  HD_CPU_ENDS = 128, // no access: the block's memory ends
};

typedef struct HdCpuSite {
  uint32_t loc;   // index into HdCpuKernel.locs
  uint32_t flags; // HD_CPU_ bits
  uint32_t size_bytes, align_bytes;
  int32_t array;  // row of HdCpuKernel.arrays, -1: through a pointer
  uint32_t loops; // bits by HdCpuClauseInfo.loop: those that it is in
} HdCpuSite;

enum { HD_CPU_MAX_RANK = 8 };

typedef enum {
  HD_CPU_ARRAY_PARAM,   // where: first argument slot; extents, strides follow
  HD_CPU_ARRAY_POINTER, // where: argument slot; the extent is not known
  HD_CPU_ARRAY_SHARED,  // where: offset from HdCpuBlock.shared
  HD_CPU_ARRAY_GLOBAL,  // where: row of HdCpuLaunch.globals
  HD_CPU_ARRAY_TABLE,   // as PARAM, but the slot has the address of a table of
                        // addresses; extent 0 is how many there are
} HdCpuArrayKind;

// An array that threads share, for reports and checks.
typedef struct HdCpuArray {
  const char *name;
  uint32_t kind; // HdCpuArrayKind
  uint32_t rank;
  uint32_t element_bytes;
  uint32_t cell_bytes; // of the smallest access that is expected
  uint32_t is_never_written;
  uint32_t n_instances;   // SHARED
  uint32_t marks_barrier; // SHARED: says which mbarriers are initialised
  uint64_t where;
  uint64_t size_bytes;              // SHARED: of an instance; GLOBAL
  int64_t extents[HD_CPU_MAX_RANK]; // SHARED, GLOBAL; -1: not constant
} HdCpuArray;

// One launch; constant while it runs but for `stop`.
typedef struct HdCpuLaunch {
  const uint64_t *args; // slots, see IrParam
  int32_t grid[4];      // x, y, z, 0
  int32_t cluster[4];   // blocks of a cluster x, y, z, 0
  int64_t n_blocks;
  void *const *globals; // addresses of the file-scope objects, by object id
  char **resident;      // shared memory by linear block number, if the kernel
                        // syncs the grid: set when the block starts
  const HdCpuServices *services;
  // By row of HdCpuKernel.arrays, of plain pointers: the address where their
  // memory begins, and its bytes.
  const uint64_t *reach;
  // By row of HdCpuKernel.arrays, of programs compiled with checks: 1 where
  // nothing writes to the array, under any name, and no element is misaligned.
  // Loads of its elements needn't be told.
  const uint64_t *quiet;
  int32_t stop;            // set (atomically) when the launch is to end early
  int32_t compares_stores; // what is stored has to be told: check_stored
} HdCpuLaunch;

// What a suspended strand waits for.
enum {
  HD_CPU_WAIT_TURN,    // nothing: a loop that looks at memory
  HD_CPU_WAIT_BARRIER, // `row` of HdCpuKernel.barriers
  HD_CPU_WAIT_TOKEN,   // the same, behind an arrive
  HD_CPU_WAIT_CLUSTER, // wide barriers
  HD_CPU_WAIT_GRID,
  HD_CPU_WAIT_MBARRIER,  // `object` is the HdCpuMbarrier
  HD_CPU_WAIT_SEMAPHORE, // until *word == value
  HD_CPU_WAIT_COALESCED, // `object` is an HdCpuCoalesced
};

// A thread at coalesced_threads() where every lane is a strand: who of its warp
// is at the same place in the same turn of all loops is known once nobody can
// go on otherwise. keys: places and turns of the loops around it, from outside
// in, the place itself, and which part of the current group it is; they compare
// from the first to the last.
typedef struct HdCpuCoalesced {
  int32_t is_known; // set with `lanes`
  uint32_t lanes;   // of the warp
  uint32_t n_keys;
  int32_t keys[];
} HdCpuCoalesced;

// It may go on when *word != value (acquire), SEMAPHORE: == value, or, with
// word == NULL, at its next turn.
typedef struct HdCpuWait {
  const int32_t *word;
  void *object;
  int32_t value;
  uint32_t kind;
  uint32_t loc; // of the statement, index into HdCpuKernel.locs
  uint32_t row;
} HdCpuWait;

// A barrier of one group instance. Each strand adds its threads; the one that
// completes the count sets arrived to 0, adds 1 to generation and goes on.
typedef struct HdCpuBarrier {
  int32_t arrived;
  int32_t generation;
  int32_t expected; // where HdCpuBarrierInfo.size is 0: set by who arrives
  int32_t reserved;
} HdCpuBarrier;

// One running block. Zeroed barriers and a fresh wait table at its start;
// shared memory is not cleared.
typedef struct HdCpuBlock {
  const HdCpuLaunch *launch;
  int32_t index[4]; // block index x, y, z, 0: set by the runtime for kernels
                    // that block, unused by run_range
  // Linear number of the running block, x fastest. run_range stores it before
  // it calls `trap` or `print`; for other kernels the runtime sets it.
  int64_t linear;
  char *shared; // 128-byte aligned, HdCpuKernel.shared_bytes (+ dynamic)
  HdCpuBarrier *barriers;
  HdCpuWait *waits; // one a strand
  // Counts what may let somebody go on: generated code adds 1 at each
  // completed barrier and, in kernels that yield, when a strand suspends that
  // wrote to memory.
  uint64_t progress;
  void *worker; // the runtime's own
  void *check;  // likewise
  // Clusters; set for kernels with strands. All shared memory of a cluster
  // lies in one piece, block after block.
  int32_t cluster_rank, cluster_size;
  char *cluster_shared;   // of the block of rank 0
  uint64_t shared_stride; // bytes from block to block
  int64_t cluster_number; // which cluster of the grid
  const int32_t *wide[2]; // generations of the cluster's and grid's barrier
} HdCpuBlock;

// Lanes [lane_begin, lane_end) of one warp.
typedef struct HdCpuStrand {
  int32_t warp;
  int16_t lane_begin, lane_end;
} HdCpuStrand;

typedef struct HdCpuBarrierInfo {
  const char *group; // "block", "thread_group(0, 64)"
  int32_t begin;     // block rank of the first thread of instance 0, or -1
  int32_t size;      // threads that take part; 0: HdCpuBarrier.expected
} HdCpuBarrierInfo;

// An array of mbarriers in shared memory, initialised before a block starts.
typedef struct HdCpuMbarrierInfo {
  const char *name;
  uint64_t offset_bytes; // from HdCpuBlock.shared
  uint32_t n_elements;
  int32_t arrivals;
  uint32_t loc;
  uint32_t rank; // dimensions of the array
  uint32_t n_sources;
  uint32_t reserved;
  const uint32_t *sources; // places that arrive on it or copy for it
} HdCpuMbarrierInfo;

// The symbol `hd_kernel` of an object file: all that the runtime needs.
typedef struct HdCpuKernel {
  uint32_t abi_version;
  uint32_t n_strands; // 0: run_range is set, start is not
  const char *name;
  const char *file;
  // Blocks [first, last) in linear order. block->shared is valid.
  void (*run_range)(const HdCpuLaunch *launch, HdCpuBlock *block, int64_t first,
                    int64_t last);
  // Starts strand `strand` of block->index and runs it until it first
  // suspends (returns its frame) or ends (returns NULL). A frame starts with
  // its resume function, void (*)(void *frame), which is NULL once it ended.
  void *(*start)(const HdCpuLaunch *launch, HdCpuBlock *block, int32_t strand);
  const HdCpuStrand *strands;
  const HdCpuBarrierInfo *barriers;
  const char *const *locs; // "file.hd:12:5", index 0 is "unknown place"
  uint32_t n_barriers;
  uint32_t n_locs;
  int32_t block_dim[4];   // x, y, z, 0
  uint64_t shared_bytes;  // without an array sized at launch
  uint64_t private_bytes; // stack that one call may need at most
  uint32_t does_yield;    // has loops that wait for memory
  uint32_t has_checks;    // calls the check services
  const HdCpuSite *sites;
  const HdCpuArray *arrays;
  uint32_t n_sites;
  uint32_t n_arrays;
  uint32_t syncs_grid; // all blocks are resident
  uint32_t n_mbarriers;
  const HdCpuMbarrierInfo *mbarriers;
  uint32_t copy_kinds;    // bits by HD_CPU_COPY_; 0: there are no copies
  uint32_t n_copy_groups; // groups that copy together, by HdCpuCopy.group
  uint32_t n_clauses;
  uint32_t scratch_bytes; // of shared_bytes: the compiler's own
  uint32_t is_of_tiles;   // reports name blocks: their threads are lanes
  int32_t cluster_dim[4]; // of the kernel's clause, or zeros
  const HdCpuClauseInfo *clauses;
} HdCpuKernel;

// Object files that were made before have these sizes in them: another one
// needs another HD_CPU_ABI_VERSION.
static_assert(sizeof(HdCpuMbarrier) == 32 && sizeof(HdCpuBarrier) == 16 &&
                  sizeof(HdCpuWait) == 32 && sizeof(HdCpuBlock) == 128 &&
                  sizeof(HdCpuLaunch) == 96 && sizeof(HdCpuServices) == 328,
              "what blocks use has the layout of HD_CPU_ABI_VERSION");
static_assert(sizeof(HdCpuCopy) == 472 && sizeof(HdCpuTurns) == 40 &&
                  sizeof(HdCpuClaim) == 56 && sizeof(HdCpuClause) == 40,
              "what services take has the layout of HD_CPU_ABI_VERSION");
static_assert(sizeof(HdCpuKernel) == 200 && sizeof(HdCpuSite) == 24 &&
                  sizeof(HdCpuArray) == 120 && sizeof(HdCpuStrand) == 8 &&
                  sizeof(HdCpuBarrierInfo) == 16 &&
                  sizeof(HdCpuMbarrierInfo) == 48 &&
                  sizeof(HdCpuClauseInfo) == 20,
              "tables of kernels have the layout of HD_CPU_ABI_VERSION");

#endif
