// SPDX-License-Identifier: Apache-2.0
// Numbers of host code that a condition chooses, in an expression or a branch.
#ifndef HD_CUDA_HOST_CU_HOST_CEILING_H
#define HD_CUDA_HOST_CU_HOST_CEILING_H

#include "cuda/host/cu_host.h"

const CxExpr *cu_host_strip_casts(const CxExpr *expr);
bool cu_host_is_int(const CxExpr *expr, uint64_t value);
bool cu_host_is_binary(const CxExpr *expr, BinaryOp op);

// a / b + (a % b > 0); NULL: it is something else.
const CuHost *cu_host_ceiling_sum(CuHostReader *reader, const CxExpr *expr);
// test ? if_true : if_false; NULL: not known.
const CuHost *cu_host_choice(CuHostReader *reader, const CxExpr *test,
                             const CxExpr *if_true, const CxExpr *if_false);
// What a branch gave the place last, whose variable is `local` (NULL: a
// parameter); NULL: not known.
const CuHost *cu_host_in_branch(CuHostReader *reader, const CxPlace *place,
                                const CxHostVar *local);

#endif
