// SPDX-License-Identifier: Apache-2.0
// Note [What the host puts into memory]
// CUDA C has no word for what arrays hold when a kernel starts. A list of
// places mostly names each once, and a list of offsets mostly ascends; runs,
// which make contents up, would call each such kernel wrong. So where a place
// depends on what the host wrote, and nothing is stated of it, runs don't
// decide. What cancels out doesn't count: threads of a block that begin at one
// offset and meet behind it do so for any offset. Conditions don't count
// either, but in loops that look for a place, as a binary search does; there
// what is counted, `n++` per match, counts where a place outside is asked for
// alone. An array that the kernel writes later on still holds
// what the host put there where it is read first, and one that the kernel
// copies it to holds it, too.
//
// What counts, `bins[x[i]]++`, is about equal places: that stays a bug.
//
// Heddle C has `requires`: there the kernel is wrong for what it admits.
#ifndef HD_CHECK_PROVE_INPUT_H
#define HD_CHECK_PROVE_INPUT_H

#include "check/report/finding.h"

typedef enum { INPUT_PLACES, INPUT_BOUNDS } InputQuestion;

// The array that the host fills, of whose contents the term depends; NULL:
// none. Arrays of which the launch states what the question asks for don't
// count: that they are injective or monotone, or bounded.
const IrObject *check_input(const Check *check, const Term *term,
                            InputQuestion question);
// The same of how often the loops turn whose turns the term counts: what a run
// shows of `for (k = 0; k < length[i]; k++) s[k]` needs a length that is too
// large.
const IrObject *check_input_turns(const Check *check, const Term *term,
                                  InputQuestion question);
// The two are of one update that adds a constant to an integer.
bool check_counts(const IrNode *a, const IrNode *b);
// Nothing in the kernel writes it, and it isn't the block's own.
bool check_is_input(const Check *check, const IrObject *object);

#endif
