// SPDX-License-Identifier: Apache-2.0
// Conditions as Presburger sets: for isl_*.c of this room only.
//
// Every symbol is a dimension; so is every product, bit operation and element
// of a table, as an unknown integer.
#ifndef HD_CHECK_SOLVE_ISL_ENCODE_H
#define HD_CHECK_SOLVE_ISL_ENCODE_H

#include "check/solve/solve_parts.h"

#include <isl/point.h>
#include <isl/set.h>

// Beyond so many pieces isl takes long.
#define ISL_MAX_CHOICES 256

struct IslSolver {
  isl_ctx *context;
};

typedef struct {
  isl_ctx *context;
  TermTable *table;
  Arena *arena;
  Map dimensions; // MAP_KEY(term) -> address in `numbers` of its number
  TermList atoms; // by dimension
  uint32_t *numbers;
  isl_local_space *space;
  uint32_t n_choices; // product over all conditions
} IslSpace;

// The solver's context, made when it is first asked for.
isl_ctx *isl_context_of(Solver *solver);
// What becomes a dimension.
bool isl_is_dimension(const Term *term);
// Notes the dimensions of the condition and its choices, from 1 on; a term with
// this stamp is known. The stamp is a new one of the table's.
void isl_note(IslSpace *q, const Term *term, uint32_t stamp);
// Behind the last isl_note: the space, with a dimension for each atom.
void isl_space_begin(IslSpace *q);
void isl_space_end(IslSpace *q);
isl_set *isl_universe(IslSpace *q);
isl_set *isl_encode(IslSpace *q, const Term *condition);
// The ranges of the dimensions from `first` on.
isl_set *isl_box(IslSpace *q, uint32_t first);
// Values of the symbols at the point, in `arena`; false: one isn't a 64-bit
// number.
bool isl_read_point(const IslSpace *q, Arena *arena, isl_point *point,
                    TermModel *model);

#endif
