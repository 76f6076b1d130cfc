// SPDX-License-Identifier: Apache-2.0
// Words of flags: one bit for each barrier of a ring, of which one turns over
// at a time,
//
//   wait(full[stage], phases >> stage & 1);
//   phases ^= 1u << stage;
//
// Such a word is kept as a sum of 2^k * (count mod 2), where count says how
// often bit k has turned over. What no bit is, a multiple of a power of two
// above them, may stand beside them.
#include "check/term/term_table.h"

#include "base/bits.h"

// Where the bit may be that is asked for.
enum { MAX_PLACES = 16 };

// The bits that are counts: numbers of their own power of two in the sum.
typedef struct {
  uint32_t n; // bits 0 … n - 1 are known
  const Term *bits[TERM_MAX_FLAGS];
} Flags;

static bool is_bit_part(const TermPart *part) {
  int64_t by;
  return is_power_of_two(part->coefficient) && part->atom->kind == TERM_MOD &&
         term_is_constant(part->atom->args[1], &by) && by == 2;
}

// How many of the lowest bits are known: below the first that something else
// decides.
static uint32_t known_bits(const SumView *view) {
  uint32_t n = TERM_MAX_FLAGS;
  for (uint32_t i = 0; i < view->n; i++) {
    uint32_t at =
        (uint32_t)__builtin_ctzll((uint64_t)view->parts[i].coefficient);
    if (!is_bit_part(&view->parts[i]) && at < n)
      n = at;
  }
  return n;
}

static bool as_flags(TermTable *table, const Term *word, Flags *flags) {
  SumView view;
  term_sum_view(word, &view);
  flags->n = known_bits(&view);
  uint64_t seen = 0;
  for (uint32_t k = 0; k < flags->n; k++)
    flags->bits[k] = term_int(table, view.number >> k & 1);
  for (uint32_t i = 0; i < view.n; i++) {
    if (!is_bit_part(&view.parts[i]))
      continue;
    uint32_t at = bits_log2((uint64_t)view.parts[i].coefficient);
    if (at >= flags->n)
      continue;
    if ((view.number >> at & 1) || (seen >> at & 1)) // a carry
      return false;
    flags->bits[at] = view.parts[i].atom;
    seen |= (uint64_t)1 << at;
  }
  return seen != 0;
}

// The word's flags, and the exponent of the power; NULL: they aren't such, or
// it has too many values.
static const Term *flag_place(TermTable *table, const Term *word,
                              const Term *power, Flags *flags) {
  SumView view;
  term_sum_view(power, &view);
  if (!as_flags(table, word, flags) || view.n != 1 || view.number != 0 ||
      view.parts[0].atom->kind != TERM_SHL ||
      !is_power_of_two(view.parts[0].coefficient))
    return NULL;
  uint32_t shift = bits_log2((uint64_t)view.parts[0].coefficient);
  const Term *exponent =
      term_add(table, view.parts[0].atom->args[1], term_int(table, shift));
  TermRange range = term_range(exponent);
  bool is_near = range.low >= 0 && range.high < flags->n &&
                 range.high - range.low < MAX_PLACES;
  return is_near ? exponent : NULL;
}

// ---------------------------------------------------------------- where e == k

// e - rest = x mod s. NULL: something else.
static const Term *remainder_in(const Term *e, int64_t *rest) {
  SumView view;
  term_sum_view(e, &view);
  int64_t by;
  if (view.n != 1 || view.parts[0].coefficient != 1 ||
      view.parts[0].atom->kind != TERM_MOD ||
      !term_is_constant(view.parts[0].atom->args[1], &by) || by < 1)
    return NULL;
  *rest = view.number;
  return view.parts[0].atom;
}

const Term *term_equals_count(TermTable *table, const Term *e, int64_t k) {
  int64_t rest, by;
  const Term *mod = remainder_in(e, &rest);
  if (!mod) {
    const Term *is_so = term_eq(table, e, term_int(table, k));
    return term_ite(table, is_so, term_int(table, 1), term_int(table, 0));
  }
  (void)term_is_constant(mod->args[1], &by);
  if (k - rest < 0 || k - rest >= by)
    return term_int(table, 0);
  // x mod s == r is one more multiple of s up to x - r than up to x - r - 1.
  const Term *x = term_sub(table, mod->args[0], term_int(table, k - rest));
  const Term *before = term_sub(table, x, term_int(table, 1));
  return term_sub(table, term_div(table, x, mod->args[1]),
                  term_div(table, before, mod->args[1]));
}

// floor((x + c) / s), where x mod s == r, is floor(x / s) + floor((r + c) / s).
static const Term *where_equal(TermTable *table, const Term *count,
                               const Term *e, int64_t k) {
  int64_t rest, by, inner, apart;
  const Term *mod = remainder_in(e, &rest);
  SumView view;
  if (!mod || count->kind != TERM_MOD)
    return count;
  (void)term_is_constant(mod->args[1], &by);
  term_sum_view(count->args[0], &view);
  const Term *sum = term_int(table, view.number);
  for (uint32_t i = 0; i < view.n; i++) {
    const Term *atom = view.parts[i].atom, *value = atom;
    if (atom->kind == TERM_DIV && term_is_constant(atom->args[1], &inner) &&
        inner == by &&
        term_is_constant(term_sub(table, atom->args[0], mod->args[0]), &apart))
      value = term_add(table, term_div(table, mod->args[0], mod->args[1]),
                       term_int(table, floor_div(k - rest + apart, by)));
    sum = term_add(table, sum,
                   term_scale(table, value, view.parts[i].coefficient));
  }
  return term_mod(table, sum, term_int(table, 2));
}

// --------------------------------------------------------------- reading them

const Term *term_flag(TermTable *table, const Term *word, const Term *power) {
  Flags flags;
  const Term *e = flag_place(table, word, power, &flags);
  if (!e)
    return NULL;
  TermRange range = term_range(e);
  const Term *result = NULL;
  for (int64_t k = range.high; k >= range.low; k--) {
    const Term *bit = where_equal(table, flags.bits[k], e, k);
    const Term *is_here = term_eq(table, e, term_int(table, k));
    result = result ? term_ite(table, is_here, bit, result) : bit;
  }
  return result;
}

const Term *term_flip(TermTable *table, const Term *word, const Term *power) {
  Flags flags;
  const Term *e = flag_place(table, word, power, &flags);
  if (!e)
    return NULL;
  const Term *result = word;
  for (int64_t k = term_range(e).low; k <= term_range(e).high; k++) {
    const Term *count =
        term_add(table, flags.bits[k], term_equals_count(table, e, k));
    const Term *change = term_sub(
        table, term_mod(table, count, term_int(table, 2)), flags.bits[k]);
    result =
        term_add(table, result, term_scale(table, change, (int64_t)1 << k));
  }
  return result;
}
