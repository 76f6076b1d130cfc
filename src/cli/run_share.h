// SPDX-License-Identifier: Apache-2.0
// heddle run: parameters that are given one array.
#ifndef HD_CLI_RUN_SHARE_H
#define HD_CLI_RUN_SHARE_H

#include "cli/run.h"

// "x" of the value "x" or "x+100", with *offset behind the "+" or NULL; NULL:
// the value is no name.
const char *cli_shared_name(Arena *arena, const char *value,
                            const char **offset);
// The array is that of another parameter.
bool run_is_shared(const Run *run, const Assignment *given);
// After all other arrays are there: an exit status, after saying why.
int run_set_shared_arrays(Run *run);

#endif
