// SPDX-License-Identifier: Apache-2.0
// Bit operations on two's complement without end. What a constant does is said
// with sums, quotients and remainders, which all solvers understand.
#include "base/bits.h"
#include "base/panic.h"
#include "check/term/term_table.h"

// x & constant costs a quotient and a remainder for each run of ones.
#define MAX_RUNS 4

static const Term *power_of_two(TermTable *table, int exponent) {
  return term_int(table, (int64_t)1 << exponent);
}

// Bits from `begin` on of x, in place; of them only `width`, 0: all.
static const Term *bit_field(TermTable *table, const Term *x, int begin,
                             int width) {
  const Term *field = term_div(table, x, power_of_two(table, begin));
  if (width)
    field = term_mod(table, field, power_of_two(table, width));
  return term_scale(table, field, (int64_t)1 << begin);
}

static bool has_bit(int64_t mask, int bit) {
  return mask >> bit & 1;
}

static int count_runs(int64_t mask) {
  int n = 0;
  for (int i = 0; i < 63; i++)
    n += has_bit(mask, i) && !(i > 0 && has_bit(mask, i - 1));
  return n;
}

// x & mask as a sum; NULL: too many runs.
static const Term *and_mask(TermTable *table, const Term *x, int64_t mask) {
  if (count_runs(mask) > MAX_RUNS || mask == INT64_MAX)
    return NULL;
  const Term *sum = term_int(table, 0);
  for (int begin = 0, end; begin < 63; begin = end) {
    end = begin + 1;
    if (!has_bit(mask, begin))
      continue;
    while (end < 63 && has_bit(mask, end))
      end++;
    bool is_open = end == 63 && mask < 0; // all bits above are the sign
    const Term *field = bit_field(table, x, begin, is_open ? 0 : end - begin);
    sum = term_add(table, sum, field);
  }
  return sum;
}

// Largest k such that all values are multiples of 2^k; 63 for 0.
static int term_bits_trailing_zeros(const Term *term) {
  SumView view;
  term_sum_view(term, &view);
  uint64_t bits = (uint64_t)view.number | (uint64_t)1 << 63;
  for (uint32_t i = 0; i < view.n; i++) {
    uint64_t c = (uint64_t)view.parts[i].coefficient;
    const Symbol *symbol = view.parts[i].atom->symbol;
    // A power of two that is at least `low`.
    if (symbol && symbol->is_power_of_two && is_power_of_two(symbol->low) &&
        c <= INT64_MAX / (uint64_t)symbol->low)
      c *= (uint64_t)symbol->low;
    bits |= c;
  }
  return __builtin_ctzll(bits);
}

// Do a and b have no one bit in common? One is a multiple of 2^k, the other
// less than that.
static bool term_bits_is_disjoint(const Term *a, const Term *b) {
  for (int swap = 0; swap < 2; swap++) {
    const Term *high = swap ? b : a, *low = swap ? a : b;
    int zeros = term_bits_trailing_zeros(high);
    TermRange range = term_range(low);
    if (zeros >= 63)
      return true;
    if (range.low >= 0 && range.high < (int64_t)1 << zeros)
      return true;
  }
  return false;
}

// a ^ b where one of them is an xor with the other.
static const Term *cancel_xor(const Term *a, const Term *b) {
  for (int swap = 0; swap < 2; swap++) {
    const Term *outer = swap ? b : a, *inner = swap ? a : b;
    if (outer->kind != TERM_XOR)
      continue;
    if (outer->args[0] == inner)
      return outer->args[1];
    if (outer->args[1] == inner)
      return outer->args[0];
  }
  return NULL;
}

// a op b = a + b - factor * (a & b)
static const Term *by_and(TermTable *table, const Term *a, const Term *b,
                          const Term *both, int64_t factor) {
  return term_sub(table, term_add(table, a, b),
                  term_scale(table, both, factor));
}

static bool term_bits_is_power(const Term *atom) {
  return atom->kind == TERM_SHL ||
         (atom->kind == TERM_SYMBOL && atom->symbol->is_power_of_two);
}

// p of p - 1, where p is a power of two: a symbol or 2^x, times a constant one.
// NULL: something else.
static const Term *power_above(TermTable *table, const Term *term) {
  if (term->kind != TERM_SUM || term->n_parts != 1 || term->number != -1 ||
      !is_power_of_two(term->parts[0].coefficient) ||
      !term_bits_is_power(term->parts[0].atom))
    return NULL;
  return term_add(table, term, term_int(table, 1));
}

static const Term *and_low_bits(TermTable *table, const Term *a,
                                const Term *b) {
  const Term *power = power_above(table, b);
  if (power)
    return term_mod(table, a, power);
  power = power_above(table, a);
  return power ? term_mod(table, b, power) : NULL;
}

static const Term *same_operands(TermTable *table, TermKind kind,
                                 const Term *a) {
  return kind == TERM_XOR ? term_int(table, 0) : a;
}

static const Term *and_or_xor(TermTable *table, TermKind kind, const Term *a,
                              const Term *b) {
  int64_t x, y;
  if (a == b)
    return same_operands(table, kind, a);
  if (term_is_constant(a, &x)) {
    if (term_is_constant(b, &y))
      return term_int(table, kind == TERM_AND  ? x & y
                             : kind == TERM_OR ? x | y
                                               : x ^ y);
    return and_or_xor(table, kind, b, a);
  }
  const Term *both = NULL;
  if (term_bits_is_disjoint(a, b))
    both = term_int(table, 0);
  else if (term_is_constant(b, &y))
    both = and_mask(table, a, y);
  else
    both = and_low_bits(table, a, b);
  if (both)
    return kind == TERM_AND
               ? both
               : by_and(table, a, b, both, kind == TERM_OR ? 1 : 2);
  const Term *rest = NULL;
  if (kind == TERM_XOR) {
    rest = cancel_xor(a, b);
    rest = rest ? rest : term_flip(table, a, b);
    rest = rest ? rest : term_flip(table, b, a);
  }
  if (rest)
    return rest;
  return a->id < b->id ? term_intern2(table, kind, a, b)
                       : term_intern2(table, kind, b, a);
}

// 2^exponent
static const Term *term_bits_power(TermTable *table, const Term *exponent) {
  SumView view;
  term_sum_view(exponent, &view);
  if (view.n == 0) {
    if (view.number < 0 || view.number > 62)
      return term_lost(table);
    return power_of_two(table, (int)view.number);
  }
  // The positive part of the number goes before the atom, where what remains
  // can't become negative by that.
  int64_t shift = 0;
  if (view.number > 0 && view.number <= 62 &&
      term_range(exponent).low >= view.number)
    shift = view.number;
  const Term *rest = term_sub(table, exponent, term_int(table, shift));
  const Term *atom = term_intern2(table, TERM_SHL, term_int(table, 1), rest);
  return term_scale(table, atom, (int64_t)1 << shift);
}

// x shifted right by 63 or more: 0 or -1 for numbers of 64 bits.
static const Term *sign_only(TermTable *table, const Term *x) {
  if (term_is_open(term_range(x).low) || term_is_open(term_range(x).high))
    return term_lost(table);
  return term_div(table, term_div(table, x, power_of_two(table, 62)),
                  term_int(table, 2));
}

const Term *term_bits(TermTable *table, TermKind kind, const Term *a,
                      const Term *b) {
  HD_ASSERT(term_is_int(a) && term_is_int(b));
  int64_t shift;
  if (kind == TERM_SHL)
    return term_mul(table, a, term_bits_power(table, b));
  if (kind == TERM_SHR) {
    if (term_is_constant(b, &shift) && shift > 62)
      return sign_only(table, a);
    return term_div(table, a, term_bits_power(table, b));
  }
  HD_ASSERT(kind == TERM_AND || kind == TERM_OR || kind == TERM_XOR);
  return and_or_xor(table, kind, a, b);
}
