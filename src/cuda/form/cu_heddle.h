// SPDX-License-Identifier: Apache-2.0
// What headers say in Heddle C.
#ifndef HD_CUDA_FORM_CU_HEDDLE_H
#define HD_CUDA_FORM_CU_HEDDLE_H

#include "cuda/form/cu_value.h"

bool cu_is_heddle(const CuFunction *function);
CuValue cu_heddle_call(CuContext *cu, CuFunction *function, CuValue *object,
                       CuValues args, Span span);
// E where its names are bound.
Expr *cu_heddle_expr(CuContext *cu, const CxExpr *expr);
CuValue cu_heddle_variable(CuContext *cu, CuEntity *entity, Span span);
bool cu_heddle_only_group(CuContext *cu, CuRecord *record, Span span,
                          CuValue *out);
// The name of a function for an operator of reductions; NULL: it is none.
Expr *cu_operator_argument(CuContext *cu, CuValue value, const CuType *element);
// A function T f(T, T) that calls a lambda or an object (cu_lambda.c).
Expr *cu_operator_function(CuContext *cu, CuValue value, const CuType *element);

#endif
