// SPDX-License-Identifier: Apache-2.0
// How many rows arrays have in all, where their kernel says nothing of that.
#ifndef HD_CHECK_PROVE_ROWS_H
#define HD_CHECK_PROVE_ROWS_H

#include "check/report/finding.h"

// The condition holds at the step if no array has more than 2^30 rows, which is
// trusted then, as it is of each extent by itself.
bool rows_prove(Check *check, const Step *step, const Term *condition);

#endif
