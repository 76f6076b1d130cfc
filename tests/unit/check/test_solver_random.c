// SPDX-License-Identifier: Apache-2.0
// Random conditions over small ranges: each tier alone and all together against
// trying every assignment. UNSAT must never be wrong, and a model must satisfy.
#include "terms.h"

#define N_SYMBOLS 6

static uint64_t seed;
static const Term *symbols[N_SYMBOLS];
static uint32_t n_symbols; // of this round

static uint32_t below(uint32_t n) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(seed >> 33) % n;
}

static const Term *random_condition(int depth);

static const Term *random_leaf(void) {
  static const int64_t numbers[] = {0, 1, 2, 3, 4, 5, 7, 8, -1, -3};
  return below(4) ? symbols[below(n_symbols)] : num(numbers[below(10)]);
}

static const Term *random_int(int depth) {
  if (depth == 0)
    return random_leaf();
  const Term *a = random_int(depth - 1), *b = random_int(depth - 1);
  switch (below(14)) {
  case 0:
  case 1: return add(a, b);
  case 2: return sub(a, b);
  case 3: return scale(a, (int64_t)below(9) - 4);
  case 4: return mul(a, b);
  case 5: return quotient(a, 1 + below(5));
  case 6: return rest(a, 1 + below(5));
  case 7: return add(scale(a, 8), rest(b, 8));
  case 8: return term_min(table, a, b);
  case 9: return term_max(table, a, b);
  case 10: return term_ite(table, random_condition(depth - 1), a, b);
  case 11: return exclusive(a, b);
  case 12: return term_bits(table, below(2) ? TERM_AND : TERM_OR, a, b);
  default: {
    const Term *positive = term_max(table, b, num(1));
    return below(2) ? term_div(table, a, positive)
                    : term_mod(table, a, positive);
  }
  }
}

static const Term *random_condition(int depth) {
  if (depth > 0 && below(3) == 0) {
    const Term *a = random_condition(depth - 1);
    const Term *b = random_condition(depth - 1);
    switch (below(3)) {
    case 0: return both(a, b);
    case 1: return either(a, b);
    default: return term_not(table, a);
    }
  }
  const Term *a = random_int(depth), *b = random_int(depth ? depth - 1 : 0);
  switch (below(4)) {
  case 0: return le(a, b);
  case 1: return ne(a, b);
  default: return eq(a, b);
  }
}

static void random_symbols(void) {
  static const char *names[] = {"x", "y", "z"};
  n_symbols = 3;
  for (uint32_t i = 0; i < n_symbols; i++) {
    if (below(5) == 0) {
      symbols[i] = power_of_two(names[i], 1, 2 << below(4));
      continue;
    }
    int64_t low = below(3) ? 0 : (int64_t)below(8) - 6;
    symbols[i] = symbol(names[i], low, low + 1 + below(12));
  }
}

// Indices of two threads in arrays with rows of W and H rows, each with some of
// the guards that make them differ.
static const Term *random_index(const Term *const *xy) {
  const Term *w = symbols[0], *x = xy[0], *y = xy[1];
  switch (below(6)) {
  case 0: return add(mul(y, w), x);
  case 1: return add(mul(x, w), y);
  case 2: return add(mul(add(y, num(1)), w), x);
  case 3: return sub(mul(add(y, num(1)), w), add(x, num(1)));
  case 4: return add(mul(add(mul(y, symbols[1]), x), w), rest(x, 2));
  default: return add(scale(y, (int64_t)below(6)), x);
  }
}

static void random_indices(const Term **conditions, uint32_t *n) {
  static const char *names[N_SYMBOLS] = {"W", "H", "x", "y", "p", "q"};
  n_symbols = N_SYMBOLS;
  for (uint32_t i = 0; i < N_SYMBOLS; i++) {
    int64_t low = i < 2 ? below(2) : 0;
    symbols[i] = symbol(names[i], low, 2 + below(2));
  }
  const Term *const *s = symbols;
  const Term *a = random_index(s + 2), *b = random_index(s + 4);
  const Term *candidates[] = {lt(s[2], s[0]),
                              lt(s[3], s[1]),
                              lt(s[4], s[0]),
                              lt(s[5], s[1]),
                              le(s[2], s[4]),
                              ne(s[2], s[4]),
                              ne(s[3], s[5]),
                              lt(s[4], add(s[0], num(1))),
                              eq(s[3], s[5]),
                              lt(a, mul(s[0], s[1])),
                              either(ne(s[2], s[4]), ne(s[3], s[5]))};
  for (uint32_t i = 0; i < sizeof candidates / sizeof *candidates; i++)
    if (below(2))
      conditions[(*n)++] = candidates[i];
  int64_t gap = below(3);
  switch (below(4)) {
  case 0: conditions[(*n)++] = le(mul(s[0], s[1]), a); return;
  case 1:
    conditions[(*n)++] = le(a, add(b, num(gap)));
    conditions[(*n)++] = le(b, a);
    return;
  default: conditions[(*n)++] = eq(a, b);
  }
}

static bool holds(const Term *const *conditions, uint32_t n,
                  const TermModel *model) {
  for (uint32_t i = 0; i < n; i++) {
    int64_t value;
    if (!term_value(conditions[i], model, &value))
      fail_msg("seed %llu: no value of %s", (unsigned long long)seed,
               printed(conditions[i]));
    if (!value)
      return false;
  }
  return true;
}

// Tries all assignments.
static bool is_possible(const Term *const *conditions, uint32_t n) {
  const Symbol *list[N_SYMBOLS];
  int64_t values[N_SYMBOLS];
  TermModel model = {n_symbols, list, values};
  for (uint32_t i = 0; i < n_symbols; i++) {
    list[i] = symbols[i]->symbol;
    values[i] = list[i]->low;
  }
  for (;;) {
    bool is_legal = true;
    for (uint32_t i = 0; i < n_symbols; i++)
      is_legal = is_legal && (!list[i]->is_power_of_two ||
                              (values[i] & (values[i] - 1)) == 0);
    if (is_legal && holds(conditions, n, &model))
      return true;
    uint32_t at = 0;
    while (at < n_symbols && values[at] == list[at]->high)
      values[at] = list[at]->low, at++;
    if (at == n_symbols)
      return false;
    values[at]++;
  }
}

typedef struct {
  const char *name;
  bool tiers_off[TIER_COUNT];
  uint32_t n_decided;
} Setup;

static Setup setups[] = {
    {"own", {0, 1, 1, 1, 1}, 0},           {"isl", {1, 0, 1, 1, 1}, 0},
    {"Z3 linear", {1, 1, 0, 1, 1}, 0},     {"Z3 bits", {1, 1, 1, 0, 1}, 0},
    {"split and own", {0, 1, 1, 1, 0}, 0}, {"all", {0, 0, 0, 0, 0}, 0},
};

#define N_SETUPS (sizeof setups / sizeof *setups)

static void fail_with(const Setup *setup, const char *what,
                      const Term *const *conditions, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    print_error("  %s\n", printed(conditions[i]));
  for (uint32_t i = 0; i < n_symbols; i++)
    print_error("  %s in %lld ... %lld%s\n", symbols[i]->symbol->name,
                (long long)symbols[i]->symbol->low,
                (long long)symbols[i]->symbol->high,
                symbols[i]->symbol->is_power_of_two ? " (2^k)" : "");
  fail_msg("%s: %s", setup->name, what);
}

static void check(Setup *setup, Solver *own, const Term *const *conditions,
                  uint32_t n, bool possible) {
  SolveAnswer answer = solver_ask(own, conditions, n);
  setup->n_decided += answer.status != SOLVE_UNKNOWN;
  if (answer.status == SOLVE_UNSAT && possible)
    fail_with(setup, "UNSAT is wrong", conditions, n);
  if (answer.status == SOLVE_SAT && !possible)
    fail_with(setup, "SAT is wrong", conditions, n);
  if (answer.status == SOLVE_SAT && !holds(conditions, n, &answer.model))
    fail_with(setup, "the model is wrong", conditions, n);
  if (answer.status == SOLVE_UNKNOWN && !answer.reason)
    fail_with(setup, "no reason", conditions, n);
}

#ifdef HD_STRESS
#define N_ROUNDS 20
#else
#define N_ROUNDS 150
#endif

// A solver with facts lives for some questions, so that they meet its state.
#define N_QUESTIONS 20

static void run_round(uint64_t number) {
  seed = number;
  random_symbols();
  const Term *fact = random_condition(1);
  bool has_fact = below(2);
  Solver *solvers[N_SETUPS];
  for (uint32_t i = 0; i < N_SETUPS; i++) {
    SolveOptions options = {.query_ms = 2000, .kernel_ms = 60000};
    memcpy(options.tiers_off, setups[i].tiers_off, sizeof options.tiers_off);
    solvers[i] = solver_new(arena, table, &options);
    if (has_fact)
      solver_assume(solvers[i], fact);
  }
  for (int k = 0; k < N_QUESTIONS; k++) {
    const Term *conditions[5];
    uint32_t n = 1 + below(4);
    for (uint32_t i = 0; i < n; i++)
      conditions[i] = random_condition((int)below(3));
    // The model must hold for the fact, too, but only has what occurs.
    if (has_fact)
      conditions[n] = fact;
    bool possible = is_possible(conditions, n + has_fact);
    for (uint32_t i = 0; i < N_SETUPS; i++) {
      check(&setups[i], solvers[i], conditions, n + (has_fact && k % 2),
            possible);
    }
  }
  for (uint32_t i = 0; i < N_SETUPS; i++)
    solver_free(solvers[i]);
}

static uint64_t count_rounds(void) {
  const char *rounds = getenv("HD_ROUNDS");
  return rounds ? strtoull(rounds, NULL, 10) : N_ROUNDS;
}

static void start_round(void) {
  // What terms were made for one round isn't needed for the next.
  arena_free(arena);
  arena = arena_new();
  table = term_table_new(arena);
}

// Symbolic strides: the same for the own tier (the others say little of
// products), with many more questions.
static void test_indices_against_enumeration(void **state) {
  (void)state;
  uint64_t n_rounds = 10 * count_rounds();
  uint32_t n_unsat = 0;
  for (uint64_t i = 0; i < n_rounds; i++) {
    start_round();
    seed = i;
    const Term *conditions[16];
    uint32_t n = 0;
    random_indices(conditions, &n);
    SolveOptions options = {.query_ms = 5000};
    memcpy(options.tiers_off, setups[0].tiers_off, sizeof options.tiers_off);
    Solver *own = solver_new(arena, table, &options);
    bool possible = is_possible(conditions, n);
    uint32_t before = setups[0].n_decided;
    check(&setups[0], own, conditions, n, possible);
    n_unsat += !possible && setups[0].n_decided > before;
    solver_free(own);
  }
  assert_true(n_unsat * 8 > n_rounds);
}

static void test_every_tier_against_enumeration(void **state) {
  (void)state;
  uint64_t n = count_rounds();
  for (uint64_t i = 0; i < n; i++) {
    start_round();
    run_round(i);
  }
  for (uint32_t i = 0; i < N_SETUPS; i++)
    print_message("%s: decided %u of %llu\n", setups[i].name,
                  setups[i].n_decided, (unsigned long long)n * N_QUESTIONS);
}

static int start(void **state) {
  (void)state;
  arena = arena_new();
  return 0;
}

static int finish(void **state) {
  (void)state;
  arena_free(arena);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_every_tier_against_enumeration,
                                      start, finish),
      cmocka_unit_test_setup_teardown(test_indices_against_enumeration, start,
                                      finish),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
