// SPDX-License-Identifier: Apache-2.0
// Terms with the choices taken that are clear where they are used.
#ifndef HD_CHECK_TERM_TERM_DECIDE_H
#define HD_CHECK_TERM_TERM_DECIDE_H

#include "check/term/term.h"

typedef struct {
  TermTable *terms;
  // Whether the condition always holds there (1), or never (-1); 0: not clear.
  int (*ask)(void *context, const Term *condition);
  void *context;
} TermDecider;

// Equal to `term` wherever the decider's answers hold.
const Term *term_decide(TermDecider *decider, const Term *term);

#endif
