// SPDX-License-Identifier: Apache-2.0
// Bodies: statements, loops, constructors.
#ifndef HD_CUDA_FORM_CU_BODY_H
#define HD_CUDA_FORM_CU_BODY_H

#include "cuda/form/cu_value.h"

// The statements of a body into `out`, in a frame that is set up.
void cu_translate_body(CuContext *cu, const CxStmt *block, CuStmtVec *out);
void cu_statement(CuContext *cu, const CxStmt *stmt);
void cu_return(CuContext *cu, const CxStmt *stmt);
void cu_range_for(CuContext *cu, const CxStmt *stmt);
// for (int counter = from; counter < to; counter++), without a body.
Stmt *cu_counting_loop(CuContext *cu, CuVariable *counter, int64_t from,
                       int64_t to, Span loop, Span span);
// Gives the members of a new variable, or of its elements, values that have
// them by a default or by a constructor of theirs; the others stay unset.
void cu_make_members(CuContext *cu, CuVariable *object, const CuType *type,
                     Span span);
// The body of a constructor, which gives the object.
void cu_constructor_body(CuContext *cu, CuFunction *function,
                         const CxBody *body, CuStmtVec *out);
// A statement as the body of a loop.
Stmt *cu_body_statement(CuContext *cu, const CxStmt *stmt);

#endif
