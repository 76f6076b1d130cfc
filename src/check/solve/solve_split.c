// SPDX-License-Identifier: Apache-2.0
// Case splits: symbols with few values that stand where they make a question
// hard (exponents, divisors, factors, bits) are replaced by each of them.
#include "check/solve/solve_parts.h"

// Values of one symbol, and cases in all.
#define MAX_VALUES 64
#define MAX_CASES  512

static uint32_t count_values(const Symbol *symbol) {
  if (term_is_open(symbol->low) || term_is_open(symbol->high))
    return UINT32_MAX;
  if (!symbol->is_power_of_two) {
    Wide n = (Wide)symbol->high - symbol->low + 1;
    return n > MAX_VALUES ? UINT32_MAX : (uint32_t)n;
  }
  uint32_t n = 0;
  for (int i = 0; i < 63; i++)
    n += (int64_t)1 << i >= symbol->low && (int64_t)1 << i <= symbol->high;
  return n;
}

// ------------------------------------------------------------------ which one

typedef struct {
  const Symbol *best;
  uint32_t n_best;
} Choice;

static void consider(const Symbol *symbol, void *context) {
  Choice *choice = context;
  uint32_t n = count_values(symbol);
  if (n == UINT32_MAX || symbol->is_lost)
    return;
  // Powers of two are what most gets simpler by.
  bool is_better = !choice->best || n < choice->n_best;
  if (choice->best && choice->best->is_power_of_two != symbol->is_power_of_two)
    is_better = symbol->is_power_of_two;
  if (is_better) {
    choice->best = symbol;
    choice->n_best = n;
  }
}

typedef struct {
  Arena *arena;
  TermList terms; // whose symbols are worth a split
} Hard;

static void note_hard(const Term *term, void *context) {
  Hard *hard = context;
  switch (term->kind) {
  case TERM_DIV:
  case TERM_MOD:
    if (term->args[1]->kind != TERM_SUM || term->args[1]->n_parts)
      VEC_PUSH(hard->arena, &hard->terms, term->args[1]);
    return;
  case TERM_SHL: VEC_PUSH(hard->arena, &hard->terms, term->args[1]); return;
  case TERM_MUL:
    for (uint32_t i = 0; i < term->n_args; i++)
      if (term->args[i]->kind == TERM_SYMBOL || term->args[i]->kind == TERM_SHL)
        VEC_PUSH(hard->arena, &hard->terms, term->args[i]);
    return;
  case TERM_AND:
  case TERM_OR:
  case TERM_XOR:
    VEC_PUSH(hard->arena, &hard->terms, term->args[0]);
    VEC_PUSH(hard->arena, &hard->terms, term->args[1]);
    return;
  case TERM_SYMBOL:
    if (term->symbol->is_power_of_two)
      VEC_PUSH(hard->arena, &hard->terms, term);
    return;
  case TERM_SUM:
  case TERM_MIN:
  case TERM_MAX:
  case TERM_ITE:
  case TERM_SHR:
  case TERM_APPLY:
  case TERM_TRUE:
  case TERM_FALSE:
  case TERM_LE:
  case TERM_EQ:
  case TERM_NOT:
  case TERM_ALL:
  case TERM_SOME: return;
  }
}

static const Symbol *solve_split_choose(const Query *query) {
  Hard hard = {.arena = query->arena};
  query_each(query, note_hard, &hard);
  Choice choice = {.best = NULL};
  for (uint32_t i = 0; i < hard.terms.count; i++)
    term_symbols(hard.terms.data[i], consider, &choice);
  return choice.best;
}

// ----------------------------------------------------------------------- cases

typedef struct {
  bool with_all; // all tiers, else the own one
  uint32_t n_cases;
  bool is_hopeless; // one case can't be told
  TermModel *model;
} Splitting;

static SolveStatus check_solve_split(Query *query, Splitting *s);

static SolveStatus solve_case(Query *branch, Splitting *s) {
  SolveTier tier;
  SolveStatus status = s->with_all
                           ? solve_cascade(branch, s->model, false, &tier)
                           : solve_own(branch, s->model);
  if (branch->is_hopeless)
    s->is_hopeless = true;
  return status == SOLVE_UNKNOWN && !s->is_hopeless
             ? check_solve_split(branch, s)
             : status;
}

// The next value after `value`, or the first for `is_first`; false: none.
static bool next_value(const Symbol *symbol, bool is_first, int64_t *value) {
  if (is_first) {
    *value = symbol->low;
    if (symbol->is_power_of_two)
      for (*value = 1; *value < symbol->low; *value *= 2)
        ;
    return *value <= symbol->high;
  }
  if (symbol->is_power_of_two) {
    if (*value > symbol->high / 2)
      return false;
    *value *= 2;
    return true;
  }
  if (*value == symbol->high)
    return false;
  ++*value;
  return true;
}

static SolveStatus check_solve_split(Query *query, Splitting *s) {
  const Symbol *symbol = solve_split_choose(query);
  if (!symbol)
    return SOLVE_UNKNOWN;
  SolveStatus result = SOLVE_UNSAT;
  int64_t value;
  for (bool is_first = true; next_value(symbol, is_first, &value);
       is_first = false) {
    if (++s->n_cases > MAX_CASES || s->is_hopeless ||
        solve_is_late(query->solver))
      return SOLVE_UNKNOWN;
    ArenaMark mark = arena_mark(query->arena);
    Query branch;
    query_copy(&branch, query);
    query_define(&branch, symbol, term_int(query->table, value));
    SolveStatus status = solve_case(&branch, s);
    if (status == SOLVE_SAT) {
      *query = branch; // with the definitions that the model needs
      return status;
    }
    arena_release(query->arena, mark);
    if (status == SOLVE_UNKNOWN) {
      // More cases can only help to find a model, and only with all tiers.
      if (!s->with_all)
        return status;
      result = status;
    }
  }
  return result;
}

SolveStatus solve_split(Query *query, TermModel *model, bool with_all) {
  Splitting s = {.with_all = with_all, .model = model};
  if (!query->is_refuted)
    return check_solve_split(query, &s);
  return SOLVE_UNSAT;
}
