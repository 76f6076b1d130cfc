// SPDX-License-Identifier: Apache-2.0
// Inline assembly: what of PTX has a counterpart in Heddle C.
#ifndef HD_CUDA_FORM_CU_ASM_H
#define HD_CUDA_FORM_CU_ASM_H

#include "cuda/form/cu.h"

void cu_asm(CuContext *cu, const CxStmt *stmt);

#endif
