// SPDX-License-Identifier: Apache-2.0
// Fourier-Motzkin elimination over the atoms of the conditions: refutes what
// has no rational solution (with rounding of each row to integers). Whatever
// gets too large is left out, which can only lose a refutation.
#include "check/solve/solve_parts.h"
#include <string.h>

#define MAX_COLUMNS 64
#define MAX_ROWS    400

// Pairs of rows that are combined in one refutation, and in one question.
#define MAX_PAIRS          2000
#define MAX_QUESTION_PAIRS 100000

typedef struct {
  int64_t *c; // a coefficient for each column
  int64_t number;
  uint64_t hash, most; // of the coefficients, once normalised: `most` is the
                       // largest magnitude
  bool is_equation;    // sum c * x + number = 0, else <= 0
} Row;

typedef struct {
  Arena *arena;
  const Term *atoms[MAX_COLUMNS];
  Map columns; // atom -> its number + 1
  uint32_t n_columns;
  Row rows[MAX_ROWS];
  uint32_t n_rows;
  // Rows whose coefficient of the column is above and below 0.
  int32_t n_plus[MAX_COLUMNS], n_minus[MAX_COLUMNS];
  uint32_t n_pairs;
  bool is_refuted;
} System;

// Column of the atom, or MAX_COLUMNS: no more room.
static uint32_t solve_linear_column_of(System *system, const Term *atom) {
  uintptr_t known = (uintptr_t)map_get(&system->columns, MAP_KEY(atom));
  if (known)
    return (uint32_t)known - 1;
  if (system->n_columns == MAX_COLUMNS)
    return MAX_COLUMNS;
  system->atoms[system->n_columns++] = atom;

  union {
    uintptr_t number;
    void *value;
  } cast = {.number = system->n_columns};

  map_put(system->arena, &system->columns, MAP_KEY(atom), cast.value);
  return system->n_columns - 1;
}

static uint64_t magnitude_of(int64_t x) {
  return x < 0 ? 0 - (uint64_t)x : (uint64_t)x;
}

static bool set_hash(const System *system, Row *row) {
  uint64_t hash = 0, most = 0;
  for (uint32_t i = 0; i < system->n_columns; i++) {
    uint64_t magnitude = magnitude_of(row->c[i]);
    hash = (hash ^ (uint64_t)row->c[i]) * 0x9E3779B97F4A7C15u;
    most = magnitude > most ? magnitude : most;
  }
  row->hash = hash;
  row->most = most;
  return true;
}

// Divides by what is common, rounding the number of an inequality. False: the
// row says nothing (any more), or the system is refuted.
static bool normalise(System *system, Row *row) {
  uint64_t gcd = 0;
  for (uint32_t i = 0; i < system->n_columns && gcd != 1; i++)
    if (row->c[i])
      gcd = term_gcd(gcd, magnitude_of(row->c[i]));
  if (gcd == 0) {
    if (row->is_equation ? row->number != 0 : row->number > 0)
      system->is_refuted = true;
    return false;
  }
  if (gcd == 1 || gcd > INT64_MAX)
    return set_hash(system, row);
  int64_t g = (int64_t)gcd;
  int64_t rest = floor_mod(row->number, g);
  if (row->is_equation && rest) {
    system->is_refuted = true;
    return false;
  }
  for (uint32_t i = 0; i < system->n_columns; i++)
    row->c[i] /= g;
  row->number = floor_div(row->number, g) + (rest != 0);
  return set_hash(system, row);
}

static Row new_row(System *system, bool is_equation) {
  return (Row){.c = ARENA_ARRAY(system->arena, int64_t, MAX_COLUMNS),
               .is_equation = is_equation};
}

static void solve_linear_add_row(System *system, Row row) {
  if (system->n_rows < MAX_ROWS && normalise(system, &row))
    system->rows[system->n_rows++] = row;
}

static void solve_linear_add_condition(System *system, const Term *condition) {
  if (condition->kind == TERM_FALSE)
    system->is_refuted = true;
  if (condition->kind == TERM_ALL)
    for (uint32_t i = 0; i < condition->n_args; i++)
      solve_linear_add_condition(system, condition->args[i]);
  if (condition->kind != TERM_LE && condition->kind != TERM_EQ)
    return;
  SumView view;
  term_sum_view(condition->args[0], &view);
  Row row = new_row(system, condition->kind == TERM_EQ);
  row.number = view.number;
  for (uint32_t i = 0; i < view.n; i++) {
    uint32_t column = solve_linear_column_of(system, view.parts[i].atom);
    if (column == MAX_COLUMNS)
      return;
    row.c[column] = view.parts[i].coefficient;
  }
  solve_linear_add_row(system, row);
}

static void add_ranges(System *system) {
  for (uint32_t i = 0; i < system->n_columns; i++) {
    TermRange range = term_range(system->atoms[i]);
    if (!term_is_open(range.low)) { // low - x <= 0
      Row row = new_row(system, false);
      row.c[i] = -1;
      row.number = range.low;
      solve_linear_add_row(system, row);
    }
    if (!term_is_open(range.high)) {
      Row row = new_row(system, false);
      row.c[i] = 1;
      row.number = -range.high;
      solve_linear_add_row(system, row);
    }
  }
}

// a * x + b * y; false: larger than the limit.
static bool combine_numbers(int64_t a, int64_t x, int64_t b, int64_t y,
                            int64_t *result) {
  const Wide limit = (Wide)1 << 60;
  Wide sum = (Wide)a * x + (Wide)b * y;
  *result = (int64_t)sum;
  return sum <= limit && sum >= -limit;
}

// The limit isn't reached, whatever the signs are.
static bool stays_small(const Row *x, int64_t a, const Row *y, int64_t b) {
  const uint64_t limit = (uint64_t)1 << 59;
  uint64_t first, second;
  return !__builtin_mul_overflow(magnitude_of(a), x->most, &first) &&
         !__builtin_mul_overflow(magnitude_of(b), y->most, &second) &&
         first <= limit && second <= limit;
}

// a * x + b * y with small results; false: too large. b may be negative where y
// is an equation. All columns are there.
static bool solve_linear_combine(System *system, const Row *x, int64_t a,
                                 const Row *y, int64_t b, Row *result) {
  uint32_t n = system->n_columns;
  *result = (Row){.c = ARENA_ARRAY(system->arena, int64_t, n),
                  .is_equation = x->is_equation && y->is_equation};
  if (!combine_numbers(a, x->number, b, y->number, &result->number))
    return false;
  if (stays_small(x, a, y, b)) {
    for (uint32_t i = 0; i < n; i++)
      result->c[i] = a * x->c[i] + b * y->c[i];
    return true;
  }
  for (uint32_t i = 0; i < n; i++)
    if (!combine_numbers(a, x->c[i], b, y->c[i], &result->c[i]))
      return false;
  return true;
}

static int64_t solve_linear_magnitude(int64_t x) {
  return x < 0 ? -x : x;
}

static void remove_row(System *system, uint32_t i) {
  system->rows[i] = system->rows[--system->n_rows];
}

// Solves an equation for its column with the smallest coefficient and takes
// that column out of all other rows.
static void use_equation(System *system, uint32_t index) {
  Row equation = system->rows[index];
  remove_row(system, index);
  uint32_t best = MAX_COLUMNS;
  for (uint32_t i = 0; i < system->n_columns; i++)
    if (equation.c[i] &&
        (best == MAX_COLUMNS || solve_linear_magnitude(equation.c[i]) <
                                    solve_linear_magnitude(equation.c[best])))
      best = i;
  for (uint32_t i = 0; i < system->n_rows && !system->is_refuted;) {
    Row *row = &system->rows[i], result;
    if (!row->c[best]) {
      i++;
      continue;
    }
    int64_t a = solve_linear_magnitude(equation.c[best]), b = -row->c[best];
    if (equation.c[best] < 0)
      b = -b;
    if (solve_linear_combine(system, row, a, &equation, b, &result) &&
        normalise(system, &result))
      system->rows[i++] = result;
    else
      remove_row(system, i);
  }
}

static void use_equations(System *system) {
  for (bool found = true; found && !system->is_refuted;) {
    found = false;
    for (uint32_t i = 0; i < system->n_rows && !found; i++)
      if (system->rows[i].is_equation) {
        use_equation(system, i);
        found = true;
      }
  }
}

static bool solve_linear_is_same_row(const System *system, const Row *a,
                                     const Row *b) {
  return a->hash == b->hash &&
         memcmp(a->c, b->c, system->n_columns * sizeof *a->c) == 0;
}

// Keeps the tighter of rows with equal coefficients; false: it was known.
static bool add_unless_known(System *system, const Row *row) {
  for (uint32_t i = 0; i < system->n_rows; i++)
    if (solve_linear_is_same_row(system, &system->rows[i], row)) {
      if (row->number > system->rows[i].number)
        system->rows[i].number = row->number;
      return false;
    }
  system->rows[system->n_rows++] = *row;
  return true;
}

// The row came, or went: `change` is 1 or -1.
static void count_row(System *system, const Row *row, int32_t change) {
  for (uint32_t i = 0; i < system->n_columns; i++) {
    system->n_plus[i] += row->c[i] > 0 ? change : 0;
    system->n_minus[i] += row->c[i] < 0 ? change : 0;
  }
}

static void count_rows(System *system) {
  for (uint32_t i = 0; i < system->n_rows; i++)
    count_row(system, &system->rows[i], 1);
}

// The column whose elimination makes the fewest rows; MAX_COLUMNS: none is left
// or it makes too many.
static uint32_t next_column(const System *system) {
  uint32_t best = MAX_COLUMNS;
  int64_t least = MAX_ROWS; // more would not fit
  for (uint32_t i = 0; i < system->n_columns; i++) {
    int64_t n_plus = system->n_plus[i], n_minus = system->n_minus[i];
    int64_t cost = n_plus * n_minus - n_plus - n_minus;
    if (n_plus + n_minus && cost < least) {
      least = cost;
      best = i;
    }
  }
  return best;
}

// Takes out the rows that have the column.
static void take_rows(System *system, uint32_t column, Row *plus,
                      uint32_t *n_plus, Row *minus, uint32_t *n_minus) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < system->n_rows; i++) {
    const Row *row = &system->rows[i];
    if (!row->c[column]) {
      system->rows[n++] = *row;
      continue;
    }
    count_row(system, row, -1);
    if (row->c[column] > 0)
      plus[(*n_plus)++] = *row;
    else
      minus[(*n_minus)++] = *row;
  }
  system->n_rows = n;
}

static void solve_linear_eliminate(System *system, uint32_t column) {
  Row plus[MAX_ROWS], minus[MAX_ROWS];
  uint32_t n_plus = 0, n_minus = 0;
  take_rows(system, column, plus, &n_plus, minus, &n_minus);
  for (uint32_t i = 0; i < n_plus; i++)
    for (uint32_t k = 0; k < n_minus && !system->is_refuted; k++) {
      if (system->n_rows == MAX_ROWS || ++system->n_pairs > MAX_PAIRS)
        return;
      Row row;
      ArenaMark mark = arena_mark(system->arena);
      bool is_kept = solve_linear_combine(system, &plus[i], -minus[k].c[column],
                                          &minus[k], plus[i].c[column], &row) &&
                     normalise(system, &row) && add_unless_known(system, &row);
      if (is_kept)
        count_row(system, &row, 1);
      else
        arena_release(system->arena, mark);
    }
}

static bool refutes(System *system) {
  use_equations(system);
  count_rows(system);
  while (!system->is_refuted) {
    uint32_t column = next_column(system);
    if (column == MAX_COLUMNS || system->n_rows == MAX_ROWS ||
        system->n_pairs > MAX_PAIRS)
      break;
    solve_linear_eliminate(system, column);
  }
  return system->is_refuted;
}

static bool is_without_products(const Term *condition) {
  if (condition->kind != TERM_LE && condition->kind != TERM_EQ)
    return false;
  SumView view;
  term_sum_view(condition->args[0], &view);
  for (uint32_t i = 0; i < view.n; i++)
    if (view.parts[i].atom->kind == TERM_MUL)
      return false;
  return true;
}

// Only what has no products, and nothing that follows from them: of an index
// with several symbolic strides these make far more rows than what bounds its
// smallest digit.
static bool refutes_simply(System *system, const Query *query,
                           const Term *const *more, uint32_t n_more) {
  bool is_all = true;
  for (uint32_t i = 0; i < n_more; i++) {
    if (!is_without_products(more[i]))
      return false;
    solve_linear_add_condition(system, more[i]);
  }
  for (uint32_t i = 0; i < query->all.count; i++) {
    const Term *condition = query->all.data[i];
    if (is_without_products(condition))
      solve_linear_add_condition(system, condition);
    else
      is_all = false;
  }
  add_ranges(system);
  return !is_all && (system->is_refuted || refutes(system));
}

static bool refutes_all(System *system, const Query *query,
                        const Term *const *more, uint32_t n_more) {
  TermList lemmas = {0};
  solve_lemmas(query, more, n_more, &lemmas);
  for (uint32_t i = 0; i < n_more; i++)
    solve_linear_add_condition(system, more[i]);
  for (uint32_t i = 0; i < query->all.count; i++)
    solve_linear_add_condition(system, query->all.data[i]);
  for (uint32_t i = 0; i < lemmas.count; i++)
    solve_linear_add_condition(system, lemmas.data[i]);
  add_ranges(system);
  return system->is_refuted || refutes(system);
}

static System *new_system(const Query *query) {
  System *system = ARENA_NEW(query->arena, System);
  system->arena = query->arena;
  return system;
}

bool solve_linear_refutes(const Query *query, const Term *const *more,
                          uint32_t n_more) {
  if (query->solver->n_pairs > MAX_QUESTION_PAIRS)
    return false;
  ArenaMark mark = arena_mark(query->arena);
  System *system = new_system(query);
  bool is_refuted = n_more && refutes_simply(system, query, more, n_more);
  query->solver->n_pairs += system->n_pairs;
  if (!is_refuted) {
    system = new_system(query);
    is_refuted = refutes_all(system, query, more, n_more);
    query->solver->n_pairs += system->n_pairs;
  }
  arena_release(query->arena, mark);
  return is_refuted;
}
