// SPDX-License-Identifier: Apache-2.0
// Arrays of which a kernel doesn't say how large they are.
#ifndef HD_CHECK_PROVE_EXTENTS_H
#define HD_CHECK_PROVE_EXTENTS_H

#include "check/report/finding.h"

// The parameter that says how much shared memory a launch adds, where nothing
// is required of it; -1: none.
int extents_open_param(const IrKernel *kernel);
// A plain pointer, or shared memory that is sized by that parameter: what is
// outside of it only the host program knows.
bool extents_are_open(const IrKernel *kernel, const IrObject *object);

// How many elements a pointer must have for this touch, as far as parameters
// and numbers say it: for an example, in C. *is_enough: that is proved.
const char *extents_hint(Check *check, const Step *step, const Touch *touch,
                         bool *is_enough);

#endif
