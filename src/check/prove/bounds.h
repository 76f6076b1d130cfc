// SPDX-License-Identifier: Apache-2.0
// What checks of single threads and of pairs share.
#ifndef HD_CHECK_PROVE_BOUNDS_H
#define HD_CHECK_PROVE_BOUNDS_H

#include "base/map.h"
#include "check/report/finding.h"

// What a term says nothing exact about: the first table and the first value in
// it, for reasons (vague.c).
typedef struct {
  const IrObject *table;
  const Symbol *value;
} CheckVague;

void check_vague(const Term *term, CheckVague *vague);
// "WHAT comes from memory: …"
const char *check_vague_value(Arena *arena, const Symbol *value,
                              const char *what);

// uniform(e): two threads of the group, one value (claim.c).
void check_claim(Check *check, const Step *step);

#endif
