// SPDX-License-Identifier: Apache-2.0
// What the arguments of a call lead to.
#ifndef HD_CUDA_FORM_CU_BY_ARGUMENTS_H
#define HD_CUDA_FORM_CU_BY_ARGUMENTS_H

#include "cuda/form/cu.h"

// Adds to `set` the functions of its name in the namespaces of the arguments'
// types, and friends of their classes.
void cu_add_by_arguments(CuContext *cu, CuOverloads *set, CuValues args);
// Drops all but functions.
void cu_keep_functions(CuEntityVec *found);

#endif
