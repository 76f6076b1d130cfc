// SPDX-License-Identifier: Apache-2.0
// Contexts of Z3, their settings, errors and references.
#include "check/solve/z3_parts.h"

#ifdef HD_HAVE_Z3

#include "base/rescue.h"
#include <stdlib.h>

// A context begins with tables of 17 MB, which take longer to clear than most
// questions to answer. So one is used for many; what Z3 has learnt of old
// questions isn't worth much, and goes with the solver of each.
enum { MOST_ASKED = 256 };

// Errors are looked at after the question; without a handler Z3 would exit.
static void ignore_error(Z3_context context, Z3_error_code code) {
  (void)context;
  (void)code;
}

static struct Z3Solver *new_z3(void) {
  struct Z3Solver *z3 = calloc(1, sizeof *z3);
  if (!z3)
    rescue_out_of_memory();
  Z3_config config = Z3_mk_config();
  Z3_set_param_value(config, "model", "true");
  z3->context = Z3_mk_context_rc(config);
  Z3_del_config(config);
  Z3_set_error_handler(z3->context, ignore_error);
  return z3;
}

static void z3_context_end(void *context) {
  struct Z3Solver *z3 = context;
  Z3_del_context(z3->context);
}

void z3_solver_free(struct Z3Solver *z3) {
  if (!z3)
    return;
  (void)rescue_foreign(z3_context_end, z3); // else what Z3 has is lost
  free(z3);
}

void z3_limit_ms(Z3Question *q, uint32_t limit_ms) {
  uint32_t left_ms = solve_ms_to_deadline(q->query->solver);
  Z3_context c = q->z3->context;
  Z3_params params = Z3_mk_params(c);
  Z3_params_inc_ref(c, params);
  Z3_params_set_uint(c, params, Z3_mk_string_symbol(c, "timeout"),
                     left_ms < limit_ms ? left_ms : limit_ms);
  // The process' signals aren't Z3's.
  Z3_params_set_bool(c, params, Z3_mk_string_symbol(c, "ctrl_c"), false);
  Z3_solver_set_params(c, q->z3->solver, params);
  Z3_params_dec_ref(c, params);
}

bool z3_begin(Z3Question *q, Query *query, unsigned width) {
  Solver *solver = query->solver;
  if (!solver->z3)
    solver->z3 = new_z3();
  *q = (Z3Question){.z3 = solver->z3, .query = query, .width = width};
  q->z3->solver = Z3_mk_simple_solver(q->z3->context);
  Z3_solver_inc_ref(q->z3->context, q->z3->solver);
  z3_limit_ms(q, UINT32_MAX);
  Z3_solver_push(q->z3->context, q->z3->solver);
  return true;
}

void z3_end(Z3Question *q) {
  struct Z3Solver *z3 = q->z3;
  Z3_solver_dec_ref(z3->context, z3->solver);
  z3->solver = NULL;
  for (uint32_t i = 0; i < q->held.count; i++)
    Z3_dec_ref(z3->context, q->held.data[i]);
  z3->n_asked++;
  if (z3->n_asked < MOST_ASKED)
    return;
  z3_solver_free(z3);
  q->query->solver->z3 = NULL;
}

Z3_ast z3_hold(Z3Question *q, Z3_ast ast) {
  if (ast) {
    Z3_inc_ref(q->z3->context, ast);
    VEC_PUSH(q->query->arena, &q->held, ast);
  }
  return ast;
}

void z3_assert(Z3Question *q, Z3_ast ast) {
  if (ast)
    Z3_solver_assert(q->z3->context, q->z3->solver, ast);
}

Z3_ast z3_known(const Z3Question *q, const Term *term) {
  return map_get(&q->asts, MAP_KEY(term));
}

void z3_remember(Z3Question *q, const Term *term, Z3_ast ast) {
  map_put(q->query->arena, &q->asts, MAP_KEY(term), ast);
}

static Z3_sort sort_of(Z3Question *q) {
  Z3_context c = q->z3->context;
  return q->width ? Z3_mk_bv_sort(c, q->width) : Z3_mk_int_sort(c);
}

Z3_ast z3_constant(Z3Question *q, const Term *term) {
  Z3_context c = q->z3->context;
  if (term->symbol)
    VEC_PUSH(q->query->arena, &q->symbols, term->symbol);
  return z3_hold(
      q, Z3_mk_const(c, Z3_mk_int_symbol(c, (int)term->id), sort_of(q)));
}

Z3_ast z3_number(Z3Question *q, int64_t number) {
  return z3_hold(q, Z3_mk_int64(q->z3->context, number, sort_of(q)));
}

Z3_ast z3_junction(Z3Question *q, const Term *term, Z3Encode encode) {
  Z3_context c = q->z3->context;
  if (term->kind == TERM_TRUE)
    return z3_hold(q, Z3_mk_true(c));
  if (term->kind == TERM_FALSE)
    return z3_hold(q, Z3_mk_false(c));
  Z3_ast *args = ARENA_ARRAY(q->query->arena, Z3_ast, term->n_args);
  for (uint32_t i = 0; i < term->n_args; i++)
    if (!(args[i] = encode(q, term->args[i])))
      return NULL;
  if (term->kind == TERM_NOT)
    return z3_hold(q, Z3_mk_not(c, args[0]));
  return z3_hold(q, term->kind == TERM_ALL ? Z3_mk_and(c, term->n_args, args)
                                           : Z3_mk_or(c, term->n_args, args));
}

static bool z3_context_has_failed(const Z3Question *q) {
  Z3_error_code code = Z3_get_error_code(q->z3->context);
  if (code == Z3_MEMOUT_FAIL)
    q->query->solver->is_out_of_memory = true;
  return code != Z3_OK;
}

// Values of the symbols; false: one isn't a 64-bit number.
static bool read_model(Z3Question *q, TermModel *model) {
  Z3_context c = q->z3->context;
  Z3_model z3_model = Z3_solver_get_model(c, q->z3->solver);
  if (!z3_model)
    return false;
  Z3_model_inc_ref(c, z3_model);
  uint32_t n = q->symbols.count;
  model->n = n;
  model->symbols = q->symbols.data;
  model->values = ARENA_ARRAY(q->query->arena, int64_t, n);
  bool is_read = true;
  for (uint32_t i = 0; i < n && is_read; i++) {
    const Term *term = term_of(q->query->table, q->symbols.data[i]);
    Z3_ast value = NULL;
    is_read = Z3_model_eval(c, z3_model, z3_known(q, term), true, &value);
    z3_hold(q, is_read ? value : NULL);
    uint64_t bits = 0;
    if (is_read && q->width) {
      is_read = Z3_get_numeral_uint64(c, value, &bits);
      if (q->width < 64 && bits >> (q->width - 1))
        bits |= UINT64_MAX << q->width;
      model->values[i] = (int64_t)bits;
    } else if (is_read) {
      is_read = Z3_get_numeral_int64(c, value, &model->values[i]);
    }
  }
  Z3_model_dec_ref(c, z3_model);
  return is_read;
}

// ------------------------------------------------------------------- guarding

typedef struct {
  Query *query;
  TermModel *model;
  Z3Solve solve;
  SolveStatus status;
} Asked;

static void z3_context_ask(void *context) {
  Asked *asked = context;
  asked->status = asked->solve(asked->query, asked->model);
}

// What Z3 holds when memory runs out is lost: its context isn't whole.
SolveStatus z3_ask(Query *query, TermModel *model, Z3Solve solve) {
  Asked asked = {query, model, solve, SOLVE_UNKNOWN};
  RescueEnd end = rescue_foreign(z3_context_ask, &asked);
  if (end == RESCUE_DONE && !query->solver->is_out_of_memory)
    return asked.status;
  query->solver->z3 = NULL;
  if (end != RESCUE_EXCEPTION)
    rescue_out_of_memory();
  solve_set_reason(query->solver, "an error of Z3");
  return SOLVE_UNKNOWN;
}

// ------------------------------------------------------------------- answering

SolveStatus z3_check(Z3Question *q, TermModel *model) {
  Z3_context c = q->z3->context;
  Solver *solver = q->query->solver;
  if (z3_context_has_failed(q)) {
    solve_set_reason(solver, "an error of Z3");
    return SOLVE_UNKNOWN;
  }
  uint64_t begin_us = solve_now_us();
  Z3_lbool result = Z3_solver_check(c, q->z3->solver);
  solve_add_time(solver, begin_us);
  if (z3_context_has_failed(q) || result == Z3_L_UNDEF) {
    if (!solve_is_late(solver))
      solve_set_reason(solver, "Z3 gave up");
    return SOLVE_UNKNOWN;
  }
  if (result == Z3_L_FALSE)
    return SOLVE_UNSAT;
  if (!read_model(q, model)) {
    solve_set_reason(solver, "a model beyond 64 bits");
    return SOLVE_UNKNOWN;
  }
  return SOLVE_SAT;
}

#else

void z3_solver_free(struct Z3Solver *z3) {
  (void)z3;
}

SolveStatus z3_solve_linear(Query *query, TermModel *model) {
  (void)model;
  solve_set_reason(query->solver, "built without Z3");
  return SOLVE_UNKNOWN;
}

SolveStatus z3_solve_bits(Query *query, TermModel *model) {
  return z3_solve_linear(query, model);
}

#endif
