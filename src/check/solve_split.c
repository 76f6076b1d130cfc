// SPDX-License-Identifier: Apache-2.0
#include "check/solve_parts.h"

SolveStatus solve_split(Query *query, TermModel *model, bool with_all) {
  (void)query;
  (void)model;
  (void)with_all;
  return SOLVE_UNKNOWN;
}
