// SPDX-License-Identifier: Apache-2.0
// Index arithmetic taken apart: where stride * q + r is bounded and r stays
// inside one stride, q and r are known one by one. Strides are constants or
// terms (a row length W, a plane H * W).
//
//   y * W + x == v * W + u,  0 <= x, u < W   ->   y == v,  x == u
#include "check/solve/solve_bounds.h"

// The parts of a form that are multiples of the stride, divided by it, and the
// others.
typedef struct {
  const Term *quotient, *rest;
  uint32_t n_multiples, n_others;
} Split;

static const Term *divide_atom(TermTable *table, const Term *atom,
                               const Term *stride) {
  if (stride->kind != TERM_MUL)
    return term_without_factor(table, atom, stride);
  for (uint32_t i = 0; atom && i < stride->n_args; i++)
    atom = term_without_factor(table, atom, stride->args[i]);
  return atom;
}

static Split split_form(TermTable *table, const Term *form,
                        const Term *stride) {
  SumView view;
  term_sum_view(form, &view);
  int64_t m = 0;
  term_is_constant(stride, &m);
  Split split = {term_int(table, 0), term_int(table, view.number), 0, 0};
  for (uint32_t i = 0; i < view.n; i++) {
    const Term *atom = view.parts[i].atom, *factor = NULL;
    int64_t c = view.parts[i].coefficient;
    if (m == 0) {
      factor = divide_atom(table, atom, stride);
    } else if (c % m == 0) {
      factor = atom;
      c /= m;
    }
    if (factor) {
      split.n_multiples++;
      split.quotient =
          term_add(table, split.quotient, term_scale(table, factor, c));
    } else {
      split.n_others++;
      split.rest = term_add(table, split.rest, term_scale(table, atom, c));
    }
  }
  return split;
}

static void remove_condition(Query *query, const Term *condition) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < query->all.count; i++)
    if (query->all.data[i] != condition)
      query->all.data[n++] = query->all.data[i];
  query->all.count = n;
}

// The bound of the form becomes: quotient == q, and the bound of the rest.
static bool solve_stride_apply(Query *query, const Bound *bound,
                               const Split *split, const Term *stride,
                               int64_t q) {
  TermTable *table = query->table;
  const Term *low = term_int(table, bound->low);
  const Term *high = term_int(table, bound->high);
  remove_condition(query, term_eq(table, bound->form, low));
  remove_condition(query, term_le(table, low, bound->form));
  remove_condition(query, term_le(table, bound->form, high));
  query_add(query, term_eq(table, split->quotient, term_int(table, q)));
  const Term *rest = term_add(table, split->rest, term_scale(table, stride, q));
  query_add(query, term_le(table, low, rest));
  query_add(query, term_le(table, rest, high));
  return true;
}

// Is low - stride < rest < high + stride... by the conditions, so that stride *
// quotient, which is bound - rest, lies between -stride and stride?
static bool solve_stride_is_inside(const Query *query, const Bound *bound,
                                   const Term *rest, const Term *stride) {
  TermTable *table = query->table;
  // high - rest < stride and rest - low < stride
  const Term *above = term_le(
      table, stride, term_sub(table, term_int(table, bound->high), rest));
  const Term *below = term_le(
      table, stride, term_sub(table, rest, term_int(table, bound->low)));
  return (above->kind == TERM_FALSE ||
          solve_linear_refutes(query, &above, 1)) &&
         (below->kind == TERM_FALSE || solve_linear_refutes(query, &below, 1));
}

// At most this many proofs that need more than intervals, each round.
#define MAX_PROOFS 6

static bool try_constant(Query *query, const Bound *bound, int64_t m,
                         int *n_proofs) {
  if ((Wide)bound->high - bound->low >= m)
    return false;
  const Term *stride = term_int(query->table, m);
  Split split = split_form(query->table, bound->form, stride);
  if (!split.n_multiples || !split.n_others)
    return false;
  TermRange rest = term_range(split.rest);
  if (!term_is_open(rest.low) && !term_is_open(rest.high)) {
    // The multiples of m in bound - rest.
    int64_t low = term_clamp((Wide)bound->low - rest.high);
    int64_t high = term_clamp((Wide)bound->high - rest.low);
    int64_t first = floor_div(low, m) + (floor_mod(low, m) != 0);
    int64_t last = floor_div(high, m);
    if (first > last) {
      query->is_refuted = true;
      return true;
    }
    if (first == last)
      return solve_stride_apply(query, bound, &split, stride, first);
  }
  if (*n_proofs <= 0)
    return false;
  --*n_proofs;
  return solve_stride_is_inside(query, bound, split.rest, stride) &&
         solve_stride_apply(query, bound, &split, stride, 0);
}

static bool try_constants(Query *query, const Bound *bound, int *n_proofs) {
  SumView view;
  term_sum_view(bound->form, &view);
  for (uint32_t i = 0; i < view.n; i++) {
    int64_t m = view.parts[i].coefficient;
    m = m < 0 ? -m : m;
    bool is_seen = m == 1;
    for (uint32_t k = 0; k < i; k++)
      is_seen = is_seen || view.parts[k].coefficient == m ||
                view.parts[k].coefficient == -m;
    if (!is_seen && try_constant(query, bound, m, n_proofs))
      return true;
  }
  return false;
}

// ------------------------------------------------------------ symbolic strides

#define MAX_STRIDES 12

typedef struct {
  const Term *strides[MAX_STRIDES];
  uint32_t uses[MAX_STRIDES];
  uint32_t n;
} Strides;

static void add_stride(Strides *strides, const Term *stride) {
  for (uint32_t i = 0; i < strides->n; i++)
    if (strides->strides[i] == stride) {
      strides->uses[i]++;
      return;
    }
  if (strides->n < MAX_STRIDES) {
    strides->strides[strides->n] = stride;
    strides->uses[strides->n++] = 1;
  }
}

// Factors of the products in the form, and products without one factor.
static void solve_stride_find_strides(TermTable *table, const Term *form,
                                      Strides *strides) {
  SumView view;
  term_sum_view(form, &view);
  for (uint32_t i = 0; i < view.n; i++) {
    const Term *atom = view.parts[i].atom;
    if (atom->kind != TERM_MUL)
      continue;
    for (uint32_t k = 0; k < atom->n_args; k++) {
      if (term_range(atom->args[k]).high > 0)
        add_stride(strides, atom->args[k]);
      const Term *others = term_without_factor(table, atom, atom->args[k]);
      if (atom->n_args > 2 && others->kind == TERM_MUL)
        add_stride(strides, others);
    }
  }
}

static bool try_stride(Query *query, const Bound *bound, const Term *stride) {
  Split split = split_form(query->table, bound->form, stride);
  return split.n_multiples &&
         solve_stride_is_inside(query, bound, split.rest, stride) &&
         solve_stride_apply(query, bound, &split, stride, 0);
}

// The stride used most often first: both sides of an equation have it.
static bool try_strides(Query *query, const Bound *bound, int *n_proofs) {
  Strides strides = {.n = 0};
  solve_stride_find_strides(query->table, bound->form, &strides);
  for (uint32_t i = 0; i<strides.n && * n_proofs> 0; i++) {
    uint32_t best = i;
    for (uint32_t k = i + 1; k < strides.n; k++)
      if (strides.uses[k] > strides.uses[best])
        best = k;
    const Term *stride = strides.strides[best];
    strides.strides[best] = strides.strides[i];
    strides.uses[best] = strides.uses[i];
    --*n_proofs;
    if (try_stride(query, bound, stride))
      return true;
  }
  return false;
}

// --------------------------------------------------------------- sums as
// strides

// c * a * x + c * b * x: then a + b may be the stride.
static bool is_sum_of_factors(TermTable *table, const SumView *view, uint32_t i,
                              uint32_t k, const Term **a, const Term **b) {
  const Term *first = view->parts[i].atom, *second = view->parts[k].atom;
  if (first->kind != TERM_MUL || second->kind != TERM_MUL ||
      view->parts[i].coefficient != view->parts[k].coefficient)
    return false;
  for (uint32_t m = 0; m < first->n_args; m++)
    for (uint32_t n = 0; n < second->n_args; n++) {
      *a = first->args[m];
      *b = second->args[n];
      if (*a != *b && (*a)->kind != TERM_ITE &&
          term_without_factor(table, first, *a) ==
              term_without_factor(table, second, *b))
        return true;
    }
  return false;
}

static bool solve_stride_find_sum(Query *query, const Term **a,
                                  const Term **b) {
  for (uint32_t at = 0; at < query->all.count; at++) {
    const Term *condition = query->all.data[at];
    if (condition->kind != TERM_LE && condition->kind != TERM_EQ)
      continue;
    SumView view;
    term_sum_view(condition->args[0], &view);
    for (uint32_t i = 0; i < view.n; i++)
      for (uint32_t k = 0; k < view.n; k++)
        if (i != k && is_sum_of_factors(query->table, &view, i, k, a, b))
          return true;
  }
  return false;
}

bool solve_sum_strides(Query *query) {
  TermTable *table = query->table;
  const Term *a, *b;
  if (!solve_stride_find_sum(query, &a, &b))
    return false;
  const Term *sum = term_add(table, a, b);
  const Term *stride = term_of(table, solve_stand_in(query->solver, sum));
  query_exchange(query, a, term_sub(table, stride, b));
  return true;
}

// Bounds of one value (equations), or the others.
static bool try_bounds(Query *query, const Bounds *bounds, bool is_equation) {
  int n_proofs = MAX_PROOFS;
  for (uint32_t i = 0; i < bounds->list.count; i++) {
    const Bound *bound = bounds->list.data[i];
    SumView view;
    term_sum_view(bound->form, &view);
    if (view.n < 2 || term_is_open(bound->low) || term_is_open(bound->high) ||
        (bound->low == bound->high) != is_equation)
      continue;
    if (try_constants(query, bound, &n_proofs) ||
        try_strides(query, bound, &n_proofs))
      return true;
  }
  return false;
}

bool solve_strides(Query *query, const Bounds *bounds) {
  return try_bounds(query, bounds, true) || try_bounds(query, bounds, false);
}
