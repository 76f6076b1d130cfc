// SPDX-License-Identifier: Apache-2.0
// Rewrites a query until nothing changes: bounds of equal forms are joined,
// symbols get the range that the conditions leave them (so that terms with them
// simplify), equations are split by their strides and solved for a symbol.
#include "check/solve/solve_bounds.h"

#include "base/bits.h"

// ---------------------------------------------------------------------- bounds

// form + number, where form's first coefficient is positive; *sign is -1 where
// that took a turn: sum = sign * form + number. NULL: no parts, or overflow.
static const Term *form_of(TermTable *table, const Term *sum, int *sign,
                           int64_t *number) {
  SumView view;
  term_sum_view(sum, &view);
  if (view.n == 0 || view.number == INT64_MIN || view.number == INT64_MAX)
    return NULL;
  *number = view.number;
  *sign = view.parts[0].coefficient < 0 ? -1 : 1;
  const Term *form = term_sub(table, sum, term_int(table, view.number));
  return *sign < 0 ? term_scale(table, form, -1) : form;
}

Bound *bounds_find(Bounds *bounds, const Term *form) {
  return map_get(&bounds->by_form, MAP_KEY(form));
}

static Bound *bound_of(Query *query, Bounds *bounds, const Term *form) {
  Bound *bound = bounds_find(bounds, form);
  if (bound)
    return bound;
  bound = ARENA_NEW(query->arena, Bound);
  TermRange range = term_range(form);
  *bound = (Bound){.form = form, .low = range.low, .high = range.high};
  map_put(query->arena, &bounds->by_form, MAP_KEY(form), bound);
  VEC_PUSH(query->arena, &bounds->list, bound);
  return bound;
}

static void tighten(Bound *bound, int64_t low, int64_t high) {
  bound->low = low > bound->low ? low : bound->low;
  bound->high = high < bound->high ? high : bound->high;
}

// Takes LE and EQ into the bounds; false: the condition stays.
static bool take_comparison(Query *query, Bounds *bounds,
                            const Term *condition) {
  int sign;
  int64_t number;
  if (condition->kind != TERM_LE && condition->kind != TERM_EQ)
    return false;
  const Term *form = form_of(query->table, condition->args[0], &sign, &number);
  if (!form)
    return false;
  Bound *bound = bound_of(query, bounds, form);
  if (condition->kind == TERM_EQ)
    tighten(bound, -sign * number, -sign * number);
  else if (sign > 0)
    tighten(bound, INT64_MIN, -number);
  else
    tighten(bound, number, INT64_MAX);
  return true;
}

// form != value at an end of its bounds moves the end; false: the condition
// stays. `query` gets FALSE where nothing is left.
static bool take_inequality(Query *query, Bounds *bounds,
                            const Term *condition) {
  int sign;
  int64_t number;
  if (condition->kind != TERM_NOT || condition->args[0]->kind != TERM_EQ)
    return false;
  const Term *form =
      form_of(query->table, condition->args[0]->args[0], &sign, &number);
  Bound *bound = form ? bounds_find(bounds, form) : NULL;
  if (!bound)
    return false;
  int64_t value = -sign * number;
  if (value < bound->low || value > bound->high)
    return true;
  if (bound->low == bound->high) {
    query->is_refuted = true;
  } else if (value == bound->low) {
    bound->low++;
  } else if (value == bound->high) {
    bound->high--;
  } else {
    return false;
  }
  return true;
}

// x div b in low … high is x in low * b … high * b + b - 1.
static bool solve_reduce_add_quotient(Query *query, const Bound *bound) {
  TermTable *table = query->table;
  int64_t b;
  if (bound->form->kind != TERM_DIV ||
      !term_is_constant(bound->form->args[1], &b) || b < 1)
    return false;
  const Term *x = bound->form->args[0];
  int64_t low, high;
  if (bound->low != INT64_MIN) {
    if (__builtin_mul_overflow(bound->low, b, &low))
      return false;
    query_add(query, term_le(table, term_int(table, low), x));
  }
  if (bound->high != INT64_MAX) {
    if (__builtin_mul_overflow(bound->high, b, &high) ||
        __builtin_add_overflow(high, b - 1, &high))
      return false;
    query_add(query, term_le(table, x, term_int(table, high)));
  }
  return true;
}

// c div x in low … high, for x > 0, is x in c div (high + 1) + 1 … c div low.
static bool add_divisor(Query *query, const Bound *bound) {
  TermTable *table = query->table;
  int64_t c;
  if (bound->form->kind != TERM_DIV ||
      !term_is_constant(bound->form->args[0], &c) || c < 0 ||
      term_range(bound->form->args[1]).low < 1)
    return false;
  const Term *x = bound->form->args[1];
  if (bound->low >= 1)
    query_add(query, term_le(table, x, term_int(table, c / bound->low)));
  if (bound->high < c)
    query_add(query,
              term_le(table, term_int(table, c / (bound->high + 1) + 1), x));
  return true;
}

static void solve_reduce_add_bound(Query *query, const Bound *bound) {
  TermTable *table = query->table;
  const Term *form = bound->form;
  if (solve_reduce_add_quotient(query, bound) || add_divisor(query, bound))
    return;
  if (bound->low == bound->high) {
    query_add(query, term_eq(table, form, term_int(table, bound->low)));
    return;
  }
  if (bound->low > term_range(form).low)
    query_add(query, term_le(table, term_int(table, bound->low), form));
  if (bound->high < term_range(form).high)
    query_add(query, term_le(table, form, term_int(table, bound->high)));
}

static int solve_reduce_compare_ids(const void *a, const void *b) {
  const Term *const *x = a, *const *y = b;
  return (*x)->id < (*y)->id ? -1 : (*x)->id > (*y)->id;
}

static void add_distinct(Query *query, TermList *terms) {
  if (terms->count)
    qsort(terms->data, terms->count, sizeof *terms->data,
          solve_reduce_compare_ids);
  for (uint32_t i = 0; i < terms->count; i++)
    if (i == 0 || terms->data[i] != terms->data[i - 1])
      query_add(query, terms->data[i]);
}

// Joins the bounds of each form. The conditions in the end are the bounds
// (without those that the interval of the form has anyway) and all others.
static void join_bounds(Query *query, Bounds *bounds) {
  TermList old = query->all, others = {0};
  query->all = (TermList){0};
  for (uint32_t i = 0; i < old.count; i++)
    if (!take_comparison(query, bounds, old.data[i]))
      VEC_PUSH(query->arena, &others, old.data[i]);
  TermList rest = {0};
  for (uint32_t i = 0; i < others.count; i++)
    if (!take_inequality(query, bounds, others.data[i]))
      VEC_PUSH(query->arena, &rest, others.data[i]);
  for (uint32_t i = 0; i < bounds->list.count; i++) {
    if (bounds->list.data[i]->low > bounds->list.data[i]->high)
      query->is_refuted = true;
    else
      solve_reduce_add_bound(query, bounds->list.data[i]);
  }
  add_distinct(query, &rest);
}

// ------------------------------------------------------------------- narrowing

typedef struct Narrowed {
  struct Narrowed *next;
  Symbol *symbol;
} Narrowed;

// The copy of the symbol with this range; always the same one, so that terms
// are shared between questions.
static const Symbol *solve_reduce_narrowed(Solver *solver, const Symbol *symbol,
                                           int64_t low, int64_t high,
                                           bool is_power_of_two) {
  Narrowed *list = map_get(&solver->narrowed, symbol->id);
  for (Narrowed *at = list; at; at = at->next)
    if (at->symbol->low == low && at->symbol->high == high &&
        at->symbol->is_power_of_two == is_power_of_two)
      return at->symbol;
  Symbol model = *symbol;
  model.low = low;
  model.high = high;
  model.is_power_of_two = is_power_of_two;
  model.copy_of = symbol;
  Narrowed *made = ARENA_NEW(solver->arena, Narrowed);
  made->symbol = term_symbol_new(solver->table, &model);
  made->next = list;
  map_put(solver->arena, &solver->narrowed, symbol->id, made);
  return made->symbol;
}

static int64_t power_at_least(int64_t x) {
  uint32_t exponent = x < 2 ? 0 : bits_log2_up((uint64_t)x);
  return (int64_t)1 << (exponent < 62 ? exponent : 62);
}

static int64_t power_at_most(int64_t x) {
  return x < 2 ? 1 : (int64_t)1 << bits_log2((uint64_t)x);
}

typedef struct {
  Query *query;
  const Bounds *bounds;
  bool is_changed;
} Narrowing;

// Symbol -> its range by the bounds, as a constant or a narrower symbol.
static const Term *narrow_symbol(const Symbol *symbol, void *context) {
  Narrowing *narrowing = context;
  Query *query = narrowing->query;
  const Term *form = term_of(query->table, symbol);
  Bound *bound = map_get(&narrowing->bounds->by_form, MAP_KEY(form));
  if (!bound)
    return NULL;
  if (!bound->image) {
    int64_t low = bound->low, high = bound->high;
    if (symbol->is_power_of_two) {
      low = power_at_least(low);
      high = high < 1 ? 0 : power_at_most(high);
      if (low > high) {
        query->is_refuted = true;
        return NULL;
      }
    }
    if (low <= symbol->low && high >= symbol->high)
      return NULL;
    const Symbol *narrow = solve_reduce_narrowed(query->solver, symbol, low,
                                                 high, symbol->is_power_of_two);
    bound->image = term_of(query->table, narrow);
    Definition definition = {symbol, bound->image};
    VEC_PUSH(query->arena, &query->definitions, definition);
    narrowing->is_changed = true;
  }
  return bound->image;
}

static bool has_narrower_symbol(const Bounds *bounds) {
  for (uint32_t i = 0; i < bounds->list.count; i++) {
    const Bound *bound = bounds->list.data[i];
    const Symbol *symbol = bound->form->symbol;
    if (bound->form->kind == TERM_SYMBOL &&
        (bound->low > symbol->low || bound->high < symbol->high))
      return true;
  }
  return false;
}

static bool solve_reduce_narrow(Query *query, Bounds *bounds) {
  if (!has_narrower_symbol(bounds))
    return false;
  Narrowing narrowing = {query, bounds, false};
  query_replace(query, narrow_symbol, &narrowing);
  return narrowing.is_changed;
}

// -bound, where the ends of int64_t are open.
static int64_t turned_bound(int64_t bound) {
  return bound == INT64_MIN   ? INT64_MAX
         : bound == INT64_MAX ? INT64_MIN
                              : -bound;
}

// Range of coefficient * atom from the bound of the sum and the intervals of
// the other parts.
static bool propagate_part(Query *query, Bounds *bounds, const Bound *bound,
                           const SumView *view, uint32_t i) {
  const Term *atom = view->parts[i].atom;
  int64_t c = view->parts[i].coefficient;
  if (atom->kind != TERM_SYMBOL)
    return false;
  const Term *others =
      term_sub(query->table, bound->form, term_scale(query->table, atom, c));
  TermRange rest = term_range(others);
  Wide low = INT64_MIN, high = INT64_MAX; // of c * atom
  if (bound->low != INT64_MIN && rest.high != INT64_MAX)
    low = (Wide)bound->low - rest.high;
  if (bound->high != INT64_MAX && rest.low != INT64_MIN)
    high = (Wide)bound->high - rest.low;
  int64_t from = term_clamp(low), to = term_clamp(high);
  if (c < 0) {
    int64_t turned = turned_bound(to);
    to = turned_bound(from);
    from = turned;
    c = turned_bound(c);
  }
  if (from != INT64_MIN)
    from = floor_div(from, c) + (floor_mod(from, c) != 0);
  if (to != INT64_MAX)
    to = floor_div(to, c);
  if (from <= atom->symbol->low && to >= atom->symbol->high)
    return false;
  Bound *own = bound_of(query, bounds, atom);
  tighten(own, from, to);
  if (own->low > own->high)
    query->is_refuted = true;
  return true;
}

// Ranges of symbols from the bounds of sums with them.
static bool propagate(Query *query, Bounds *bounds) {
  bool is_changed = false;
  uint32_t n = bounds->list.count;
  for (uint32_t i = 0; i < n && !query->is_refuted; i++) {
    const Bound *bound = bounds->list.data[i];
    SumView view;
    term_sum_view(bound->form, &view);
    for (uint32_t k = 0; view.n > 1 && k < view.n; k++)
      is_changed |= propagate_part(query, bounds, bound, &view, k);
  }
  return is_changed;
}

// ----------------------------------------------------------------- elimination

typedef struct {
  const Symbol *symbol;
  uint32_t n;
} Occurrences;

static void count_symbol(const Symbol *symbol, void *context) {
  Occurrences *o = context;
  o->n += symbol == o->symbol;
}

static bool occurs_in_others(const Term *sum, uint32_t part) {
  SumView view;
  term_sum_view(sum, &view);
  Occurrences o = {view.parts[part].atom->symbol, 0};
  for (uint32_t i = 0; i < view.n; i++)
    if (i != part)
      term_symbols(view.parts[i].atom, count_symbol, &o);
  return o.n > 0;
}

static bool solve_reduce_has_product(const Term *sum) {
  SumView view;
  term_sum_view(sum, &view);
  for (uint32_t i = 0; i < view.n; i++)
    if (view.parts[i].atom->kind == TERM_MUL)
      return true;
  return false;
}

// The part of the equation that is best solved for: a symbol with coefficient
// 1 or -1. UINT32_MAX: none. Equations with products wait for their strides.
static uint32_t solvable_part(const Query *query, const Term *equation) {
  SumView view;
  term_sum_view(equation->args[0], &view);
  if (!query->is_last && solve_reduce_has_product(equation->args[0]))
    return UINT32_MAX;
  for (uint32_t i = 0; i < view.n; i++) {
    int64_t c = view.parts[i].coefficient;
    const Term *atom = view.parts[i].atom;
    if ((c == 1 || c == -1) && atom->kind == TERM_SYMBOL &&
        !atom->symbol->is_power_of_two &&
        !occurs_in_others(equation->args[0], i))
      return i;
  }
  return UINT32_MAX;
}

// Solves one equation for a symbol.
static bool solve_reduce_eliminate(Query *query) {
  TermTable *table = query->table;
  for (uint32_t i = 0; i < query->all.count; i++) {
    const Term *condition = query->all.data[i];
    if (condition->kind != TERM_EQ)
      continue;
    uint32_t part = solvable_part(query, condition);
    if (part == UINT32_MAX)
      continue;
    SumView view;
    term_sum_view(condition->args[0], &view);
    const Term *atom = view.parts[part].atom;
    int64_t c = view.parts[part].coefficient;
    const Term *rest =
        term_sub(table, condition->args[0], term_scale(table, atom, c));
    const Term *value = term_scale(table, rest, -c);
    if (value->kind == TERM_SYMBOL && value->symbol->is_lost)
      continue;
    const Symbol *symbol = atom->symbol;
    query_define(query, symbol, value);
    if (symbol->low != INT64_MIN)
      query_add(query, term_le(table, term_int(table, symbol->low), value));
    if (symbol->high != INT64_MAX)
      query_add(query, term_le(table, value, term_int(table, symbol->high)));
    return true;
  }
  return false;
}

// --------------------------------------------------------------- powers of two

// x of (x & (x - 1)) == 0 with x > 0: then it is a power of two. NULL:
// something else.
static const Symbol *power_symbol(TermTable *table, const Term *condition) {
  if (condition->kind != TERM_EQ || condition->args[0]->kind != TERM_AND)
    return NULL;
  const Term *a = condition->args[0]->args[0], *b = condition->args[0]->args[1];
  const Term *one = term_int(table, 1);
  const Term *x = term_sub(table, a, one) == b   ? a
                  : term_sub(table, b, one) == a ? b
                                                 : NULL;
  if (!x || x->kind != TERM_SYMBOL || x->symbol->low < 1)
    return NULL;
  return x->symbol;
}

static bool find_powers(Query *query) {
  for (uint32_t i = 0; i < query->all.count; i++) {
    const Symbol *symbol = power_symbol(query->table, query->all.data[i]);
    if (!symbol)
      continue;
    const Symbol *power = solve_reduce_narrowed(
        query->solver, symbol, symbol->low, symbol->high, true);
    query_define(query, symbol, term_of(query->table, power));
    return true;
  }
  return false;
}

// ------------------------------------------------------------------------- all

// Bounds that follow from others converge slowly or never: few rounds of it.
#define MAX_ROUNDS     40
#define MAX_PROPAGATES 3

bool solve_reduce(Query *query) {
  int n_propagates = 0;
  for (int round = 0; round < MAX_ROUNDS && !query->is_refuted; round++) {
    Bounds bounds = {0};
    join_bounds(query, &bounds);
    if (query->is_refuted)
      break;
    if (solve_reduce_narrow(query, &bounds))
      continue;
    if (n_propagates < MAX_PROPAGATES && propagate(query, &bounds)) {
      n_propagates++;
      if (!query->is_refuted && solve_reduce_narrow(query, &bounds))
        continue;
    }
    if (query->is_refuted || solve_is_late(query->solver))
      break;
    if (!find_powers(query) &&
        (query->is_quick || !solve_strides(query, &bounds)) &&
        !solve_reduce_eliminate(query))
      break;
  }
  return !query->is_refuted;
}
