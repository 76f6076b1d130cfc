// SPDX-License-Identifier: Apache-2.0
// Sizes of launches aimed at one suspect: a model of the conditions under which
// what it says happens, with sizes as small as the solver can make them. So a
// race of the second turn of a loop is run with two turns, however many
// parameters the kernel has.
#ifndef HD_CHECK_RUN_AIM_H
#define HD_CHECK_RUN_AIM_H

#include "check/report/finding.h"

typedef struct Aim Aim;

// `ms`: what all models together may take of the processor.
Aim *aim_new(Check *check, uint32_t ms);
void aim_free(Aim *aim);
bool aim_is_over(const Aim *aim);
// A model of `query` with small sizes: above 0 where there is one, and
// none of `avoid` (NULL or a condition). Memory is the check's. False: none is
// known.
bool aim_model(Aim *aim, const Term *query, const Term *avoid,
               TermModel *model);
// Nothing of `avoid` excluded has a model.
bool aim_refutes(Aim *aim, const Term *query, const Term *avoid);
// That every loop with a meeting inside turns twice, as far as that goes
// together; NULL: the kernel has none. `goes_round`: as often as the loop's
// arrays of mbarriers have slots, and twice more.
const Term *aim_turns(Aim *aim, bool goes_round);
// The parameter's size as a symbol of `query`; NULL: it isn't there.
const Term *aim_size(Aim *aim, const Term *query, const char *name);

#endif
