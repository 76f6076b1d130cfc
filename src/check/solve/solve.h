// SPDX-License-Identifier: Apache-2.0
// Is there an assignment that makes all of these conditions true?
//
// The answer comes from a cascade, cheapest first: simplification and
// intervals, divisibility, delinearisation of symbolic strides, linear
// refutation, a search for small models; case splits of symbols in small
// ranges; Z3 over linear integers with tables, Z3 over bits; isl. Each tier may
// be off or not built; then more is UNKNOWN. UNSAT is a
// proof; SAT is exact for the conditions as they are, with a model; both may
// be relied on.
#ifndef HD_CHECK_SOLVE_SOLVE_H
#define HD_CHECK_SOLVE_SOLVE_H

#include "check/term/term.h"

typedef enum { SOLVE_UNSAT, SOLVE_SAT, SOLVE_UNKNOWN } SolveStatus;

typedef enum {
  TIER_SIMPLIFY, // own: constants, intervals, gcd, equal index maps
  TIER_ISL,
  TIER_Z3_LINEAR,
  TIER_Z3_BITS,
  TIER_SPLIT,
  TIER_COUNT
} SolveTier;

typedef struct {
  SolveStatus status;
  SolveTier tier;     // that answered
  TermModel model;    // SAT; in the solver's arena, for all symbols that occur
  const char *reason; // UNKNOWN: "time", "symbolic product m * k", "no isl", …
} SolveAnswer;

// What is known of the contents of a table, over the indices lo … hi - 1 (NULL:
// all of the array).
typedef enum { TABLE_INJECTIVE, TABLE_BOUNDED, TABLE_MONOTONE } TableFactKind;

typedef struct {
  TableFactKind kind;
  const IrObject *object;
  const Term *low, *high; // INJECTIVE, MONOTONE: indices; BOUNDED: values,
                          // half-open
} TableFact;

// When all that is done about a kernel ends, whatever it is: by the time that
// this thread has used (solve_now_us), or by the clock, where others use the
// machine. 0: nothing ends it.
typedef struct {
  uint64_t cpu_us, wall_us;
} SolveEnd;

typedef struct {
  bool tiers_off[TIER_COUNT];
  // Of the processor, on one machine: what is limited is work, see solve.c.
  uint32_t query_ms;  // a query, 0: 1000
  uint32_t kernel_ms; // all together, 0: 10000
  SolveEnd end;
} SolveOptions;

typedef struct Solver Solver;

Solver *solver_new(Arena *arena, TermTable *table, const SolveOptions *options);
void solver_free(Solver *solver); // contexts of isl and Z3
// Facts that hold in every query from now on: requirements, ranges of the grid.
void solver_assume(Solver *solver, const Term *condition);
void solver_assume_table(Solver *solver, const TableFact *fact);
SolveAnswer solver_ask(Solver *solver, const Term *const *conditions,
                       uint32_t n);
// The condition holds wherever `given` does (given may be NULL).
bool solver_proves(Solver *solver, const Term *given, const Term *condition);

// A condition for some values of its own symbols, each within its range.
typedef struct {
  const Term *condition;
  const Symbol *const *own;
  uint32_t n_own;
} SolveCase;

// Wherever `given` holds, one of the cases does. False: not proved; then
// *missing is a model of what is given in which none may hold, with small sizes
// of the launch where there is one, or empty.
bool solver_covers(Solver *solver, const Term *given, const SolveCase *cases,
                   uint32_t n_cases, TermModel *missing);
// Milliseconds left for the kernel; 0: every further query is UNKNOWN "time".
uint32_t solver_left_ms(const Solver *solver);
// Time of this thread: what else runs on the machine changes no verdict.
uint64_t solve_now_us(void);
double solve_now_ms(void);
bool solve_is_behind(const SolveEnd *end);
bool solve_is_over(const SolveOptions *options); // behind its end
// So much later than now, and no later than `last`.
SolveEnd solve_end_in(uint64_t ms, const SolveEnd *last);
// Of an attempt: only the whole ends by the clock, so that an attempt gets its
// time on a loaded machine, too.
SolveEnd solve_end_of_part(uint64_t ms, const SolveEnd *whole);
// For what may take kernel_ms from now on.
SolveEnd solve_end(const SolveOptions *options);
// Counts processor time that others used as the kernel's.
void solver_spend_ms(Solver *solver, double ms);
uint32_t solver_count(const Solver *solver, SolveTier tier); // answers given

#endif
