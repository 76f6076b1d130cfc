// SPDX-License-Identifier: Apache-2.0
// Short names for terms in tests of the checker's solver.
#ifndef HD_TESTS_TERMS_H
#define HD_TESTS_TERMS_H

#include "check/solve/solve.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static Arena *arena;
static TermTable *table;
static Solver *solver;

static inline int set_up(void **state) {
  (void)state;
  arena = arena_new();
  table = term_table_new(arena);
  solver = solver_new(arena, table, NULL);
  return 0;
}

static inline int tear_down(void **state) {
  (void)state;
  solver_free(solver);
  arena_free(arena);
  return 0;
}

static inline const Term *symbol(const char *name, int64_t low, int64_t high) {
  Symbol model = {.kind = SYMBOL_VALUE, .name = name, .low = low, .high = high};
  return term_of(table, term_symbol_new(table, &model));
}

static inline const Term *power_of_two(const char *name, int64_t low,
                                       int64_t high) {
  Symbol model = {.kind = SYMBOL_VALUE,
                  .name = name,
                  .low = low,
                  .high = high,
                  .is_power_of_two = true};
  return term_of(table, term_symbol_new(table, &model));
}

static inline const Term *num(int64_t n) {
  return term_int(table, n);
}

static inline const Term *add(const Term *a, const Term *b) {
  return term_add(table, a, b);
}

static inline const Term *sub(const Term *a, const Term *b) {
  return term_sub(table, a, b);
}

static inline const Term *mul(const Term *a, const Term *b) {
  return term_mul(table, a, b);
}

static inline const Term *scale(const Term *a, int64_t factor) {
  return term_scale(table, a, factor);
}

static inline const Term *quotient(const Term *a, int64_t b) {
  return term_div(table, a, num(b));
}

static inline const Term *rest(const Term *a, int64_t b) {
  return term_mod(table, a, num(b));
}

static inline const Term *exclusive(const Term *a, const Term *b) {
  return term_bits(table, TERM_XOR, a, b);
}

static inline const Term *le(const Term *a, const Term *b) {
  return term_le(table, a, b);
}

static inline const Term *lt(const Term *a, const Term *b) {
  return term_lt(table, a, b);
}

static inline const Term *eq(const Term *a, const Term *b) {
  return term_eq(table, a, b);
}

static inline const Term *ne(const Term *a, const Term *b) {
  return term_ne(table, a, b);
}

static inline const Term *both(const Term *a, const Term *b) {
  return term_and(table, a, b);
}

static inline const Term *either(const Term *a, const Term *b) {
  return term_or(table, a, b);
}

static inline const char *printed(const Term *term) {
  Text text = {.arena = arena};
  term_print(term, &text);
  return text_cstr(&text);
}

// Asks whether all of the conditions, up to a NULL, can hold.
static inline SolveAnswer ask(const Term *first, ...) {
  const Term *conditions[32];
  uint32_t n = 0;
  va_list rest_of_them;
  va_start(rest_of_them, first);
  for (const Term *at = first; at; at = va_arg(rest_of_them, const Term *))
    conditions[n++] = at;
  va_end(rest_of_them);
  return solver_ask(solver, conditions, n);
}

#endif
