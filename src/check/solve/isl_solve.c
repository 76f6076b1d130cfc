// SPDX-License-Identifier: Apache-2.0
// Presburger sets: exact for sums, quotients and remainders by constants and
// choices. Every symbol is a dimension; so is every product, bit operation and
// element of a table, as an unknown integer of which isl is told ranges and
// lemmas. Then an UNSAT holds, and a model must be checked.
#include "check/solve/solve_parts.h"

#ifdef HD_HAVE_ISL

#include "base/panic.h"
#include "base/rescue.h"
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
#define MAX_CHOICES    256
#define MAX_OPERATIONS 40000

struct IslSolver {
  isl_ctx *context;
};

typedef struct {
  isl_ctx *context;
  Query *query;
  Map dimensions; // MAP_KEY(term) -> address in `atoms` of its number
  TermList atoms; // by dimension
  uint32_t *numbers;
  isl_local_space *space;
  TermList conditions;
  uint32_t n_choices; // product over all conditions
} IslQuestion;

static isl_ctx *context_of(Solver *solver) {
  if (!solver->isl) {
    solver->isl = calloc(1, sizeof *solver->isl);
    if (!solver->isl)
      rescue_out_of_memory();
    solver->isl->context = isl_memory_ctx();
  }
  return solver->isl->context;
}

void isl_solver_free(struct IslSolver *isl) {
  if (!isl)
    return;
  if (isl->context)
    isl_ctx_free(isl->context);
  free(isl);
}

// ------------------------------------------------------------------ dimensions

static bool is_dimension(const Term *term) {
  int64_t number;
  switch (term->kind) {
  case TERM_SYMBOL:
  case TERM_MUL:
  case TERM_AND:
  case TERM_OR:
  case TERM_XOR:
  case TERM_SHL:
  case TERM_SHR:
  case TERM_APPLY: return true;
  case TERM_DIV:
  case TERM_MOD: return !term_is_constant(term->args[1], &number) || number < 1;
  case TERM_SUM:
  case TERM_MIN:
  case TERM_MAX:
  case TERM_ITE:
  case TERM_TRUE:
  case TERM_FALSE:
  case TERM_LE:
  case TERM_EQ:
  case TERM_NOT:
  case TERM_ALL:
  case TERM_SOME: break;
  }
  return false;
}

static uint32_t count_choices(const Term *term) {
  switch ((int)term->kind) {
  case TERM_SOME: return term->n_args;
  case TERM_NOT:
  case TERM_MIN:
  case TERM_MAX:
  case TERM_ITE: return 2;
  default: return 1;
  }
}

// What is inside of a dimension has none (of its own by that).
static void solve_note(IslQuestion *q, const Term *term, uint32_t stamp) {
  TermNode *node = term_node(term);
  if (node->stamp == stamp)
    return;
  node->stamp = stamp;
  node->image = NULL;
  uint32_t n = count_choices(term);
  q->n_choices = q->n_choices > MAX_CHOICES ? q->n_choices : q->n_choices * n;
  if (is_dimension(term)) {
    VEC_PUSH(q->query->arena, &q->atoms, term);
    return;
  }
  for (uint32_t i = 0; i < term->n_args; i++)
    solve_note(q, term->args[i], stamp);
  for (uint32_t i = 0; i < term->n_parts; i++)
    solve_note(q, term->parts[i].atom, stamp);
}

static bool find_dimensions(IslQuestion *q) {
  uint32_t stamp = ++q->query->table->stamp;
  q->n_choices = 1;
  for (uint32_t i = 0; i < q->conditions.count; i++)
    solve_note(q, q->conditions.data[i], stamp);
  if (q->atoms.count > MAX_DIMENSIONS || q->n_choices > MAX_CHOICES)
    return false;
  q->numbers = ARENA_ARRAY(q->query->arena, uint32_t, q->atoms.count + 1);
  for (uint32_t i = 0; i < q->atoms.count; i++) {
    q->numbers[i] = i;
    map_put(q->query->arena, &q->dimensions, MAP_KEY(q->atoms.data[i]),
            &q->numbers[i]);
  }
  return true;
}

// -------------------------------------------------------------------- encoding

static isl_pw_aff *solve_encode(IslQuestion *q, const Term *term);
static isl_set *encode_condition(IslQuestion *q, const Term *term);

static isl_val *solve_value_of(IslQuestion *q, int64_t number) {
  return isl_val_int_from_si(q->context, (long)number);
}

static isl_pw_aff *encode_number(IslQuestion *q, int64_t number) {
  isl_aff *aff = isl_aff_val_on_domain(isl_local_space_copy(q->space),
                                       solve_value_of(q, number));
  return isl_pw_aff_from_aff(aff);
}

static isl_pw_aff *encode_dimension(IslQuestion *q, uint32_t dimension) {
  return isl_pw_aff_from_aff(isl_aff_var_on_domain(
      isl_local_space_copy(q->space), isl_dim_set, dimension));
}

static isl_pw_aff *encode_sum(IslQuestion *q, const Term *term) {
  isl_pw_aff *sum = encode_number(q, term->number);
  for (uint32_t i = 0; i < term->n_parts; i++) {
    isl_pw_aff *part = solve_encode(q, term->parts[i].atom);
    part = isl_pw_aff_scale_val(part,
                                solve_value_of(q, term->parts[i].coefficient));
    sum = isl_pw_aff_add(sum, part);
  }
  return sum;
}

static isl_pw_aff *encode_quotient(IslQuestion *q, const Term *term) {
  isl_pw_aff *a = solve_encode(q, term->args[0]);
  isl_val *b = solve_value_of(q, term->args[1]->number);
  if (term->kind == TERM_MOD)
    return isl_pw_aff_mod_val(a, b);
  return isl_pw_aff_floor(isl_pw_aff_scale_down_val(a, b));
}

static isl_pw_aff *encode_ite(IslQuestion *q, const Term *term) {
  isl_set *condition = encode_condition(q, term->args[0]);
  isl_pw_aff *is_true = isl_set_indicator_function(condition);
  return isl_pw_aff_cond(is_true, solve_encode(q, term->args[1]),
                         solve_encode(q, term->args[2]));
}

static isl_pw_aff *solve_encode(IslQuestion *q, const Term *term) {
  const uint32_t *dimension = map_get(&q->dimensions, MAP_KEY(term));
  if (dimension)
    return encode_dimension(q, *dimension);
  switch (term->kind) {
  case TERM_SUM: return encode_sum(q, term);
  case TERM_DIV:
  case TERM_MOD: return encode_quotient(q, term);
  case TERM_MIN:
    return isl_pw_aff_min(solve_encode(q, term->args[0]),
                          solve_encode(q, term->args[1]));
  case TERM_MAX:
    return isl_pw_aff_max(solve_encode(q, term->args[0]),
                          solve_encode(q, term->args[1]));
  case TERM_ITE: return encode_ite(q, term);
  case TERM_SYMBOL:
  case TERM_MUL:
  case TERM_AND:
  case TERM_OR:
  case TERM_XOR:
  case TERM_SHL:
  case TERM_SHR:
  case TERM_APPLY:
  case TERM_TRUE:
  case TERM_FALSE:
  case TERM_LE:
  case TERM_EQ:
  case TERM_NOT:
  case TERM_ALL:
  case TERM_SOME: break;
  }
  HD_PANIC("a term without dimension");
}

static isl_set *universe(IslQuestion *q) {
  return isl_set_universe(isl_local_space_get_space(q->space));
}

static isl_set *encode_junction(IslQuestion *q, const Term *term) {
  bool is_all = term->kind == TERM_ALL;
  isl_set *set = universe(q);
  if (!is_all)
    set = isl_set_subtract(set, universe(q));
  for (uint32_t i = 0; i < term->n_args; i++) {
    isl_set *arg = encode_condition(q, term->args[i]);
    set = is_all ? isl_set_intersect(set, arg) : isl_set_union(set, arg);
  }
  return set;
}

static isl_set *encode_condition(IslQuestion *q, const Term *term) {
  switch (term->kind) {
  case TERM_TRUE: return universe(q);
  case TERM_FALSE: return isl_set_subtract(universe(q), universe(q));
  case TERM_LE:
    return isl_pw_aff_le_set(solve_encode(q, term->args[0]),
                             encode_number(q, 0));
  case TERM_EQ:
    return isl_pw_aff_eq_set(solve_encode(q, term->args[0]),
                             encode_number(q, 0));
  case TERM_NOT: // of an equation
    if (term->args[0]->kind == TERM_EQ)
      return isl_pw_aff_ne_set(solve_encode(q, term->args[0]->args[0]),
                               encode_number(q, 0));
    return isl_set_complement(encode_condition(q, term->args[0]));
  case TERM_ALL:
  case TERM_SOME: return encode_junction(q, term);
  case TERM_SUM:
  case TERM_SYMBOL:
  case TERM_MUL:
  case TERM_DIV:
  case TERM_MOD:
  case TERM_MIN:
  case TERM_MAX:
  case TERM_ITE:
  case TERM_AND:
  case TERM_OR:
  case TERM_XOR:
  case TERM_SHL:
  case TERM_SHR:
  case TERM_APPLY: break;
  }
  HD_PANIC("an integer as a condition");
}

// The ranges of all dimensions.
static isl_set *box(IslQuestion *q) {
  isl_set *set = universe(q);
  for (uint32_t i = 0; i < q->atoms.count; i++) {
    TermRange range = term_range(q->atoms.data[i]);
    if (!term_is_open(range.low))
      set = isl_set_lower_bound_val(set, isl_dim_set, i,
                                    solve_value_of(q, range.low));
    if (!term_is_open(range.high))
      set = isl_set_upper_bound_val(set, isl_dim_set, i,
                                    solve_value_of(q, range.high));
  }
  return set;
}

// --------------------------------------------------------------------- answers

// Values of the symbols from a point; false: one isn't a 64-bit number.
static bool read_point(IslQuestion *q, isl_point *point, TermModel *model) {
  uint32_t n = 0;
  model->symbols = ARENA_ARRAY(q->query->arena, const Symbol *, q->atoms.count);
  model->values = ARENA_ARRAY(q->query->arena, int64_t, q->atoms.count);
  bool is_read = true;
  for (uint32_t i = 0; i < q->atoms.count && is_read; i++) {
    if (q->atoms.data[i]->kind != TERM_SYMBOL)
      continue;
    isl_val *value = isl_point_get_coordinate_val(point, isl_dim_set, (int)i);
    // At most 8 bytes and a sign.
    is_read = isl_val_is_int(value) == isl_bool_true &&
              isl_val_n_abs_num_chunks(value, 8) <= 1;
    uint64_t size = 0;
    if (is_read)
      isl_val_get_abs_num_chunks(value, 8, &size);
    is_read = is_read && size <= INT64_MAX;
    model->symbols[n] = q->atoms.data[i]->symbol;
    model->values[n++] =
        isl_val_is_neg(value) == isl_bool_true ? -(int64_t)size : (int64_t)size;
    isl_val_free(value);
  }
  model->n = n;
  return is_read;
}

static SolveStatus solve_decide(IslQuestion *q, isl_set *set,
                                TermModel *model) {
  isl_bool is_empty = isl_set_is_empty(set);
  if (is_empty == isl_bool_true)
    return SOLVE_UNSAT;
  if (is_empty == isl_bool_error)
    return SOLVE_UNKNOWN;
  isl_point *point = isl_set_sample_point(isl_set_copy(set));
  bool is_read = point && isl_point_is_void(point) == isl_bool_false &&
                 read_point(q, point, model);
  isl_point_free(point);
  return is_read ? SOLVE_SAT : SOLVE_UNKNOWN;
}

static SolveStatus answer(IslQuestion *q, TermModel *model) {
  isl_space *space = isl_space_set_alloc(q->context, 0, q->atoms.count);
  q->space = isl_local_space_from_space(space);
  isl_set *set = box(q);
  for (uint32_t i = 0; i < q->conditions.count && set; i++)
    set = isl_set_intersect(set, encode_condition(q, q->conditions.data[i]));
  SolveStatus status = SOLVE_UNKNOWN;
  if (set && isl_ctx_last_error(q->context) == isl_error_none)
    status = solve_decide(q, set, model);
  isl_set_free(set);
  isl_local_space_free(q->space);
  return status;
}

static bool has_unknown(const Term *term) {
  return is_dimension(term) && term->kind != TERM_SYMBOL;
}

static bool solve_is_simple(const Term *condition) {
  return condition->kind == TERM_LE || condition->kind == TERM_EQ;
}

// Comparisons first: they keep the pieces of the others few.
static void order_conditions(IslQuestion *q, const TermList *lemmas) {
  Query *query = q->query;
  for (int simple = 1; simple >= 0; simple--)
    for (uint32_t i = 0; i < query->all.count; i++)
      if (solve_is_simple(query->all.data[i]) == simple)
        VEC_PUSH(query->arena, &q->conditions, query->all.data[i]);
  for (uint32_t i = 0; i < lemmas->count; i++)
    VEC_PUSH(query->arena, &q->conditions, lemmas->data[i]);
}

SolveStatus isl_solve(Query *query, TermModel *model) {
  IslQuestion q = {.query = query};
  TermList lemmas = {0};
  if (query_has(query, has_unknown))
    solve_lemmas(query, NULL, 0, &lemmas);
  order_conditions(&q, &lemmas);
  if (!find_dimensions(&q)) {
    solve_set_reason(query->solver, "too many cases for isl");
    return SOLVE_UNKNOWN;
  }
  q.context = context_of(query->solver);
  isl_ctx_reset_error(q.context);
  isl_ctx_reset_operations(q.context);
  isl_ctx_set_max_operations(q.context, MAX_OPERATIONS);
  uint64_t begin_us = solve_now_us();
  SolveStatus status = answer(&q, model);
  solve_add_time(query->solver, begin_us);
  if (isl_memory_is_out(q.context))
    rescue_out_of_memory();
  if (isl_ctx_last_error(q.context) != isl_error_none) {
    solve_set_reason(query->solver, "isl gave up");
    status = SOLVE_UNKNOWN;
  }
  isl_ctx_set_max_operations(q.context, 0);
  isl_ctx_reset_error(q.context);
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
