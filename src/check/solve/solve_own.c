// SPDX-License-Identifier: Apache-2.0
// The own tier: rewriting and linear refutation, with case distinctions where a
// condition or a term has several.
#include "check/solve/solve_parts.h"

// Cases in all.
#define MAX_LEAVES 48

typedef struct {
  uint32_t n_leaves;
} Search;

static bool refute(Query *query, Search *search);

// Adds the condition to a copy and refutes that.
static bool refute_case(const Query *query, const Term *condition,
                        const Term *from, const Term *to, Search *search) {
  ArenaMark mark = arena_mark(query->arena);
  Query branch;
  query_copy(&branch, query);
  if (from)
    query_exchange(&branch, from, to);
  query_add(&branch, condition);
  bool is_refuted = refute(&branch, search);
  arena_release(query->arena, mark);
  return is_refuted;
}

static bool refute_arms(const Query *query, const Term *some, Search *search) {
  for (uint32_t i = 0; i < some->n_args; i++)
    if (!refute_case(query, some->args[i], some, term_true(query->table),
                     search))
      return false;
  return true;
}

static bool refute_sides(const Query *query, const Term *not_equal,
                         Search *search) {
  TermTable *table = query->table;
  const Term *sum = not_equal->args[0]->args[0], *zero = term_int(table, 0);
  const Term *always = term_true(table);
  return refute_case(query, term_lt(table, sum, zero), not_equal, always,
                     search) &&
         refute_case(query, term_lt(table, zero, sum), not_equal, always,
                     search);
}

typedef struct {
  const Term *condition, *yes, *no;
} Choice;

static Choice choice_of(TermTable *table, const Term *atom) {
  if (atom->kind == TERM_ITE)
    return (Choice){atom->args[0], atom->args[1], atom->args[2]};
  return (Choice){term_le(table, atom->args[0], atom->args[1]),
                  atom->args[atom->kind == TERM_MAX],
                  atom->args[atom->kind == TERM_MIN]};
}

static bool refute_choice(const Query *query, const Term *atom,
                          Search *search) {
  Choice choice = choice_of(query->table, atom);
  return refute_case(query, choice.condition, atom, choice.yes, search) &&
         refute_case(query, term_not(query->table, choice.condition), atom,
                     choice.no, search);
}

typedef struct {
  const Term *choice; // innermost ite, min or max
} Choices;

static void find_choice(const Term *term, void *context) {
  Choices *choices = context;
  if (!choices->choice && (term->kind == TERM_ITE || term->kind == TERM_MIN ||
                           term->kind == TERM_MAX))
    choices->choice = term;
}

static const Term *find_some(const Query *query) {
  const Term *best = NULL;
  for (uint32_t i = 0; i < query->all.count; i++) {
    const Term *term = query->all.data[i];
    if (term->kind == TERM_SOME && (!best || term->n_args < best->n_args))
      best = term;
  }
  return best;
}

static const Term *find_not_equal(const Query *query) {
  for (uint32_t i = 0; i < query->all.count; i++)
    if (query->all.data[i]->kind == TERM_NOT &&
        query->all.data[i]->args[0]->kind == TERM_EQ)
      return query->all.data[i];
  return NULL;
}

static bool refute(Query *query, Search *search) {
  if (query->is_last && !solve_digits(query, true))
    return true;
  if (!solve_reduce(query) || solve_linear_refutes(query, NULL, 0))
    return true;
  if (++search->n_leaves > MAX_LEAVES || solve_is_late(query->solver))
    return false;
  const Term *some = find_some(query);
  if (some && some->n_args <= MAX_LEAVES)
    return refute_arms(query, some, search);
  const Term *not_equal = find_not_equal(query);
  if (not_equal && refute_sides(query, not_equal, search))
    return true;
  Choices choices = {NULL};
  query_each(query, find_choice, &choices);
  return choices.choice && refute_choice(query, choices.choice, search);
}

// ------------------------------------------------------------------- pruning

#define MAX_PRUNED 6

typedef struct {
  const Term *atoms[MAX_PRUNED]; // ite, min, max
  uint32_t n;
} ChoiceList;

static void note_choice(const Term *term, void *context) {
  ChoiceList *list = context;
  if (list->n < MAX_PRUNED &&
      (term->kind == TERM_ITE || term->kind == TERM_MIN ||
       term->kind == TERM_MAX))
    list->atoms[list->n++] = term;
}

static bool is_quickly_refuted(const Query *query, const Term *condition) {
  ArenaMark mark = arena_mark(query->arena);
  Query copy;
  query_copy(&copy, query);
  copy.is_quick = true;
  query_add(&copy, condition);
  bool is_refuted =
      !solve_reduce(&copy) || solve_linear_refutes(&copy, NULL, 0);
  arena_release(query->arena, mark);
  return is_refuted;
}

// Takes the way of one choice that the conditions leave only one of.
static bool prune_one(Query *query) {
  ChoiceList list = {.n = 0};
  query_each(query, note_choice, &list);
  for (uint32_t i = 0; i < list.n; i++) {
    Choice choice = choice_of(query->table, list.atoms[i]);
    const Term *against = term_not(query->table, choice.condition);
    bool is_yes = is_quickly_refuted(query, against);
    if (!is_yes && !is_quickly_refuted(query, choice.condition))
      continue;
    query_exchange(query, list.atoms[i], is_yes ? choice.yes : choice.no);
    query_add(query, is_yes ? choice.condition : against);
    return true;
  }
  return false;
}

// Rewrites first without what costs proofs, so that fewer proofs are tried.
static bool reduce_pruned(Query *query) {
  query->is_quick = true;
  bool is_open = solve_reduce(query);
  for (int i = 0; is_open && i < MAX_PRUNED && prune_one(query); i++)
    is_open = solve_reduce(query);
  query->is_quick = false;
  return is_open && solve_reduce(query);
}

// (a + b) * x + y with y < a + b: the same with a stride of its own.
static bool refute_with_sums(const Query *query) {
  ArenaMark mark = arena_mark(query->arena);
  Query copy;
  query_copy(&copy, query);
  Search search = {0};
  bool is_refuted = solve_sum_strides(&copy) && refute(&copy, &search);
  arena_release(query->arena, mark);
  return is_refuted;
}

static bool has_symbolic_divisor(const Term *term) {
  int64_t number;
  return (term->kind == TERM_DIV || term->kind == TERM_MOD) &&
         !term_is_constant(term->args[1], &number);
}

static bool solve_own_is_product(const Term *term) {
  return term->kind == TERM_MUL;
}

// Quotients by symbols as symbols. What was linear in the numerator is a
// product then: only where nothing else helps.
static bool refute_with_digits(const Query *query) {
  if (!query_has(query, has_symbolic_divisor))
    return false;
  ArenaMark mark = arena_mark(query->arena);
  Query copy;
  query_copy(&copy, query);
  Search search = {0};
  copy.is_last = true;
  bool is_refuted = !solve_digits(&copy, true) || refute(&copy, &search);
  arena_release(query->arena, mark);
  return is_refuted;
}

static bool refute_copy(const Query *query) {
  ArenaMark mark = arena_mark(query->arena);
  Query copy;
  query_copy(&copy, query);
  Search search = {0};
  bool is_refuted = refute(&copy, &search);
  arena_release(query->arena, mark);
  return is_refuted;
}

// Where a factor is bounded by a number, which is no condition any more: many
// lemmas, which help seldom.
static bool refute_with_intervals(Query *query) {
  Search search = {0};
  query->has_intervals = true;
  return query_has(query, solve_own_is_product) && refute(query, &search);
}

SolveStatus solve_own(Query *query, TermModel *model) {
  Query reduced;
  if (!reduce_pruned(query) || solve_linear_refutes(query, NULL, 0))
    return SOLVE_UNSAT;
  query_copy(&reduced, query);
  if (refute_with_sums(query) || refute_with_digits(query) ||
      !solve_digits(query, false) || refute_copy(query))
    return SOLVE_UNSAT;
  FindResult found = solve_find(query, model);
  if (found == FIND_NOTHING && refute_with_intervals(&reduced))
    return SOLVE_UNSAT;
  query->is_hopeless = found == FIND_WITH_TABLES;
  return found == FIND_MODEL ? SOLVE_SAT : SOLVE_UNKNOWN;
}
