// SPDX-License-Identifier: Apache-2.0
// Lambdas, and functions as values.
#ifndef HD_CUDA_FORM_CU_LAMBDA_H
#define HD_CUDA_FORM_CU_LAMBDA_H

#include "cuda/form/cu_value.h"

// The name of a function as an object that can be called, for parameters of
// templates; other values stay.
CuValue cu_function_object(CuContext *cu, CuValue value);
bool cu_is_function_pointer(const CuType *type);
// The name of a function as a pointer of type `to`, NULL: auto. What is none
// stays as it is.
CuValue cu_function_constant(CuContext *cu, CuValue value, const CuType *to);
// Parameters and result of what has the type of a named function; NULL: they
// aren't known.
const CuType *cu_signature(CuContext *cu, const CuType *type);
// Where a value is copied: a mutable lambda is refused.
void cu_refuse_mutable(CuContext *cu, CuValue value);
CuValue cu_call_closure(CuContext *cu, CuClosure *closure, CuValues args,
                        Span span);

#endif
