// SPDX-License-Identifier: Apache-2.0
// What depends on the parameters of the templates around it: in an instance,
// names stand for what they are bound to, but C++ looks up what depends on them
// in another way than what doesn't.
#ifndef HD_CUDA_FORM_CU_DEPEND_H
#define HD_CUDA_FORM_CU_DEPEND_H

#include "cuda/form/cu.h"

// Both as written in the current scope, and where in doubt: true.
bool cu_type_depends(CuContext *cu, const CxType *type);
// Whether the type of `expr` does.
bool cu_expr_depends(CuContext *cu, const CxExpr *expr);
// Whether its template arguments do.
bool cu_args_depend(CuContext *cu, const CxNamePart *part);
// `scope` is of an instance of a template, or in one.
bool cu_is_of_template(const CuScope *scope);

#endif
