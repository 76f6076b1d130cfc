// SPDX-License-Identifier: Apache-2.0
#include "check/solve/solve.h"
#include "base/bits.h"
#include "base/panic.h"
#include "base/rescue.h"
#include "check/solve/solve_parts.h"
#include <stdlib.h>
#include <time.h>

#ifndef HD_SLOWER
#define HD_SLOWER 1 // cmake/HeddleOptions.cmake
#endif

#define DEFAULT_QUERY_MS  1000
#define DEFAULT_KERNEL_MS 10000

// ------------------------------------------------------------------------ time

// In microseconds of the usual build: limits are so that verdicts of one that
// is HD_SLOWER times as slow are the same.
static uint64_t clock_us(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return ((uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000) /
         HD_SLOWER;
}

uint64_t solve_now_us(void) {
  return clock_us(CLOCK_THREAD_CPUTIME_ID);
}

double solve_now_ms(void) {
  return (double)solve_now_us() / 1e3;
}

// Limits are microseconds of work: terms made, at the rate of one machine, and
// the time of other libraries. So a verdict is the same on a machine that is
// half as fast; time itself ends what takes SLACK times as long, and the clock
// what a user won't wait for (SolveEnd).
enum { TERMS_A_US = 8, SLACK = 4 };

static uint64_t work_us(const Solver *solver) {
  return solver->table->n_asked / TERMS_A_US + solver->others_us;
}

bool solve_is_late(Solver *solver) {
  if (!solver->timed_out && (work_us(solver) >= solver->end_work_us ||
                             solve_now_us() >= solver->deadline_us ||
                             solve_is_over(&solver->options)))
    solver->timed_out = true;
  return solver->timed_out;
}

uint32_t solve_ms_to_deadline(const Solver *solver) {
  uint64_t work = work_us(solver), now = solve_now_us();
  if (work >= solver->end_work_us || now >= solver->deadline_us)
    return 1;
  uint64_t left_us = solver->end_work_us - work;
  if (left_us > solver->deadline_us - now)
    left_us = solver->deadline_us - now;
  uint64_t wall = clock_us(CLOCK_MONOTONIC), end = solver->options.end.wall_us;
  if (end && wall + left_us > end)
    left_us = end > wall ? end - wall : 0;
  return (uint32_t)(left_us / 1000 + 1);
}

bool solve_is_behind(const SolveEnd *end) {
  return (end->cpu_us && solve_now_us() >= end->cpu_us) ||
         (end->wall_us && clock_us(CLOCK_MONOTONIC) >= end->wall_us);
}

bool solve_is_over(const SolveOptions *options) {
  return solve_is_behind(&options->end);
}

static uint64_t sooner(uint64_t end_us, uint64_t last_us) {
  return last_us && last_us < end_us ? last_us : end_us;
}

SolveEnd solve_end_in(uint64_t ms, const SolveEnd *last) {
  uint64_t wall_us = clock_us(CLOCK_MONOTONIC);
  return (SolveEnd){sooner(solve_now_us() + 1000 * ms, last->cpu_us),
                    sooner(wall_us + 1000 * ms, last->wall_us)};
}

SolveEnd solve_end_of_part(uint64_t ms, const SolveEnd *whole) {
  SolveEnd end = solve_end_in(ms, whole);
  if (whole->wall_us)
    end.wall_us = whole->wall_us;
  return end;
}

SolveEnd solve_end(const SolveOptions *options) {
  return solve_end_of_part(options->kernel_ms ? options->kernel_ms
                                              : DEFAULT_KERNEL_MS,
                           &options->end);
}

void solve_add_time(Solver *solver, uint64_t begin_us) {
  solver->others_us += solve_now_us() - begin_us;
}

static uint32_t kernel_ms(const Solver *solver) {
  uint32_t ms = solver->options.kernel_ms;
  return ms ? ms : DEFAULT_KERNEL_MS;
}

static uint32_t left_of(uint64_t limit_ms, uint64_t used_us) {
  uint64_t used_ms = used_us / 1000;
  return used_ms >= limit_ms ? 0 : (uint32_t)(limit_ms - used_ms);
}

// Work of half the time, so that time is seldom what ends it.
uint32_t solver_left_ms(const Solver *solver) {
  uint32_t all_ms = kernel_ms(solver);
  uint32_t time_ms = left_of(all_ms, solver->used_us);
  uint32_t work_ms = left_of((all_ms + 1) / 2, solver->used_work_us);
  if (solve_is_over(&solver->options))
    return 0;
  return work_ms < time_ms ? work_ms : time_ms;
}

void solver_spend_ms(Solver *solver, double ms) {
  solver->used_us += ms > 0 ? (uint64_t)(1e3 * ms) : 0;
}

void solve_start_clock(Solver *solver) {
  uint64_t limit_ms = solver->options.query_ms;
  limit_ms = limit_ms ? limit_ms : DEFAULT_QUERY_MS;
  uint64_t left_ms = solver_left_ms(solver);
  uint64_t time_ms = left_of(kernel_ms(solver), solver->used_us);
  uint64_t most_ms = limit_ms < left_ms ? limit_ms : left_ms;
  solver->begin_us = solve_now_us();
  solver->begin_work_us = work_us(solver);
  solver->end_work_us = solver->begin_work_us + 1000 * most_ms;
  solver->deadline_us =
      solver->begin_us +
      1000 * (SLACK * most_ms < time_ms ? SLACK * most_ms : time_ms);
  solver->deadline_us = sooner(solver->deadline_us, solver->options.end.cpu_us);
  solver->timed_out = false;
  solver->n_pairs = 0;
  solver->reason = NULL;
}

void solve_stop_clock(Solver *solver) {
  solver->used_us += solve_now_us() - solver->begin_us;
  solver->used_work_us += work_us(solver) - solver->begin_work_us;
}

void solve_set_reason(Solver *solver, const char *reason) {
  solver->reason = reason;
}

// ----------------------------------------------------------------------- state

static void release_solver(void *solver) {
  solver_free(solver);
}

Solver *solver_new(Arena *arena, TermTable *table,
                   const SolveOptions *options) {
  Solver *solver = ARENA_NEW(arena, Solver);
  solver->arena = arena;
  solver->table = table;
  if (options)
    solver->options = *options;
  rescue_owe(release_solver, solver);
  solver->scratch = arena_new();
  return solver;
}

void solver_free(Solver *solver) {
  if (!solver)
    return;
  rescue_paid(solver);
  isl_solver_free(solver->isl);
  z3_solver_free(solver->z3);
  solver->isl = NULL;
  solver->z3 = NULL;
  arena_free(solver->scratch);
  solver->scratch = NULL;
}

uint32_t solver_count(const Solver *solver, SolveTier tier) {
  return tier < TIER_COUNT ? solver->counts[tier] : 0;
}

typedef struct {
  Arena *arena;
  SymbolList *symbols;
} Collecting;

static void collect_symbol(const Symbol *symbol, void *context) {
  Collecting *c = context;
  VEC_PUSH(c->arena, c->symbols, symbol);
}

void solver_assume(Solver *solver, const Term *condition) {
  HD_ASSERT(!term_is_int(condition));
  if (condition->kind == TERM_ALL) {
    for (uint32_t i = 0; i < condition->n_args; i++)
      solver_assume(solver, condition->args[i]);
    return;
  }
  if (condition->kind == TERM_TRUE)
    return;
  SymbolList symbols = {0};
  term_symbols(condition, collect_symbol,
               &(Collecting){solver->arena, &symbols});
  VEC_PUSH(solver->arena, &solver->facts, condition);
  VEC_PUSH(solver->arena, &solver->fact_symbols, symbols);
  solver->version++;
}

void solver_assume_table(Solver *solver, const TableFact *fact) {
  HD_ASSERT(fact->object && (!fact->low || term_is_int(fact->low)) &&
            (!fact->high || term_is_int(fact->high)));
  VEC_PUSH(solver->arena, &solver->tables, *fact);
  solver->version++;
}

// ----------------------------------------------------------------------- facts

bool solve_add_facts(Solver *solver, Query *query) {
  uint32_t n_facts = solver->facts.count, n_added = 0;
  bool *is_added = ARENA_ARRAY(query->arena, bool, n_facts + 1);
  Map known = {0};
  SymbolList symbols = {0};
  query_symbols(query, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++)
    map_put(query->arena, &known, MAP_KEY(symbols.data[i]), query);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < n_facts; i++) {
      const SymbolList *own = &solver->fact_symbols.data[i];
      bool is_related = own->count == 0;
      for (uint32_t k = 0; k < own->count && !is_related; k++)
        is_related = map_has(&known, MAP_KEY(own->data[k]));
      if (!is_related || is_added[i])
        continue;
      for (uint32_t k = 0; k < own->count; k++)
        map_put(query->arena, &known, MAP_KEY(own->data[k]), query);
      query_add(query, solver->facts.data[i]);
      is_added[i] = changed = true;
      n_added++;
    }
  }
  return n_added == n_facts;
}

// ---------------------------------------------------------------------- models

static void model_set(Arena *arena, TermModel *model, const Symbol *symbol,
                      int64_t value) {
  const Symbol **symbols = ARENA_ARRAY(arena, const Symbol *, model->n + 1);
  int64_t *values = ARENA_ARRAY(arena, int64_t, model->n + 1);
  for (uint32_t i = 0; i < model->n; i++) {
    symbols[i] = model->symbols[i];
    values[i] = model->values[i];
  }
  symbols[model->n] = symbol;
  values[model->n] = value;
  *model = (TermModel){model->n + 1, symbols, values};
}

// The value in the symbol's range that is nearest to 0.
static int64_t default_value(const Symbol *symbol) {
  if (symbol->low > 0)
    return symbol->low;
  return symbol->high < 0 ? symbol->high : 0;
}

static void complete_from(Query *query, const Term *term, TermModel *model) {
  SymbolList symbols = {0};
  term_symbols(term, collect_symbol, &(Collecting){query->arena, &symbols});
  int64_t value;
  for (uint32_t i = 0; i < symbols.count; i++)
    if (!term_model_get(model, symbols.data[i], &value))
      model_set(query->arena, model, symbols.data[i],
                default_value(symbols.data[i]));
}

// Values of the symbols that were replaced, last first; false: can't be told.
static bool trace_back(Query *query, TermModel *model) {
  for (uint32_t i = query->definitions.count; i-- > 0;) {
    const Definition *definition = &query->definitions.data[i];
    int64_t value;
    complete_from(query, definition->value, model);
    if (!term_value(definition->value, model, &value))
      return false;
    model_set(query->arena, model, definition->symbol, value);
  }
  return true;
}

static bool is_in_range(const Symbol *symbol, int64_t value) {
  return value >= symbol->low && value <= symbol->high &&
         (!symbol->is_power_of_two || is_power_of_two(value));
}

// Is the model one of all these conditions? Then *result is it, with the
// symbols that occur only, in the solver's arena.
static bool accept_model(Solver *solver, Query *question, TermModel *model,
                         TermModel *result) {
  SymbolList symbols = {0};
  query_symbols(question, &symbols);
  *result = (TermModel){0};
  for (uint32_t i = 0; i < symbols.count; i++) {
    const Symbol *symbol = symbols.data[i];
    int64_t value;
    if (!term_model_get(model, symbol, &value)) {
      value = default_value(symbol);
      model_set(question->arena, model, symbol, value);
    }
    if (!is_in_range(symbol, value))
      return false;
    model_set(solver->arena, result, symbol, value);
  }
  for (uint32_t i = 0; i < question->all.count; i++) {
    int64_t holds;
    if (!term_value(question->all.data[i], model, &holds) || !holds)
      return false;
  }
  return true;
}

// Is the model one of the conditions of the query as it is now? (Products and
// the like are unknown integers to some tiers.)
static bool is_model_of(Query *query, TermModel *model) {
  for (uint32_t i = 0; i < model->n; i++)
    if (!is_in_range(model->symbols[i], model->values[i]))
      return false;
  for (uint32_t i = 0; i < query->all.count; i++) {
    int64_t holds;
    complete_from(query, query->all.data[i], model);
    if (!term_value(query->all.data[i], model, &holds) || !holds)
      return false;
  }
  return true;
}

// --------------------------------------------------------------------- cascade

typedef struct {
  const Term *term;
} Inexact;

static void find_inexact(const Term *term, void *context) {
  Inexact *inexact = context;
  if (term->kind == TERM_APPLY || term->kind == TERM_MUL ||
      (!inexact->term && (term->kind == TERM_XOR || term->kind == TERM_AND ||
                          term->kind == TERM_OR)))
    inexact->term = term;
}

const char *solve_inexact_reason(const Query *query) {
  Inexact inexact = {NULL};
  query_each(query->question ? query->question : query, find_inexact, &inexact);
  if (!inexact.term)
    return "not decided for all values";
  Text text = {.arena = query->solver->arena};
  text_add(&text, inexact.term->kind == TERM_APPLY ? "contents of a table: "
                  : inexact.term->kind == TERM_MUL ? "symbolic product "
                                                   : "bit operation ");
  term_print(inexact.term, &text);
  return text_cstr(&text);
}

SolveStatus solve_cascade(Query *query, TermModel *model, bool may_split,
                          SolveTier *tier) {
  static const struct {
    SolveTier tier;
    SolveStatus (*solve)(Query *, TermModel *);
  } tiers[] = {
      {TIER_Z3_LINEAR, z3_solve_linear},
      {TIER_Z3_BITS, z3_solve_bits},
      {TIER_ISL, isl_solve},
  };

  Solver *solver = query->solver;
  const bool *off = solver->options.tiers_off;
  if (!off[TIER_SIMPLIFY]) {
    *tier = TIER_SIMPLIFY;
    SolveStatus status = solve_own(query, model);
    if (query->is_hopeless) {
      solve_set_reason(solver, solve_inexact_reason(query));
      return SOLVE_UNKNOWN;
    }
    // Cases of a power of two are cheap and settle what is hard for the others.
    if (status == SOLVE_UNKNOWN && may_split && !off[TIER_SPLIT]) {
      *tier = TIER_SPLIT;
      status = solve_split(query, model, false);
    }
    if (status != SOLVE_UNKNOWN)
      return status;
  }
  bool is_linear_useless = !off[TIER_SIMPLIFY] && solve_find_relaxed(query);
  if (is_linear_useless)
    solve_set_reason(solver, solve_inexact_reason(query));
  for (uint32_t i = 0; i < sizeof tiers / sizeof *tiers; i++) {
    if (off[tiers[i].tier] || solve_is_late(solver) ||
        (is_linear_useless && tiers[i].tier != TIER_Z3_BITS))
      continue;
    *tier = tiers[i].tier;
    SolveStatus status = tiers[i].solve(query, model);
    if (status == SOLVE_SAT && !is_model_of(query, model)) {
      solve_set_reason(solver, solve_inexact_reason(query));
      status = SOLVE_UNKNOWN;
      // What Z3 can't refute with linear integers, isl can't either.
      is_linear_useless |= tiers[i].tier == TIER_Z3_LINEAR;
    }
    if (status != SOLVE_UNKNOWN)
      return status;
  }
  return SOLVE_UNKNOWN;
}

static SolveAnswer solve_unknown(Solver *solver) {
  SolveAnswer answer = {.status = SOLVE_UNKNOWN};
  answer.reason = solver->timed_out ? "time" : solver->reason;
  if (!answer.reason)
    answer.reason = "not decided by any tier";
  return answer;
}

static SolveStatus solve_all(Query *query, TermModel *model, SolveTier *tier) {
  bool may_split = !query->solver->options.tiers_off[TIER_SPLIT];
  SolveStatus status = solve_cascade(query, model, may_split, tier);
  if (status != SOLVE_UNKNOWN || query->is_hopeless || !may_split ||
      solve_is_late(query->solver))
    return status;
  *tier = TIER_SPLIT;
  return solve_split(query, model, true);
}

static SolveAnswer solve_ask(Solver *solver, Query *question) {
  Query query;
  query_copy(&query, question);
  query.question = question;
  solve_table_lemmas(&query);
  TermModel model = {0};
  SolveAnswer answer = {0};
  if (query.is_refuted)
    return (SolveAnswer){.status = SOLVE_UNSAT, .tier = TIER_SIMPLIFY};
  answer.status = solve_all(&query, &model, &answer.tier);
  if (answer.status == SOLVE_UNKNOWN)
    return solve_unknown(solver);
  if (answer.status == SOLVE_SAT &&
      !(trace_back(&query, &model) &&
        accept_model(solver, question, &model, &answer.model))) {
    if (!solver->reason)
      solver->reason = "not decided for all values";
    return solve_unknown(solver);
  }
  return answer;
}

// A model of the related conditions is one of all if the other facts hold for
// some values, too: asked with all of them.
static SolveAnswer ask_both(Solver *solver, Query *question) {
  Query related;
  query_copy(&related, question);
  bool has_all = solve_add_facts(solver, &related);
  SolveAnswer answer = solve_ask(solver, &related);
  if (answer.status != SOLVE_SAT || has_all)
    return answer;
  for (uint32_t i = 0; i < solver->facts.count; i++)
    query_add(question, solver->facts.data[i]);
  return solve_ask(solver, question);
}

// ------------------------------------------------------------------------- API

static uint64_t cache_key(Solver *solver, const Query *question) {
  const Term *all = term_junction(solver->table, TERM_ALL, question->all.data,
                                  question->all.count);
  return (uint64_t)solver->version << 32 | all->id;
}

SolveAnswer solver_ask(Solver *solver, const Term *const *conditions,
                       uint32_t n) {
  if (solver_left_ms(solver) == 0) {
    solver->timed_out = true;
    return solve_unknown(solver);
  }
  ArenaMark mark = arena_mark(solver->scratch);
  solve_start_clock(solver);
  Query question;
  query_init(&question, solver, solver->scratch);
  for (uint32_t i = 0; i < n; i++) {
    HD_ASSERT(!term_is_int(conditions[i]));
    query_add(&question, conditions[i]);
  }
  SolveAnswer answer = {.status = SOLVE_UNSAT, .tier = TIER_SIMPLIFY};
  uint64_t key = cache_key(solver, &question);
  const SolveAnswer *known = map_get(&solver->cache, key);
  if (known) {
    answer = *known;
  } else if (!question.is_refuted) {
    answer = ask_both(solver, &question);
    if (answer.status != SOLVE_UNKNOWN || !solver->timed_out) {
      SolveAnswer *copy = ARENA_NEW(solver->arena, SolveAnswer);
      *copy = answer;
      map_put(solver->arena, &solver->cache, key, copy);
    }
  }
  if (answer.status != SOLVE_UNKNOWN)
    solver->counts[answer.tier]++;
  solve_stop_clock(solver);
  arena_release(solver->scratch, mark);
  return answer;
}

static bool has_conjunct(const Term *all, const Term *condition) {
  if (all == condition)
    return true;
  for (uint32_t i = 0; all->kind == TERM_ALL && i < all->n_args; i++)
    if (all->args[i] == condition)
      return true;
  return false;
}

bool solver_proves(Solver *solver, const Term *given, const Term *condition) {
  HD_ASSERT(!term_is_int(condition) && (!given || !term_is_int(given)));
  if (condition->kind == TERM_TRUE || (given && given->kind == TERM_FALSE))
    return true;
  if (given && has_conjunct(given, condition))
    return true;
  if (condition->kind == TERM_ALL) {
    for (uint32_t i = 0; i < condition->n_args; i++)
      if (!solver_proves(solver, given, condition->args[i]))
        return false;
    return true;
  }
  const Term *both[2] = {term_not(solver->table, condition), given};
  return solver_ask(solver, both, given ? 2 : 1).status == SOLVE_UNSAT;
}
