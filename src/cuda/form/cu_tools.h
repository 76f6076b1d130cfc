// SPDX-License-Identifier: Apache-2.0
// Annotations of verification tools for CUDA.
#ifndef HD_CUDA_FORM_CU_TOOLS_H
#define HD_CUDA_FORM_CU_TOOLS_H

#include "cxx/cx_ast.h"

// A call that only means something to such a tool: it is read, and left out.
// `__invariant(…)` and its kin; also `__assert(E)`, `__assume(E)` and
// `__requires(E)` where E asks what a tool has recorded: `__no_read(p)`.
bool cu_is_for_tools(const CxExpr *call);

#endif
