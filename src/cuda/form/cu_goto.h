// SPDX-License-Identifier: Apache-2.0
#ifndef HD_CUDA_FORM_CU_GOTO_H
#define HD_CUDA_FORM_CU_GOTO_H

#include "cuda/form/cu.h"

// Statements of a block whose labels stand among them: each `goto` to one that
// stands before it is gone, and so are the labels. What is left is told by
// cu_refuse_gotos.
void cu_place_labels(CuContext *cu, CuStmtVec *items);
// The same of a kernel: where nothing stands behind a label, its `goto`s
// return.
void cu_place_last_labels(CuContext *cu, CuStmtVec *items);
void cu_refuse_gotos(CuContext *cu, const CuStmtVec *items);

#endif
