// SPDX-License-Identifier: Apache-2.0
// Does one of several cases hold wherever something is given? Each case has
// symbols of its own, for some values of which it has to hold.
#include "check/solve/solve_parts.h"

// The cases that have no symbols of their own are a question like any other.
static bool plain_cases_cover(Solver *solver, const Term *given,
                              const SolveCase *cases, uint32_t n_cases) {
  TermTable *t = solver->table;
  const Term *any = term_false(t);
  for (uint32_t i = 0; i < n_cases; i++)
    if (cases[i].n_own == 0)
      any = term_or(t, any, cases[i].condition);
  return any->kind != TERM_FALSE && solver_proves(solver, given, any);
}

bool solver_covers(Solver *solver, const Term *given, const SolveCase *cases,
                   uint32_t n_cases, TermModel *missing) {
  *missing = (TermModel){0};
  if (plain_cases_cover(solver, given, cases, n_cases))
    return true;
  if (solver->options.tiers_off[TIER_ISL] || solver_left_ms(solver) == 0)
    return false;
  ArenaMark mark = arena_mark(solver->scratch);
  solve_start_clock(solver);
  Query query;
  query_init(&query, solver, solver->scratch);
  query_add(&query, given);
  (void)solve_add_facts(solver, &query);
  bool covers = query.is_refuted || isl_covers(&query, cases, n_cases, missing);
  solve_stop_clock(solver);
  arena_release(solver->scratch, mark);
  return covers;
}
