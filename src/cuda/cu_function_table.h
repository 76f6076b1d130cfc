// SPDX-License-Identifier: Apache-2.0
// Variables that are pointers to functions, and arrays of them, whose
// initialisers say which: nothing of them is left in Heddle C.
#ifndef HD_CUDA_CU_FUNCTION_TABLE_H
#define HD_CUDA_CU_FUNCTION_TABLE_H

#include "cuda/cu.h"

// A variable of the file or a class that begins with a function, which then
// stays. False: it is something else.
bool cu_known_function(CuContext *cu, CuEntity *entity, Span span,
                       CuValue *out);
// Whether a variable of the function is such an array, and needs no place.
bool cu_is_function_table(const CxDecl *decl, const CuType *type);
// table[i](…): one function where i is constant, else a choice between all.
// False: `expr` is no such call.
bool cu_call_table(CuContext *cu, const CxExpr *expr, CuValue *out);

#endif
