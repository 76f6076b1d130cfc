// SPDX-License-Identifier: Apache-2.0
// Members that are defined outside of their class.
#ifndef HD_CUDA_FORM_CU_OUTSIDE_H
#define HD_CUDA_FORM_CU_OUTSIDE_H

#include "cuda/form/cu.h"

// The definition outside of its class that a member has in this instance, a
// function or a variable (`function` NULL), and the scope in which its names
// are looked up. NULL: there is none.
CuScope *cu_outside(CuContext *cu, CuEntity *member, const CuFunction *function,
                    CxDecl **definition);

#endif
