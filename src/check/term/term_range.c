// SPDX-License-Identifier: Apache-2.0
// Intervals of terms, from those of their parts.
#include "check/term/term_table.h"

#define OPEN_LOW  INT64_MIN
#define OPEN_HIGH INT64_MAX

int64_t term_clamp(Wide value) {
  if (value <= INT64_MIN)
    return INT64_MIN;
  return value >= INT64_MAX ? INT64_MAX : (int64_t)value;
}

bool term_is_open(int64_t bound) {
  return bound == OPEN_LOW || bound == OPEN_HIGH;
}

// Bounds beyond this count as open, so that sums of many don't overflow.
static const Wide WIDE_LIMIT = (Wide)1 << 100;

// Adds coefficient * bound to a lower end; false: it is open.
static bool add_low(Wide *sum, int64_t coefficient, int64_t bound) {
  if (term_is_open(bound))
    return false;
  Wide product = (Wide)coefficient * bound;
  if (product < -WIDE_LIMIT)
    return false;
  *sum += product > WIDE_LIMIT ? WIDE_LIMIT : product;
  return true;
}

static int64_t sum_low(const Term *sum, int sign) {
  Wide low = (Wide)sign * sum->number;
  for (uint32_t i = 0; i < sum->n_parts; i++) {
    int64_t c = sum->parts[i].coefficient;
    if (c == INT64_MIN)
      return OPEN_LOW;
    c *= sign;
    TermRange range = term_range(sum->parts[i].atom);
    if (!add_low(&low, c, c > 0 ? range.low : range.high))
      return OPEN_LOW;
  }
  return term_clamp(low);
}

TermRange range_of_sum(const Term *sum) {
  TermRange range = {sum_low(sum, 1), OPEN_HIGH};
  int64_t high = sum_low(sum, -1); // of the negated sum
  if (high != OPEN_LOW)
    range.high = -high;
  return range;
}

// Product of two ends, where 0 * open is 0.
static int64_t term_range_multiply(int64_t a, int64_t b) {
  if (a == 0 || b == 0)
    return 0;
  if (term_is_open(a) || term_is_open(b))
    return (a < 0) == (b < 0) ? OPEN_HIGH : OPEN_LOW;
  return term_clamp((Wide)a * b);
}

static TermRange hull4(int64_t a, int64_t b, int64_t c, int64_t d) {
  TermRange range = {a, a};
  int64_t all[3] = {b, c, d};
  for (int i = 0; i < 3; i++) {
    range.low = all[i] < range.low ? all[i] : range.low;
    range.high = all[i] > range.high ? all[i] : range.high;
  }
  return range;
}

static TermRange range_of_product(const Term *atom) {
  TermRange range = {1, 1};
  for (uint32_t i = 0; i < atom->n_args; i++) {
    TermRange r = term_range(atom->args[i]);
    if (i + 1 < atom->n_args && atom->args[i + 1] == atom->args[i]) {
      // A square isn't negative.
      TermRange q = hull4(term_range_multiply(r.low, r.low),
                          term_range_multiply(r.high, r.high),
                          term_range_multiply(r.low, r.low),
                          term_range_multiply(r.high, r.high));
      r.low = r.low <= 0 && r.high >= 0 ? 0 : q.low;
      r.high = q.high;
      i++;
    }
    range = hull4(term_range_multiply(range.low, r.low),
                  term_range_multiply(range.low, r.high),
                  term_range_multiply(range.high, r.low),
                  term_range_multiply(range.high, r.high));
  }
  return range;
}

static int64_t term_range_divide(int64_t a, int64_t b) {
  if (term_is_open(a))
    return a;
  if (b == OPEN_HIGH)
    return a < 0 ? -1 : 0;
  return floor_div(a, b);
}

static TermRange range_of_quotient(TermRange a, TermRange b) {
  int64_t low = b.low < 1 ? 1 : b.low;
  int64_t high = b.high < low ? low : b.high;
  return hull4(term_range_divide(a.low, low), term_range_divide(a.low, high),
               term_range_divide(a.high, low), term_range_divide(a.high, high));
}

static TermRange range_of_remainder(TermRange a, TermRange b) {
  TermRange range = {0, OPEN_HIGH};
  if (b.high != OPEN_HIGH)
    range.high = b.high < 1 ? 0 : b.high - 1;
  if (a.low >= 0 && a.high < range.high)
    range.high = a.high;
  return range;
}

// All numbers with as many bits as the larger one.
static int64_t ones_above(int64_t number) {
  uint64_t bits = (uint64_t)number;
  for (int shift = 1; shift < 64; shift *= 2)
    bits |= bits >> shift;
  return bits >= INT64_MAX ? OPEN_HIGH : (int64_t)bits;
}

static int64_t term_range_size_of(int64_t x) {
  return x < 0 ? -(x + 1) : x;
}

// Two's complement numbers with as many bits as the operands.
static TermRange range_of_bits(TermKind kind, TermRange a, TermRange b) {
  TermRange range = {OPEN_LOW, OPEN_HIGH};
  if (!term_is_open(a.low) && !term_is_open(a.high) && !term_is_open(b.low) &&
      !term_is_open(b.high)) {
    int64_t ones =
        ones_above(term_range_size_of(a.low) | term_range_size_of(a.high) |
                   term_range_size_of(b.low) | term_range_size_of(b.high));
    if (ones != OPEN_HIGH)
      range = (TermRange){-ones - 1, ones};
  }
  if (kind == TERM_AND && (a.low >= 0 || b.low >= 0)) {
    range.low = 0;
    if (a.low >= 0 && a.high < range.high)
      range.high = a.high;
    if (b.low >= 0 && b.high < range.high)
      range.high = b.high;
  } else if (a.low >= 0 && b.low >= 0) {
    range.low = kind != TERM_OR ? 0 : a.low > b.low ? a.low : b.low;
    range.high = ones_above(a.high | b.high);
  }
  return range;
}

static int64_t term_range_power(int64_t exponent) {
  if (exponent < 0)
    return 1;
  return exponent > 62 ? OPEN_HIGH : (int64_t)1 << exponent;
}

TermRange range_of_atom(const Term *atom) {
  TermRange a = {OPEN_LOW, OPEN_HIGH}, b = a;
  if (atom->n_args > 0 && term_is_int(atom->args[0]))
    a = term_range(atom->args[0]);
  if (atom->n_args > 1 && term_is_int(atom->args[1]))
    b = term_range(atom->args[1]);
  switch (atom->kind) {
  case TERM_SYMBOL: return (TermRange){atom->symbol->low, atom->symbol->high};
  case TERM_MUL: return range_of_product(atom);
  case TERM_DIV: return range_of_quotient(a, b);
  case TERM_MOD: return range_of_remainder(a, b);
  case TERM_MIN:
    return (TermRange){a.low < b.low ? a.low : b.low,
                       a.high < b.high ? a.high : b.high};
  case TERM_MAX:
    return (TermRange){a.low > b.low ? a.low : b.low,
                       a.high > b.high ? a.high : b.high};
  case TERM_ITE: {
    TermRange c = term_range(atom->args[2]);
    return hull4(b.low, b.high, c.low, c.high);
  }
  case TERM_AND:
  case TERM_OR:
  case TERM_XOR: return range_of_bits(atom->kind, a, b);
  case TERM_SHL: // of 1
    return (TermRange){term_range_power(b.low), term_range_power(b.high)};
  case TERM_SHR:
  case TERM_APPLY:
  case TERM_SUM:
  case TERM_TRUE:
  case TERM_FALSE:
  case TERM_LE:
  case TERM_EQ:
  case TERM_NOT:
  case TERM_ALL:
  case TERM_SOME: break;
  }
  return (TermRange){OPEN_LOW, OPEN_HIGH};
}
