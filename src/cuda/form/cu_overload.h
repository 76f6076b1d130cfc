// SPDX-License-Identifier: Apache-2.0
// Choosing among overloads, and calls that are constants.
#ifndef HD_CUDA_FORM_CU_OVERLOAD_H
#define HD_CUDA_FORM_CU_OVERLOAD_H

#include "cuda/form/cu_value.h"

// The best for these arguments; NULL: reported.
CuFunction *cu_choose(CuContext *cu, CuOverloads *set, const CuValue *object,
                      CuValues args, Span span);
// NULL: none fits, nothing is reported.
CuFunction *cu_choose_quietly(CuContext *cu, CuOverloads *set,
                              const CuValue *object, CuValues args,
                              bool with_user);
// The operator for these operands among both; NULL: the built-in one.
CuFunction *cu_choose_operator(CuContext *cu, CuOverloads *members,
                               CuOverloads *free_ones, CuValues args);
// A call that is a constant: only `constant` of *out is set. False: it isn't.
bool cu_constexpr_call(CuContext *cu, const CuFunction *function, CuValues args,
                       CuValue *out);

#endif
