// SPDX-License-Identifier: Apache-2.0
// A kernel as the checker sees it: which memory each thread touches, where it
// meets others, and under which conditions, in program order.
//
// Everything is said for one thread: its rank in the block is the symbol
// `tree->thread`, its block's index `tree->block[]`. Which threads run a step
// is part of the step's `path`. Loops count turns from 0 (`CheckLoop.turn`);
// variables that loops change are terms of the turn where their law was found
// and proved, else VALUE symbols. What a term can't say is a VALUE symbol, so
// that every term holds for every execution; nothing is left out of the tree.
#ifndef HD_CHECK_TREE_TREE_H
#define HD_CHECK_TREE_TREE_H

#include "check/solve/solve.h"
#include "ir/analyses/analysis.h"

// Elements that an array is taken to have in one dimension at most.
#define CHECK_MAX_EXTENT (((int64_t)1 << 31) - 2049)

typedef struct CheckLoop {
  uint32_t id; // dense
  const IrNode *node;
  struct CheckLoop *parent;
  const Symbol *turn;
  // Turns of the loop if nothing leaves it early, as a term of symbols from
  // outside (<= 0: none); NULL: not known. 0 <= turn < trips is in the paths of
  // what stands inside, or in the symbol's range; of loops that test for `!=`
  // only turn != trips is.
  const Term *trips;
  bool has_exit;       // something inside may leave it early
  bool is_thread_loop; // strided thread for: a turn each iteration of a thread
} CheckLoop;

// How others learn that an asynchronous copy is done.
typedef enum {
  DONE_AT_ONCE,  // not asynchronous
  DONE_SETS,     // copy_commit and copy_wait of the thread
  DONE_TMA_SETS, // tma_commit and tma_wait of the thread
  DONE_MATRIX,   // wgmma_commit and wgmma_wait of the thread
  DONE_GROUP,    // memcpy_async: wait of the group
  DONE_BARRIER,  // counted on an mbarrier
  DONE_TENSOR,   // tcgen05_commit of the thread, on an mbarrier; in order
} DoneKind;

// A thread's (or copy engine's) touch of n_bytes from an address on:
//   element at index[] (n_index is the object's rank, or 0: its start)
//   + byte
// A copy's touches are of one element each, at indices with symbols of their
// own (VALUE, a thread's) that range over the section.
typedef struct {
  const IrObject *object; // NULL: a pointer that may point anywhere
  uint8_t n_index;
  const Term *index[IR_MAX_RANK];
  const Term *byte;
  uint32_t n_bytes;
  bool is_read, is_write, is_atomic; // an atomic rmw is all three
  bool is_partial; // some elements are left out, and the path doesn't say which
  bool may_miss;   // outside the extents it does nothing: no bounds obligation
  IrScope scope;   // atomic
  IrProxy proxy;
  DoneKind done;
  // A copy, or an operation on a tile, by this group together: which of its
  // threads touches what isn't said, so each is taken to touch all. NULL: the
  // thread itself does.
  const IrGroup *copied_by;
  const Term *start;        // of a row of bytes: byte, but of its first one
  const Term *cluster_rank; // whose block's shared memory; NULL: its own
  // Of an element of a section that a tile is loaded from or stored to: which
  // one, a symbol for each axis with more than one index.
  uint8_t n_axes;
  const Symbol *axis[IR_MAX_TILE_RANK];
  // What a store puts there, or an atomic operation combines with what is
  // there; NULL: no term.
  const Term *value;
} Touch;

// An operation on an element of an array of mbarriers (IrNode.op says which;
// copies that complete on a barrier have one as well).
typedef struct {
  const IrObject *object;
  const Term *slot;               // which element, row-major
  const Term *index[IR_MAX_RANK]; // the same, a dimension each
  const Term *count;              // arrivals by each executing thread; 0: none
  const Term *bytes;  // expected (expect) or delivered (copy), else NULL
  const Term *parity; // waited for, else NULL
  // wait by token: the step that made the token, in the same turn of the loops
  // around both; NULL: by parity, or not known.
  const struct Step *token;
  const Term *cluster_rank; // remote; NULL: its own block
  const Term *mask;         // multicast; NULL: none
} BarrierUse;

// What an iteration of a thread loop is said to own of an array: a clause of
// the loop, at the start of its body. `at` names the iteration, of a nest that
// is the whole kernel from the outermost loop on.
typedef struct {
  const IrObject *object; // NULL: not known
  IrOp kind;              // IR_CONSUMES …
  bool is_uninit, is_nest;
  bool is_lost; // a section that no rectangle is: low and length are NULL
  const IrGroup *group; // that runs the loop, NULL: all (is_nest)
  const CheckLoop *own; // the loop itself, NULL: each group runs one iteration
  uint32_t n_at;
  const Term **at;
  const Term *low[IR_MAX_RANK], *length[IR_MAX_RANK];
} LoopClaim;

typedef enum {
  STEP_TOUCH,   // touch
  STEP_IF,      // body, other: `condition` holds, doesn't
  STEP_LOOP,    // loop, body
  STEP_SCOPE,   // body, once: a part statement, label or inlined call
  STEP_EXIT,    // to the end of `target`, or its next turn (is_continue)
  STEP_SYNC,    // group
  STEP_ARRIVE,  // group: first half
  STEP_WAIT,    // group, token: second half
  STEP_BARRIER, // barrier
  // A collective for which the threads of `group` wait for each other; it
  // orders no memory. Only in kernels with mbarriers.
  STEP_COLLECTIVE,
  STEP_COMMIT,      // closes a set: `done` says of which copies
  STEP_COPY_WAIT,   // until all sets but the newest n_newest are done; with
                    // DONE_GROUP of `group` (its sync follows as a step)
  STEP_FENCE_ASYNC, //
  STEP_FENCE,       //
  STEP_OBLIGATION,  // obligation
  STEP_CLAIM,       // claim
} StepKind;

typedef enum {
  OBLIGATION_OVERFLOW,    // signed arithmetic doesn't overflow
  OBLIGATION_GROUP_RANGE, // a thread_group lies inside its parent
  OBLIGATION_UNIFORM,     // uniform(e): value is the same over group
  OBLIGATION_ASSERT,      // assert(e) of the program
  OBLIGATION_OWN,         // an obligation the compiler made (NODE_OBLIGATION)
  OBLIGATION_INSIDE,      // likewise, of an index (NODE_INSIDE)
  OBLIGATION_POINTER,     // the pointer of an access isn't null
  OBLIGATION_VALUE,       // check_value
  OBLIGATION_POSSIBLE,    // assume(e) doesn't contradict what holds there
} ObligationKind;

typedef struct Step {
  StepKind kind;
  uint32_t id; // dense, in program order
  const IrNode *node;
  struct Step *next;     // in the same list
  struct Step *parent;   // IF, LOOP or SCOPE that holds it; NULL: the kernel
  const CheckLoop *loop; // innermost around it; NULL: none
  // All that is known where the step is run, from the kernel's start:
  // membership in groups, conditions, ranges of turns, ways not taken.
  const Term *path;
  // Of touches and operations on barriers in kernels that have barriers: what
  // came before in this thread, COUNT_KINDS for each row of Tree.counted. Else
  // NULL.
  const Term *const *counts;

  union {
    struct {
      Touch *touch;
      BarrierUse *copy_barrier; // of a copy with DONE_BARRIER
      const Term *asked;        // with DONE_GROUP: the path without its bytes
    } touch;

    struct {
      const Term *condition;
      struct Step *body, *other;
    } branch;

    struct {
      CheckLoop *loop;
      struct Step *body;
    } loop;

    struct {
      struct Step *body;
    } scope;

    struct {
      const struct Step *target; // LOOP or SCOPE
      bool is_continue;
    } exit;

    struct {
      const IrGroup *group;
      const struct Step *token; // WAIT: its ARRIVE, NULL: not known
    } meet;

    BarrierUse *barrier;
    LoopClaim *claim;

    struct {
      DoneKind done;
      int64_t n_newest;
      bool reads_only; // what the copies write may still be under way
      const IrGroup *group;
    } sets;

    struct {
      ObligationKind kind;
      const Term *condition; // that must hold; NULL: not expressible
      const Term *value;     // UNIFORM
      const IrGroup *group;  // UNIFORM
    } obligation;
  } u;
} Step;

// Note [Counters]. What the executing thread has done so far to the barriers of
// an array, in all slots together. `PASS_…` counts a statement that only some
// threads of the current group execute, without a loop in it (`single_thread
// arrive(b)`), for every thread that passes it; COUNT_… counts what the thread
// itself did.
typedef enum {
  COUNT_WAITS,
  COUNT_ARRIVALS, // operations that arrive, whatever their count
  PASS_WAITS,
  PASS_ARRIVALS,
  PASS_BYTES, // expected less those of copies that were asked for
  COUNT_KINDS
} CountKind;

// A row of the kernel's group table as terms of the thread's rank.
typedef struct {
  const IrGroup *group;
  bool is_known;        // else the rest is NULL (labeled, coalesced, …)
  const Term *member;   // the thread is in an instance
  const Term *instance; // number of the instance in the block
  const Term *rank;     // of the thread in it
  const Term *size;     // threads of that instance
} GroupView;

// One instance holds all threads of the block.
bool view_is_of_block(const GroupView *view);

typedef struct {
  Arena *arena;
  const IrKernel *kernel;
  const Uniformity *uniformity;
  TermTable *terms;
  int64_t n_threads;        // of a block
  const Symbol *thread;     // rank in the block
  const Symbol *block[3];   // index
  const Term *grid[3];      // blocks, terms of parameters
  const Term *cluster_size; // blocks of a cluster: 1 without one
  Step *first;
  uint32_t n_steps;
  hd_vec(CheckLoop *) loops;  // by id
  hd_vec(GroupView) groups;   // by group id
  hd_vec(const Term *) facts; // of every launch: requirements, ranges, extents
  hd_vec(TableFact) tables;
  hd_vec(const char *) trusted; // assume(…), contents, as the user wrote them
  hd_vec(const IrObject *) counted; // arrays of mbarriers
  const Term *const *end_counts;    // as Step.counts, at the kernel's end
  Map extents;                      // of tree_extent
  // Time ended the walk: steps are missing, and nothing may be concluded.
  bool is_unfinished;
} Tree;

// The kernel must have passed ir_verify and ir_check_groups. Facts are given to
// the solver as well. Never fails: what it can't follow becomes VALUE symbols.
// `trusts_sizes`: unsigned indices that are products of sizes are trusted not
// to wrap.
Tree *tree_build(Arena *arena, const IrKernel *kernel,
                 const Uniformity *uniformity, TermTable *terms, Solver *solver,
                 bool trusts_sizes);
typedef void (*StepVisit)(const Step *step, void *context);
// Each step from `first` on, and what is inside of it, in program order.
void tree_each(const Step *first, StepVisit visit, void *context);
// `loop` is `outer`, or a loop inside it.
bool tree_is_in_loop(const CheckLoop *loop, const CheckLoop *outer);
// The first step in the loop leaves it and does nothing else.
bool tree_has_head_test(const Step *loop);
// Extent of an object's dimension as a term; NULL: unknown.
const Term *tree_extent(const Tree *tree, const IrObject *object, int k);
// Bits 1 << k: the grid's dimension k is left to the launcher and more than one
// block in it is considered. Where a kernel doesn't ask for y or z, launching
// it with more would only repeat it: one is assumed.
uint32_t tree_open_grid(const IrKernel *kernel);
// The row of a group of the kernel.
const GroupView *tree_group(const Tree *tree, const IrGroup *group);
// The tree as text, a step a line, for tests and --stage check.
void tree_print(const Tree *tree, Text *out);

#endif
