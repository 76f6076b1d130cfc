// SPDX-License-Identifier: Apache-2.0
// What is known about a kernel's arguments: annotations in the source and
// assumptions from outside.
#ifndef HD_CUDA_CU_ASSUME_H
#define HD_CUDA_CU_ASSUME_H

#include "cuda/cu.h"

// `e <= len(x)` makes the parameter x an array of e elements; all else becomes
// a clause or, where it names gridDim or blockDim, an assumption at the start
// of the body.
void cu_add_assumptions(CuContext *cu, CuFunction *kernel, CuDeclVec *params,
                        const CudaTranslation *options, CuClauseVec *clauses);

#endif
