// SPDX-License-Identifier: Apache-2.0
// Variables that are pointers to functions, and arrays of them, whose
// initialisers say which: nothing of them is left in Heddle C.
#ifndef HD_CUDA_FORM_CU_FUNCTION_TABLE_H
#define HD_CUDA_FORM_CU_FUNCTION_TABLE_H

#include "cuda/form/cu.h"

// A variable of the file or a class that begins with a function, which then
// stays. False: it is something else.
bool cu_known_function(CuContext *cu, CuEntity *entity, Span span,
                       CuValue *out);
// Whether a variable of the function is such an array, and needs no place.
bool cu_is_function_table(const CxDecl *decl, const CuType *type);
// What it holds, from its declaration on.
void cu_hold_functions(CuContext *cu, const CxDecl *decl, const CuType *type,
                       CuVariable *variable);
// fn p = c ? f : g; where only the run knows `c`: a number stands for the
// function. `type`: NULL for auto. False: it is something else.
bool cu_declare_choice(CuContext *cu, CxDecl *decl, const CuType *type);
// Whether `expr` is a function's name, or a choice that begins with one.
bool cu_begins_with_function(CuContext *cu, const CxExpr *expr);
// table[i](…), (c ? f : g)(…): one function where i is constant, else a choice
// between all. False: `expr` is no such call.
bool cu_call_table(CuContext *cu, const CxExpr *expr, CuValue *out);

#endif
