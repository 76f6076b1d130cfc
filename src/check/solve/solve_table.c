// SPDX-License-Identifier: Apache-2.0
// Facts about the contents of tables, said of the elements that occur.
#include "check/solve/solve_parts.h"

// Pairs are said for this many elements of one table.
#define MAX_ELEMENTS 12

typedef struct {
  const Query *query;
  const IrObject *object;
  const Term *elements[MAX_ELEMENTS];
  uint32_t n;
} Elements;

static void solve_table_note_element(const Term *term, void *context) {
  Elements *e = context;
  if (term->kind == TERM_APPLY && term->object == e->object &&
      e->n < MAX_ELEMENTS)
    e->elements[e->n++] = term;
}

// The first index lies in low … high - 1 of the fact; FALSE where that can't be
// said.
static const Term *is_covered(TermTable *table, const TableFact *fact,
                              const Term *element) {
  if (!fact->low && !fact->high)
    return term_true(table);
  if (element->n_args < 1)
    return term_false(table);
  const Term *covered = term_true(table);
  if (fact->low)
    covered = term_le(table, fact->low, element->args[0]);
  if (fact->high)
    covered =
        term_and(table, covered, term_lt(table, element->args[0], fact->high));
  return covered;
}

static void say_bounded(Query *query, const TableFact *fact,
                        const Term *element) {
  if (fact->low)
    query_add(query, term_le(query->table, fact->low, element));
  if (fact->high)
    query_add(query, term_lt(query->table, element, fact->high));
}

// f(x) == f(y) -> x == y
static const Term *injective(TermTable *table, const Term *a, const Term *b) {
  const Term *is_same = term_true(table);
  for (uint32_t i = 0; i < a->n_args; i++)
    is_same = term_and(table, is_same, term_eq(table, a->args[i], b->args[i]));
  return term_or(table, term_ne(table, a, b), is_same);
}

// x <= y -> f(x) <= f(y), and the other way round
static const Term *monotone(TermTable *table, const Term *a, const Term *b) {
  if (a->n_args != 1)
    return term_true(table);
  const Term *x = a->args[0], *y = b->args[0];
  return term_and(table,
                  term_or(table, term_lt(table, y, x), term_le(table, a, b)),
                  term_or(table, term_lt(table, x, y), term_le(table, b, a)));
}

static void say_pair(Query *query, const TableFact *fact, const Term *a,
                     const Term *b) {
  TermTable *table = query->table;
  if (a->n_args != b->n_args)
    return;
  const Term *covered =
      term_and(table, is_covered(table, fact, a), is_covered(table, fact, b));
  const Term *law = fact->kind == TABLE_INJECTIVE ? injective(table, a, b)
                                                  : monotone(table, a, b);
  query_add(query, term_or(table, term_not(table, covered), law));
}

void solve_table_lemmas(Query *query) {
  const Solver *solver = query->solver;
  for (uint32_t i = 0; i < solver->tables.count; i++) {
    const TableFact *fact = &solver->tables.data[i];
    Elements e = {.query = query, .object = fact->object};
    query_each(query, solve_table_note_element, &e);
    for (uint32_t k = 0; k < e.n; k++) {
      if (fact->kind == TABLE_BOUNDED)
        say_bounded(query, fact, e.elements[k]);
      else
        for (uint32_t j = 0; j < k; j++)
          say_pair(query, fact, e.elements[j], e.elements[k]);
    }
  }
}
