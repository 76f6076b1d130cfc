// SPDX-License-Identifier: Apache-2.0
// Barriers that casts make of other shared memory: Note [Carved barriers].
#ifndef HD_CUDA_FORM_CU_CARVE_H
#define HD_CUDA_FORM_CU_CARVE_H

#include "cuda/form/cu_value.h"

// A cast of `from` to the pointer type `to` that gives a barrier; false: it
// gives none.
bool cu_carve_cast(CuContext *cu, const CuValue *from, const CuType *to,
                   Span span, CuValue *out);
// A pointer to a barrier, moved by a constant, may lead to another array of
// barriers than the one that it began in. False: it leads where it did.
bool cu_carve_moved(CuContext *cu, CuValue *pointer);
// Another name for a place among carved barriers.
void cu_carve_named(CuContext *cu, const CuValue *pointer);
// The barrier that a pointer leads to is initialised; false: it isn't one of
// those that are looked for.
bool cu_carve_begun(CuContext *cu, const Expr *pointer);
// What a translation that looked for them has found.
void cu_carve_regions(const CuWords *found, Arena *arena, CuWords *out);

// What holds where a statement is translated: see cu->barriers.guards.
void cu_push_guard(CuContext *cu, const Expr *condition);
void cu_pop_guard(CuContext *cu);

#endif
