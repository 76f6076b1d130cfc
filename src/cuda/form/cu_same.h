// SPDX-License-Identifier: Apache-2.0
// Whether declarations are those of one function, by how they are written.
#ifndef HD_CUDA_FORM_CU_SAME_H
#define HD_CUDA_FORM_CU_SAME_H

#include "cuda/form/cu.h"

bool cx_same_type(const CxType *a, const CxType *b);
// Of one scope.
bool cx_same_function(const CxDecl *a, const CxDecl *b);
// A definition outside its class and the declaration in it, where template
// parameters may have other names.
bool cx_same_shape(const CxDecl *outside, const CxDecl *inside);
// An explicit specialisation is the one for this instance.
bool cu_specialises(CuContext *cu, CuEntity *special,
                    const CuFunction *function);

#endif
