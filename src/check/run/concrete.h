// SPDX-License-Identifier: Apache-2.0
// Exact checking of one concrete launch: the interpreter runs it, every access
// and every meeting is followed with vector clocks, and what the language calls
// an error is reported. No approximation in either direction for the schedule
// that ran; races are found whatever the schedule was, unless data flows
// through atomics.
#ifndef HD_CHECK_RUN_CONCRETE_H
#define HD_CHECK_RUN_CONCRETE_H

#include "base/text.h"
#include "check/run/fact.h"
#include "check/solve/solve.h"
#include "ir/form/ir.h"

typedef enum {
  EVENT_FOUND_RACE,
  EVENT_FOUND_FENCE, // race between proxies only: fence_async is missing
  EVENT_FOUND_BOUNDS,
  EVENT_FOUND_OVERFLOW,
  EVENT_FOUND_ASSERT,      // and traps of the program
  EVENT_FOUND_VALUE,       // check_value
  EVENT_FOUND_RANGE,       // group statement outside its parent
  EVENT_FOUND_UNIFORM,     // false uniform(e), divergent collective
  EVENT_FOUND_DEADLOCK,    // text says who waits for what
  EVENT_FOUND_BARRIER,     // over-arrival, bytes, unfinished phase at the end
  EVENT_FOUND_PARTIAL,     // remark: a phase that is left half filled
  EVENT_FOUND_COPY,        // a copy nobody waited for, more waits than copies
  EVENT_FOUND_TWO_OWNERS,  // clauses of a loop: two iterations, one element
  EVENT_FOUND_NOT_OWNED,   // an element that no clause gives the iteration
  EVENT_FOUND_NO_CONTENTS, // uninit(…) is read before it is written
} ConcreteKind;

typedef struct {
  const IrNode *node;
  int32_t block[3];
  int32_t thread; // rank in its block; -1: a copy engine
  bool is_write, is_atomic, is_copy;
} ConcreteSide;

// One step of a chain: where, and what happens there.
typedef struct ChainLink {
  const IrNode *node; // NULL: nowhere
  const char *text;
} ChainLink;

typedef struct {
  ConcreteKind kind;
  ConcreteSide a, b; // b: races, fences
  const IrObject *object;
  int64_t index[IR_MAX_RANK]; // element
  uint8_t n_index;
  bool is_same_value;      // races: both store the same
  bool is_after_fault;     // races: behind an access that was left out
  bool is_owner;           // a race only because of `owner_strict`
  Fact fact;               // what happened
  int64_t seen_arrivals;   // of the barrier; deadlocks: that of the first wait
  int64_t open_bytes;      // deadlocks: of a barrier that waits for bytes, or
                           // has too many (negative)
  hd_vec(ChainLink) chain; // deadlocks: what waits for what, from the wait at a
} ConcreteFinding;

// Sizes and values of one launch. Scalars by parameter; arrays are allocated
// from their extents and filled as asked.
typedef enum { FILL_ZEROS, FILL_IOTA, FILL_RANDOM } ConcreteFill;

typedef struct ConcreteLaunch {
  const int64_t *scalars; // by parameter: integers
  const double *reals;    // by parameter: floats; NULL: 1.0 everywhere
  int32_t grid[3];        // where the kernel leaves it open
  int32_t cluster[3];
  // Of a grid that is too large only a few blocks run, as if they were the
  // first: these two, or (0) those at the start of each dimension.
  int32_t pair[2][3];
  bool has_pair;
  bool only_pair; // of a smaller one, too, where blocks don't meet
  // Of each block only these run, where threads never meet.
  uint32_t threads[2], n_threads; // 0: all
  ConcreteFill fill;
  uint64_t seed;      // schedule, see InterpLaunch; and of RANDOM
  uint64_t max_steps; // interpreter steps; 0: 2 million
  SolveEnd end;       // of the run
  bool overlap;       // arrays that may alias begin at one place
  bool owner_strict;  // atomic accesses conflict as others do
  bool wants_chain;   // of a deadlock
  // Overflow is trusted not to happen: what comes after one that decides what
  // is touched isn't believed. NULL: it is an error.
  const struct Decisive *trusts_overflow;
  // A run with a shift by all bits of a value or more, which decides that,
  // counts for none. NULL: such shifts are defined.
  const struct Decisive *open_shifts;
} ConcreteLaunch;

typedef struct {
  bool ran; // false: the launch isn't one (requires, extents, too large): why
  bool finished; // false: max_steps
  uint64_t n_steps;
  const char *why;
  hd_vec(ConcreteFinding) found;   // the first of each kind and pair of places
  hd_vec(ConcreteFinding) remarks; // no errors
} ConcreteResult;

// Never fails but by `ran`. Memory of the result is `arena`'s.
void concrete_run(Arena *arena, const IrKernel *kernel,
                  const ConcreteLaunch *launch, ConcreteResult *result);

#endif
