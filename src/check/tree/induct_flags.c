// SPDX-License-Identifier: Apache-2.0
// Words of which single bits turn over in a turn: `phases ^= 1u << stage`.
//
// Bit k turns over in the turns in which stage == k. With stage = x mod S,
// where x grows by 1 a turn, that is floor((x - k) / S) - floor((x - 1 - k) /
// S) times in a turn: a difference of one quotient a turn later and now. So
// over all turns before it is the quotient now less the one at the start,
// whatever that is; what a loop inside has done in a turn has the same form.
// Nothing needs a solver.
#include "base/bits.h"
#include "check/term/term_table.h"
#include "check/tree/induct.h"

typedef struct {
  Induct *in;
  const Term *head;
  uint32_t n;                         // bits that may turn over: 0 … n - 1
  const Term *change[TERM_MAX_FLAGS]; // how often in a turn
} Changes;

// ------------------------------------------------------------- in one turn

static bool add_change(Changes *changes, uint32_t k, const Term *times) {
  TermTable *t = changes->in->w->terms;
  if (k >= TERM_MAX_FLAGS)
    return false;
  while (changes->n <= k)
    changes->change[changes->n++] = term_int(t, 0);
  changes->change[k] = term_add(t, changes->change[k], times);
  return true;
}

// ^ 2^e
static bool add_power(Changes *changes, const Term *power) {
  TermTable *t = changes->in->w->terms;
  SumView view;
  term_sum_view(power, &view);
  if (view.n != 1 || view.number != 0 || view.parts[0].atom->kind != TERM_SHL)
    return false;
  int64_t by = view.parts[0].coefficient;
  if (!is_power_of_two(by))
    return false;
  const Term *e = term_add(t, view.parts[0].atom->args[1],
                           term_int(t, __builtin_ctzll((uint64_t)by)));
  TermRange range = term_range(e);
  if (range.low < 0 || range.high >= TERM_MAX_FLAGS)
    return false;
  for (int64_t k = range.low; k <= range.high; k++)
    if (!add_change(changes, (uint32_t)k, term_equals_count(t, e, k)))
      return false;
  return true;
}

static bool add_flips(Changes *changes, const Term *term);

// The head ^ something, in any order.
static bool add_xor(Changes *changes, const Term * xor) {
  for (int i = 0; i < 2; i++)
    if (add_power(changes, xor->args[i]))
      return add_flips(changes, xor->args[1 - i]);
  return false;
}

// head + 1 - 2 * (head mod 2), the form of head ^ 1; and so on for any constant
// power of two.
static bool induct_flags_add_constant(Changes *changes, const Term *term) {
  TermTable *t = changes->in->w->terms;
  for (uint32_t k = 0; k < TERM_MAX_FLAGS; k++) {
    const Term *power = term_int(t, (int64_t)1 << k);
    if (term == term_bits(t, TERM_XOR, changes->head, power))
      return add_change(changes, k, term_int(t, 1));
  }
  return false;
}

// Floors of a remainder by the same number: floor((x mod s + c) / s) is
// floor((x + c) / s) - floor(x / s).
static const Term *without_inner_mods(TermTable *t, const Term *sum) {
  SumView view;
  term_sum_view(sum, &view);
  const Term *result = term_int(t, view.number);
  for (uint32_t i = 0; i < view.n; i++) {
    const Term *atom = view.parts[i].atom, *value = atom;
    SumView inner;
    if (atom->kind == TERM_DIV)
      term_sum_view(atom->args[0], &inner);
    for (uint32_t k = 0; atom->kind == TERM_DIV && k < inner.n; k++) {
      const Term *mod = inner.parts[k].atom;
      if (inner.parts[k].coefficient != 1 || mod->kind != TERM_MOD ||
          mod->args[1] != atom->args[1])
        continue;
      const Term *rest = term_sub(t, atom->args[0], mod);
      value = term_sub(
          t, term_div(t, term_add(t, mod->args[0], rest), atom->args[1]),
          term_div(t, mod->args[0], atom->args[1]));
      break;
    }
    result =
        term_add(t, result, term_scale(t, value, view.parts[i].coefficient));
  }
  return result;
}

// What a loop inside leaves: bits (head / 2^k + change) mod 2, and above them
// the head's own.
static bool induct_flags_add_bits(Changes *changes, const Term *term) {
  TermTable *t = changes->in->w->terms;
  SumView view;
  term_sum_view(term, &view);
  const Term *rest = term;
  uint32_t n = 0;
  for (; n < TERM_MAX_FLAGS; n++) {
    const Term *power = term_int(t, (int64_t)1 << n), *two = term_int(t, 2);
    const Term *bit = NULL;
    for (uint32_t i = 0; i < view.n; i++)
      if (view.parts[i].coefficient == (int64_t)1 << n &&
          view.parts[i].atom->kind == TERM_MOD &&
          view.parts[i].atom->args[1] == two)
        bit = view.parts[i].atom;
    if (!bit)
      break;
    const Term *times =
        term_sub(t, bit->args[0], term_div(t, changes->head, power));
    if (!add_change(changes, n, times))
      return false;
    rest = term_sub(t, rest, term_scale(t, bit, (int64_t)1 << n));
  }
  const Term *power = term_int(t, (int64_t)1 << n);
  return n > 0 && rest == term_scale(t, term_div(t, changes->head, power),
                                     (int64_t)1 << n);
}

static bool add_flips(Changes *changes, const Term *term) {
  if (term == changes->head)
    return true;
  if (term->kind == TERM_XOR)
    return add_xor(changes, term);
  return induct_flags_add_constant(changes, term) ||
         induct_flags_add_bits(changes, term);
}

// ------------------------------------------------------------ over all turns

// A term whose difference from one turn to the next is the change: NULL: none
// was found.
static const Term *sum_of(const Changes *changes, const Term *change) {
  Walk *w = changes->in->w;
  TermTable *t = w->terms;
  const Symbol *turn = changes->in->laws->turn;
  const Term *now = term_of(t, turn);
  SumView view;
  change = without_inner_mods(t, change);
  term_sum_view(change, &view);
  const Term *later = term_int(t, 0), *rest = term_int(t, view.number);
  for (uint32_t i = 0; i < view.n; i++) {
    const Term *part =
        term_scale(t, view.parts[i].atom, view.parts[i].coefficient);
    if (view.parts[i].coefficient > 0)
      later = term_add(t, later, part);
    else
      rest = term_add(t, rest, part);
  }
  const Term *here =
      induct_put(w, later, turn, term_sub(t, now, term_int(t, 1)));
  // change = later - here + a number
  rest = term_add(t, rest, here);
  int64_t each;
  if (!term_is_constant(rest, &each) ||
      induct_put(w, here, turn, term_add(t, now, term_int(t, 1))) != later)
    return NULL;
  return term_add(t, here, term_scale(t, now, each));
}

// Bits of the first value, turned over.
static const Term *flags_law(const Changes *changes, const Term *first) {
  Walk *w = changes->in->w;
  TermTable *t = w->terms;
  const Symbol *turn = changes->in->laws->turn;
  const Term *law = term_int(t, 0);
  for (uint32_t k = 0; k < changes->n; k++) {
    const Term *sum = sum_of(changes, changes->change[k]);
    if (!sum)
      return NULL;
    const Term *start = induct_put(w, sum, turn, term_int(t, 0));
    const Term *bit = term_div(t, first, term_int(t, (int64_t)1 << k));
    bit = term_add(t, bit, term_sub(t, sum, start));
    law = term_add(
        t, law,
        term_scale(t, term_mod(t, bit, term_int(t, 2)), (int64_t)1 << k));
  }
  const Term *end = term_int(t, (int64_t)1 << changes->n);
  return term_add(t, law, term_mul(t, term_div(t, first, end), end));
}

bool guess_flags(Induct *in, LoopVar *var, const Term *back) {
  TermTable *t = in->w->terms;
  Changes changes = {.in = in, .head = term_of(t, var->symbol)};
  if (!add_flips(&changes, back) || changes.n == 0)
    return false;
  for (uint32_t k = 0; k < changes.n; k++)
    if (!induct_is_of_turn(in, changes.change[k]))
      return false;
  const Term *law = flags_law(&changes, var->first);
  if (!law)
    return false;
  induct_accept(in, var, law);
  return true;
}
