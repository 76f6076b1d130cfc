// SPDX-License-Identifier: Apache-2.0
// Where the numbers of host code come from, by tokens alone: from outside of
// the file, or from what the file computes.
#ifndef HD_CUDA_HOST_CX_ORIGIN_H
#define HD_CUDA_HOST_CX_ORIGIN_H

#include "cxx/cx_ast.h"

typedef enum {
  CX_ORIGIN_NONE,   // nothing in the tokens decides
  CX_ORIGIN_GIVEN,  // from outside: what reads numbers
  CX_ORIGIN_PASSED, // by other files, which call a function
  CX_ORIGIN_ASKED,  // from a function that isn't seen
  CX_ORIGIN_UNSEEN, // a member that the file doesn't set
  CX_ORIGIN_MADE,   // the file computes it
} CxOrigin;

// Of an expression, by the functions that it calls and the members that it
// reads. One that is more than a name is made.
CxOrigin cx_origin_of_value(const CxUnit *unit, CxTokens value);

// Of what members of this name (interned) hold, by what the file writes there.
CxOrigin cx_origin_of_member(const CxUnit *unit, const char *name);

// Of what the variable `name` (interned) holds behind the tokens, by what
// changes it there; `before` if nothing does, or only counts. A number from
// outside that is changed by what it is itself (`if (n > 64) n = 64;`,
// `n |= n >> 1`) is made, and so is one that is refused where it is read unless
// it is a multiple of something (`if (n % 32) exit(1);`).
CxOrigin cx_origin_of_changes(const CxUnit *unit, CxTokens tokens,
                              const char *name, CxOrigin before);

#endif
