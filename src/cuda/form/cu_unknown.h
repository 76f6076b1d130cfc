// SPDX-License-Identifier: Apache-2.0
// Functions that the file only declares: calls of them can be checked, not run.
#ifndef HD_CUDA_FORM_CU_UNKNOWN_H
#define HD_CUDA_FORM_CU_UNKNOWN_H

#include "cuda/form/cu.h"

// All that it can change is its result: no parameter leads to memory that it
// may write, and its result isn't memory either.
bool cu_may_be_unknown(const CuFunction *function);
// Its declaration takes the place of what was emitted: any result, no touches.
void cu_make_unknown(CuContext *cu, CuFunction *function);

#endif
