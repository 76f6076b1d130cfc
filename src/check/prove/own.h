// SPDX-License-Identifier: Apache-2.0
// Clauses of thread loops (own.c) and what runs tell of them (detect_own.c).
#ifndef HD_CHECK_PROVE_OWN_H
#define HD_CHECK_PROVE_OWN_H

#include "check/report/finding.h"

// Adds suspects of clauses that iterations don't keep.
void check_ownership(Check *check);

#endif
