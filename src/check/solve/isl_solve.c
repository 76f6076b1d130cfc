// SPDX-License-Identifier: Apache-2.0
// Presburger sets: exact for sums, quotients and remainders by constants and
// choices. Every symbol is a dimension; so is every product, bit operation and
// element of a table, as an unknown integer of which isl is told ranges and
// lemmas. Then an UNSAT holds, and a model must be checked.
#include "check/solve/solve_parts.h"

#ifdef HD_HAVE_ISL

#include "base/rescue.h"
#include "check/solve/isl_encode.h"
#include "check/solve/isl_memory.h"
#include <isl/aff.h>
#include <isl/ctx.h>
#include <isl/point.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>
#include <stdlib.h>

// Beyond these isl takes long: the others are asked.
#define MAX_DIMENSIONS 40
#define MAX_OPERATIONS 40000

typedef struct {
  IslSpace in;
  Query *query;
  TermList conditions;
} IslQuestion;

void isl_solver_free(struct IslSolver *isl) {
  if (!isl)
    return;
  if (isl->context)
    isl_ctx_free(isl->context);
  free(isl);
}

// --------------------------------------------------------------------- answers

static SolveStatus decide(IslQuestion *q, isl_set *set, TermModel *model) {
  isl_bool is_empty = isl_set_is_empty(set);
  if (is_empty == isl_bool_true)
    return SOLVE_UNSAT;
  if (is_empty == isl_bool_error)
    return SOLVE_UNKNOWN;
  isl_point *point = isl_set_sample_point(isl_set_copy(set));
  bool is_read = point && isl_point_is_void(point) == isl_bool_false &&
                 isl_read_point(&q->in, q->query->arena, point, model);
  isl_point_free(point);
  return is_read ? SOLVE_SAT : SOLVE_UNKNOWN;
}

static bool find_dimensions(IslQuestion *q) {
  uint32_t stamp = ++q->query->table->stamp;
  q->in.n_choices = 1;
  for (uint32_t i = 0; i < q->conditions.count; i++)
    isl_note(&q->in, q->conditions.data[i], stamp);
  return q->in.atoms.count <= MAX_DIMENSIONS &&
         q->in.n_choices <= ISL_MAX_CHOICES;
}

static SolveStatus answer(IslQuestion *q, TermModel *model) {
  isl_space_begin(&q->in);
  isl_set *set = isl_box(&q->in, 0);
  for (uint32_t i = 0; i < q->conditions.count && set; i++)
    set = isl_set_intersect(set, isl_encode(&q->in, q->conditions.data[i]));
  SolveStatus status = SOLVE_UNKNOWN;
  if (set && isl_ctx_last_error(q->in.context) == isl_error_none)
    status = decide(q, set, model);
  isl_set_free(set);
  isl_space_end(&q->in);
  return status;
}

static bool has_unknown(const Term *term) {
  return isl_is_dimension(term) && term->kind != TERM_SYMBOL;
}

static bool is_simple(const Term *condition) {
  return condition->kind == TERM_LE || condition->kind == TERM_EQ;
}

// Comparisons first: they keep the pieces of the others few.
static void order_conditions(IslQuestion *q, const TermList *lemmas) {
  Query *query = q->query;
  for (int simple = 1; simple >= 0; simple--)
    for (uint32_t i = 0; i < query->all.count; i++)
      if (is_simple(query->all.data[i]) == simple)
        VEC_PUSH(query->arena, &q->conditions, query->all.data[i]);
  for (uint32_t i = 0; i < lemmas->count; i++)
    VEC_PUSH(query->arena, &q->conditions, lemmas->data[i]);
}

SolveStatus isl_solve(Query *query, TermModel *model) {
  IslQuestion q = {.in = {.table = query->table, .arena = query->arena},
                   .query = query};
  TermList lemmas = {0};
  if (query_has(query, has_unknown))
    solve_lemmas(query, NULL, 0, &lemmas);
  order_conditions(&q, &lemmas);
  if (!find_dimensions(&q)) {
    solve_set_reason(query->solver, "too many cases for isl");
    return SOLVE_UNKNOWN;
  }
  q.in.context = isl_context_of(query->solver);
  isl_ctx_reset_error(q.in.context);
  isl_ctx_reset_operations(q.in.context);
  isl_ctx_set_max_operations(q.in.context, MAX_OPERATIONS);
  uint64_t begin_us = solve_now_us();
  SolveStatus status = answer(&q, model);
  solve_add_time(query->solver, begin_us);
  if (isl_memory_is_out(q.in.context))
    rescue_out_of_memory();
  if (isl_ctx_last_error(q.in.context) != isl_error_none) {
    solve_set_reason(query->solver, "isl gave up");
    status = SOLVE_UNKNOWN;
  }
  isl_ctx_set_max_operations(q.in.context, 0);
  isl_ctx_reset_error(q.in.context);
  return status;
}

#else

void isl_solver_free(struct IslSolver *isl) {
  (void)isl;
}

SolveStatus isl_solve(Query *query, TermModel *model) {
  (void)model;
  solve_set_reason(query->solver, "built without isl");
  return SOLVE_UNKNOWN;
}

#endif
