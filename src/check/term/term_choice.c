// SPDX-License-Identifier: Apache-2.0
// Integer terms that choose (min, max, ite) and elements of tables.
#include "base/panic.h"
#include "check/term/term_table.h"

static const Term *min_or_max(TermTable *table, TermKind kind, const Term *a,
                              const Term *b) {
  HD_ASSERT(term_is_int(a) && term_is_int(b));
  TermRange difference = term_range(term_sub(table, a, b));
  if (difference.high <= 0)
    return kind == TERM_MIN ? a : b;
  if (difference.low >= 0)
    return kind == TERM_MIN ? b : a;
  return a->id < b->id ? term_intern2(table, kind, a, b)
                       : term_intern2(table, kind, b, a);
}

const Term *term_min(TermTable *table, const Term *a, const Term *b) {
  return min_or_max(table, TERM_MIN, a, b);
}

const Term *term_max(TermTable *table, const Term *a, const Term *b) {
  return min_or_max(table, TERM_MAX, a, b);
}

// x <= y ? x : y and its like; NULL: something else.
static const Term *as_min(TermTable *table, const Term *condition,
                          const Term *a, const Term *b) {
  if (condition->kind != TERM_LE)
    return NULL;
  const Term *one = term_int(table, 1), *difference = term_sub(table, a, b);
  if (condition->args[0] == difference ||
      condition->args[0] == term_add(table, difference, one))
    return term_min(table, a, b);
  difference = term_scale(table, difference, -1);
  if (condition->args[0] == difference ||
      condition->args[0] == term_add(table, difference, one))
    return term_max(table, a, b);
  return NULL;
}

// A bit made a condition and a number again: x == 1 ? 1 : 0; and its opposite.
// NULL: something else.
static const Term *as_bit(TermTable *table, const Term *condition,
                          const Term *a, const Term *b) {
  int64_t yes, no;
  if (condition->kind != TERM_EQ || !term_is_constant(a, &yes) ||
      !term_is_constant(b, &no) || yes + no != 1 || yes * no != 0)
    return NULL;
  // x - 1 == 0 or x == 0, where x has two values.
  const Term *sum = condition->args[0];
  TermRange range = term_range(sum);
  if ((range.low != 0 && range.low != -1) || range.high != range.low + 1)
    return NULL;
  const Term *holds = range.low == 0 ? term_sub(table, term_int(table, 1), sum)
                                     : term_add(table, term_int(table, 1), sum);
  return yes == 1 ? holds : term_sub(table, term_int(table, 1), holds);
}

// The term where the condition is known, by which choices in its sum are made.
static const Term *term_choice_chosen(TermTable *table, const Term *term,
                                      const Term *condition, bool holds) {
  if (term->kind == TERM_ITE && term->args[0] == condition)
    return term->args[holds ? 1 : 2];
  const Term *sum = term;
  for (uint32_t i = 0; term->kind == TERM_SUM && i < term->n_parts; i++) {
    const Term *atom = term->parts[i].atom;
    if (atom->kind != TERM_ITE || atom->args[0] != condition)
      continue;
    const Term *change = term_sub(table, atom->args[holds ? 1 : 2], atom);
    sum = term_add(table, sum,
                   term_scale(table, change, term->parts[i].coefficient));
  }
  return sum;
}

const Term *term_ite(TermTable *table, const Term *condition, const Term *a,
                     const Term *b) {
  HD_ASSERT(!term_is_int(condition) && term_is_int(a) && term_is_int(b));
  if (condition->kind == TERM_TRUE || a == b)
    return a;
  if (condition->kind == TERM_FALSE)
    return b;
  if (condition->kind == TERM_NOT)
    return term_ite(table, condition->args[0], b, a);
  a = term_choice_chosen(table, a, condition, true);
  b = term_choice_chosen(table, b, condition, false);
  if (a == b)
    return a;
  const Term *known = as_min(table, condition, a, b);
  if (known)
    return known;
  known = as_bit(table, condition, a, b);
  if (known)
    return known;
  const Term *args[3] = {condition, a, b};
  return term_intern(table,
                     &(Term){.kind = TERM_ITE, .n_args = 3, .args = args});
}

bool term_is_choice(const Term *term) {
  return term->kind == TERM_MIN || term->kind == TERM_MAX ||
         term->kind == TERM_ITE;
}

// The only choice among the parts; NULL: there is none, or more.
static const TermPart *only_choice(const Term *sum) {
  const TermPart *only = NULL;
  for (uint32_t i = 0; sum->kind == TERM_SUM && i < sum->n_parts; i++) {
    if (!term_is_choice(sum->parts[i].atom))
      continue;
    if (only)
      return NULL;
    only = &sum->parts[i];
  }
  return only;
}

const Term *term_into_choice(TermTable *table, const Term *x, int64_t factor,
                             const Term *rest) {
  const TermPart *part = only_choice(x);
  int64_t inner;
  if (part && !__builtin_mul_overflow(factor, part->coefficient, &inner)) {
    const Term *others =
        term_sub(table, x, term_scale(table, part->atom, part->coefficient));
    rest = term_add(table, rest, term_scale(table, others, factor));
    return term_into_choice(table, part->atom, inner, rest);
  }
  if (!term_is_choice(x))
    return term_add(table, rest, term_scale(table, x, factor));
  const Term *a = term_into_choice(table, x->args[x->n_args - 2], factor, rest);
  const Term *b = term_into_choice(table, x->args[x->n_args - 1], factor, rest);
  if (x->kind == TERM_ITE)
    return term_ite(table, x->args[0], a, b);
  return (x->kind == TERM_MIN) == (factor > 0) ? term_min(table, a, b)
                                               : term_max(table, a, b);
}

bool term_split(TermTable *table, const Term *term, const Symbol *symbol,
                int64_t *factor, const Term **rest) {
  HD_ASSERT(term_is_int(term));
  const Term *atom = term_of(table, symbol);
  *factor = term == atom;
  for (uint32_t i = 0; term->kind == TERM_SUM && i < term->n_parts; i++)
    if (term->parts[i].atom == atom)
      *factor = term->parts[i].coefficient;
  *rest = term_sub(table, term, term_scale(table, atom, *factor));
  return *factor != 0;
}

const Term *term_apply(TermTable *table, const IrObject *object,
                       const Term *const *index, uint32_t n_index) {
  HD_ASSERT(object && n_index <= IR_MAX_RANK);
  for (uint32_t i = 0; i < n_index; i++)
    HD_ASSERT(term_is_int(index[i]));
  return term_intern(table, &(Term){.kind = TERM_APPLY,
                                    .n_args = n_index,
                                    .args = index,
                                    .object = object});
}
