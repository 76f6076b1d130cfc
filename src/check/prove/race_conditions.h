// SPDX-License-Identifier: Apache-2.0
// What holds where two threads of a set meet at two touches.
#ifndef HD_CHECK_PROVE_RACE_CONDITIONS_H
#define HD_CHECK_PROVE_RACE_CONDITIONS_H

#include "check/prove/race.h"

// What a symbol of either side's terms is in the question: for substitution;
// `context` is the pair.
const Term *race_first_symbol(const Symbol *symbol, void *context);
const Term *race_second_symbol(const Symbol *symbol, void *context);
// Each adds to the conditions of the question.
void race_add(const Pair *pair, TermList *list, const Term *condition);
// What is known of the turns of loops.
void race_add_turns(const Pair *pair, TermList *list);
// The pair is of two threads of the set, and of no smaller one.
void race_add_threads(const Pair *pair, TermList *list);
// What groups have one value of is one for both threads.
void race_add_shared_values(const Pair *pair, TermList *list);
// A group's copy against itself: its threads share the work.
void race_add_other_copy(const Pair *pair, TermList *list);
// The shared memory that both touch is of one block, and of one instance;
// false: it can't be.
bool race_add_instance(const Pair *pair, TermList *list);

#endif
