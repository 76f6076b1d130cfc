// SPDX-License-Identifier: Apache-2.0
// What is known about a kernel's arguments: annotations in the source and
// assumptions from outside.
#ifndef HD_CUDA_FORM_CU_ASSUME_H
#define HD_CUDA_FORM_CU_ASSUME_H

#include "cuda/form/cu.h"

// `e <= len(x)` makes the parameter x an array of e elements; all else becomes
// a clause or, where it names gridDim or blockDim, an assumption at the start
// of the body. Returns how many statements at the start of `body` (a COMPOUND)
// were such, and aren't to be translated.
uint32_t cu_add_assumptions(CuContext *cu, CuFunction *kernel,
                            CuDeclVec *params, const CxStmt *body,
                            const CudaTranslation *options,
                            CuClauseVec *clauses);

#endif
