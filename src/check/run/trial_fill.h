// SPDX-License-Identifier: Apache-2.0
// What the files of trials share.
#ifndef HD_CHECK_RUN_TRIAL_FILL_H
#define HD_CHECK_RUN_TRIAL_FILL_H

#include "check/run/trial.h"

// Writes a value to all leaves of a type: `number` to integers, `real` to
// floats. Pointers stay.
void fill_value(const IrModule *module, IrType type, char *to, int64_t number,
                double real);
bool trial_evaluate(const Trial *trial, const IrHost *host, int64_t *out);
bool trial_is_true(const Trial *trial, const IrHost *host);

#endif
