// SPDX-License-Identifier: Apache-2.0
// Inside of induct*.c: guessing and proving laws of loops.
#ifndef HD_CHECK_TREE_INDUCT_H
#define HD_CHECK_TREE_INDUCT_H

#include "check/tree/walk.h"

typedef struct {
  Walk *w;
  LoopLaws *laws;
  uint32_t n_proofs; // the solver may still be asked so often
} Induct;

// Only of symbols from outside of the loop; or also of its turn.
bool induct_is_outer(const Induct *in, const Term *term);
bool induct_is_of_turn(const Induct *in, const Term *term);
const Term *induct_put(Walk *w, const Term *term, const Symbol *symbol,
                       const Term *by);
const Term *induct_number(Walk *w, const LoopVar *var, const Value *value);
// Holds before the loop (or is assumed, for a loop around to prove).
bool induct_proves_at_start(Induct *in, const Term *condition);
// Small numbers don't show that back at law(turn) isn't law(turn + 1).
bool induct_may_be_law(Induct *in, LoopVar *var, const Term *law);
// For a short law (LoopVar.short_law), it is: `next` is the law a turn later.
bool induct_proves_short(Induct *in, LoopVar *var, const Term *law,
                         const Term *next);
void induct_accept(Induct *in, LoopVar *var, const Term *law);
// Holds at the end of every turn, of laws that are known.
bool induct_proves_at_back(Induct *in, const Term *condition);

// Starts below the bound, and a turn from below it ends below it.
bool induct_stays_below(Induct *in, LoopVar *var, const Term *back,
                        int64_t bound);

// --- induct_period.c: counters that start over, and what counts that.
bool guess_period(Induct *in, LoopVar *var, const Term *back);
// The largest value of a counter that starts over, but not in every turn, as a
// term; NULL: not known.
const Term *induct_period_bound(Induct *in, LoopVar *var, const Term *back);
bool guess_phase(Induct *in, LoopVar *var, const Term *back);
bool guess_term_period(Induct *in, LoopVar *var, const Term *back);
bool guess_rounds(Induct *in, LoopVar *var, const Term *back);

// Numbers after which a counter that ends a turn so may start over.
enum { INDUCT_PERIODS = 8 };

uint32_t induct_periods(const Term *back, int64_t *periods);

// --- induct_follow.c: Note [Following]
// Those that follow counters that have laws, or of others.
void induct_follow(Induct *in, bool has_law);

// --- induct_cycle.c: what changes places, or turns over, in every turn.
bool guess_cycle(Induct *in, LoopVar *var, const Term *back);
bool guess_reflection(Induct *in, LoopVar *var, const Term *back);
void induct_pointers(Induct *in);

// --- induct_flags.c: words of bits that turn over one by one.
bool guess_flags(Induct *in, LoopVar *var, const Term *back);

// --- induct_catch.c: Note [Catching up]
bool guess_maximum(Induct *in, LoopVar *var, const Term *back);
bool guess_minimum(Induct *in, LoopVar *var, const Term *back);
bool guess_late_sum(Induct *in, LoopVar *var, const Term *back);
bool guess_from_turn(Induct *in, LoopVar *var, const Term *back);
bool guess_alongside(Induct *in, LoopVar *var, const Term *back);

#endif
