// SPDX-License-Identifier: Apache-2.0
#include "check/term/term_decide.h"

static const Term *check_term_decide(TermDecider *d, const Term *term,
                                     uint32_t depth);

static const Term *decide_sum(TermDecider *d, const Term *term,
                              uint32_t depth) {
  const Term *sum = term_int(d->terms, term->number);
  for (uint32_t i = 0; i < term->n_parts; i++)
    sum = term_add(d->terms, sum,
                   term_scale(d->terms,
                              check_term_decide(d, term->parts[i].atom, depth),
                              term->parts[i].coefficient));
  return sum;
}

static const Term *decide_choice(TermDecider *d, const Term *term,
                                 uint32_t depth) {
  int way = d->ask(d->context, term->args[0]);
  if (way != 0)
    return check_term_decide(d, term->args[way > 0 ? 1 : 2], depth);
  return term_ite(d->terms, term->args[0],
                  check_term_decide(d, term->args[1], depth),
                  check_term_decide(d, term->args[2], depth));
}

// The greatest of two, or the least; of more it stays.
static const Term *decide_extreme(TermDecider *d, const Term *term,
                                  uint32_t depth) {
  if (term->n_args != 2)
    return term;
  const Term *a = check_term_decide(d, term->args[0], depth);
  const Term *b = check_term_decide(d, term->args[1], depth);
  bool is_max = term->kind == TERM_MAX;
  int way = d->ask(d->context, term_le(d->terms, a, b));
  if (way == 0) // b may be the smaller one, or they may be equal
    way = -d->ask(d->context, term_le(d->terms, b, a));
  if (way != 0)
    return (way > 0) == is_max ? b : a;
  return is_max ? term_max(d->terms, a, b) : term_min(d->terms, a, b);
}

static const Term *check_term_decide(TermDecider *d, const Term *term,
                                     uint32_t depth) {
  enum { MAX_DEPTH = 50 };

  if (depth >= MAX_DEPTH)
    return term;
  depth++;
  switch ((int)term->kind) {
  case TERM_SUM: return decide_sum(d, term, depth);
  case TERM_ITE: return decide_choice(d, term, depth);
  case TERM_MIN:
  case TERM_MAX: return decide_extreme(d, term, depth);
  case TERM_MOD:
    return term_mod(d->terms, check_term_decide(d, term->args[0], depth),
                    term->args[1]);
  case TERM_DIV:
    return term_div(d->terms, check_term_decide(d, term->args[0], depth),
                    term->args[1]);
  case TERM_XOR:
  case TERM_AND:
    return term->n_args == 2
               ? term_bits(d->terms, term->kind,
                           check_term_decide(d, term->args[0], depth),
                           check_term_decide(d, term->args[1], depth))
               : term;
  default: return term;
  }
}

const Term *term_decide(TermDecider *d, const Term *term) {
  return check_term_decide(d, term, 0);
}
