// SPDX-License-Identifier: Apache-2.0
// The dynamic race detector: happens-before between all threads of a launch
// by vector clocks, last accesses of every cell of memory (FastTrack: Flanagan
// and Freund, PLDI 2009).
//
// Time is one counter for the whole launch; a thread's clock is the time of its
// last release (barrier, arrival, releasing atomic). An access is remembered
// with its epoch (block, thread, clock); it comes before what thread t does now
// if t knows that thread up to that clock. Lanes of a warp are threads like
// others: nothing is ordered because they run in step. An asynchronous copy is
// an access of an *agent*, a thread of its own that its waits make known.
//
// One thread of the host at a time may use a detector. All memory is its own;
// running out of it ends the detection (race_failed), never the process.
#ifndef HD_RT_CPU_RACE_H
#define HD_RT_CPU_RACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Race Race;
typedef struct RaceBlock RaceBlock;

#define RACE_MAX_RANK 8

// Bits of an access' kind.
enum {
  RACE_WRITES = 1,
  RACE_ATOMIC = 2,
  RACE_BLOCK_SCOPE = 4, // atomic for its own block only
  RACE_ASYNC = 8,       // by the copy engine
  RACE_RMW = 16,        // atomic: reads and writes
};

// A place in the program that accesses memory.
typedef struct {
  const char *place; // "file.hd:12:5"
  uint32_t kind;     // RACE_ bits
  uint32_t size_bytes;
  bool acquires, releases;
  bool ends; // no access: the block ends, and its shared memory
  const struct RaceArray *array; // by which it names elements, or NULL
} RaceSite;

// Memory that threads share, with what is needed to name an element of it.
typedef struct RaceArray {
  const char *name;
  const char *space; // "shared", "global"
  uint64_t base, size_bytes;
  uint32_t element_bytes;
  uint32_t cell_bytes; // smallest access that is expected: 1, 2, 4 or 8
  uint32_t rank;
  int64_t extents[RACE_MAX_RANK], strides[RACE_MAX_RANK]; // elements
  bool is_never_written;                                  // reads aren't kept
  bool marks_barrier; // says which elements of the mbarrier are initialised
  // Holds nothing until it is written: reading before is reported.
  bool starts_empty;
} RaceArray;

// Memory that the detectors of launches after each other keep; zeroed at first.
// race_memory_fini frees it.
enum { RACE_KEPT_MAPS = 32 };

#define RACE_KEPT_BYTES (UINT64_C(128) << 20)

typedef struct {
  char *memory;
  uint64_t bytes;
} RaceMap;

typedef struct {
  uint32_t count;
  uint64_t bytes;
  RaceMap maps[RACE_KEPT_MAPS]; // the oldest first
} RaceMemory;

void race_memory_fini(RaceMemory *memory);

typedef struct {
  uint32_t n_threads; // of a block
  uint32_t n_agents;  // of a block
  uint32_t max_reports;
  bool shared_is_private;   // no block reaches another's shared arrays
  bool is_of_tiles;         // threads are nothing that the program knows
  const int32_t *grid;      // 3 numbers
  const int32_t *block_dim; // 3 numbers
  const RaceSite *sites;    // all that accesses come from; not copied
  uint32_t n_sites;
  RaceMemory *memory; // NULL: nothing is kept
  bool is_narrow;     // without AVX-512, for comparison
} RaceConfig;

// What was released at some time; zero: nothing.
typedef struct {
  struct RaceKnow *know;
  uint32_t block;
} RaceSync;

// NULL when memory is out, or for more than 1024 threads, or 4096 with agents.
Race *race_new(const RaceConfig *config);
void race_free(Race *race);
bool race_failed(const Race *race); // memory ran out: results are incomplete

// An array of the launch; its number, or -1 when memory is out.
int32_t race_add_array(Race *race, const RaceArray *array);

// A block starts. Its shared arrays: the same list for every block, `base`
// relative to `shared`. NULL when memory is out. race_block_end frees it; the
// addresses may then be given to the next block.
RaceBlock *race_block_start(Race *race, int64_t linear, uint64_t shared,
                            const RaceArray *arrays, uint32_t n_arrays);
void race_block_end(RaceBlock *block);

// ------------------------------------------------------------- accesses

// Lanes `mask` of a warp access size_bytes each at their address. Lanes whose
// bytes are in no array known, or reach beyond their array, are returned (and
// not checked further).
uint32_t race_access(RaceBlock *block, const RaceSite *site, uint32_t warp,
                     uint32_t mask, const uint64_t *addresses);
// The same for addresses base + lane * step.
uint32_t race_access_row(RaceBlock *block, const RaceSite *site, uint32_t warp,
                         uint32_t mask, uint64_t base, int64_t step);

// Rows of 2^period_log2 lanes, at least 4: `step` bytes from lane to lane,
// row_bytes from row to row.
typedef struct {
  uint64_t base;
  int64_t step, row_bytes;
  uint32_t period_log2;
} RaceRows;

void race_rows_addresses(const RaceRows *rows, uint64_t *addresses);
// The same for rows; false: they are not simple enough, nothing was done.
bool race_access_rows(RaceBlock *block, const RaceSite *site, uint32_t warp,
                      uint32_t mask, const RaceRows *rows);
// The same for one address.
uint32_t race_access_same(RaceBlock *block, const RaceSite *site, uint32_t warp,
                          uint32_t mask, uint64_t address);

// A read of a loop, as its first turn makes it; each turn makes it turn_bytes
// further on. All lanes are one row if period_log2 is 5: one address for a step
// of 0.
typedef struct {
  const RaceSite *site;
  RaceRows rows;
  int64_t turn_bytes;
} RaceTurns;

// n_turns turns of n_reads reads each, as if they were told one by one; false:
// something may be wrong, and they have to be. In between the lanes make no
// other access of memory that these reads can reach.
bool race_access_turns(RaceBlock *block, uint32_t warp, uint32_t mask,
                       const RaceTurns *reads, uint32_t n_reads,
                       uint32_t n_turns);
// size_bytes from `address` are accessed by an agent for `warp`'s lanes
// `mask`, any of which may do any part. False: outside.
bool race_access_agent(RaceBlock *block, const RaceSite *site, uint32_t warp,
                       uint32_t mask, uint32_t agent, uint32_t clock,
                       uint64_t address, uint64_t size_bytes);
// Likewise, behind all that the agent did until its clock was `before`; 0: it
// may do it at the same time.
bool race_access_behind(RaceBlock *block, const RaceSite *site, uint32_t warp,
                        uint32_t mask, uint32_t agent, uint32_t before,
                        uint32_t clock, uint64_t address, uint64_t size_bytes);
// Reads of these bytes are of no concern to anybody.
bool race_is_quiet(RaceBlock *block, const RaceSite *site, uint64_t address,
                   uint64_t size_bytes);

// What lanes of a warp store, if it is to be compared: 32 values for each part
// of the element, part_bytes apiece, one part after the other.
typedef struct {
  const uint8_t *values;
  uint32_t part_bytes;
  uint32_t done; // lanes that are in the history already
  uint64_t addresses[32];
} RaceStore;

// Says what the next accesses store until it is called with NULL. Memory must
// hold what was stored before, and not yet this. Stores of equal bytes to one
// cell are no races then.
void race_store_begin(RaceBlock *block, RaceStore *store);

// --------------------------------------------------------------- ordering

// A barrier that the threads `members` (a bit each, n_threads of them) have
// all reached; NULL: the whole block.
void race_sync(RaceBlock *block, const uint32_t *members);
// The same for threads of one warp.
void race_sync_warp(RaceBlock *block, uint32_t warp, uint32_t mask);
// Threads that waited for each other, and have learnt nothing of what was
// written: a collective. What all did before has happened before what each of
// them does next. `members` as above, of one block.
void race_meet(RaceBlock *const *blocks, uint32_t n_blocks,
               const uint32_t *members);
void race_meet_warp(RaceBlock *block, uint32_t warp, uint32_t mask);
void race_sync_cluster(RaceBlock *const *blocks, uint32_t n_blocks);
void race_sync_grid(RaceBlock *const *blocks, uint32_t n_blocks);
// What the thread knows is added to `sync`; and the other way.
void race_release(RaceBlock *block, uint32_t thread, RaceSync *sync);
void race_acquire(RaceBlock *block, uint32_t thread, const RaceSync *sync);
void race_sync_clear(Race *race, RaceSync *sync);
// The same for lanes of one warp, which mostly know the same.
void race_release_warp(RaceBlock *block, uint32_t warp, uint32_t mask,
                       RaceSync *sync);
void race_acquire_warp(RaceBlock *block, uint32_t warp, uint32_t mask,
                       const RaceSync *sync);
// Whoever released what is in `from` did so before `sync` was complete, though
// nothing of it is known to those who acquire it.
void race_sync_cause(RaceBlock *block, RaceSync *sync, const RaceSync *from);
// All that was released into `sync` has happened before what the thread does.
bool race_knows(const RaceBlock *block, uint32_t thread, const RaceSync *sync);
// What the thread does next is at this clock.
uint32_t race_thread_clock(const RaceBlock *block, uint32_t thread);
// The thread had got to that clock before `sync` was complete.
bool race_sync_is_after(const RaceBlock *block, const RaceSync *sync,
                        uint32_t thread, uint32_t clock);
// The agent's accesses up to `clock` are known to whoever acquires `sync`, or
// to the thread.
void race_agent_release(RaceBlock *block, uint32_t agent, uint32_t clock,
                        RaceSync *sync);
void race_agent_known(RaceBlock *block, uint32_t thread, uint32_t agent,
                      uint32_t clock);
// A clock for an agent's next access: later than all that was.
uint32_t race_agent_clock(Race *race);
// is_near: one that orders threads of the block only.
void race_fence(RaceBlock *block, uint32_t warp, uint32_t mask, bool is_near);
// One of the whole device, which is in one order with all others.
void race_fence_all(RaceBlock *block, uint32_t warp, uint32_t mask);
// What the thread knows reaches the copy engine from now on.
void race_fence_async(RaceBlock *block, uint32_t warp, uint32_t mask);

// ---------------------------------------------------------------- reports

uint32_t race_n_reports(const Race *race); // at most max_reports
uint64_t race_n_found(const Race *race);   // also those not told
const char *race_report(const Race *race, uint32_t number);
// Adds a report of another kind ("error[HD0701]: …"), once for each `key`.
void race_add_report(Race *race, uint64_t key, const char *text);
bool race_has_report(const Race *race, uint64_t key);
// "a[3][4]", "x[17]", by the site's array if it has one; "address 0x…" for
// memory that no array holds.
void race_name_element(const RaceBlock *block, const RaceSite *site,
                       uint64_t address, char *text, size_t size);
// "thread 37 of block (1, 0, 0)"
void race_name_thread(const RaceBlock *block, uint32_t thread, char *text,
                      size_t size);
// The same for a block by its linear number, which need not run any more.
void race_name_thread_of(const Race *race, uint32_t block, uint32_t thread,
                         char *text, size_t size);
// Bytes of bookkeeping, and elements of which at least one cell was kept (those
// of arrays that are never written aren't). Takes a walk over all arrays.
uint64_t race_bytes(const Race *race);
uint64_t race_touched_elements(const Race *race);

#endif
