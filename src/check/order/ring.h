// SPDX-License-Identifier: Apache-2.0
// Rings of slots that pairs of mbarriers guard, whatever loops stand around:
// Note [Rings] in docs/internals/check-order.md.
#ifndef HD_CHECK_ORDER_RING_H
#define HD_CHECK_ORDER_RING_H

#include "check/report/finding.h"

// --------------------------------------------------------- sets of threads

enum { RING_WORDS = 1024 / 64 };

// Threads of the block by rank. With `one` it is the thread of a single_thread
// without an index, of all in `bits` (one for each instance of its group).
typedef struct {
  uint64_t bits[RING_WORDS];
  const Symbol *one;
  const IrGroup *one_in;
} RingSet;

// -------------------------------------------------------------- operations

typedef enum {
  RING_WAIT,      // its kind is that of the barrier
  RING_WAIT_LATE, // of who arrived there in that turn: nobody's next turn
  RING_ARRIVE,
  RING_EXPECT,
  RING_LAND,
} RingOpKind;

typedef struct {
  RingOpKind kind;
  const Step *step;
  const BarrierUse *use;
  struct RingBarrier *barrier;
  // Who executes it; and who passes it in step with them: what these threads do
  // before (of a wait: after) it is before what the executing ones do next.
  RingSet by, cover;
  int64_t arrivals;
  bool expects;
  // Of consumers that take turns: which of them, and the block of its own.
  int64_t place;
  const Term *block;
} RingOp;

typedef enum {
  RING_OPEN,  // not known
  RING_FULL,  // wait n is for phase n / slots
  RING_EMPTY, // … for the phase before that one
} RingSense;

// Turns are dealt in blocks of `size` to n sharers in rotation; n = 1: all
// take part in each turn.
typedef struct {
  int64_t n;
  const Term *size;
} RingDeal;

typedef struct RingBarrier {
  const IrObject *object;
  uint32_t row; // of Tree.counted
  int64_t n_slots;
  RingSense sense;
  int64_t n_sharers; // of ring_sharers
  RingDeal deal;     // n = 0: not known yet
  struct Ring *ring;
} RingBarrier;

typedef struct Ring {
  uint32_t id;
  RingBarrier *full, *empty;
  // So many arrivals on `empty` come before those that free slots: 0, or one
  // for each slot, where the first wait is for them.
  int64_t ahead;
} Ring;

// Who shares turns with others, and their place in the rotation.
typedef struct {
  RingSet set;
  int64_t place;
} RingSharer;

typedef struct Rings {
  Check *check;
  Arena *arena;
  TermTable *terms;
  const Tree *tree;
  hd_vec(RingOp *) ops;
  hd_vec(RingBarrier *) barriers;
  hd_vec(Ring *) rings;
  hd_vec(RingSharer) sharers;
  int64_t n_sharers; // of turns that are dealt; 1: none are
  Map truths;        // condition -> RingSet of the threads for which it holds
  Map held;          // of ring_held.c: its answers
} Rings;

// --- ring_sets.c
// Who may execute the step, by conditions on the rank alone: false if others
// decide as well.
bool ring_set_of(Rings *rings, const Step *step, RingSet *set);
// Those for whom the condition holds; false: it isn't about the rank alone.
bool ring_truth(Rings *rings, const Term *condition, RingSet *set);
bool ring_group_set(Rings *rings, const IrGroup *group, RingSet *set);
bool ring_is_within(const RingSet *a, const RingSet *b);
bool ring_is_apart(const RingSet *a, const RingSet *b);
bool ring_is_equal(const RingSet *a, const RingSet *b);
// How many threads it is; 0: not known.
int64_t ring_size(Rings *rings, const RingSet *set);
// Each thread of the group's instances in `cover` has one of `by` in its own.
bool ring_has_one_each(Rings *rings, const IrGroup *group, const RingSet *by,
                       const RingSet *cover);
// A condition on the rank alone, which decides between threads.
bool ring_is_of_rank(const Rings *rings, const Term *term);
// What lets only some threads of those outside into the parent of the step;
// NULL: nothing does. The condition may hold other symbols.
const Term *ring_entry(const Rings *rings, const Step *step);

// The conditions on the rank, and who is elected, under which it is executed.
const Term *ring_membership(const Rings *rings, const Step *step);

// --- ring_ops.c: operations, what they are meant for; false: not a ring
bool ring_collect(Rings *rings);
// The turns that the arrivals on the ring's barrier so far have ended.
const Term *ring_ended(Rings *rings, const Step *step, const Ring *ring,
                       const RingBarrier *barrier);
// The counter at the step for the threads that execute it.
const Term *ring_count(Rings *rings, const Step *step, uint32_t row,
                       CountKind kind);
const Term *ring_end_count(Rings *rings, const Term *given, uint32_t row,
                           CountKind kind);
bool ring_proves(Rings *rings, const Step *step, const Term *condition);
// All of the set take part in each of the barrier's operations of that kind
// (its waits, its arrivals) that some do, and in one at least.
bool ring_takes_part(Rings *rings, const RingBarrier *barrier, RingOpKind kind,
                     const RingSet *set);

// a == b, or proved to be
bool ring_is_equal_at(Rings *rings, const Step *step, const Term *a,
                      const Term *b);
// The term with the choices taken that are clear at the step.
const Term *ring_decided(Rings *rings, const Step *step, const Term *term);

// --- ring_deal.c: consumers that take turns

// How many sets of threads make the barrier's count each by itself, those of
// the arrivals on it; 1: they make it together; 0: neither.
int64_t ring_sharers(Rings *rings, const RingBarrier *barrier);
// The operation is the n-th of a sharer's stream, a wait that of a full
// barrier. Sets its place, its block and the barrier's deal.
bool ring_is_dealt_wait(Rings *rings, RingOp *op, const Term *n);
bool ring_is_dealt_arrival(Rings *rings, RingOp *op, const Term *n);
// The turn that is the n-th of the sharer at that place, where n is in block
// `block`, or NULL.
const Term *ring_dealt_turn(Rings *rings, const Step *step,
                            const RingDeal *deal, int64_t place, const Term *n,
                            const Term **block);
// The place of the threads that share the barrier; -1: of more, or none.
int64_t ring_place(Rings *rings, const RingBarrier *barrier, RingOpKind kind,
                   const RingSet *set);
// Full and empty barrier are dealt alike, to the same threads.
bool ring_is_deal_right(Rings *rings, const Ring *ring);
// Each wait of the sharers begins behind all waits for earlier turns.
bool ring_begins_in_turn(Rings *rings, const Ring *ring);

// --- ring_rule.c: full and empty barriers that belong together
bool ring_pair_up(Rings *rings);

// --- ring_words.c: nobody waits for ever
bool ring_is_live(Rings *rings);

// --- what the rest of the checker asks

// Proves all that is owed of the kernel's barriers, and counts it, or NULL:
// nothing is said then.
Rings *rings_build(Check *check);
// As order_proves.
bool rings_prove(Rings *rings, const OrderSide *a, const OrderSide *b,
                 const Term *const *conflict, uint32_t n_conflict);
// The write fills slots of a ring that the read is from: it is done before the
// read in the same turn of the ring, of which these are the numbers.
bool rings_fill_turns(Rings *rings, const Step *write, const Step *read,
                      const Term **of_write, const Term **of_read);

// Note [What turns leave] in ring_fill.c. The write is done in each turn of
// ring `ring` that operation `arrival` of rings->ops, an arrival on its full
// barrier, ends; the read is in a turn of it. Then the write was done before it
// for the read's slot, which the index along *dimension tells (-1: there is
// one). `of_threads`: each thread of the arrival writes its own part.
bool rings_leave(Rings *rings, uint32_t ring, uint32_t arrival,
                 const Step *write, const Step *read, bool of_threads,
                 int *dimension);
// The operation ends turns of the ring, which its other arrivals may do, too.
bool rings_end_turn(const Rings *rings, uint32_t ring, uint32_t arrival);

// --- ring.c

// A touch of the slot of turn `turn`, between the wait that begins that turn
// for its thread and the arrival that ends it.
typedef struct {
  const Ring *ring;
  bool fills; // else it is on the side of those who free slots
  bool is_copy;
  const Term *turn;
  int64_t back;  // turn = waits so far - back, of the thread's own
  int64_t place; // among those who share the ring
  int dimension; // whose index tells the slot; -1: there is one slot
  int64_t stride;
  const RingOp *wait; // that begins turns, where only one does, before it in
                      // each turn of the loops around both
  RingSet by;
} RingWindow;

bool ring_find_window(Rings *rings, const Ring *ring, const Step *step,
                      RingWindow *window);

// --- ring_held.c

// The copy, which a wait for sets ends, is done before its thread ends the turn
// that is open where it asks for it.
bool ring_is_held(Rings *rings, const RingWindow *window, const Step *copy);

#endif
