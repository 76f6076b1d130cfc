// SPDX-License-Identifier: Apache-2.0
// What must hold where a host function makes a launch: conditions of the
// statements around it, of those that leave before, and of assertions.
#ifndef HD_CUDA_HOST_CX_GUARDS_H
#define HD_CUDA_HOST_CX_GUARDS_H

#include "cxx/cx_ast.h"

typedef struct {
  CxTokens condition; // empty: none
  CxTokens label;     // not empty: what the condition is equal to, of a `case`
  bool is_false;      // it doesn't hold
  bool is_constant;   // of `if constexpr`
  // A `for` whose variable is multiplied or divided in each turn by a power of
  // two (`doubles`), or grows or falls by a number; NULL: none.
  const char *counter;
  bool doubles, grows;
  bool shrinks;   // it falls, or is divided while it is positive
  CxTokens first; // its initialiser
} CxGuard;

typedef hd_vec(CxGuard) CxGuards;

// Those of the token `at` in the body, outermost first. Nothing behind a
// condition changes a variable that it names, up to `at`.
void cx_find_guards(const CxUnit *unit, const CxDecl *function, uint32_t at,
                    CxGuards *out);

// Behind the outermost loop that begins at or behind the token `from` and holds
// the token `at`; `at` if there is none.
uint32_t cx_behind_loops(const CxUnit *unit, uint32_t from, uint32_t at);

#endif
