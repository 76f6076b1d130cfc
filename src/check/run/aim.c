// SPDX-License-Identifier: Apache-2.0
// Note [Aimed launches]
// A solver's model of a suspect is one of many, mostly with sizes that no run
// can have. Here sizes are bounded, closer and closer, and asked again: first
// all by one bound, then each by itself, by bisection, while the others don't
// grow. What comes out is a launch that people can follow and that takes few
// steps. Where sizes are multiplied by or divided by each other, solvers give
// up; then the size that occurs in most products and quotients is tried with
// numbers, which leaves the rest linear.
//
// Nothing here proves or refutes: a run decides what the model is worth.
#include "check/run/aim.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_SIZES = 16, QUERY_MS = 60, MOST_LEVELS = 16 };

typedef hd_vec(const Term *) TermList;

struct Aim {
  Check *check;
  TermTable *terms;
  Solver *solver;
  SolveEnd end;
  const Term *sizes[MOST_SIZES]; // symbols of the launch in the query
  uint32_t n_products[MOST_SIZES];
  uint32_t n_sizes;
};

Aim *aim_new(Check *check, uint32_t ms) {
  Aim *aim = ARENA_NEW(check->arena, Aim);
  SolveOptions options = check->options->solve;
  aim->check = check;
  aim->terms = check->terms;
  aim->end = solve_end_of_part(ms, &options.end);
  options.query_ms = QUERY_MS;
  options.kernel_ms = 2 * ms; // half of it is counted as work
  aim->solver = solver_new(check->arena, check->terms, &options);
  for (uint32_t i = 0; i < check->tree->facts.count; i++)
    solver_assume(aim->solver, check->tree->facts.data[i]);
  for (uint32_t i = 0; i < check->tree->tables.count; i++)
    solver_assume_table(aim->solver, &check->tree->tables.data[i]);
  return aim;
}

void aim_free(Aim *aim) {
  if (aim)
    solver_free(aim->solver);
}

bool aim_is_over(const Aim *aim) {
  return solve_is_behind(&aim->end) || solver_left_ms(aim->solver) == 0;
}

// ------------------------------------------------------------------- sizes

static void note_size(const Symbol *symbol, void *context) {
  Aim *aim = context;
  if (symbol->kind != SYMBOL_LAUNCH || aim->n_sizes == MOST_SIZES)
    return;
  for (uint32_t i = 0; i < aim->n_sizes; i++)
    if (aim->sizes[i]->symbol == symbol)
      return;
  aim->n_products[aim->n_sizes] = 0;
  aim->sizes[aim->n_sizes++] = term_of(aim->terms, symbol);
}

static int by_symbol(const void *a, const void *b) {
  const Term *const *x = a, *const *y = b;
  uint32_t p = (*x)->symbol->id, q = (*y)->symbol->id;
  return (p > q) - (p < q);
}

// In the order in which they were made, which is that of parameters.
static void find_sizes(Aim *aim, const Term *query) {
  aim->n_sizes = 0;
  term_symbols(query, note_size, aim);
  for (uint32_t i = 0; i < aim->check->tree->facts.count; i++)
    term_symbols(aim->check->tree->facts.data[i], note_size, aim);
  qsort(aim->sizes, aim->n_sizes, sizeof *aim->sizes, by_symbol);
}

const Term *aim_size(Aim *aim, const Term *query, const char *name) {
  find_sizes(aim, query);
  for (uint32_t i = 0; i < aim->n_sizes; i++)
    if (aim->sizes[i]->symbol->name &&
        strcmp(aim->sizes[i]->symbol->name, name) == 0)
      return aim->sizes[i];
  return NULL;
}

// --------------------------------------------------------------- questions

static SolveStatus aim_ask(Aim *aim, const TermList *all, TermModel *model) {
  SolveAnswer answer = solver_ask(aim->solver, all->data, all->count);
  if (answer.status == SOLVE_SAT && model)
    *model = answer.model;
  return answer.status;
}

static bool has_model(Aim *aim, const TermList *all, TermModel *model) {
  return !aim_is_over(aim) && aim_ask(aim, all, model) == SOLVE_SAT;
}

static int64_t aim_value_of(const TermModel *model, const Term *size) {
  int64_t value = 0;
  return term_model_get(model, size->symbol, &value) ? value : 1;
}

static void aim_add(Aim *aim, TermList *all, const Term *condition) {
  VEC_PUSH(aim->check->arena, all, condition);
}

static TermList aim_copy_of(Aim *aim, const TermList *all) {
  TermList copy = {0};
  for (uint32_t i = 0; i < all->count; i++)
    aim_add(aim, &copy, all->data[i]);
  return copy;
}

static void aim_bound(Aim *aim, TermList *all, uint32_t size, int64_t most) {
  const Term *term = aim->sizes[size];
  if (most >= term->symbol->low)
    aim_add(aim, all, term_le(aim->terms, term, term_int(aim->terms, most)));
}

// ------------------------------------------------------------------ bounds

static bool find_within(Aim *aim, const TermList *all, TermModel *model) {
  static const int64_t most[] = {16, 256, 4096, 1 << 20};
  for (uint32_t i = 0; i < sizeof most / sizeof *most; i++) {
    TermList bounded = aim_copy_of(aim, all);
    for (uint32_t k = 0; k < aim->n_sizes; k++)
      aim_bound(aim, &bounded, k, most[i]);
    if (has_model(aim, &bounded, model))
      return true;
  }
  return has_model(aim, all, model);
}

// One size as small as it gets, the others no larger than they are.
static void shrink(Aim *aim, const TermList *all, uint32_t size, int64_t least,
                   TermModel *model) {
  int64_t low = aim->sizes[size]->symbol->low;
  low = low > least ? low : least;
  for (int level = 0; level < MOST_LEVELS; level++) {
    int64_t now = aim_value_of(model, aim->sizes[size]);
    if (now <= low)
      return;
    int64_t middle = level == 0 ? low : low + (now - low) / 2;
    TermList bounded = aim_copy_of(aim, all);
    for (uint32_t k = 0; k < aim->n_sizes; k++)
      aim_bound(aim, &bounded, k,
                k == size ? middle : aim_value_of(model, aim->sizes[k]));
    TermModel better;
    if (has_model(aim, &bounded, &better))
      *model = better;
    else
      low = middle + 1;
  }
}

static bool small_model(Aim *aim, const TermList *all, int64_t least,
                        TermModel *model) {
  TermList positive = aim_copy_of(aim, all);
  for (uint32_t k = 0; k < aim->n_sizes; k++)
    if (aim->sizes[k]->symbol->high >= least &&
        aim->sizes[k]->symbol->low < least)
      aim_add(aim, &positive,
              term_le(aim->terms, term_int(aim->terms, least), aim->sizes[k]));
  if (!find_within(aim, &positive, model))
    return false;
  for (uint32_t k = 0; k < aim->n_sizes; k++)
    shrink(aim, &positive, k, least, model);
  return true;
}

// ---------------------------------------------------------------- products

static void count_size(const Symbol *symbol, void *context) {
  Aim *aim = context;
  for (uint32_t i = 0; i < aim->n_sizes; i++)
    aim->n_products[i] += aim->sizes[i]->symbol == symbol;
}

static void count_products(Aim *aim, const Term *term, int depth) {
  bool is_quotient = term->kind == TERM_DIV || term->kind == TERM_MOD;
  int64_t number;
  if (depth > 64)
    return;
  if (term->kind == TERM_MUL)
    term_symbols(term, count_size, aim);
  else if (is_quotient && !term_is_constant(term->args[1], &number))
    term_symbols(term->args[1], count_size, aim);
  for (uint32_t i = 0; i < term->n_args; i++)
    count_products(aim, term->args[i], depth + 1);
  for (uint32_t i = 0; i < term->n_parts; i++)
    count_products(aim, term->parts[i].atom, depth + 1);
}

static uint32_t most_products(const Aim *aim) {
  uint32_t best = UINT32_MAX;
  for (uint32_t i = 0; i < aim->n_sizes; i++)
    if (aim->n_products[i] > 0 &&
        (best == UINT32_MAX || aim->n_products[i] > aim->n_products[best]))
      best = i;
  return best;
}

// With numbers for the size that makes it hard.
static bool model_with_numbers(Aim *aim, const TermList *all,
                               TermModel *model) {
  static const int64_t numbers[] = {1, 2, 3, 5, 8, 17, 33, 64, 65, 129, 257};
  for (uint32_t i = 0; i < all->count; i++)
    count_products(aim, all->data[i], 0);
  uint32_t size = most_products(aim);
  if (size == UINT32_MAX)
    return false;
  const Symbol *symbol = aim->sizes[size]->symbol;
  for (uint32_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    if (numbers[i] < symbol->low || numbers[i] > symbol->high)
      continue;
    TermList fixed = aim_copy_of(aim, all);
    aim_add(aim, &fixed,
            term_eq(aim->terms, aim->sizes[size],
                    term_int(aim->terms, numbers[i])));
    if (small_model(aim, &fixed, 1, model))
      return true;
  }
  return false;
}

// --------------------------------------------------------------------- all

bool aim_model(Aim *aim, const Term *query, const Term *avoid,
               TermModel *model) {
  TermList all = {0};
  aim_add(aim, &all, query);
  if (avoid)
    aim_add(aim, &all, term_not(aim->terms, avoid));
  find_sizes(aim, query);
  return model_with_numbers(aim, &all, model) ||
         small_model(aim, &all, 1, model) || small_model(aim, &all, 0, model);
}

bool aim_refutes(Aim *aim, const Term *query, const Term *avoid) {
  TermList all = {0};
  aim_add(aim, &all, query);
  aim_add(aim, &all, term_not(aim->terms, avoid));
  return !aim_is_over(aim) && aim_ask(aim, &all, NULL) == SOLVE_UNSAT;
}

// ------------------------------------------------------------------- turns

static void look_for_meeting(const Step *step, void *context) {
  bool *has_one = context;
  *has_one |= step->kind == STEP_SYNC || step->kind == STEP_ARRIVE ||
              step->kind == STEP_WAIT || step->kind == STEP_BARRIER ||
              step->kind == STEP_COLLECTIVE || step->kind == STEP_COPY_WAIT;
}

// Barriers of the array that the loop has most of.
static void look_for_slots(const Step *step, void *context) {
  enum { MOST_SLOTS = 64 };

  int64_t *most = context, n = 1;
  if (step->kind != STEP_BARRIER)
    return;
  const IrObject *object = step->u.barrier->object;
  for (uint32_t i = 0; i < object->rank && n <= MOST_SLOTS; i++) {
    const IrHost *extent = object->extents[i];
    n *= extent && extent->op == HOST_CONST ? extent->number : 1;
  }
  *most = n > *most && n <= MOST_SLOTS ? n : *most;
}

typedef struct {
  Aim *aim;
  const Term *all;
  bool goes_round;
} Turns;

static void add_loop(const Step *step, void *context) {
  Turns *turns = context;
  Aim *aim = turns->aim;
  TermTable *t = aim->terms;
  bool has_meeting = false;
  if (step->kind != STEP_LOOP || !step->u.loop.loop->trips)
    return;
  tree_each(step->u.loop.body, look_for_meeting, &has_meeting);
  if (!has_meeting)
    return;
  int64_t n = 0;
  if (turns->goes_round)
    tree_each(step->u.loop.body, look_for_slots, &n);
  const Term *twice = term_le(t, term_int(t, 2 + n), step->u.loop.loop->trips);
  const Term *all = term_and(t, term_and(t, twice, step->path),
                             turns->all ? turns->all : term_true(t));
  TermList asked = {0};
  aim_add(aim, &asked, all);
  if (all->kind != TERM_FALSE && has_model(aim, &asked, NULL))
    turns->all = all;
}

const Term *aim_turns(Aim *aim, bool goes_round) {
  Turns turns = {.aim = aim, .goes_round = goes_round};
  tree_each(aim->check->tree->first, add_loop, &turns);
  return turns.all;
}
