// SPDX-License-Identifier: Apache-2.0
// What the two uses of Z3 share; for z3_*.c only.
#ifndef HD_CHECK_SOLVE_Z3_PARTS_H
#define HD_CHECK_SOLVE_Z3_PARTS_H

#include "check/solve/solve_parts.h"

#ifdef HD_HAVE_Z3
#include <z3.h>

struct Z3Solver {
  Z3_context context;
  Z3_solver solver; // of the question that is asked
  uint32_t n_asked;
};

// A question on its way into Z3. Whatever it makes is held until z3_end.
typedef struct {
  struct Z3Solver *z3;
  Query *query;
  Map asts; // MAP_KEY(term) -> Z3_ast
  hd_vec(Z3_ast) held;
  SymbolList symbols;
  unsigned width; // bits; 0: integers
} Z3Question;

typedef SolveStatus (*Z3Solve)(Query *query, TermModel *model);
// solve(query, model), for what Z3 may throw.
SolveStatus z3_ask(Query *query, TermModel *model, Z3Solve solve);
// Starts a question; makes the context where it is the first. False: no Z3.
bool z3_begin(Z3Question *q, Query *query, unsigned width);
// At most this long, and never beyond the question's time.
void z3_limit_ms(Z3Question *q, uint32_t limit_ms);
// Asks what was asserted; SAT: with the values of q->symbols.
SolveStatus z3_check(Z3Question *q, TermModel *model);
void z3_end(Z3Question *q);
// Takes a reference until z3_end; returns it.
Z3_ast z3_hold(Z3Question *q, Z3_ast ast);
void z3_assert(Z3Question *q, Z3_ast ast);
Z3_ast z3_known(const Z3Question *q, const Term *term);
void z3_remember(Z3Question *q, const Term *term, Z3_ast ast);
// A constant of the question's sort, named by the term's id.
Z3_ast z3_constant(Z3Question *q, const Term *term);
Z3_ast z3_number(Z3Question *q, int64_t number);
// TRUE, FALSE, NOT, ALL, SOME; `encode` is asked for what is inside.
typedef Z3_ast (*Z3Encode)(Z3Question *q, const Term *term);
Z3_ast z3_junction(Z3Question *q, const Term *term, Z3Encode encode);
#endif

#endif
