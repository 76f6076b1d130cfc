// SPDX-License-Identifier: Apache-2.0
// Floor division and its remainder.
#include "base/bits.h"
#include "base/panic.h"
#include "check/term/term_table.h"

// a = b * quotient + rest, where rest is what isn't seen to be a multiple. For
// constant b > 0; the coefficients of rest lie in -b + 1 … b - 1, its number in
// 0 … b - 1.
static void split_constant(TermTable *table, const Term *a, int64_t b,
                           const Term **quotient, const Term **rest) {
  SumView view;
  term_sum_view(a, &view);
  TermPart whole[TERM_MAX_PARTS], left[TERM_MAX_PARTS];
  uint32_t n_whole = 0, n_left = 0;
  for (uint32_t i = 0; i < view.n; i++) {
    TermPart part = view.parts[i];
    int64_t c = part.coefficient;
    if (c / b)
      whole[n_whole++] = (TermPart){part.atom, c / b};
    if (c % b)
      left[n_left++] = (TermPart){part.atom, c % b};
  }
  int64_t number = floor_div(view.number, b);
  *quotient = term_sum_make(table, number, whole, n_whole);
  *rest = term_sum_make(table, floor_mod(view.number, b), left, n_left);
}

const Term *term_without_factor(TermTable *table, const Term *atom,
                                const Term *factor) {
  if (atom == factor)
    return term_int(table, 1);
  if (atom->kind != TERM_MUL)
    return NULL;
  uint32_t at = 0;
  while (at < atom->n_args && atom->args[at] != factor)
    at++;
  if (at == atom->n_args)
    return NULL;
  if (atom->n_args == 2)
    return atom->args[1 - at];
  const Term *others[TERM_MAX_PARTS]; // in the product's order
  uint32_t n = 0;
  for (uint32_t i = 0; i < atom->n_args; i++)
    if (i != at)
      others[n++] = atom->args[i];
  return term_intern(table,
                     &(Term){.kind = TERM_MUL, .n_args = n, .args = others});
}

// The same for an atom b: what is a product with it goes to the quotient.
static void split_atom(TermTable *table, const Term *a, const Term *b,
                       const Term **quotient, const Term **rest) {
  SumView view;
  term_sum_view(a, &view);
  *quotient = term_int(table, 0);
  *rest = term_int(table, view.number);
  for (uint32_t i = 0; i < view.n; i++) {
    TermPart part = view.parts[i];
    const Term *factor = term_without_factor(table, part.atom, b);
    const Term **sum = factor ? quotient : rest;
    *sum = term_add(
        table, *sum,
        term_scale(table, factor ? factor : part.atom, part.coefficient));
  }
}

static void term_div_split(TermTable *table, const Term *a, const Term *b,
                           const Term **quotient, const Term **rest) {
  int64_t number;
  if (term_is_constant(b, &number))
    split_constant(table, a, number, quotient, rest);
  else
    split_atom(table, a, b, quotient, rest);
}

// Is 0 <= a < b by their intervals?
static bool term_div_is_below(TermTable *table, const Term *a, const Term *b) {
  if (term_range(a).low < 0)
    return false;
  TermRange difference = term_range(term_sub(table, a, b));
  return difference.high < 0 || term_range(a).high < term_range(b).low;
}

// Quotient of a by b if all values in its interval have the same.
static bool has_one_quotient(const Term *a, int64_t b, int64_t *quotient) {
  TermRange range = term_range(a);
  if (term_is_open(range.low) || term_is_open(range.high))
    return false;
  *quotient = floor_div(range.low, b);
  return *quotient == floor_div(range.high, b);
}

// rest = common * scaled + small, 0 <= small < common, where common divides b
// and all coefficients of rest.
static int64_t take_common(TermTable *table, const Term *rest, int64_t b,
                           const Term **scaled, int64_t *small) {
  SumView view;
  term_sum_view(rest, &view);
  int64_t common = (int64_t)term_gcd(term_sum_gcd(&view), (uint64_t)b);
  TermPart parts[TERM_MAX_PARTS];
  for (uint32_t i = 0; i < view.n; i++)
    parts[i] =
        (TermPart){view.parts[i].atom, view.parts[i].coefficient / common};
  int64_t number = floor_div(view.number, common);
  *small = floor_mod(view.number, common);
  *scaled = term_sum_make(table, number, parts, view.n);
  return common;
}

// rest = common * scaled + low, 0 <= low < common by its interval, for the
// largest `common` that divides b so. 1: there is none.
static int64_t take_digits(TermTable *table, const Term *rest, int64_t b,
                           const Term **scaled, const Term **low) {
  SumView view;
  term_sum_view(rest, &view);
  int64_t best = 1;
  for (uint32_t i = 0; i < view.n; i++) {
    int64_t c = view.parts[i].coefficient;
    int64_t common = (int64_t)term_gcd((uint64_t)(c < 0 ? -c : c), (uint64_t)b);
    const Term *high, *digits;
    if (common <= best)
      continue;
    split_constant(table, rest, common, &high, &digits);
    TermRange range = term_range(digits);
    if (range.low < 0 || range.high >= common)
      continue;
    best = common;
    *scaled = high;
    *low = digits;
  }
  return best;
}

// (x div c + k) div b = (x + c * k) div (c * b), for constants; NULL: something
// else.
static const Term *divide_quotient(TermTable *table, const Term *sum,
                                   int64_t b) {
  SumView view;
  int64_t c, whole, number;
  term_sum_view(sum, &view);
  if (view.n != 1 || view.parts[0].coefficient != 1 || view.number == 0 ||
      view.parts[0].atom->kind != TERM_DIV)
    return NULL;
  const Term *quotient = view.parts[0].atom;
  if (!term_is_constant(quotient->args[1], &c) || c < 1 ||
      __builtin_mul_overflow(b, c, &whole) ||
      __builtin_mul_overflow(view.number, c, &number))
    return NULL;
  return term_div(table,
                  term_add(table, quotient->args[0], term_int(table, number)),
                  term_int(table, whole));
}

// floor(rest / b) of what split_constant left.
static const Term *divide_rest(TermTable *table, const Term *rest, int64_t b) {
  int64_t quotient, small, inner;
  if (has_one_quotient(rest, b, &quotient))
    return term_int(table, quotient);
  const Term *scaled, *low;
  int64_t digits = take_digits(table, rest, b, &scaled, &low);
  if (digits > 1)
    return term_div(table, scaled, term_int(table, b / digits));
  int64_t common = take_common(table, rest, b, &scaled, &small);
  b /= common;
  if (b == 1)
    return scaled;
  // (x div c) div b = x div (c * b)
  if (scaled->kind == TERM_DIV &&
      (!term_is_constant(scaled->args[1], &inner) ||
       (inner > 0 && !__builtin_mul_overflow(inner, b, &inner))))
    return term_div(table, scaled->args[0],
                    term_scale(table, scaled->args[1], b));
  const Term *merged = divide_quotient(table, scaled, b);
  return merged ? merged
                : term_intern2(table, TERM_DIV, scaled, term_int(table, b));
}

// 2^k div (2^j * 2^x) where that is 2^(k - j - x); NULL: something else.
static const Term *divide_powers(TermTable *table, const Term *a,
                                 const Term *b) {
  SumView view;
  int64_t whole;
  term_sum_view(b, &view);
  if (!term_is_constant(a, &whole) || !is_power_of_two(whole) || view.n != 1 ||
      view.number != 0 || view.parts[0].atom->kind != TERM_SHL ||
      !is_power_of_two(view.parts[0].coefficient))
    return NULL;
  const Term *x = view.parts[0].atom->args[1];
  int most = (int)bits_log2((uint64_t)whole) -
             (int)bits_log2((uint64_t)view.parts[0].coefficient);
  if (term_range(x).low < 0 || term_range(x).high > most)
    return NULL;
  return term_bits(table, TERM_SHL, term_int(table, 1),
                   term_sub(table, term_int(table, most), x));
}

const Term *term_div(TermTable *table, const Term *a, const Term *b) {
  HD_ASSERT(term_is_int(a) && term_is_int(b));
  int64_t number;
  bool is_constant = term_is_constant(b, &number);
  if (is_constant && number <= 0) {
    if (number == 0 || number == INT64_MIN)
      return term_lost(table);
    return term_div(table, term_scale(table, a, -1), term_int(table, -number));
  }
  if (a == b)
    return term_int(table, 1);
  const Term *power = divide_powers(table, a, b);
  if (power)
    return power;
  const Term *quotient, *rest;
  term_div_split(table, a, b, &quotient, &rest);
  if (rest == term_int(table, 0) || term_div_is_below(table, rest, b))
    return quotient;
  const Term *last = is_constant ? divide_rest(table, rest, number)
                                 : term_intern2(table, TERM_DIV, rest, b);
  return term_add(table, quotient, last);
}

// A remainder by a multiple of b inside a remainder by b adds nothing.
static const Term *drop_outer_mods(TermTable *table, const Term *rest,
                                   int64_t b) {
  SumView view;
  term_sum_view(rest, &view);
  for (uint32_t i = 0; i < view.n; i++) {
    const Term *atom = view.parts[i].atom;
    int64_t inner;
    if (atom->kind != TERM_MOD || !term_is_constant(atom->args[1], &inner) ||
        inner % b != 0)
      continue;
    const Term *change = term_sub(table, atom->args[0], atom);
    return term_add(table, rest,
                    term_scale(table, change, view.parts[i].coefficient));
  }
  return NULL;
}

static const Term *constant_mod(TermTable *table, const Term *rest, int64_t b) {
  int64_t quotient, small;
  if (has_one_quotient(rest, b, &quotient))
    return term_add(table, rest,
                    term_scale(table, term_int(table, b), -quotient));
  if (b == 2 && rest->kind == TERM_DIV) {
    const Term *flag = term_flag(table, rest->args[0], rest->args[1]);
    if (flag)
      return flag;
  }
  const Term *simpler = drop_outer_mods(table, rest, b);
  if (simpler)
    return term_mod(table, simpler, term_int(table, b));
  const Term *scaled, *low;
  int64_t digits = take_digits(table, rest, b, &scaled, &low);
  if (digits > 1) {
    const Term *high = term_mod(table, scaled, term_int(table, b / digits));
    return term_add(table, term_scale(table, high, digits), low);
  }
  int64_t common = take_common(table, rest, b, &scaled, &small);
  const Term *mod = term_int(table, 0);
  if (common < b)
    mod = term_intern2(table, TERM_MOD, scaled, term_int(table, b / common));
  return term_add(table, term_scale(table, mod, common),
                  term_int(table, small));
}

const Term *term_mod(TermTable *table, const Term *a, const Term *b) {
  HD_ASSERT(term_is_int(a) && term_is_int(b));
  int64_t number;
  bool is_constant = term_is_constant(b, &number);
  if (is_constant && (number == 0 || number == INT64_MIN))
    return term_lost(table);
  if (is_constant && number < 0) // a - b * floor(a / b) = -(-a mod -b)
    return term_scale(
        table,
        term_mod(table, term_scale(table, a, -1), term_int(table, -number)),
        -1);
  if (a == b)
    return term_int(table, 0);
  const Term *quotient, *rest;
  term_div_split(table, a, b, &quotient, &rest);
  if (rest == term_int(table, 0) || term_div_is_below(table, rest, b))
    return rest;
  return is_constant ? constant_mod(table, rest, number)
                     : term_intern2(table, TERM_MOD, rest, b);
}
