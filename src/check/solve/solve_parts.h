// SPDX-License-Identifier: Apache-2.0
// Inside of the solver; for solve*.c, isl_solve.c and z3_*.c only.
//
// A Query is a list of conditions that is rewritten until a tier can tell.
// Every rewriting keeps or widens the set of assignments: an UNSAT in the end
// is one of the question. A model is traced back through the definitions and
// checked against the question itself.
#ifndef HD_CHECK_SOLVE_SOLVE_PARTS_H
#define HD_CHECK_SOLVE_SOLVE_PARTS_H

#include "base/map.h"
#include "base/vec.h"
#include "check/solve/solve.h"
#include "check/term/term_table.h"

typedef hd_vec(const Term *) TermList;
typedef hd_vec(const Symbol *) SymbolList;

// The symbol was replaced: its value is that of `value`, a term of symbols that
// are still there or were replaced later.
typedef struct {
  const Symbol *symbol;
  const Term *value;
} Definition;

typedef struct Query {
  Solver *solver;
  TermTable *table;
  Arena *arena;                 // scratch of the question
  const struct Query *question; // as it was asked; NULL: this is it
  TermList all;       // conditions that must all hold; no ALL, no TRUE
  bool is_refuted;    // one of them was FALSE
  bool is_hopeless;   // it is known that no tier can tell
  bool is_quick;      // strides wait: they cost proofs
  bool is_last;       // equations with products are solved, too
  bool has_intervals; // products are bounded by their factors' intervals, too
  hd_vec(Definition) definitions; // in the order of replacement
} Query;

struct Solver {
  Arena *arena, *scratch;
  TermTable *table;
  SolveOptions options;
  TermList facts;
  hd_vec(SymbolList) fact_symbols; // for each fact
  hd_vec(TableFact) tables;
  uint32_t version; // of facts and tables
  Map cache;        // version and id of a conjunction -> SolveAnswer *
  Map narrowed;     // symbol id -> list of copies with smaller ranges
  Map stand_ins;    // term id -> symbol for its value
  struct Z3Solver *z3;
  struct IslSolver *isl;
  // Time and work (see solve.c) for the kernel, and of the question at hand.
  uint64_t used_us, used_work_us;
  uint64_t begin_us, deadline_us;
  uint64_t begin_work_us, end_work_us;
  uint64_t others_us;    // in Z3 and isl
  bool timed_out;        // in the question at hand
  bool is_out_of_memory; // so said Z3
  uint32_t n_pairs;      // of rows combined for it
  const char *reason;    // the last that a tier gave for not knowing
  uint32_t counts[TIER_COUNT];
};

bool solve_is_late(Solver *solver);
uint32_t solve_ms_to_deadline(const Solver *solver); // at least 1
// The time since then was that of another library.
void solve_add_time(Solver *solver, uint64_t begin_us);
void solve_set_reason(Solver *solver, const char *reason);
// Which term makes the question hard.
const char *solve_inexact_reason(const struct Query *query);

// --- queries
void query_init(Query *query, Solver *solver, Arena *arena);
// A copy to branch from.
void query_copy(Query *to, const Query *from);
void query_add(Query *query, const Term *condition);
// Replaces symbols in all conditions; doesn't define them.
void query_replace(Query *query, TermMap map, void *context);
// Replaces one symbol by a term and defines it so.
void query_define(Query *query, const Symbol *symbol, const Term *value);
// Replaces a term (an atom) by another.
void query_exchange(Query *query, const Term *from, const Term *to);
// Symbols of all conditions, each once.
void query_symbols(const Query *query, SymbolList *symbols);
// Does any condition hold a term of a kind for which `is_one` says so?
bool query_has(const Query *query, bool (*is_one)(const Term *));
// Every distinct subterm once, parts before what they are part of.
void query_each(const Query *query, void (*visit)(const Term *, void *),
                void *context);

// Adds the facts that speak of symbols of the question, of symbols of those
// facts, and so on. Returns whether all facts were added.
bool solve_add_facts(Solver *solver, Query *query);
// The time of a question begins and ends.
void solve_start_clock(Solver *solver);
void solve_stop_clock(Solver *solver);

// --- own tier
// Rewrites until nothing changes; false: refuted.
bool solve_reduce(Query *query);
// Where a * x + b * x occur, a + b becomes a symbol of its own, of which only
// the interval is known (that is wider than the query); false: they don't.
bool solve_sum_strides(Query *query);
// Quotients and remainders by constants become symbols; with_symbols those by
// all that is positive. False: refuted.
bool solve_digits(Query *query, bool with_symbols);
// The symbol that stands for the value of an atom; always the same one.
const Symbol *solve_stand_in(Solver *solver, const Term *term);

// What looking for a model came to. WITH_TABLES: there is one for some contents
// of tables, so that nothing can refute the query.
typedef enum { FIND_NOTHING, FIND_MODEL, FIND_WITH_TABLES } FindResult;

FindResult solve_find(Query *query, TermModel *model);
// Is there a model if products, bit operations and elements of tables may be
// any integers that the lemmas allow? Then linear tiers can't refute the query.
bool solve_find_relaxed(const Query *query);
// Are the conditions that are comparisons of sums, seen as rational
// constraints on their atoms (rounded to integers where that is cheap),
// unsatisfiable? False: not known.
bool solve_linear_refutes(const Query *query, const Term *const *more,
                          uint32_t n_more);
// Consequences that say what atoms are: adds to `lemmas` conditions that hold
// wherever all of `query` holds.
void solve_lemmas(const Query *query, const Term *const *more, uint32_t n_more,
                  TermList *lemmas);
// What the facts about tables say of the elements that occur.
void solve_table_lemmas(Query *query);
// The whole tier with case distinctions.
SolveStatus solve_own(Query *query, TermModel *model);
// Case splits with the own tier or with all others.
SolveStatus solve_split(Query *query, TermModel *model, bool with_all);

// --- the others; they leave a model for the symbols of the query.
SolveStatus isl_solve(Query *query, TermModel *model);
// solver_covers, where `query` is what is given.
bool isl_covers(Query *query, const SolveCase *cases, uint32_t n_cases,
                TermModel *missing);
void isl_solver_free(struct IslSolver *isl);
SolveStatus z3_solve_linear(Query *query, TermModel *model);
SolveStatus z3_solve_bits(Query *query, TermModel *model);
void z3_solver_free(struct Z3Solver *z3);
// The cascade; with may_split case splits with the own tier, after it. *tier
// says which answered.
SolveStatus solve_cascade(Query *query, TermModel *model, bool may_split,
                          SolveTier *tier);

#endif
