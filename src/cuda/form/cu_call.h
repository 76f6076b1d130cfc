// SPDX-License-Identifier: Apache-2.0
// Calls whose body takes their place.
#ifndef HD_CUDA_FORM_CU_CALL_H
#define HD_CUDA_FORM_CU_CALL_H

#include "cuda/form/cu_value.h"

// The expression of a body that is `return e;`, else NULL.
const CxExpr *cu_only_return(const CxBody *body);
// What all returns in its body refer to: the object (0), a parameter (1 …); or
// -1.
int cu_returned_param(CuContext *cu, const CuFunction *function,
                      const CxStmt *block);
// A function that gives a reference and returns at its end: its expression
// takes the place of the call. False: it isn't one.
bool cu_inline_call(CuContext *cu, CuFunction *function, CuValue *object,
                    CuValues args, Span span, CuValue *out);
// A call that is a statement of its own, of a function that changes pointers of
// the caller: its body is added. False: it isn't one.
bool cu_inline_statement(CuContext *cu, CuFunction *function,
                         const CuValue *object, CuValues args, Span span);
// A call of the function that has the body.
CuValue cu_call_body(CuContext *cu, CuFunction *function, CuValue *object,
                     CuValues args, Span span);
// How a parameter is declared in the output: by pointer or by value.
bool cu_is_by_pointer(const CuFunction *function, uint32_t param);
bool cu_is_memory_place(const CuValue *value);

#endif
