// SPDX-License-Identifier: Apache-2.0
// The barrier of a cluster in halves that no token joins: `c.barrier_arrive();`
// and `c.barrier_wait();`, `barrier.cluster.arrive` and `.wait`. A variable of
// the kernel, or of the function that has both, holds the token; which ways
// lead from one to the other is looked at where tokens are.
#ifndef HD_CUDA_FORM_CU_PHASE_H
#define HD_CUDA_FORM_CU_PHASE_H

#include "cuda/form/cu_value.h"

// An arrival of __heddle_phase_arrive, whose result nobody can have.
CuValue cu_phase_arrive(CuContext *cu, Span span);
// A wait of __heddle_phase_wait.
CuValue cu_phase_wait(CuContext *cu, Span span);

// Whether a value of this class is the group of a cluster.
bool cu_is_cluster(const CuType *type);
// The result of barrier_arrive() for that group, in `arrival`, is dropped: what
// stands instead. NULL: it was refused.
Expr *cu_phase_keep(CuContext *cu, Expr *arrival);
// What initialises the declared variable may be such a result.
void cu_phase_hold(CuContext *cu, const Expr *init, const CxDecl *decl);

// A function whose body has a half, or calls a function that has one and not
// the other: it takes the place of its call.
bool cu_has_phase(CuContext *cu, const CuFunction *function);

#endif
