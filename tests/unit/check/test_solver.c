// SPDX-License-Identifier: Apache-2.0
// The questions that kernels ask: which ones the solver settles, and how.
#include "terms.h"
#include <pthread.h>

#define assert_unsat(...) assert_status(SOLVE_UNSAT, ask(__VA_ARGS__, NULL))
#define assert_sat(...)   assert_status(SOLVE_SAT, ask(__VA_ARGS__, NULL))

static void assert_status(SolveStatus expected, SolveAnswer answer) {
  if (answer.status != expected)
    fail_msg("status %d instead of %d%s%s", answer.status, expected,
             answer.reason ? ": " : "", answer.reason ? answer.reason : "");
}

static const Term *natural(const char *name) {
  return symbol(name, 0, INT32_MAX);
}

static const Term *extent(const char *name) {
  return symbol(name, 1, INT32_MAX);
}

static void only(SolveTier tier) {
  SolveOptions options = {0};
  for (int i = 0; i < TIER_COUNT; i++)
    options.tiers_off[i] = i != (int)tier;
  solver_free(solver);
  solver = solver_new(arena, table, &options);
}

// Was the library built in? Else the tier says that it wasn't.
static bool has(SolveTier tier) {
  only(tier);
  SolveAnswer answer = ask(le(natural("any"), num(1)), NULL);
  return answer.status != SOLVE_UNKNOWN;
}

// a[block * 256 + t], written by two threads.
static void test_linear_index(void **state) {
  (void)state;
  only(TIER_SIMPLIFY);
  const Term *b = natural("b"), *c = natural("c");
  const Term *t = symbol("t", 0, 255), *u = symbol("u", 0, 255);
  const Term *same = eq(add(scale(b, 256), t), add(scale(c, 256), u));
  assert_unsat(same, either(ne(b, c), ne(t, u)));
  if (!has(TIER_Z3_LINEAR))
    return;
  const Term *wide = symbol("wide", 0, 256);
  SolveAnswer answer =
      ask(eq(add(scale(b, 256), t), add(scale(c, 256), wide)), ne(b, c), NULL);
  assert_status(SOLVE_SAT, answer);
}

// out[row * W + col], 16 x 16 blocks, W and H symbolic.
static void two_dimensions(const Term *w, const Term **index,
                           const Term **guard, const Term *h, int side) {
  const char *names[2][3] = {{"bx", "by", "t"}, {"cx", "cy", "u"}};
  const Term *bx = natural(names[side][0]), *by = natural(names[side][1]);
  const Term *t = symbol(names[side][2], 0, 255);
  const Term *row = add(scale(by, 16), quotient(t, 16));
  const Term *col = add(scale(bx, 16), rest(t, 16));
  *index = add(mul(row, w), col);
  *guard = both(lt(row, h), lt(col, w));
  index[1] = bx;
  index[2] = by;
  index[3] = t;
}

static void test_two_dimensional_index(void **state) {
  (void)state;
  only(TIER_SIMPLIFY);
  const Term *w = extent("W"), *h = extent("H");
  const Term *a[4], *b[4], *guards[2];
  two_dimensions(w, a, &guards[0], h, 0);
  two_dimensions(w, b, &guards[1], h, 1);
  const Term *other =
      either(ne(a[1], b[1]), either(ne(a[2], b[2]), ne(a[3], b[3])));
  assert_unsat(guards[0], guards[1], eq(a[0], b[0]), other);
  // Without col < W two threads may meet.
  assert_true(ask(eq(a[0], b[0]), other, NULL).status != SOLVE_UNSAT);
}

static int64_t next_number(uint64_t *seed, uint32_t n_bits) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  int64_t number = (int64_t)(*seed >> (64 - n_bits));
  return *seed & (1 << 10) ? -number : number;
}

// Rows whose sum is beyond 64 bits say nothing: what has a solution isn't
// refuted, whatever the coefficients are. Here that is 1, 1, 1.
static void test_large_coefficients(void **state) {
  (void)state;

  enum { SYSTEMS = 500, ROWS = 6 };

  const Term *x = symbol("x", -9, 9), *y = symbol("y", -9, 9);
  const Term *z = symbol("z", -9, 9);
  uint64_t seed = 1;
  only(TIER_SIMPLIFY);
  for (int i = 0; i < SYSTEMS; i++) {
    const Term *all = term_true(table);
    for (int row = 0; row < ROWS; row++) {
      int64_t a = next_number(&seed, row % 2 ? 57 : 33);
      int64_t b = next_number(&seed, row % 2 ? 57 : 33), sum = row - 3;
      const Term *left = add(scale(x, a), scale(y, b));
      all = both(all, le(add(left, scale(z, sum - a - b)), num(sum)));
    }
    assert_true(ask(all, NULL).status != SOLVE_UNSAT);
  }
}

static void test_two_dimensional_bounds(void **state) {
  (void)state;
  only(TIER_SIMPLIFY);
  const Term *w = extent("W"), *h = extent("H");
  const Term *a[4], *guard;
  two_dimensions(w, a, &guard, h, 0);
  assert_true(solver_proves(solver, guard, le(num(0), a[0])));
  assert_true(solver_proves(solver, guard, lt(a[0], mul(h, w))));
  assert_false(solver_proves(solver, guard, lt(a[0], mul(w, w))));
}

static void test_three_dimensions(void **state) {
  (void)state;
  only(TIER_SIMPLIFY);
  const Term *w = extent("W"), *h = extent("H"), *d = extent("D");
  const Term *x = natural("x"), *y = natural("y"), *z = natural("z");
  const Term *p = natural("p"), *q = natural("q"), *r = natural("r");
  const Term *inside = both(lt(x, w), both(lt(y, h), lt(z, d)));
  const Term *inside2 = both(lt(p, w), both(lt(q, h), lt(r, d)));
  const Term *a = add(mul(add(mul(z, h), y), w), x);
  const Term *b = add(mul(add(mul(r, h), q), w), p);
  assert_unsat(inside, inside2, eq(a, b),
               either(ne(x, p), either(ne(y, q), ne(z, r))));
  assert_true(solver_proves(solver, inside, lt(a, mul(d, mul(h, w)))));
  // A plane and an index inside it.
  const Term *i = natural("i"), *k = natural("k");
  const Term *plane = mul(h, w);
  assert_unsat(lt(i, plane), lt(k, plane),
               eq(add(mul(z, plane), i), add(mul(r, plane), k)), ne(z, r));
}

// Elements of 4 bytes, accesses of 4 and of 16.
static void test_overlap_of_bytes(void **state) {
  (void)state;
  only(TIER_SIMPLIFY);
  const Term *w = extent("W");
  const Term *x = natural("x"), *y = natural("y");
  const Term *p = natural("p"), *q = natural("q");
  const Term *a = scale(add(mul(y, w), x), 4);
  const Term *b = scale(add(mul(q, w), p), 4);
  const Term *overlap = both(lt(a, add(b, num(4))), lt(b, add(a, num(4))));
  const Term *inside = both(lt(x, w), lt(p, w));
  assert_unsat(inside, overlap, ne(y, q));
  assert_unsat(inside, overlap, ne(x, p));
  const Term *t = symbol("t", 0, 255), *u = symbol("u", 0, 255);
  const Term *c = scale(t, 16), *d = scale(u, 16);
  assert_unsat(ne(t, u), lt(c, add(d, num(16))), lt(d, add(c, num(16))));
}

// a[t] += a[t + s] where t % (2 * s) == 0.
static void test_tree_of_powers(void **state) {
  (void)state;
  const Term *t = symbol("t", 0, 1023), *u = symbol("u", 0, 1023);
  const Term *s = power_of_two("s", 1, 1 << 30);
  const Term *twice = scale(s, 2);
  const Term *acts = both(eq(term_mod(table, t, twice), num(0)),
                          eq(term_mod(table, u, twice), num(0)));
  assert_unsat(acts, ne(t, u), eq(t, add(u, s)));
  assert_sat(eq(term_mod(table, t, twice), num(0)), ne(t, u), eq(t, add(u, s)));
}

// a[t] and a[t ^ j] exchanged by the lower of the two.
static void test_bitonic(void **state) {
  (void)state;
  const Term *t = symbol("t", 0, 1023), *u = symbol("u", 0, 1023);
  const Term *j = power_of_two("j", 1, 512);
  const Term *x = exclusive(t, j), *y = exclusive(u, j);
  assert_unsat(lt(t, x), lt(u, y), ne(t, u), eq(t, y));
  assert_unsat(lt(t, x), lt(u, y), ne(t, u), eq(x, y));
  assert_sat(ne(t, u), eq(t, y));
}

// 16-byte chunks of 128-byte rows, swizzled.
static void test_swizzle(void **state) {
  (void)state;
  const Term *r = symbol("r", 0, 63), *c = symbol("c", 0, 7);
  const Term *p = symbol("p", 0, 63), *d = symbol("d", 0, 7);
  const Term *a = add(scale(r, 8), exclusive(c, rest(r, 8)));
  const Term *b = add(scale(p, 8), exclusive(d, rest(p, 8)));
  assert_unsat(eq(a, b), either(ne(r, p), ne(c, d)));
  assert_true(solver_proves(solver, NULL, lt(a, num(512))));
}

// a[g * V + v], 0 <= v < V.
static void test_vector_of_symbolic_length(void **state) {
  (void)state;
  only(TIER_SIMPLIFY);
  const Term *n = extent("V"), *g = natural("g"), *h = natural("h");
  const Term *v = natural("v"), *w = natural("w");
  assert_unsat(lt(v, n), lt(w, n), ne(g, h),
               eq(add(mul(g, n), v), add(mul(h, n), w)));
}

// Chunks of n / 256 elements, rounded up, for each of 256 threads.
static void test_chunks(void **state) {
  (void)state;
  only(TIER_SIMPLIFY);
  const Term *n = natural("n"), *zero = num(0);
  const Term *more = term_ite(table, lt(zero, rest(n, 256)), num(1), zero);
  const Term *chunk = add(quotient(n, 256), more);
  const Term *t = symbol("t", 0, 255), *u = symbol("u", 0, 255);
  const Term *i = natural("i"), *k = natural("k");
  assert_unsat(lt(i, chunk), lt(k, chunk), ne(t, u),
               eq(add(mul(t, chunk), i), add(mul(u, chunk), k)));
  assert_true(ask(lt(i, chunk), le(k, chunk), ne(t, u),
                  eq(add(mul(t, chunk), i), add(mul(u, chunk), k)), NULL)
                  .status != SOLVE_UNSAT);
}

// Butterflies of a step of h elements: pairs at t / h * 2 * h + t % h and h on.
static void test_symbolic_digits(void **state) {
  (void)state;
  only(TIER_SIMPLIFY);
  const Term *n = extent("n"), *h = extent("h");
  const Term *t = natural("t"), *u = natural("u");
  const Term *whole = eq(term_mod(table, n, scale(h, 2)), num(0));
  const Term *inside = lt(t, quotient(n, 2));
  const Term *a =
      add(mul(term_div(table, t, h), scale(h, 2)), term_mod(table, t, h));
  const Term *b =
      add(mul(term_div(table, u, h), scale(h, 2)), term_mod(table, u, h));
  assert_true(solver_proves(solver, both(whole, inside), lt(add(a, h), n)));
  assert_false(solver_proves(solver, inside, lt(add(a, h), n)));
  assert_unsat(eq(a, b), ne(t, u));
  assert_unsat(eq(a, add(b, h)), ne(t, u));
  // The same where t is made of a block and a thread.
  const Term *v = add(scale(natural("b"), 128), symbol("r", 0, 127));
  const Term *c =
      add(mul(term_div(table, v, h), scale(h, 2)), term_mod(table, v, h));
  assert_true(solver_proves(solver, both(whole, lt(v, quotient(n, 2))),
                            lt(add(c, h), n)));
}

static void test_injective_table(void **state) {
  (void)state;
  IrObject object = {.id = 7, .name = "idx", .rank = 1};
  const Term *n = extent("n");
  const Term *t = natural("t"), *u = natural("u");
  const Term *a = term_apply(table, &object, &t, 1);
  const Term *b = term_apply(table, &object, &u, 1);
  const Term *inside = both(lt(t, n), lt(u, n));
  assert_true(ask(inside, ne(t, u), eq(a, b), NULL).status != SOLVE_UNSAT);
  solver_assume_table(solver, &(TableFact){.kind = TABLE_INJECTIVE,
                                           .object = &object,
                                           .low = num(0),
                                           .high = n});
  assert_unsat(inside, ne(t, u), eq(a, b));
  assert_true(ask(ne(t, u), eq(a, b), NULL).status != SOLVE_UNSAT);
  solver_assume_table(solver, &(TableFact){.kind = TABLE_BOUNDED,
                                           .object = &object,
                                           .low = num(0),
                                           .high = n});
  assert_true(solver_proves(solver, inside, lt(a, n)));
  solver_assume_table(solver,
                      &(TableFact){.kind = TABLE_MONOTONE, .object = &object});
  assert_true(solver_proves(solver, lt(t, u), le(a, b)));
  assert_false(solver_proves(solver, lt(t, u), lt(b, a)));
}

// if (++stage == 4) { stage = 0; phase ^= 1; } keeps stage == k % 4 and
// phase == (k / 4) % 2.
static void test_stage_and_phase(void **state) {
  (void)state;
  const Term *k = natural("k");
  const Term *stage = rest(k, 4), *phase = rest(quotient(k, 4), 2);
  const Term *next = add(k, num(1));
  const Term *wraps = eq(add(stage, num(1)), num(4));
  const Term *stage2 = term_ite(table, wraps, num(0), add(stage, num(1)));
  const Term *phase2 = term_ite(table, wraps, sub(num(1), phase), phase);
  assert_true(solver_proves(solver, NULL, eq(stage2, rest(next, 4))));
  assert_true(
      solver_proves(solver, NULL, eq(phase2, rest(quotient(next, 4), 2))));
  assert_false(
      solver_proves(solver, NULL, eq(phase, rest(quotient(next, 4), 2))));
}

// Ring of 4 slots: what the consumer reads in turn j is not what the producer
// writes in turn k, where the order of the two leaves j <= k < j + 4, k != j.
static void test_ring(void **state) {
  (void)state;
  only(TIER_SIMPLIFY);
  const Term *j = natural("j"), *k = natural("k");
  assert_unsat(eq(rest(j, 4), rest(k, 4)), lt(j, k), lt(k, add(j, num(4))));
  if (has(TIER_Z3_LINEAR))
    assert_sat(eq(rest(j, 4), rest(k, 4)), lt(j, k), le(k, add(j, num(4))));
}

static void test_facts_are_used_where_they_matter(void **state) {
  (void)state;
  const Term *n = natural("n"), *m = natural("m"), *t = natural("t");
  solver_assume(solver, both(eq(rest(n, 32), num(0)), lt(num(0), n)));
  solver_assume(solver, lt(m, num(100)));
  assert_unsat(lt(n, num(32)));
  assert_sat(eq(t, num(3)));
  SolveAnswer answer = ask(lt(n, num(50)), NULL);
  assert_status(SOLVE_SAT, answer);
  int64_t value;
  assert_true(term_model_get(&answer.model, n->symbol, &value));
  assert_int_equal(value, 32);
  // Facts that contradict each other leave nothing.
  solver_assume(solver, lt(num(100), m));
  assert_unsat(eq(t, num(3)), lt(m, num(1000)));
}

static void test_answers_are_kept(void **state) {
  (void)state;
  const Term *n = natural("n");
  uint32_t before = solver_count(solver, TIER_SIMPLIFY);
  assert_unsat(lt(n, num(5)), lt(num(7), n));
  assert_unsat(lt(num(7), n), lt(n, num(5)));
  assert_int_equal(solver_count(solver, TIER_SIMPLIFY), before + 2);
}

// y + 2^62 <= x, where all that is left for -x is INT64_MIN.
static void test_ends_of_numbers(void **state) {
  (void)state;
  const int64_t large = (int64_t)1 << 62;
  const Term *y = symbol("y", large, large + 5);
  const Term *x = symbol("x", 0, large), *z = symbol("z", 0, large + 7);
  assert_unsat(le(add(y, num(large)), x));
  assert_sat(le(y, z));
}

static void test_no_time_is_unknown(void **state) {
  (void)state;
  SolveOptions options = {.query_ms = 50, .kernel_ms = 120};
  solver_free(solver);
  solver = solver_new(arena, table, &options);
  // Products that nothing above can take apart.
  const Term *all = term_true(table), *sum = num(0);
  for (int i = 0; i < 24; i++) {
    const Term *x = symbol("x", -1000, 1000), *y = symbol("y", -1000, 1000);
    all = both(all, ne(mul(x, y), exclusive(x, y)));
    sum = add(sum, mul(mul(x, x), y));
  }
  for (int i = 0; i < 40 && solver_left_ms(solver); i++) {
    SolveAnswer answer = ask(all, eq(sum, num(1000003 + i)), NULL);
    assert_true(answer.status != SOLVE_UNSAT);
  }
}

static void test_fast_proofs(void **state) {
  (void)state;
  const Term *t = symbol("t", 0, 255), *n = natural("n");
  const Term *given = both(lt(t, n), lt(n, num(100)));
  assert_true(solver_proves(solver, NULL, lt(t, num(256))));
  assert_true(solver_proves(solver, given, lt(t, n)));
  assert_true(solver_proves(solver, given, lt(t, num(99))));
  assert_false(solver_proves(solver, given, lt(t, num(98))));
  assert_true(solver_proves(solver, term_false(table), term_false(table)));
  assert_false(solver_proves(solver, NULL, term_false(table)));
}

// Each thread has its own table, solver and contexts of the libraries.
static void *ask_alone(void *context) {
  SolveTier tier = *(SolveTier *)context;
  SolveOptions options = {0};
  for (int i = 0; i < TIER_COUNT; i++)
    options.tiers_off[i] = i != (int)tier;
  static char failed;
  for (int round = 0; round < 8; round++) {
    Arena *own = arena_new();
    TermTable *terms = term_table_new(own);
    Symbol model = {.kind = SYMBOL_VALUE, .name = "x", .low = 0, .high = 100};
    const Term *x = term_of(terms, term_symbol_new(terms, &model));
    Solver *alone = solver_new(own, terms, &options);
    const Term *rest3 = term_mod(terms, x, term_int(terms, 3));
    const Term *conditions[2] = {
        term_eq(terms, rest3, term_int(terms, 2)),
        term_lt(terms, x, term_int(terms, round < 4 ? 2 : 3))};
    SolveStatus status = solver_ask(alone, conditions, 2).status;
    solver_free(alone);
    arena_free(own);
    if (status != (round < 4 ? SOLVE_UNSAT : SOLVE_SAT))
      return &failed;
  }
  return NULL;
}

static void test_threads_do_not_meet(void **state) {
  (void)state;
  SolveTier tiers[4] = {TIER_ISL, TIER_Z3_LINEAR, TIER_ISL, TIER_Z3_LINEAR};
  pthread_t threads[4];
  if (!has(TIER_ISL) || !has(TIER_Z3_LINEAR))
    skip();
  for (int i = 0; i < 4; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, ask_alone, &tiers[i]),
                     0);
  for (int i = 0; i < 4; i++) {
    void *failed;
    pthread_join(threads[i], &failed);
    assert_null(failed);
  }
}

// Written by i = t, t + 64, … below m: what is read below m was written, what
// is read at m wasn't, and the model says so. A product of an own symbol says
// nothing.
static void test_cases_with_own_symbols(void **state) {
  (void)state;
  const Term *m = symbol("m", 1, 1000), *at = symbol("at", 0, 1000);
  const Term *t = symbol("t", 0, 63), *turn = symbol("turn", 0, 100);
  const Term *i = add(t, scale(turn, 64));
  const Symbol *own[] = {t->symbol, turn->symbol};
  SolveCase strided = {both(eq(i, at), lt(i, m)), own, 2};
  SolveCase plain = {eq(at, m), NULL, 0};
  SolveCase hidden = {eq(mul(turn, m), at), own, 2};
  SolveCase two[] = {strided, plain};
  TermModel missing;
  int64_t value, size;
  only(TIER_SIMPLIFY);
  assert_true(solver_covers(solver, eq(at, m), &plain, 1, &missing));
  assert_false(solver_covers(solver, lt(at, m), &strided, 1, &missing));
  if (!has(TIER_ISL))
    return;
  assert_true(solver_covers(solver, lt(at, m), &strided, 1, &missing));
  assert_true(solver_covers(solver, le(at, m), two, 2, &missing));
  assert_false(solver_covers(solver, le(at, m), &strided, 1, &missing));
  assert_true(term_model_get(&missing, at->symbol, &value));
  assert_true(term_model_get(&missing, m->symbol, &size));
  assert_true(value == size);
  assert_false(solver_covers(solver, eq(at, num(0)), &hidden, 1, &missing));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_linear_index),
      TEST(test_large_coefficients),
      TEST(test_two_dimensional_index),
      TEST(test_two_dimensional_bounds),
      TEST(test_three_dimensions),
      TEST(test_overlap_of_bytes),
      TEST(test_tree_of_powers),
      TEST(test_bitonic),
      TEST(test_swizzle),
      TEST(test_vector_of_symbolic_length),
      TEST(test_chunks),
      TEST(test_symbolic_digits),
      TEST(test_injective_table),
      TEST(test_stage_and_phase),
      TEST(test_ring),
      TEST(test_facts_are_used_where_they_matter),
      TEST(test_answers_are_kept),
      TEST(test_ends_of_numbers),
      TEST(test_no_time_is_unknown),
      TEST(test_fast_proofs),
      TEST(test_threads_do_not_meet),
      TEST(test_cases_with_own_symbols),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
