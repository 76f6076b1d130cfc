// SPDX-License-Identifier: Apache-2.0
// Functions of host code that make several pointers of one.
#ifndef HD_CUDA_HOST_CU_SEVERAL_H
#define HD_CUDA_HOST_CU_SEVERAL_H

#include "cxx/cx_ast.h"

struct CxParser;

// The function, or constructor, may leave two pointers of what one of its
// parameters leads into, by itself or by functions that it passes it to.
bool cu_makes_several(const CxUnit *unit, const CxDecl *function);

#endif
