// SPDX-License-Identifier: Apache-2.0
// The checker's solver: any bytes are conditions on three small integers, and
// what its tiers say of them is compared with trying all values. The bytes also
// decide which tiers are asked: the own one alone in half of the inputs, as it
// is the fastest, else isl and Z3, together or each alone.
#include "check/solve/solve.h"
#include "base/panic.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { N_SYMBOLS = 3, STACK = 12, MAX_BYTES = 160 };

typedef struct {
  const uint8_t *data;
  size_t size, at;
  TermTable *table;
  const Symbol *symbols[N_SYMBOLS];
  const Term *integers[STACK], *conditions[STACK];
  uint32_t n_integers, n_conditions;
} Machine;

static uint8_t next_byte(Machine *m) {
  return m->at < m->size ? m->data[m->at++] : 0;
}

static void push_integer(Machine *m, const Term *term) {
  if (m->n_integers == STACK)
    m->n_integers--;
  m->integers[m->n_integers++] = term;
}

static const Term *pop_integer(Machine *m) {
  return m->n_integers ? m->integers[--m->n_integers]
                       : term_of(m->table, m->symbols[0]);
}

static void push_condition(Machine *m, const Term *term) {
  if (m->n_conditions == STACK)
    m->n_conditions--;
  m->conditions[m->n_conditions++] = term;
}

static const Term *pop_condition(Machine *m) {
  return m->n_conditions ? m->conditions[--m->n_conditions]
                         : term_true(m->table);
}

// Divisors are made positive, so that every assignment has a value.
static const Term *divide(Machine *m, bool is_mod) {
  TermTable *t = m->table;
  const Term *b = term_max(t, pop_integer(m), term_int(t, 1));
  const Term *a = pop_integer(m);
  return is_mod ? term_mod(t, a, b) : term_div(t, a, b);
}

static void step_pair(Machine *m, uint8_t code) {
  TermTable *t = m->table;
  const Term *b = pop_integer(m), *a = pop_integer(m);
  switch (code) {
  case 3: push_integer(m, term_add(t, a, b)); return;
  case 4: push_integer(m, term_sub(t, a, b)); return;
  case 5: push_integer(m, term_mul(t, a, b)); return;
  case 6: push_integer(m, term_min(t, a, b)); return;
  case 7: push_integer(m, term_max(t, a, b)); return;
  case 8: push_integer(m, term_ite(t, pop_condition(m), a, b)); return;
  case 9: push_integer(m, term_bits(t, TERM_AND, a, b)); return;
  case 10: push_integer(m, term_bits(t, TERM_OR, a, b)); return;
  case 11: push_integer(m, term_bits(t, TERM_XOR, a, b)); return;
  case 12: push_condition(m, term_le(t, a, b)); return;
  default: push_condition(m, term_eq(t, a, b)); return;
  }
}

static void step(Machine *m) {
  TermTable *t = m->table;
  uint8_t code = next_byte(m);
  if (code >= 128) { // a small number
    push_integer(m, term_int(t, (int64_t)code - 160));
    return;
  }
  code %= 20;
  if (code < 3) {
    push_integer(m, term_of(t, m->symbols[code]));
  } else if (code < 14) {
    step_pair(m, code);
  } else if (code == 14) {
    push_condition(m, term_not(t, pop_condition(m)));
  } else if (code < 17) {
    const Term *b = pop_condition(m), *a = pop_condition(m);
    push_condition(m, code == 15 ? term_or(t, a, b) : term_and(t, a, b));
  } else if (code < 19) {
    push_integer(m, divide(m, code == 18));
  } else {
    push_integer(m, term_scale(t, pop_integer(m), 8));
  }
}

static void make_symbols(Machine *m) {
  static const char *names[N_SYMBOLS] = {"x", "y", "z"};
  for (int i = 0; i < N_SYMBOLS; i++) {
    uint8_t byte = next_byte(m);
    Symbol model = {.kind = SYMBOL_VALUE,
                    .name = names[i],
                    .low = byte % 2 ? 0 : -(int64_t)(byte / 2 % 4),
                    .high = 1 + byte / 8 % 10,
                    .is_power_of_two = byte >= 224};
    m->symbols[i] = term_symbol_new(m->table, &model);
  }
}

// 1: all hold; 0: not; -1: one has no value in 64 bits.
static int try_values(const Machine *m, const int64_t *values) {
  const Symbol *symbols[N_SYMBOLS];
  int64_t copy[N_SYMBOLS], value;
  for (int i = 0; i < N_SYMBOLS; i++) {
    symbols[i] = m->symbols[i];
    copy[i] = values[i];
    if (symbols[i]->is_power_of_two && (values[i] & (values[i] - 1)))
      return 0;
  }
  TermModel model = {N_SYMBOLS, symbols, copy};
  bool is_unknown = false;
  for (uint32_t i = 0; i < m->n_conditions; i++) {
    if (!term_value(m->conditions[i], &model, &value))
      is_unknown = true;
    else if (!value)
      return 0;
  }
  return is_unknown ? -1 : 1;
}

static int try_all(const Machine *m) {
  int result = 0;
  int64_t v[N_SYMBOLS];
  for (v[0] = m->symbols[0]->low; v[0] <= m->symbols[0]->high; v[0]++)
    for (v[1] = m->symbols[1]->low; v[1] <= m->symbols[1]->high; v[1]++)
      for (v[2] = m->symbols[2]->low; v[2] <= m->symbols[2]->high; v[2]++) {
        int one = try_values(m, v);
        if (one == 1)
          return 1;
        if (one)
          result = one;
      }
  return result;
}

enum { N_CHOICES = 8 };

static void choose_tiers(const Machine *m, bool *off) {
  uint32_t sum = 0;
  for (size_t i = 0; i < m->size; i++)
    sum = sum * 31 + m->data[i];
  uint32_t choice = sum % N_CHOICES;
  bool has_isl = choice == 4 || choice == 6, has_z3 = choice > 4;
  off[TIER_SIMPLIFY] = choice == 4 || choice == 5;
  off[TIER_ISL] = !has_isl;
  off[TIER_Z3_LINEAR] = !has_z3;
  off[TIER_Z3_BITS] = !has_z3;
  off[TIER_SPLIT] = choice == 7;
}

static void judge(const Machine *m, Arena *arena) {
  SolveOptions options = {.query_ms = 1000, .kernel_ms = 60000};
  choose_tiers(m, options.tiers_off);
  Solver *solver = solver_new(arena, m->table, &options);
  SolveAnswer answer = solver_ask(solver, m->conditions, m->n_conditions);
  int possible = try_all(m);
  HD_ASSERT(answer.status != SOLVE_UNSAT || possible != 1);
  HD_ASSERT(answer.status != SOLVE_SAT || possible != 0);
  for (uint32_t i = 0; answer.status == SOLVE_SAT && i < m->n_conditions; i++) {
    int64_t value;
    HD_ASSERT(term_value(m->conditions[i], &answer.model, &value) && value);
  }
  solver_free(solver);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Arena *arena = arena_new();
  Machine m = {.data = data,
               .size = size < MAX_BYTES ? size : MAX_BYTES,
               .table = term_table_new(arena)};
  make_symbols(&m);
  while (m.at < m.size)
    step(&m);
  if (m.n_conditions)
    judge(&m, arena);
  arena_free(arena);
  return 0;
}
