// SPDX-License-Identifier: Apache-2.0
// Parameters of kernels, and structs with pointers in them: those are passed in
// pieces, since arguments are arrays or values.
//
// Note [Pieces]
// The member `p.x` is the parameter `p_x`, an element `p.size[2]` is
// `p_size_2`, and p is put together again where the kernel begins. Where an
// array without pointers has many elements it is one parameter, a struct around
// it.
#ifndef HD_CUDA_FORM_CU_PIECES_H
#define HD_CUDA_FORM_CU_PIECES_H

#include "cuda/form/cu.h"

// A pointer, or a class or an array with one in it.
bool cu_has_pointer(const CuType *type);

// Declares the parameter that `variable` is.
void cu_add_kernel_param(CuContext *cu, CuDeclVec *out, CuVariable *variable,
                         const CxDecl *written);

// What C++ says of the values of parameters that are enumerations.
void cu_bound_enums(CuContext *cu, CuClauseVec *clauses);

// The pieces of a parameter of class type, and a variable `name` of them. Where
// that can't be, it is reported and the variable is poison.
void cu_declare_pieces(CuContext *cu, const CuParam *param,
                       const CxDecl *written, const char *name, CuDeclVec *out);

#endif
