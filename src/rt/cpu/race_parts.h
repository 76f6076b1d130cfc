// SPDX-License-Identifier: Apache-2.0
// What the files of the race detector share.
#ifndef HD_RT_CPU_RACE_PARTS_H
#define HD_RT_CPU_RACE_PARTS_H

#include "rt/cpu/race.h"
#include <string.h>

// ---------------------------------------------------------------- clocks

// What of a block's threads, and of others, is known: never changed once it is
// shared. `floor`: every thread of the block up to that clock. Above it
// `clocks`, by thread, if has_clocks.
typedef struct RaceKnow RaceKnow;

typedef struct {
  uint32_t block;
  RaceKnow *know; // of that block; its own `others` don't count
} RaceOther;

struct RaceKnow {
  uint32_t refs;
  uint32_t floor;
  uint32_t n_others, others_capacity;
  RaceOther *others; // ascending by block
  RaceKnow *proxy;   // what of it reaches the copy engine, or NULL: nothing
  RaceKnow *causes;  // what has happened before, or NULL: only what is known
  RaceKnow *fenced;  // what came before a fence of all, or NULL
  RaceKnow *seen;    // what flags that were read left of such, or NULL
  RaceKnow *base;    // the same but for agent `more`, known better; or NULL
  RaceKnow *next_free;
  uint32_t more;
  bool has_clocks;
  uint32_t slots[]; // agents, then threads
};

// ---------------------------------------------------------------- shadow

enum {
  RACE_MAX_SITES = 1 << 15,
  RACE_MAX_WHO = 1 << 12,
  RACE_KINDS = 31,
  RACE_LAST_TIME = INT32_MAX, // signed, for comparisons by vectors
  RACE_MAX_SYNC = (1 << 29) - 1,
  RACE_MAX_CELLS = (1 << 27) - 1,
};

// Small, because there are two for every cell of memory.
typedef struct {
  uint32_t block, clock; // clock 0: no access
  uint32_t site : 15;    // number in RaceConfig.sites
  uint32_t kind : 5;
  uint32_t who : 12; // thread, or n_threads + agent
} RaceEpoch;

enum { RACE_WHAT_BITS = 20 };

// `what`: site and kind as they lie in an epoch. Written by words: what is
// stored in parts has to be waited for to be read as a whole.
static inline RaceEpoch race_epoch(uint32_t block, uint32_t clock,
                                   uint32_t what, uint32_t who) {
  uint32_t words[3] = {block, clock, what | who << RACE_WHAT_BITS};
  RaceEpoch epoch;
  memcpy(&epoch, words, sizeof epoch);
  return epoch;
}

static inline uint32_t race_what(uint32_t site, uint32_t kind) {
  return (site & (RACE_MAX_SITES - 1)) | (kind & RACE_KINDS) << 15;
}

// Accesses of several threads of one block at one clock.
typedef struct {
  uint32_t next; // in the cell's list; 0: the last
  uint32_t block, clock, site;
  uint16_t kind;
  uint16_t first;   // a thread of the set
  uint32_t members; // number of its bitmap, 0: only `first`
} RaceRecord;

// One cell of memory. Reads and atomic accesses that no later access covers
// are `other` and the list behind `records`.
typedef struct {
  RaceEpoch write, other;
  RaceEpoch update;   // comes after all atomic accesses so far, or clock 0
  uint32_t records;   // 0: none
  uint32_t sync : 29; // number of the RaceSync that atomics released into; 0
  // Of the records, since there are any: plain reads, block scope, atomic
  // writes.
  uint32_t has_plain : 1, has_narrow : 1, has_writes : 1;
} RaceCell;

// Which lanes of a warp access cell i of a chunk, or who does.
typedef enum {
  RACE_ROW,   // lane i + arg
  RACE_LANES, // lanes `arg`
  RACE_EACH,  // lanes race->lanes[arg].of[i]; none for cells that aren't its
  RACE_AGENT, // the agent arg
  RACE_WHO,   // one thread or agent each: race->lanes[arg].of[i]
} RaceForm;

// The plain accesses of some neighbouring cells from one place of the program
// at one clock, by the same lanes of each of some warps.
typedef struct {
  uint32_t block, clock;
  uint32_t what;  // site and kind, and from RACE_WHAT_BITS on the RaceForm
  uint32_t cells; // not 0
  uint32_t warps; // 0: RACE_AGENT and _WHO, or nobody that matters
  uint32_t arg;
} RaceEntry;

static inline RaceForm race_form(const RaceEntry *e) {
  return (RaceForm)(e->what >> RACE_WHAT_BITS);
}

static inline uint32_t race_kind(const RaceEntry *e) {
  return e->what >> 15 & RACE_KINDS;
}

enum {
  RACE_CHUNK_LOG2 = 5,
  RACE_CHUNK = 1 << RACE_CHUNK_LOG2, // cells, one for each lane of a warp
  RACE_NEAR_ENTRIES = 2,             // a chunk's that lie in it
#ifdef HD_STRESS
  RACE_ENTRIES = 3,
#else
  RACE_ENTRIES = 10,
#endif
  RACE_FAR_ENTRIES = RACE_ENTRIES - RACE_NEAR_ENTRIES,
};

// 32 neighbouring cells: Note [Chunks] in race_chunk.c. A line of the cache:
// most have one entry or two.
typedef struct {
  uint32_t start;       // its owner's, when entries or cells were made
  uint32_t settled;     // its owner's, when forget_settled was last at it
  uint32_t touched;     // cells that were, ever
  uint32_t cells : 27;  // number of its RaceCells, in place of entries; 0: none
  uint32_t has_far : 1; // had more entries than lie in it, ever
  uint32_t n : 4;       // entries
  RaceEntry near[RACE_NEAR_ENTRIES];
} RaceChunk;

_Static_assert(sizeof(RaceChunk) == 64, "a chunk is a line of the cache");

typedef struct {
  RaceEntry of[RACE_FAR_ENTRIES];
} RaceFar;

typedef struct {
  RaceCell of[RACE_CHUNK];
} RaceCells;

typedef struct {
  uint32_t of[RACE_CHUNK];
} RaceLanes;

typedef struct {
  RaceArray info; // base is the address
  uint32_t cell_log2;
  uint64_t n_chunks;
  RaceChunk *chunks;
  RaceFar *far; // of each chunk; mapped behind the chunks
  uint64_t mapped_bytes;
  RaceBlock *owner; // of shared memory
  uint32_t *words;  // one for each cell, or NULL: Note [Quick words]
} RaceShadow;

typedef struct {
  RaceKnow *know; // this and clock only if the views don't say it
  uint32_t clock;
  RaceKnow *fence_release; // what relaxed stores publish
  RaceSync fence_acquire;  // what relaxed loads have seen
  RaceKnow *near_release;  // the same within the block: by fences of any scope
  RaceSync near_acquire;
} RaceThread;

// What all threads of a warp, or of a block, have in common if is_same. It is
// then the only place that says so (Note [Shared views] in race_clock.c).
typedef struct {
  RaceKnow *know;
  uint32_t clock;
  bool is_same;
} RaceView;

// What the atomic accesses of one cell released: to all, and to threads of the
// block that released it (RaceNear, in its block).
typedef struct {
  RaceSync wide;
  uint32_t generation; // stores that ended what others released
} RaceCellSync;

typedef struct {
  uint32_t cell_sync; // number in race->syncs; 0: none
  uint32_t generation;
  RaceSync sync;
} RaceNear;

// Note [Quick words] in race_quick.c
typedef struct {
  bool is_on;     // until the next barrier of all, or race_quick_leave
  bool was_left;  // chunks know of cells what words don't
  bool has_words; // some array has
  uint32_t time;  // of this interval
  uint64_t *log;  // what was done in it
  uint32_t n_logged, log_capacity;
} RaceQuick;

struct RaceBlock {
  Race *race;
  RaceBlock *next; // blocks that run
  uint32_t number;
  uint32_t start;    // time when it began
  uint32_t settled;  // time of its last barrier of all threads
  bool has_released; // somebody may know what it did
  bool has_fences;   // threads may have fence_release or what is beside it
  RaceNear *near;    // by a hash of cell_sync; near_slots is a power of two
  uint32_t n_near, near_slots;
  RaceView whole;
  RaceView *warps;
  RaceThread *threads;
  RaceShadow *shadows; // of its shared arrays
  uint32_t n_shadows;
  RaceStore *store; // what is being stored; NULL: isn't known
  RaceQuick quick;
};

typedef struct {
  uint64_t key;
  char *text;
} RaceText;

// What a site's accesses have in common with each other.
typedef struct {
  RaceShadow *last; // the array of its last access, or NULL
  uint32_t number;  // of the first site like it, if is_known
  bool is_known;
  bool is_plain; // rows of `last` can be race_chunk_row's
} RaceSiteState;

struct Race {
  RaceConfig config;
  int32_t grid[3], block_dim[3];
  uint32_t time, grid_floor;
  bool failed;
  bool is_wide;        // race_has_wide, unless it isn't to be used
  RaceShadow *shadows; // of global arrays, ascending by base
  uint32_t n_shadows, shadow_capacity;
  RaceBlock *running;
  RaceBlock *spare; // ended ones, with their memory
  // By block number: it ended without a release.
  uint8_t *eternal;
  uint32_t eternal_capacity; // blocks
  RaceKnow *free_knows;
  RaceKnow *nothing;
  RaceSiteState *sites; // one for each of config.sites
  RaceCells *cells;
  uint32_t n_cells, cells_capacity, free_cells;
  RaceLanes *lanes;
  uint32_t n_lanes, lanes_capacity, free_lanes;
  RaceRecord *records;
  uint32_t n_records, record_capacity, free_record;
  uint32_t *bitmaps; // words of all bitmaps
  uint32_t n_bitmaps, bitmap_capacity, free_bitmap;
  RaceCellSync *syncs;
  uint32_t n_syncs, sync_capacity;
  RaceText *texts;
  uint32_t n_texts, text_capacity;
  uint64_t n_found, n_bytes, n_chunks, n_far;
  uint64_t n_intervals, n_left; // of all blocks: Note [Quick words]
  uint64_t unfit;               // shared arrays without words, by number
};

// Who accesses, from where, knowing what: a thread, lanes of a warp that know
// the same at the same clock, or an agent.
typedef struct {
  Race *race;
  RaceBlock *block;
  const RaceSite *site;
  RaceSiteState *state;
  uint32_t what; // race_what of the site
  RaceEpoch now;
  const RaceKnow *know;
  RaceThread *thread; // NULL: an agent
  uint32_t issuer;    // the thread whose past the agent knows, too, if any
} RaceActor;

// Memory of `bytes`, zeroed, counted; NULL sets failed.
void *race_alloc(Race *race, uint64_t bytes);
// Grows an array to hold one more; false sets failed.
bool race_reserve(Race *race, void *data, uint32_t count, uint32_t *capacity,
                  uint64_t element_bytes);

// race_know.c
RaceKnow *race_know_new(Race *race); // knows nothing; one reference
RaceKnow *race_know_copy(Race *race, const RaceKnow *from);
RaceKnow *race_know_keep(RaceKnow *know); // one reference more; NULL is fine
void race_know_drop(Race *race, RaceKnow *know);
// Adds what `from`, of block `from_block`, knows to `into`, of block `block`,
// which nobody shares yet.
void race_know_join(Race *race, RaceKnow *into, uint32_t block,
                    const RaceKnow *from, uint32_t from_block);
bool race_know_holds(const Race *race, const RaceKnow *know, uint32_t block,
                     const RaceEpoch *epoch);
// What `know`, of `block`, says of `other`'s threads; NULL: nothing.
const RaceKnow *race_know_about(const RaceKnow *know, uint32_t block,
                                uint32_t other);
// Those of a warp's lanes that `about`, which has clocks, knows up to `clock`.
uint32_t race_lanes_reaching(const Race *race, const RaceKnow *about,
                             uint32_t warp, uint32_t lanes, uint32_t clock);
// Adds to what *into says, from the view of `block`; NULL: nothing yet, or
// nothing to add.
void race_know_add(Race *race, RaceKnow **into, uint32_t block,
                   const RaceKnow *from, uint32_t from_block);
// A know of its own that holds what `know` says of threads and agents alone.
RaceKnow *race_know_plain(Race *race, const RaceKnow *know);
// What `from` holds has happened before, but isn't known; nobody shares `know`.
void race_know_add_causes(Race *race, RaceKnow *know, uint32_t block,
                          const RaceKnow *from, uint32_t from_block);
// What was added to `know`, which nobody shares yet, has happened, too.
void race_know_cover(Race *race, RaceKnow *know);
// Makes room for clocks by thread, all 0, if there is none.
void race_know_need_clocks(Race *race, RaceKnow *know);

// race_clock.c
// What the thread knows with its own past; one reference.
RaceKnow *race_know_own(RaceBlock *block, uint32_t thread);
// Adds `own`, of `block`, to the sync; adds one sync to another.
void race_sync_add(RaceBlock *block, RaceKnow *own, RaceSync *sync);
void race_sync_join(RaceBlock *block, RaceSync *into, const RaceSync *from);
// The next clock.
uint32_t race_tick(Race *race);
// All threads of the block forget what they know for `know`.
void race_set_whole(RaceBlock *block, RaceKnow *know, uint32_t clock);
// Makes the threads of the warp have their own know and clock.
void race_split(RaceBlock *block, uint32_t warp);
uint32_t race_all_lanes(const RaceBlock *block, uint32_t warp);

// What thread `thread` knows now, and its clock; borrowed.
static inline RaceView race_view(const RaceBlock *block, uint32_t thread) {
  if (block->whole.is_same)
    return block->whole;
  if (block->warps[thread / 32].is_same)
    return block->warps[thread / 32];
  return (RaceView){block->threads[thread].know, block->threads[thread].clock,
                    false};
}

static inline uint32_t *race_know_clocks(const Race *race, RaceKnow *know) {
  return know->slots + race->config.n_agents;
}

// race_shadow.c
bool race_shadow_open(Race *race, RaceShadow *shadow, const RaceArray *array,
                      uint64_t base, RaceBlock *owner);
void race_shadow_close(Race *race, RaceShadow *shadow);
// The array that holds the bytes, or NULL.
RaceShadow *race_shadow_find(const RaceBlock *block, uint64_t address,
                             uint64_t size_bytes);
// The same for an access of the site, which remembers it.
RaceShadow *race_site_find(const RaceBlock *block, const RaceSite *site,
                           uint64_t address, uint64_t size_bytes);
// Makes the cells as small as the access; false when memory is out.
bool race_shadow_refine(Race *race, RaceShadow *shadow, uint32_t cell_log2);
void race_records_free(Race *race, RaceCell *cell);
// Numbers; 0: memory is out. Zeroed.
uint32_t race_record_new(Race *race);
uint32_t race_bitmap_new(Race *race);
uint32_t race_cells_new(Race *race);
uint32_t race_lanes_new(Race *race);
// Of cells without records.
void race_cells_free(Race *race, uint32_t number);
void race_lanes_free(Race *race, uint32_t number);

static inline uint64_t race_cell_address(const RaceShadow *shadow,
                                         uint64_t index) {
  return shadow->info.base + (index << shadow->cell_log2);
}

static inline RaceEntry *race_entry(const RaceShadow *shadow, RaceChunk *chunk,
                                    uint32_t i) {
  return i < RACE_NEAR_ENTRIES
             ? &chunk->near[i]
             : &shadow->far[chunk - shadow->chunks].of[i - RACE_NEAR_ENTRIES];
}

// race_cell.c
void race_cell_access(RaceActor *a, const RaceShadow *shadow, uint64_t index,
                      RaceCell *cell);
// The same for lanes of a warp, after another.
void race_cell_lanes(RaceActor *a, const RaceShadow *shadow, uint64_t index,
                     RaceCell *cell, uint32_t warp, uint32_t lanes);
// The order that the actor's atomic access makes.
void race_cell_order(RaceActor *a, RaceCell *cell);
// Adds an access that was checked.
void race_cell_add(RaceActor *a, RaceCell *cell);
// It was of an owner that has ended.
void race_cell_forget(Race *race, RaceCell *cell);
bool race_is_fenced(const RaceActor *a, const RaceEpoch *before);

// race_equal.c
// The actor stores what the last one, `write`, has left in the cell.
bool race_stores_equal(const RaceActor *a, const RaceShadow *shadow,
                       uint64_t address, const RaceEpoch *write);

static inline bool race_is_plain_write(uint32_t kind) {
  return kind == RACE_WRITES;
}

// race_chunk.c
// One access of cells of a chunk: `now` with its lanes if its form is
// RACE_EACH. No cell is written by two lanes. The actor is `now`'s first.
void race_chunk_access(RaceActor *a, RaceShadow *shadow, uint64_t index,
                       const RaceEntry *now, const uint32_t *lanes);
// Lanes of a row, `now` but for cells and arg, access cells from `first`, lane
// 0's, on; false: nothing was done, because others have been there. Of memory
// that has no owner, is written and starts with values, while no stores are
// compared.
bool race_chunk_row(Race *race, const RaceShadow *shadow, const RaceEntry *now,
                    uint32_t lanes, int64_t first);
// The cells of a chunk, one by one from now on; NULL: memory is out.
RaceCell *race_chunk_cells(Race *race, RaceShadow *shadow, uint64_t index);
// Its cells were touched.
void race_chunk_touch(Race *race, RaceChunk *chunk, uint32_t cells);

static inline uint32_t *race_bitmap(const Race *race, uint32_t number) {
  uint32_t words = (race->config.n_threads + 31) / 32;
  return race->bitmaps + (uint64_t)number * words;
}

static inline bool race_is_eternal(const Race *race, uint32_t block) {
  return block < race->eternal_capacity && race->eternal[block];
}

// The cells that hold something, of a chunk without atomic accesses.
uint32_t race_chunk_held(const Race *race, const RaceShadow *shadow,
                         uint64_t index);
// All that was done to it is settled; it, and `held`, holds something that was
// written up to `clock` (0: nothing was).
void race_chunk_settle(Race *race, RaceShadow *shadow, uint64_t index,
                       uint32_t clock, uint32_t held);

// race_quick.c
bool race_quick_open(Race *race, RaceShadow *shadow);
void race_quick_close(RaceShadow *shadow);
uint64_t race_quick_touched(const RaceShadow *shadow, uint64_t chunk);
// The block starts; an interval of it does.
void race_quick_start(RaceBlock *block);
void race_quick_interval(RaceBlock *block);
// The chunks go on, knowing all.
void race_quick_leave(RaceBlock *block);
// The array is accessed by more than plain accesses of threads.
void race_quick_forbid(RaceShadow *shadow);
// As race_access and the like, for lanes (not none) of which none is outside.
// Only while quick.is_on; false: nothing was done, and chunks must go on.
bool race_quick_same(RaceBlock *block, const RaceSite *site, uint32_t warp,
                     uint32_t mask, uint64_t address);
bool race_quick_row(RaceBlock *block, const RaceSite *site, uint32_t warp,
                    uint32_t mask, uint64_t base, int64_t step);
bool race_quick_rows(RaceBlock *block, const RaceSite *site, uint32_t warp,
                     uint32_t mask, const RaceRows *rows);
bool race_quick_lanes(RaceBlock *block, const RaceSite *site, uint32_t warp,
                      uint32_t mask, const uint64_t *addresses);
bool race_quick_turns(RaceBlock *block, uint32_t warp, uint32_t mask,
                      const RaceTurns *reads, uint32_t n_reads,
                      uint32_t n_turns);

// race_quick_wide.c
// The machine can do what the others, which say the same, take vectors for.
bool race_has_wide(void);
bool race_wide_same(RaceBlock *block, const RaceSite *site, uint32_t warp,
                    uint32_t mask, uint64_t address);
bool race_wide_row(RaceBlock *block, const RaceSite *site, uint32_t warp,
                   uint32_t mask, uint64_t base, int64_t step);
bool race_wide_rows(RaceBlock *block, const RaceSite *site, uint32_t warp,
                    uint32_t mask, const RaceRows *rows);
bool race_wide_lanes(RaceBlock *block, const RaceSite *site, uint32_t warp,
                     uint32_t mask, const uint64_t *addresses);
bool race_wide_turns(RaceBlock *block, uint32_t warp, uint32_t mask,
                     const RaceTurns *reads, uint32_t n_reads,
                     uint32_t n_turns);

// race_report.c
void race_found(RaceBlock *block, const RaceShadow *shadow, uint64_t address,
                const RaceEpoch *before, const RaceEpoch *now);
void race_found_empty(RaceBlock *block, const RaceShadow *shadow,
                      uint64_t address, const RaceEpoch *now);

#endif
