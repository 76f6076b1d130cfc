// SPDX-License-Identifier: Apache-2.0
// Inside of the term table; for term*.c only.
#ifndef HD_CHECK_TERM_TERM_TABLE_H
#define HD_CHECK_TERM_TERM_TABLE_H

#include "check/term/term.h"

// Room for sums and products of 64-bit numbers.
__extension__ typedef __int128 Wide;

// Ends of an interval; INT64_MIN and INT64_MAX are open.
typedef struct {
  int64_t low, high;
} TermRange;

typedef struct TermNode {
  Term term; // first: a Term * is a TermNode *
  TermTable *table;
  struct TermNode *next; // in its bucket
  uint64_t hash;
  const Term *negation; // of a condition, once it was asked for
  TermRange range;      // of an integer
  uint32_t depth;
  uint32_t stamp;    // of the walk that was here last
  const Term *image; // in that walk, if it replaces
} TermNode;

struct TermTable {
  Arena *arena;
  TermNode **buckets;
  uint32_t n_buckets, n_terms, n_symbols, n_lost;
  uint32_t stamp;
  uint64_t n_asked; // terms made or found
  const Term *always, *never;
};

// Terms that are deeper, or sums with more parts, become symbols. (Walks over
// terms are recursive.)
#define TERM_MAX_DEPTH 200
#define TERM_MAX_PARTS 64
#define TERM_MAX_ARGS  128 // and one more

static inline TermNode *term_node(const Term *term) {
  union {
    const Term *term;
    TermNode *node; // nodes are the table's own, not constant memory
  } cast = {.term = term};

  return cast.node;
}

static inline TermRange term_range(const Term *term) {
  return term_node(term)->range;
}

// The term with this structure, made if it is new. Args and parts are copied.
const Term *term_intern(TermTable *table, const Term *model);
const Term *term_intern2(TermTable *table, TermKind kind, const Term *a,
                         const Term *b);
// A symbol of its own for what no term says: any integer, any condition.
const Term *term_lost(TermTable *table);
const Term *term_lost_condition(TermTable *table);

// A sum seen as such: an atom is 1 * atom.
typedef struct {
  int64_t number;
  uint32_t n;
  const TermPart *parts;
  TermPart own; // of an atom
} SumView;

void term_sum_view(const Term *term, SumView *view);
// The sum of parts in any order, atoms once each, coefficients not 0; NULL
// where there are too many.
const Term *term_sum_make(TermTable *table, int64_t number, TermPart *parts,
                          uint32_t n);
// As a sum of parts in any order that stays as it is: no quotient is joined
// with its remainder. For lemmas, which say what these are.
const Term *term_sum_unjoined(TermTable *table, int64_t number, TermPart *parts,
                              uint32_t n);
// sum <= 0 or sum == 0 as it is.
const Term *term_compare_unjoined(TermTable *table, TermKind kind,
                                  const Term *sum);
uint64_t term_gcd(uint64_t a, uint64_t b);
// Greatest number that divides all coefficients (0: there are none).
uint64_t term_sum_gcd(const SumView *view);

// ALL or SOME of any number of terms.
const Term *term_junction(TermTable *table, TermKind kind,
                          const Term *const *terms, uint32_t n);

// The term with `from`, an atom or a condition, replaced by `to`.
const Term *term_exchange(TermTable *table, const Term *term, const Term *from,
                          const Term *to);
// Every subterm without this stamp once, parts first; `visit` must not walk
// over terms. The stamp is a new one of the table's.
void term_each(const Term *term, uint32_t stamp,
               void (*visit)(const Term *, void *), void *context);
// The product without one factor `factor`; NULL: it isn't one.
const Term *term_without_factor(TermTable *table, const Term *atom,
                                const Term *factor);

// --- term_flags.c: words of which single bits turn over
#define TERM_MAX_FLAGS 32
// Bit e of the word, power = 2^e: of word / power its lowest. NULL: not a sum
// of bits that are known at e.
const Term *term_flag(TermTable *table, const Term *word, const Term *power);
// word ^ power, as such a sum; NULL: not one.
const Term *term_flip(TermTable *table, const Term *word, const Term *power);
// e == k ? 1 : 0, as a difference of quotients where e is a remainder.
const Term *term_equals_count(TermTable *table, const Term *e, int64_t k);

// --- ranges
int64_t term_clamp(Wide value);
bool term_is_open(int64_t bound);
TermRange range_of_sum(const Term *sum);
TermRange range_of_atom(const Term *atom);

static inline int64_t floor_div(int64_t a, int64_t b) {
  int64_t q = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

// In 0 … b - 1, for b > 0.
static inline int64_t floor_mod(int64_t a, int64_t b) {
  int64_t rest = a % b;
  return rest < 0 ? rest + b : rest;
}

#endif
