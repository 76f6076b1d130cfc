// SPDX-License-Identifier: Apache-2.0
// Inside of the proof that what is read was written: Note [Filled].
#ifndef HD_CHECK_PROVE_FILLED_H
#define HD_CHECK_PROVE_FILLED_H

#include "base/map.h"
#include "check/report/finding.h"

typedef struct {
  Check *check;
  Tree *tree;
  TermTable *terms;
  Arena *arena;
  hd_vec(const Step *) touches; // of followed arrays, in program order
  hd_vec(const Step *) reads;   // through pointers that may lead into them
  hd_vec(const Step *) meets;   // syncs of all groups
  bool writes_anywhere;         // through such pointers
  uint32_t n_ordered;           // questions to the order of barriers
  Map copies;                   // symbol id -> its copy for the writer
} Filled;

// Arrays whose elements have no value before the kernel writes them.
bool filled_is_followed(const IrObject *object);
// filled_cases.c: each byte that the step reads was written before. False: not
// shown; then *missing is a model in which one may not be, or empty.
bool filled_is_covered(Filled *f, const Step *read, TermModel *missing);

#endif
