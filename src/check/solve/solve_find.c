// SPDX-License-Identifier: Apache-2.0
// Looks for a model: starts with small values and repairs one condition at a
// time. Most questions that have a model have an easy one, and are settled
// before they cost a solver's time.
#include "check/solve/solve_parts.h"

// Conditions evaluated in all.
#define MAX_EVALUATIONS 3000
#define MAX_SYMBOLS     64
#define MAX_CANDIDATES  10

typedef struct {
  Query *query;
  TermModel model;
  uint32_t budget;
  uint64_t random;
} Find;

static uint32_t solve_find_next_random(Find *f) {
  f->random = f->random * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(f->random >> 33);
}

static bool solve_find_holds(Find *f, const Term *condition) {
  int64_t value;
  if (f->budget)
    f->budget--;
  return term_value(condition, &f->model, &value) && value;
}

static uint32_t count_violated(Find *f) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < f->query->all.count; i++)
    n += !solve_find_holds(f, f->query->all.data[i]);
  return n;
}

static const Term *first_violated(Find *f) {
  uint32_t n = f->query->all.count, start = solve_find_next_random(f) % n;
  for (uint32_t i = 0; i < n; i++) {
    const Term *condition = f->query->all.data[(start + i) % n];
    if (!solve_find_holds(f, condition))
      return condition;
  }
  return NULL;
}

static int64_t solve_find_clamp(const Symbol *symbol, int64_t value) {
  value = value < symbol->low ? symbol->low : value;
  value = value > symbol->high ? symbol->high : value;
  if (!symbol->is_power_of_two)
    return value;
  int64_t power = 1;
  while (power < value && power <= symbol->high / 2)
    power *= 2;
  return power;
}

// ------------------------------------------------------------------ candidates

typedef struct {
  int64_t values[MAX_CANDIDATES];
  uint32_t n;
} Candidates;

static void add_candidate(Candidates *c, const Symbol *symbol, Wide value) {
  int64_t x = solve_find_clamp(symbol, term_clamp(value));
  for (uint32_t i = 0; i < c->n; i++)
    if (c->values[i] == x)
      return;
  if (c->n < MAX_CANDIDATES)
    c->values[c->n++] = x;
}

// Where the sum would be 0 if it went on as it does from here to the next
// value: for linear parts that is what just satisfies the comparison.
static void solve_for(Find *f, const Term *condition, const Symbol *symbol,
                      int64_t *value, Candidates *c) {
  bool is_not = condition->kind == TERM_NOT;
  const Term *comparison = is_not ? condition->args[0] : condition;
  if (comparison->kind != TERM_LE && comparison->kind != TERM_EQ)
    return;
  int64_t now = *value, here, next, slope;
  if (now == INT64_MAX || !term_value(comparison->args[0], &f->model, &here))
    return;
  *value = now + 1;
  bool is_known = term_value(comparison->args[0], &f->model, &next);
  *value = now;
  if (!is_known || here == INT64_MIN ||
      __builtin_sub_overflow(next, here, &slope) || slope == INT64_MIN)
    return;
  int64_t steepness = slope < 0 ? -slope : slope;
  if (steepness < 1)
    return;
  int64_t steps = floor_div(-here, steepness);
  add_candidate(c, symbol, (Wide)now + (slope > 0 ? steps : -(Wide)steps));
  f->budget -= f->budget > 0;
}

static void find_candidates(Find *f, const Term *condition,
                            const Symbol *symbol, int64_t *value,
                            Candidates *c) {
  int64_t now = *value;
  solve_for(f, condition, symbol, value, c);
  add_candidate(c, symbol, (Wide)now + 1);
  add_candidate(c, symbol, (Wide)now - 1);
  add_candidate(c, symbol, 0);
  add_candidate(c, symbol, (Wide)now * 2);
  add_candidate(c, symbol, (Wide)now / 2);
  add_candidate(c, symbol, (Wide)now + solve_find_next_random(f) % 64);
  add_candidate(c, symbol, term_is_open(symbol->high) ? 1000 : symbol->high);
  add_candidate(c, symbol, term_is_open(symbol->low) ? -1000 : symbol->low);
}

// ---------------------------------------------------------------------- repair

typedef struct {
  Arena *arena;
  SymbolList *symbols;
} Collecting;

static void solve_find_collect(const Symbol *symbol, void *context) {
  Collecting *c = context;
  VEC_PUSH(c->arena, c->symbols, symbol);
}

static uint32_t solve_find_index_of(const Find *f, const Symbol *symbol) {
  uint32_t i = 0;
  while (i < f->model.n && f->model.symbols[i] != symbol)
    i++;
  return i;
}

// A comparison that makes the condition hold when it does: an arm of SOME, a
// violated part of ALL.
static const Term *pick_comparison(Find *f, const Term *condition) {
  while (condition->kind == TERM_SOME || condition->kind == TERM_ALL) {
    uint32_t n = condition->n_args, at = solve_find_next_random(f) % n;
    if (condition->kind == TERM_ALL)
      for (uint32_t i = 0; i < n && solve_find_holds(f, condition->args[at]);
           i++)
        at = (at + 1) % n;
    condition = condition->args[at];
  }
  return condition;
}

// Changes one symbol of the condition so that the fewest conditions are
// violated; sometimes just any.
static uint32_t repair(Find *f, const Term *condition) {
  SymbolList symbols = {0};
  condition = pick_comparison(f, condition);
  term_symbols(condition, solve_find_collect,
               &(Collecting){f->query->arena, &symbols});
  uint32_t best = UINT32_MAX, best_symbol = 0, n_ties = 0;
  int64_t best_value = 0;
  bool is_random = solve_find_next_random(f) % 8 == 0;
  for (uint32_t i = 0; i < symbols.count && f->budget; i++) {
    uint32_t at = solve_find_index_of(f, symbols.data[i]);
    int64_t now = f->model.values[at];
    Candidates c = {.n = 0};
    find_candidates(f, condition, symbols.data[i], &f->model.values[at], &c);
    for (uint32_t k = 0; k < c.n && f->budget; k++) {
      if (c.values[k] == now)
        continue;
      f->model.values[at] = c.values[k];
      uint32_t n =
          is_random ? solve_find_next_random(f) % 16 + 1 : count_violated(f);
      n_ties = n < best ? 1 : n_ties + (n == best);
      if (n < best || (n == best && solve_find_next_random(f) % n_ties == 0)) {
        best = n;
        best_symbol = at;
        best_value = c.values[k];
      }
    }
    f->model.values[at] = now;
  }
  if (best == UINT32_MAX)
    return best;
  f->model.values[best_symbol] = best_value;
  return is_random ? count_violated(f) : best;
}

static bool find_from(Find *f, int64_t start) {
  for (uint32_t i = 0; i < f->model.n; i++)
    f->model.values[i] = solve_find_clamp(f->model.symbols[i], start);
  uint32_t n_violated = count_violated(f);
  while (n_violated && f->budget) {
    const Term *condition = first_violated(f);
    if (!condition)
      break;
    n_violated = repair(f, condition);
    if (n_violated == UINT32_MAX)
      return false;
  }
  return n_violated == 0;
}

static bool check_solve_find(Find *f) {
  SymbolList symbols = {0};
  query_symbols(f->query, &symbols);
  if (symbols.count > MAX_SYMBOLS || f->query->all.count == 0)
    return f->query->all.count == 0;
  f->model.n = symbols.count;
  f->model.symbols = symbols.data;
  f->model.values = ARENA_ARRAY(f->query->arena, int64_t, symbols.count);
  // From small values first, then from larger ones.
  static const int64_t starts[] = {0, 1, 100, 1 << 20};
  for (uint32_t i = 0; i < sizeof starts / sizeof *starts; i++) {
    f->budget = MAX_EVALUATIONS / 4;
    if (find_from(f, starts[i]))
      return true;
  }
  return false;
}

// ---------------------------------------------------------------------- tables

#define MAX_ELEMENTS 24

typedef struct {
  const Term *elements[MAX_ELEMENTS + 1];
  uint32_t n;
} Elements;

static void solve_find_note_element(const Term *term, void *context) {
  Elements *e = context;
  if (term->kind == TERM_APPLY && e->n <= MAX_ELEMENTS)
    e->elements[e->n++] = term;
}

// Do two elements of a table at equal indices have different values?
static bool clash(const TermModel *model, const Term *a, const Term *b,
                  const Symbol *x, const Symbol *y) {
  int64_t v, w;
  if (a->kind != TERM_APPLY || b->kind != TERM_APPLY ||
      a->object != b->object || a->n_args != b->n_args)
    return false;
  for (uint32_t i = 0; i < a->n_args; i++)
    if (!term_value(a->args[i], model, &v) ||
        !term_value(b->args[i], model, &w) || v != w)
      return false;
  return term_model_get(model, x, &v) && term_model_get(model, y, &w) && v != w;
}

// Indices may hold elements, too: a pair of those is looked at no closer.
static bool clashes(const Solver *solver, const TermModel *model,
                    const Elements *e) {
  for (uint32_t i = 0; i < e->n; i++)
    for (uint32_t k = 0; k < i; k++)
      if (clash(model, e->elements[i], e->elements[k],
                map_get(&solver->stand_ins, e->elements[i]->id),
                map_get(&solver->stand_ins, e->elements[k]->id)))
        return true;
  return false;
}

FindResult solve_find(Query *query, TermModel *model) {
  Elements e = {.n = 0};
  query_each(query, solve_find_note_element, &e);
  if (e.n > MAX_ELEMENTS)
    return FIND_NOTHING;
  Query relaxed;
  query_copy(&relaxed, query);
  // Outermost last: an element inside an index has its symbol by then.
  for (uint32_t i = 0; i < e.n; i++) {
    const Symbol *symbol = solve_stand_in(query->solver, e.elements[i]);
    for (uint32_t k = i; k < e.n; k++)
      if (k > i)
        e.elements[k] =
            term_exchange(query->table, e.elements[k], e.elements[i],
                          term_of(query->table, symbol));
    query_exchange(&relaxed, e.elements[i], term_of(query->table, symbol));
  }
  Find f = {.query = &relaxed, .random = 1};
  if (relaxed.is_refuted || !check_solve_find(&f))
    return FIND_NOTHING;
  *model = f.model;
  if (e.n == 0)
    return FIND_MODEL;
  return clashes(query->solver, model, &e) ? FIND_NOTHING : FIND_WITH_TABLES;
}

// -------------------------------------------------------------------- relaxing

static bool is_unknown_to_linear(const Term *term) {
  int64_t number;
  switch (term->kind) {
  case TERM_MUL:
  case TERM_AND:
  case TERM_OR:
  case TERM_XOR:
  case TERM_SHR:
  case TERM_APPLY: return true;
  case TERM_DIV:
  case TERM_MOD: return !term_is_constant(term->args[1], &number);
  case TERM_SUM:
  case TERM_SYMBOL:
  case TERM_SHL:
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

// Outermost ones only.
static void note_unknown(TermTable *table, const Term *term, uint32_t stamp,
                         Elements *e) {
  if (term_node(term)->stamp == stamp)
    return;
  term_node(term)->stamp = stamp;
  term_node(term)->image = NULL;
  if (is_unknown_to_linear(term)) {
    if (e->n <= MAX_ELEMENTS)
      e->elements[e->n++] = term;
    return;
  }
  for (uint32_t i = 0; i < term->n_args; i++)
    note_unknown(table, term->args[i], stamp, e);
  for (uint32_t i = 0; i < term->n_parts; i++)
    note_unknown(table, term->parts[i].atom, stamp, e);
}

bool solve_find_relaxed(const Query *query) {
  TermTable *table = query->table;
  Query relaxed;
  query_copy(&relaxed, query);
  TermList lemmas = {0};
  solve_lemmas(query, NULL, 0, &lemmas);
  for (uint32_t i = 0; i < lemmas.count; i++)
    query_add(&relaxed, lemmas.data[i]);
  Elements e = {.n = 0};
  uint32_t stamp = ++table->stamp;
  for (uint32_t i = 0; i < relaxed.all.count; i++)
    note_unknown(table, relaxed.all.data[i], stamp, &e);
  if (e.n == 0 || e.n > MAX_ELEMENTS)
    return false;
  for (uint32_t i = 0; i < e.n; i++)
    query_exchange(
        &relaxed, e.elements[i],
        term_of(table, solve_stand_in(query->solver, e.elements[i])));
  Find f = {.query = &relaxed, .random = 1};
  return !relaxed.is_refuted && check_solve_find(&f) &&
         !clashes(query->solver, &f.model, &e);
}
