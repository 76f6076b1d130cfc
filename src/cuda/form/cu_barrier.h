// SPDX-License-Identifier: Apache-2.0
// Barriers: what names them, their counts, arrays of them in shared memory.
#ifndef HD_CUDA_FORM_CU_BARRIER_H
#define HD_CUDA_FORM_CU_BARRIER_H

#include "cuda/form/cu_value.h"

// init(&b, n) of a cuda::barrier: n is the count in its declaration.
CuValue cu_barrier_init(CuContext *cu, CuValues args, Span span);
// What isn't known as an mbarrier is told once.
void cu_refuse_barrier(CuContext *cu, Span span);
// A class that is an mbarrier.
const CuType *cu_barrier_record(CuContext *cu);
// A class that no declaration makes, which is `opaque` in Heddle C; made once,
// in `*made`.
const CuType *cu_opaque_type(CuContext *cu, CuOpaque opaque, const char *shown,
                             const CuType **made);
// pointer[index] of a pointer to barriers; index NULL: 0.
Expr *cu_barrier_place(CuContext *cu, Expr *pointer, Expr *index, Span span);
bool cu_is_barrier_pointer(const CuType *type);
// An array of barriers, or a place in one.
bool cu_is_barriers(const CuContext *cu, const CuValue *value);
// A reference or pointer to a barrier is another name of it from here on;
// false: it is none, or to a place that can't be named so.
bool cu_bind_barrier(CuContext *cu, CuVariable *variable, CuValue value,
                     Span span);
// cuda::barrier, or what is one of the classes and words that are mbarriers.
bool cu_is_barrier(const CuType *type);
// What is declared as this type and gets an mbarrier is told if it is a copy.
bool cu_refuse_barrier_copy(CuContext *cu, const CuType *type, Span span);
// An index that may change later is kept in a variable.
Expr *cu_pinned_index(CuContext *cu, Expr *index, Span span);
// The same value where both stand.
bool cu_same_expr(const CuContext *cu, const Expr *a, const Expr *b);
// A class, or an array of it, with members that are mbarriers.
bool cu_has_barriers(CuContext *cu, const CuType *type);
// An object of it in shared memory, or a pointer to one.
bool cu_holds_barriers(CuContext *cu, const CuValue *object);
// A member that is an mbarrier, or an array of them; false: it is none.
bool cu_member_barrier(CuContext *cu, const CuValue *object,
                       const CuField *field, Span span, CuValue *out);
// The array of barriers at a place of shared memory, which becomes a variable
// of the name if it isn't one yet. NULL: told.
CuVariable *cu_barriers_at(CuContext *cu, CuMemberBarrier *wanted,
                           const char *name, Span span);
// As what a member of this type is stored.
const CuType *cu_stored_type(CuContext *cu, const CuType *type);
// The barriers that a call gives to a function which makes a pipeline and has
// been called before; NULL: that can't be (reported).
CuVariable *cu_barriers_again(CuContext *cu, const CuVariable *earlier,
                              Span span);
// The mbarrier in the type of a declaration, NULL: there is none.
TypeSyntax *cu_barrier_type(const Decl *decl);
// The variable's initialiser stands for it here; whether it then changed after
// all, is told at the end.
void cu_fix(CuContext *cu, const CuName *name, Span span);
void cu_check_fixed(CuContext *cu);
// An expression for a barrier's count, in terms of what stands before all
// declarations. False: it isn't one.
bool cu_resolve_count(CuContext *cu, Expr **place);

#endif
