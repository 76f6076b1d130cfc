// SPDX-License-Identifier: Apache-2.0
// Terms: every simplification keeps the value, intervals hold, what is equal
// is one term, and nothing overflows.
#include "check/term/term.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static Arena *arena;
static TermTable *table;

static int set_up(void **state) {
  (void)state;
  arena = arena_new();
  table = term_table_new(arena);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  arena_free(arena);
  return 0;
}

static const Term *symbol(const char *name, int64_t low, int64_t high) {
  Symbol model = {.kind = SYMBOL_VALUE, .name = name, .low = low, .high = high};
  return term_of(table, term_symbol_new(table, &model));
}

static const Term *number(int64_t n) {
  return term_int(table, n);
}

static const char *printed(const Term *term) {
  Text text = {.arena = arena};
  term_print(term, &text);
  return text_cstr(&text);
}

static void test_sums_are_normal(void **state) {
  (void)state;
  const Term *x = symbol("x", 0, 99), *y = symbol("y", 0, 99);
  const Term *a = term_add(table, term_scale(table, x, 3), y);
  const Term *b =
      term_add(table, term_add(table, y, x), term_scale(table, x, 2));
  assert_ptr_equal(a, b);
  assert_ptr_equal(term_sub(table, a, y), term_scale(table, x, 3));
  assert_ptr_equal(term_sub(table, a, a), number(0));
  assert_ptr_equal(term_add(table, x, number(0)), x);
  // (x + 1) * (y - 1) is the polynomial.
  const Term *product = term_mul(table, term_add(table, x, number(1)),
                                 term_sub(table, y, number(1)));
  const Term *expected =
      term_add(table, term_sub(table, term_mul(table, x, y), x),
               term_sub(table, y, number(1)));
  assert_ptr_equal(product, expected);
}

static void test_quotients(void **state) {
  (void)state;
  const Term *t = symbol("t", 0, 255), *k = symbol("k", INT64_MIN, INT64_MAX);
  const Term *w = symbol("w", 1, INT64_MAX);
  const Term *n32 = number(32);
  // 32 * (t / 32) + t % 32 is t, whichever way it comes.
  const Term *div = term_div(table, t, n32), *mod = term_mod(table, t, n32);
  assert_ptr_equal(term_add(table, term_scale(table, div, 32), mod), t);
  assert_ptr_equal(term_sub(table, t, term_scale(table, div, 32)), mod);
  assert_ptr_equal(term_div(table, term_scale(table, k, 8), number(8)), k);
  assert_ptr_equal(term_mod(table, term_scale(table, k, 8), number(4)),
                   number(0));
  assert_ptr_equal(term_div(table, t, number(256)), number(0));
  assert_ptr_equal(term_mod(table, t, number(256)), t);
  assert_ptr_equal(term_div(table, term_div(table, k, number(4)), number(8)),
                   term_div(table, k, n32));
  // cdiv(cdiv(k, 4), 8)
  const Term *rest = term_mod(table, k, number(4));
  const Term *is_more = term_lt(table, number(0), rest);
  const Term *up = term_add(table, term_div(table, k, number(4)),
                            term_ite(table, is_more, number(1), number(0)));
  assert_ptr_equal(up,
                   term_div(table, term_add(table, k, number(3)), number(4)));
  assert_ptr_equal(term_div(table, term_add(table, up, number(7)), number(8)),
                   term_div(table, term_add(table, k, number(31)), n32));
  // (w * k + 3) / w where 3 < w isn't known, and where it is.
  const Term *wk = term_mul(table, w, k);
  assert_ptr_equal(term_div(table, wk, w), k);
  const Term *wide = symbol("wide", 8, INT64_MAX);
  const Term *row =
      term_add(table, term_mul(table, wide, k), symbol("c", 0, 7));
  assert_ptr_equal(term_div(table, row, wide), k);
}

static void test_bits(void **state) {
  (void)state;
  const Term *t = symbol("t", 0, 255), *k = symbol("k", INT64_MIN, INT64_MAX);
  assert_ptr_equal(term_bits(table, TERM_AND, k, number(31)),
                   term_mod(table, k, number(32)));
  assert_ptr_equal(term_bits(table, TERM_SHR, t, number(8)), number(0));
  assert_ptr_equal(term_bits(table, TERM_SHL, k, number(4)),
                   term_scale(table, k, 16));
  // Fields that don't overlap.
  const Term *high = term_scale(table, k, 256);
  assert_ptr_equal(term_bits(table, TERM_OR, high, t),
                   term_add(table, high, t));
  const Term *j = symbol("j", 0, INT64_MAX);
  const Term *x = term_bits(table, TERM_XOR, t, j);
  assert_ptr_equal(term_bits(table, TERM_XOR, x, j), t);
  assert_ptr_equal(term_bits(table, TERM_XOR, t, t), number(0));
}

static void test_conditions(void **state) {
  (void)state;
  const Term *t = symbol("t", 0, 31), *n = symbol("n", 1, 1000);
  assert_ptr_equal(term_lt(table, t, number(32)), term_true(table));
  assert_ptr_equal(term_lt(table, t, number(0)), term_false(table));
  assert_ptr_equal(term_eq(table, term_scale(table, n, 2),
                           term_add(table, term_scale(table, t, 4), number(1))),
                   term_false(table));
  const Term *a = term_lt(table, t, n), *b = term_eq(table, t, n);
  assert_ptr_equal(term_not(table, term_not(table, a)), a);
  assert_ptr_equal(term_and(table, a, term_not(table, a)), term_false(table));
  assert_ptr_equal(term_not(table, term_and(table, a, b)),
                   term_or(table, term_not(table, b), term_not(table, a)));
  // A condition that was stored as 0 or 1.
  const Term *flag = term_ite(table, a, number(1), number(0));
  assert_ptr_equal(term_ne(table, flag, number(0)), a);
  assert_ptr_equal(term_eq(table, flag, number(0)), term_not(table, a));
}

static void test_print(void **state) {
  (void)state;
  const Term *t = symbol("t", 0, 31), *n = symbol("n", 1, 1000);
  assert_string_equal(printed(term_lt(table, t, n)), "t < n");
  const Term *sum = term_sub(table, term_scale(table, t, 4), number(1));
  assert_string_equal(printed(sum), "4 * t - 1");
  assert_string_equal(printed(term_mul(table, t, n)), "t * n");
  assert_string_equal(printed(term_ne(table, t, number(3))), "t != 3");
  assert_string_equal(printed(term_and(table, term_lt(table, t, n),
                                       term_le(table, number(5), t))),
                      "t < n && t >= 5");
}

static void test_overflow_is_any_value(void **state) {
  (void)state;
  const Term *x = symbol("x", INT64_MIN, INT64_MAX);
  const Term *big = term_scale(table, x, INT64_MAX);
  const Term *lost = term_add(table, big, big);
  assert_int_equal(lost->kind, TERM_SYMBOL);
  assert_true(lost->symbol->is_lost);
  assert_ptr_not_equal(lost, term_add(table, big, big));
  int64_t low, high;
  term_interval(table, lost, &low, &high);
  assert_true(low == INT64_MIN && high == INT64_MAX);
  term_mul(table, number(INT64_MIN), number(INT64_MIN));
  term_div(table, number(INT64_MIN), number(-1));
  term_sub(table, number(0), number(INT64_MIN));
  term_mod(table, number(INT64_MIN), number(3));
  assert_int_equal(term_sub(table, number(INT64_MAX), number(-1))->kind,
                   TERM_SYMBOL);
}

static void test_deep_terms_end(void **state) {
  (void)state;
  const Term *x = symbol("x", 0, 99), *n = symbol("n", 0, 99);
  for (int i = 0; i < 5000; i++) {
    x = term_min(table, term_add(table, x, number(1)), n);
    x = term_mul(table, x, term_add(table, x, n));
  }
  const Term *all = term_true(table);
  for (int i = 0; i < 3000; i++)
    all = term_and(table, all,
                   term_ne(table, n, symbol("u", INT64_MIN, INT64_MAX)));
  assert_int_equal(all->kind, TERM_ALL);
  assert_int_equal(term_not(table, all)->kind, TERM_SOME);
  assert_true(strlen(printed(term_not(table, all))) < 3000);
}

// ------------------------------------------------------------ against C

#define N_SYMBOLS 4

typedef struct {
  const Symbol *symbols[N_SYMBOLS];
  int64_t values[N_SYMBOLS];
  bool is_valid; // no division by what isn't positive, no huge shift
} World;

typedef struct {
  const Term *term;
  int64_t values[4]; // in each world
} Pair;

static World worlds[4];
static uint64_t seed;

static uint32_t below(uint32_t n) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(seed >> 33) % n;
}

static int64_t floor_quotient(int64_t a, int64_t b) {
  int64_t q = a / b;
  return a % b < 0 ? q - 1 : q;
}

static Pair random_condition(int depth);

static Pair random_leaf(void) {
  Pair pair;
  if (below(3) == 0) {
    static const int64_t numbers[] = {0, 1, 2, 3, 4, 5, 7, 8, 16, 31, -1, -4};
    int64_t n = numbers[below(12)];
    pair.term = number(n);
    for (int w = 0; w < 4; w++)
      pair.values[w] = n;
    return pair;
  }
  uint32_t s = below(N_SYMBOLS);
  pair.term = term_of(table, worlds[0].symbols[s]);
  for (int w = 0; w < 4; w++)
    pair.values[w] = worlds[w].values[s];
  return pair;
}

static int64_t compute(TermKind kind, int64_t a, int64_t b, World *world) {
  switch ((int)kind) {
  case TERM_SUM: return a + b;
  case TERM_MUL: return a * b;
  case TERM_DIV:
  case TERM_MOD:
    if (b <= 0) {
      world->is_valid = false;
      return 0;
    }
    return kind == TERM_DIV ? floor_quotient(a, b)
                            : a - b * floor_quotient(a, b);
  case TERM_MIN: return a < b ? a : b;
  case TERM_MAX: return a > b ? a : b;
  case TERM_AND: return a & b;
  case TERM_OR: return a | b;
  case TERM_XOR: return a ^ b;
  default:
    if (b < 0 || b > 20) {
      world->is_valid = false;
      return 0;
    }
    return kind == TERM_SHL ? a * ((int64_t)1 << b)
                            : floor_quotient(a, (int64_t)1 << b);
  }
}

static const Term *build(TermKind kind, const Term *a, const Term *b) {
  switch ((int)kind) {
  case TERM_SUM: return term_add(table, a, b);
  case TERM_MUL: return term_mul(table, a, b);
  case TERM_DIV: return term_div(table, a, b);
  case TERM_MOD: return term_mod(table, a, b);
  case TERM_MIN: return term_min(table, a, b);
  case TERM_MAX: return term_max(table, a, b);
  default: return term_bits(table, kind, a, b);
  }
}

static Pair random_int(int depth) {
  static const TermKind kinds[] = {TERM_SUM, TERM_SUM, TERM_SUM, TERM_MUL,
                                   TERM_DIV, TERM_MOD, TERM_MOD, TERM_MIN,
                                   TERM_MAX, TERM_AND, TERM_OR,  TERM_XOR,
                                   TERM_SHL, TERM_SHR, TERM_ITE};
  if (depth == 0)
    return random_leaf();
  TermKind kind = kinds[below(15)];
  Pair a = random_int(depth - 1), b = random_int(depth - 1), result;
  if (kind == TERM_ITE) {
    Pair c = random_condition(depth - 1);
    result.term = term_ite(table, c.term, a.term, b.term);
    for (int w = 0; w < 4; w++)
      result.values[w] = c.values[w] ? a.values[w] : b.values[w];
    return result;
  }
  if ((kind == TERM_DIV || kind == TERM_MOD) && below(2)) {
    int64_t divisor = 1 + below(9);
    b.term = number(divisor);
    for (int w = 0; w < 4; w++)
      b.values[w] = divisor;
  }
  for (int w = 0; w < 4; w++) {
    result.values[w] = compute(kind, a.values[w], b.values[w], &worlds[w]);
    if (result.values[w] > 1000000 || result.values[w] < -1000000) {
      worlds[w].is_valid = false;
      result.values[w] = 0;
    }
  }
  result.term = build(kind, a.term, b.term);
  return result;
}

static Pair random_condition(int depth) {
  Pair a, b, result;
  if (depth > 0 && below(3) == 0) {
    bool is_and = below(2);
    a = random_condition(depth - 1);
    b = random_condition(depth - 1);
    result.term = is_and ? term_and(table, a.term, b.term)
                         : term_or(table, a.term, term_not(table, b.term));
    for (int w = 0; w < 4; w++)
      result.values[w] =
          is_and ? a.values[w] && b.values[w] : a.values[w] || !b.values[w];
    return result;
  }
  bool is_le = below(2);
  a = random_int(depth ? depth - 1 : 0);
  b = random_int(depth ? depth - 1 : 0);
  result.term =
      is_le ? term_le(table, a.term, b.term) : term_eq(table, a.term, b.term);
  for (int w = 0; w < 4; w++)
    result.values[w] =
        is_le ? a.values[w] <= b.values[w] : a.values[w] == b.values[w];
  return result;
}

static const Term *to_value(const Symbol *s, void *context) {
  const World *world = context;
  for (int i = 0; i < N_SYMBOLS; i++)
    if (world->symbols[i] == s)
      return number(world->values[i]);
  return NULL;
}

static void random_worlds(void) {
  for (int s = 0; s < N_SYMBOLS; s++) {
    int64_t low = (int64_t)below(20) - 8, high = low + below(40);
    Symbol model = {.kind = SYMBOL_VALUE,
                    .name = arena_printf(arena, "s%d", s),
                    .low = low,
                    .high = high};
    Symbol *symbol = term_symbol_new(table, &model);
    for (int w = 0; w < 4; w++) {
      worlds[w].symbols[s] = symbol;
      worlds[w].values[s] = low + below((uint32_t)(high - low + 1));
      worlds[w].is_valid = true;
    }
  }
}

static void check_world(const Pair *pair, World *world, int64_t expected) {
  TermModel model = {N_SYMBOLS, world->symbols, world->values};
  int64_t value, low, high;
  // A choice may have lost the arm that wasn't valid, never the other way.
  bool is_told = term_value(pair->term, &model, &value);
  if (!is_told || value != expected)
    fail_msg("seed %llu: %s is %lld, not %lld", (unsigned long long)seed,
             printed(pair->term), (long long)value, (long long)expected);
  if (term_is_int(pair->term)) {
    term_interval(table, pair->term, &low, &high);
    assert_true(low <= expected && expected <= high);
  }
  const Term *image = term_replace(table, pair->term, to_value, world);
  if (term_is_int(pair->term))
    assert_true(term_is_constant(image, &value) && value == expected);
  else
    assert_ptr_equal(image, expected ? term_true(table) : term_false(table));
}

// The word of a ring of n slots whose bits turn over with their slots, as a law
// says it: bit k of it has turned (t + n - 1 - k) / n times before turn t.
static const Term *ring_word(const Term *t, int64_t n, int64_t first) {
  const Term *word = number(first >> n << n);
  for (int64_t k = 0; k < n; k++) {
    const Term *turned =
        term_div(table, term_add(table, t, number(n - 1 - k)), number(n));
    const Term *bit = term_mod(
        table, term_add(table, turned, number(first >> k & 1)), number(2));
    word = term_add(table, word, term_scale(table, bit, (int64_t)1 << k));
  }
  return word;
}

static int64_t value_at(const Term *term, const Term *t, int64_t turn) {
  const Symbol *symbols[] = {t->symbol};
  TermModel model = {1, symbols, &turn};
  int64_t value = 0;
  assert_true(term_value(term, &model, &value));
  return value;
}

// Read and turned at t % n + beside, where the word is simulated.
static void check_ring(int64_t n, int64_t first, int64_t beside) {
  const Term *t = symbol("t", 0, INT64_MAX), *one = number(1);
  const Term *word = ring_word(t, n, first);
  const Term *slot =
      term_add(table, term_mod(table, t, number(n)), number(beside));
  const Term *power = term_bits(table, TERM_SHL, one, slot);
  const Term *bit =
      term_bits(table, TERM_AND, term_bits(table, TERM_SHR, word, slot), one);
  const Term *is_set =
      term_ne(table, term_bits(table, TERM_AND, word, power), number(0));
  const Term *turned = term_bits(table, TERM_XOR, word, power);
  for (int64_t turn = 0, now = first; turn < 4 * n + 3; turn++) {
    int64_t at = turn % n + beside;
    assert_int_equal(value_at(word, t, turn), now);
    assert_int_equal(value_at(bit, t, turn), now >> at & 1);
    assert_int_equal(value_at(is_set, t, turn), now >> at & 1);
    assert_int_equal(value_at(turned, t, turn), now ^ (int64_t)1 << at);
    now ^= (int64_t)1 << turn % n;
  }
}

static void test_words_of_flags(void **state) {
  (void)state;
  for (int64_t n = 1; n <= 7; n++)
    for (int64_t first = 0; first < 2 << n; first++)
      for (int64_t beside = 0; beside < 3; beside++)
        check_ring(n, first, beside);
  // What all slots read in turn is one bit.
  const Term *t = symbol("t", 0, INT64_MAX), *one = number(1);
  const Term *slot = term_mod(table, t, number(4));
  const Term *bit =
      term_bits(table, TERM_AND,
                term_bits(table, TERM_SHR, ring_word(t, 4, 15), slot), one);
  const Term *round = term_div(table, t, number(4));
  assert_ptr_equal(bit,
                   term_mod(table, term_add(table, round, one), number(2)));
}

#ifdef HD_STRESS // where all terms are in few chains
#define N_RANDOM 500
#else
#define N_RANDOM 50000
#endif

static void test_random_terms_keep_their_value(void **state) {
  (void)state;
  uint32_t n_checked = 0;
  for (uint32_t i = 0; i < N_RANDOM; i++) {
    seed = i;
    random_worlds();
    int depth = 1 + (int)below(4);
    Pair pair = below(2) ? random_int(depth) : random_condition(depth);
    for (int w = 0; w < 4; w++)
      if (worlds[w].is_valid) {
        check_world(&pair, &worlds[w], pair.values[w]);
        n_checked++;
      }
  }
  assert_true(n_checked > N_RANDOM);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_sums_are_normal, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_quotients, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_bits, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_conditions, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_print, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_overflow_is_any_value, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(test_deep_terms_end, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_words_of_flags, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_random_terms_keep_their_value,
                                      set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
