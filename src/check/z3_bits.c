// SPDX-License-Identifier: Apache-2.0
#include "check/z3_parts.h"

#ifdef HD_HAVE_Z3

SolveStatus z3_solve_bits(Query *query, TermModel *model) {
  (void)query;
  (void)model;
  return SOLVE_UNKNOWN;
}

#endif
