// SPDX-License-Identifier: Apache-2.0
// --time: run again and report.
#ifndef HD_CLI_TIMING_H
#define HD_CLI_TIMING_H

#include "heddle/heddle.h"

// Calls `launch` n_runs times and prints median, minimum and number of runs,
// and the rate if the kernel declares its work. The first failure ends it.
HdStatus timing_report(HdArgs *args, int n_runs,
                       HdStatus (*launch)(void *context), void *context);

#endif
