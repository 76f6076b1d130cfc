// SPDX-License-Identifier: Apache-2.0
// Which memory pointers point to, as far as the translator needs to know: CUDA
// doesn't say it in types.
#ifndef HD_CUDA_FORM_CU_SPACE_H
#define HD_CUDA_FORM_CU_SPACE_H

#include "cuda/form/cu.h"

// Sets of these; 0: unknown.
enum {
  CU_SPACE_GLOBAL = 1,
  CU_SPACE_SHARED = 2,
  CU_SPACE_CONSTANT = 4,
  CU_SPACE_LOCAL = 8,
};

// Where the object is that an expression names or points to.
uint32_t cu_spaces(const CuContext *cu, const Expr *expr);
// The variable gets this value.
void cu_note_spaces(CuContext *cu, CuName *name, const Expr *value);
// Likewise an element of an array of pointers.
void cu_note_element_spaces(CuContext *cu, const Expr *place,
                            const Expr *value);
// States what pointers point to that are elements or lie in shared memory, and
// declares those to several spaces `generic`.
void cu_finish_spaces(CuContext *cu);
// Sema found that pointers to several meet there (CUDA_HELD_...).
bool cu_is_held_open(const CuContext *cu, const char *tag, Span span);
// A pointer that sema found to lead into several is declared `generic`.
void cu_hold_pointer(const CuContext *cu, TypeSyntax *type, Span name_span);
// The sides of the choice between pointers at this span: casts where their
// spaces differ.
void cu_join_spaces(CuContext *cu, const CuType *type, Span span, Expr **a,
                    Expr **b);

// --- volatile (cu_volatile.c) ---
// A place of volatile type that isn't in shared memory: its accesses become
// relaxed atomics, so that no loop keeps what it has read.
void cu_note_volatile(CuContext *cu, const CuValue *place);
void cu_fix_volatile(CuContext *cu, Stmt *body);
// So does the load of this place, of which nothing else is changed.
void cu_note_guess(CuContext *cu, const Expr *place);
// Finds those: Note [Loads before a compare and swap].
void cu_find_guesses(CuContext *cu, const Stmt *body);

#endif
