// SPDX-License-Identifier: Apache-2.0
// Owners of elements. A map from (block, thread, turns) to elements that is
// linear, and in which each variable's step is larger than all that the finer
// ones can add up to, gives each element to one thread: like digits of a
// number. Where both touches have that map no solver is needed.
#include "check/prove/race.h"

enum { MAX_DIGITS = 12 };

// A symbol that the sides have each for itself, and what the first side's value
// less the second's is multiplied by.
typedef struct {
  const Symbol *symbol;
  uint64_t step;
} Digit;

typedef struct {
  const Symbol *equal[MAX_DIGITS]; // known to be the same on both sides
  uint32_t n_equal;
} Known;

static bool race_owner_is_known(const Known *known, const Symbol *symbol) {
  for (uint32_t i = 0; i < known->n_equal; i++) {
    if (known->equal[i] == symbol)
      return true;
  }
  return false;
}

static int64_t race_owner_coefficient_of(const Term *sum,
                                         const Symbol *symbol) {
  for (uint32_t i = 0; i < sum->n_parts; i++) {
    const Term *atom = sum->parts[i].atom;
    if (atom->kind == TERM_SYMBOL && atom->symbol == symbol)
      return sum->parts[i].coefficient;
  }
  return 0;
}

// Each part of the difference is one side's symbol beside the other's with the
// opposite factor. UINT32_MAX: it isn't of that form.
static uint32_t digits_of(const Pair *pair, const Term *zero,
                          const Known *known, Digit digits[MAX_DIGITS]) {
  uint32_t n = 0;
  if (zero->kind != TERM_SUM || zero->number != 0)
    return UINT32_MAX;
  for (uint32_t i = 0; i < zero->n_parts; i++) {
    const Term *atom = zero->parts[i].atom;
    int64_t factor = zero->parts[i].coefficient;
    if (atom->kind != TERM_SYMBOL || factor == INT64_MIN)
      return UINT32_MAX;
    const Symbol *symbol = atom->symbol;
    const Symbol *original = symbol->copy_of ? symbol->copy_of : symbol;
    const Symbol *copy = race_copy(pair->race, original);
    if (symbol != original && symbol != copy)
      return UINT32_MAX;
    if (race_owner_coefficient_of(zero, symbol == copy ? original : copy) !=
        -factor)
      return UINT32_MAX;
    if (symbol == copy || race_owner_is_known(known, original))
      continue;
    if (n == MAX_DIGITS)
      return UINT32_MAX;
    digits[n++] = (Digit){original, (uint64_t)(factor < 0 ? -factor : factor)};
  }
  return n;
}

static void sort_digits(Digit *digits, uint32_t n) {
  for (uint32_t i = 1; i < n; i++) {
    Digit digit = digits[i];
    uint32_t j = i;
    for (; j > 0 && digits[j - 1].step > digit.step; j--)
      digits[j] = digits[j - 1];
    digits[j] = digit;
  }
}

// Every step is larger than all finer digits together: all are equal.
static bool race_owner_are_digits(const Digit *digits, uint32_t n) {
  uint64_t below = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (digits[i].step <= below)
      return false;
    const Symbol *s = digits[i].symbol;
    uint64_t width = (uint64_t)s->high - (uint64_t)s->low, more;
    if (i + 1 < n && (__builtin_mul_overflow(width, digits[i].step, &more) ||
                      __builtin_add_overflow(below, more, &below)))
      return false;
  }
  return true;
}

static bool race_owner_learn(const Pair *pair, const Term *zero, Known *known) {
  Digit digits[MAX_DIGITS];
  uint32_t n = digits_of(pair, zero, known, digits);
  if (n == 0 || n == UINT32_MAX || known->n_equal + n > MAX_DIGITS)
    return false;
  sort_digits(digits, n);
  if (!race_owner_are_digits(digits, n))
    return false;
  for (uint32_t i = 0; i < n; i++)
    known->equal[known->n_equal++] = digits[i].symbol;
  return true;
}

bool race_same_owner(const Pair *pair, const Term *const *zeros,
                     uint32_t n_zeros) {
  const Tree *tree = pair->race->tree;
  Known known = {.n_equal = 0};
  for (bool again = true; again;) {
    again = false;
    for (uint32_t i = 0; i < n_zeros; i++)
      again |= race_owner_learn(pair, zeros[i], &known);
  }
  if (pair->set->kind == SET_THREAD)
    return false;
  if (pair->set->kind == SET_PART)
    return race_owner_is_known(&known, tree->thread);
  for (int k = 0; k < 3; k++) {
    const Symbol *block = tree->block[k];
    if (block && block->low != block->high &&
        !race_owner_is_known(&known, block))
      return false;
  }
  return true;
}
