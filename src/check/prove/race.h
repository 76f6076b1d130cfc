// SPDX-License-Identifier: Apache-2.0
// Inside the race check; others use finding.h.
//
// For every set of threads that some sync orders (SyncSet) the kernel is walked
// in program order with the touches that no sync has closed yet (OpenTouch).
// Each further touch is compared with all of these: two threads of the set, one
// query. docs/internals/check.md has the argument why no pair is missed.
#ifndef HD_CHECK_PROVE_RACE_H
#define HD_CHECK_PROVE_RACE_H

#include "base/map.h"
#include "check/report/finding.h"

// ------------------------------------------------------- sets of threads

typedef enum {
  SET_THREAD,  // one thread, beside copies that it started
  SET_PART,    // threads of one instance of a group in one block
  SET_CLUSTER, // threads of different blocks of one cluster
  SET_GRID,    // threads of different blocks
} SetKind;

typedef struct SyncSet {
  SetKind kind;
  uint32_t id;
  const Term *member, *instance; // PART, of the tree's thread symbol
  bool *ordered_by; // by group id: a sync of that group orders all pairs
  bool *shares;     // by group id: what is uniform over it is, for each pair
  // PART: sets whose pairs are checked there, not here.
  hd_vec(const struct SyncSet *) inner;
} SyncSet;

typedef hd_vec(const Term *) TermList;

// ------------------------------------------------------- open touches

// Which turn of a loop around an open touch it was made in, seen from where
// the walk is. Up to TURN_EXACT turns are counted: of copies that still run, as
// a ring of slots needs it; of others one.
enum { TURN_EXACT = 8 };

typedef enum {
  TURN_ANY,  // not known: threads needn't be in the same turn
  TURN_SAME, // + k: k turns before
  TURN_EARLIER = TURN_SAME + TURN_EXACT + 1, // two or more before
  TURN_LAST,                                 // the loop is left. + k: k turns
                                             // before its last one
  TURN_OWN = TURN_LAST + TURN_EXACT + 1, // + k: k turns before that of its own
                                         // thread; for others TURN_ANY
} TurnState;

enum { TURN_BITS = 5, TURN_LOOPS = 12 }; // loops further inside: TURN_ANY

typedef struct {
  uint32_t id;
  const Step *step;
  uint64_t turns;    // TurnState of each loop around, outermost in low bits
  const Term *extra; // holds for its thread as well, or NULL
  // 0: done when its thread goes on. Of a copy that may still run: 1, and n + 2
  // when it is in a closed set with n newer sets.
  uint16_t sets;
  uint16_t arrived; // group id + 1: its thread has arrived there since
  // Of a copy: depth + 1 of a loop that was entered later, and the number of
  // the turn in which the walk is there. 0: not known.
  uint8_t entered, turn;
} OpenTouch;

// A set of open touches by id.
typedef struct {
  uint64_t *words;
  uint32_t n_words;
} Open;

// ------------------------------------------------------- one check

typedef struct Race {
  Check *check;
  Tree *tree;
  TermTable *terms;
  Arena *arena; // for this check
  hd_vec(SyncSet *) sets;
  hd_vec(const Step *) steps; // by id
  uint32_t *loop_depth;       // by loop id, outermost 0
  bool *is_relevant;          // by step id: a touch that may be in a race
  Map copies;                 // symbol id -> its copy for the first thread
  Map answered;               // conjunction -> Answered
  Map classes;                // member, instance -> Classes
  Map seen;                   // pairs of this set: nothing new to learn
  TermList moving_facts;      // facts of the launch that not only it decides
  bool has_pending;           // copies that go on by themselves
  bool has_handover;          // atomic reads: data may be handed over by them
  bool has_cluster_set;
  bool has_remote; // touches of another block's shared memory
  bool gave_up;
  uint64_t n_compared;
} Race;

// phase_set.c: makes race->sets.
void race_find_sets(Race *race);
// Every thread of the set is a member of the group, for all launches.
bool race_all_members(Race *race, const SyncSet *set, const IrGroup *group);
// Depends on the launch, the block and the thread only.
bool race_is_fixed(const Term *term);
// … or on values found once in the kernel: means the same wherever it stands.
bool race_is_timeless(const Term *term);

// phase_mark.c: what the walk must follow in a step of the tree.
enum {
  MARK_SYNC = 1,  // a sync of the set is inside
  MARK_ASYNC = 2, // copies, closed sets or waits for copies are
  MARK_EXIT = 4,  // a way out to something with one of these is
  MARK_FIRST = 8, // first touch of its copy
};

// By step id, in `arena`.
uint8_t *race_mark(Race *race, Arena *arena, const SyncSet *set);

// phase_open.c
typedef struct OpenTable OpenTable;
OpenTable *open_table_new(Arena *arena);
const OpenTouch *open_intern(OpenTable *table, const OpenTouch *model);
const OpenTouch *open_get(const OpenTable *table, uint32_t id);
void open_add(OpenTable *table, Open *open, uint32_t id);
bool open_has(const Open *open, uint32_t id);
Open open_copy(OpenTable *table, const Open *open);
// True if something was new.
bool open_unite(OpenTable *table, Open *open, const Open *other);
// The next id that is at least `from`, or UINT32_MAX.
uint32_t open_next(const Open *open, uint32_t from);

TurnState open_turn(const OpenTouch *touch, uint32_t depth);
uint64_t open_with_turn(uint64_t turns, uint32_t depth, TurnState state);

// phase_turn.c: loops go on and end; all give NULL where a touch is refuted.
// The turn k before, if the state says so exactly.
bool open_turns_back(TurnState state, int64_t *k);

typedef struct {
  Race *race;
  OpenTable *table;
} Turning;

// A loop at this depth, whose turns the threads make together, begins.
const OpenTouch *open_enter_loop(const Turning *turning, const OpenTouch *touch,
                                 uint32_t depth);
// The next turn of the loop at this depth, around the touch or entered since.
const OpenTouch *open_next_turn(const Turning *turning, const OpenTouch *touch,
                                uint32_t depth);
// The loop `left`, or loops from that depth on if it is NULL, are left: `left`
// by its condition, after a whole turn.
const OpenTouch *open_leave_loops(const Turning *turning,
                                  const OpenTouch *touch, uint32_t from,
                                  const CheckLoop *left);
// The loop had no turn at all.
const OpenTouch *open_pass_loop(const Turning *turning, const OpenTouch *touch,
                                const CheckLoop *passed);
// The condition holds for its thread as well.
const OpenTouch *open_with_extra(const Turning *turning, const OpenTouch *touch,
                                 const Term *condition);

// phase_flow.c: walks the kernel for one set.
void race_flow(Race *race, const SyncSet *set);

// race_scatter.c: two elements of one scatter that are stored to one place.
void race_scatters(Race *race);

// Stops the whole check, with a suspect that says why.
// Time is over, or too many pairs are open; then it has given up.
bool race_is_over(Race *race, const Step *step);
void race_give_up(Race *race, const Step *step, CheckReason reason);
// Likewise, because there are too many accesses to compare.
void race_give_up_comparing(Race *race, const Step *step);

// ------------------------------------------------------- pairs

// An open touch of the first thread, and a touch of the second that the walk
// has reached. Symbols of the second are the tree's own.
typedef struct {
  Race *race;
  const SyncSet *set;
  const OpenTouch *first;
  const Step *second;
  // Loops around `second`, by depth: the first touch was made before the loop
  // and nothing but it is open in turns after turn 0.
  uint32_t first_turn;
} Pair;

// race_pair.c: proves that the pair can't meet, or reports a suspect.
void race_pair(const Pair *pair);
// A thread can have made the open touch, at the end of the kernel.
bool race_is_possible(Race *race, const SyncSet *set, const OpenTouch *touch);
// The first side's term for a term of the tree.
const Term *race_first(const Pair *pair, const Term *term);
// The first side's copy of a symbol that both sides have for themselves.
const Symbol *race_copy(Race *race, const Symbol *symbol);

// race_overlap.c: conditions under which the touches have a byte in common are
// added, and to `zeros` what is 0 then; false if they never have.
bool race_overlap(const Pair *pair, TermList *conditions, TermList *zeros);
// That touches with a byte in common begin at different bytes; NULL: not known.
const Term *race_begin_apart(const Pair *pair);
// The touches may be of the same memory at all.
bool race_may_alias(const Race *race, const Step *a, const Step *b);
bool race_is_open_table(const Check *check, const IrObject *object);
// Space of what is touched, as far as it is known.
IrSpace race_space(const Step *touch);

// Whether atomic operations of the scope are atomic for two threads of the set.
bool race_scope_covers(SetKind kind, IrScope scope);
// Pointers of CUDA C are trusted to lead to different memory.
bool race_is_trusted_apart(const Check *check, const IrObject *a,
                           const IrObject *b);

// race_ticket.c: what atomic additions that both sides' places are made of say
// of each other (Note [Tickets]); TRUE if nothing.
const Term *race_tickets(const Pair *pair);

// race_owner.c: from the equations (terms that are 0) it follows that the two
// threads, or their blocks, are the same. Cheap; false: not seen.
bool race_same_owner(const Pair *pair, const Term *const *zeros,
                     uint32_t n_zeros);

// race_factor.c: to `list`, what follows from the equations where they are of
// digits with a base that only the launch knows.
void race_split_digits(const Pair *pair, const TermList *zeros, TermList *list);

// race_reason.c: all that get to the pair's touch write one element.
bool race_is_one_element(const Pair *pair);
// Why the pair isn't proved, for the user. `input`: whose contents decide
// whether the two meet (input.h), or NULL.
CheckReason race_reason(const Pair *pair, const SolveAnswer *answer,
                        const IrObject *input);

#endif
