// SPDX-License-Identifier: Apache-2.0
// Bounds of sums; for solve_reduce.c and solve_stride.c.
#ifndef HD_CHECK_SOLVE_SOLVE_BOUNDS_H
#define HD_CHECK_SOLVE_SOLVE_BOUNDS_H

#include "check/solve/solve_parts.h"
#include <stdlib.h>

// low <= form <= high by the conditions of the query; INT64_MIN/MAX: open. The
// form has no number and its first coefficient is positive.
typedef struct {
  const Term *form;
  int64_t low, high;
  const Term *image; // of a symbol that was narrowed
} Bound;

typedef struct {
  Map by_form;
  hd_vec(Bound *) list;
} Bounds;

Bound *bounds_find(Bounds *bounds, const Term *form);
// One round of splitting bounded sums into smaller ones by their strides; true:
// something changed.
bool solve_strides(Query *query, const Bounds *bounds);

#endif
