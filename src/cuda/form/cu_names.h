// SPDX-License-Identifier: Apache-2.0
// Names of the output: see Note [Names] in cu.h.
#ifndef HD_CUDA_FORM_CU_NAMES_H
#define HD_CUDA_FORM_CU_NAMES_H

#include "cuda/form/cu.h"

// A name for something at file scope, or inside the current function.
CuName *cu_new_name(CuContext *cu, const char *wanted, bool is_local);
// That of a parameter which only the output has: a user's own gives way.
CuName *cu_launch_name(CuContext *cu, const char *wanted);
// `slot` holds the name and is rewritten at the end. It must not move.
void cu_name_spelled(CuContext *cu, CuName *name, const char **slot);
// An EXPR_NAME that isn't put into the output after all.
void cu_name_unspelled(CuContext *cu, Expr *expr);
// Gives every name its final spelling.
void cu_finish_names(CuContext *cu);
// A name that can stand as the member of a struct.
const char *cu_field_name(CuContext *cu, const char *name);

// Words for names: "float", "unsigned_int", "Vec_int_3", "p_float" (pointer).
const char *cu_type_word(CuContext *cu, const CuType *type);
// name_arg_arg
const char *cu_args_word(CuContext *cu, const char *name, CuArgs args);
// Of a class or an enumeration: of one without a name that of the typedef
// around it, or "unnamed".
const char *cu_class_name(const CuEntity *entity);
// "ns::C<int>::name", where `entity` is declared as `name`.
const char *cu_full_name(CuContext *cu, const CuEntity *entity,
                         const char *name);
// "name<int, 3>", for people
const char *cu_shown_args(CuContext *cu, const char *name, CuArgs args);
// "operator+" -> "add"
const char *cu_operator_word(CuContext *cu, const char *name);

// The value of a template argument as users write it.
void cu_show_number(CuContext *cu, const CuArg *arg, Text *out);
// What a name stands for in the function that declares it; NULL: `expr` isn't
// one.
CuName *cu_outermost_name(const CuContext *cu, const Expr *expr);

#endif
