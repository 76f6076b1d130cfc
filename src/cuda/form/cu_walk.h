// SPDX-License-Identifier: Apache-2.0
// Visiting a tree of Heddle C, each node before what it holds.
#ifndef HD_CUDA_FORM_CU_WALK_H
#define HD_CUDA_FORM_CU_WALK_H

#include "syntax/ast.h"

// Put it first in a struct of one's own. A function may be NULL.
typedef struct CuWalk {
  void (*on_expr)(struct CuWalk *walk, const Expr *expr);
  void (*on_stmt)(struct CuWalk *walk, const Stmt *stmt);
  void (*on_decl)(struct CuWalk *walk, const Decl *decl);
} CuWalk;

// NULL is accepted.
void cu_walk_expr(CuWalk *walk, const Expr *expr);
void cu_walk_stmt(CuWalk *walk, const Stmt *stmt);

#endif
