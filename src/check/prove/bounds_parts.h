// SPDX-License-Identifier: Apache-2.0
// What a single thread owes, between the files that ask it.
#ifndef HD_CHECK_PROVE_BOUNDS_PARTS_H
#define HD_CHECK_PROVE_BOUNDS_PARTS_H

#include "check/prove/bounds.h"
#include "check/prove/decisive.h"

typedef struct {
  Check *check;
  Tree *tree;
  TermTable *terms;
  Map proved; // path and condition -> known to hold
  Map told;   // object -> its extent isn't known, which was said
  const Step *step;
  const Decisive *decisive;
} Bounds;

// The condition holds where the step is run; else a suspect: because of what is
// `vague`, if that has a text, else as `plain` says.
bool bounds_holds(Bounds *b, SuspectKind kind, const Term *condition,
                  CheckReason vague, const char *plain);
// A finding about the step that no question stands for.
void bounds_tell(Bounds *b, SuspectKind kind, CheckReason reason);
// What the proofs rest on; told once.
void bounds_trust(Bounds *b, const char *text);
// All that the step touches (bounds_touch.c).
void bounds_check_touch(Bounds *b);

#endif
