// SPDX-License-Identifier: Apache-2.0
// Thread loops: `thread for`, and `parallel for` in its three roles.
#ifndef HD_SEMA_THREAD_LOOP_H
#define HD_SEMA_THREAD_LOOP_H

#include "sema/context.h"

// The header of a thread loop, checked: for (T i = lo; i < hi; i += step).
typedef struct {
  const char *word; // "thread for"
  const Stmt *stmt;
  TVar *var;
  TExpr *lo, *hi; // of var's type
  int64_t step;
  int64_t iterations; // -1: not constant
} LoopHeader;

// Declares the variable in the innermost scope (the caller's). False when the
// header was wrong; the variable is declared if it could be.
bool check_loop_header(SemaContext *cx, const Stmt *stmt, const char *word,
                       LoopHeader *out);
// The statement without form and body.
TStmt *build_thread_loop(SemaContext *cx, const LoopHeader *header,
                         TStmtKind kind);
// Checks the body as that of a thread loop run by `group`.
TStmt *check_thread_body(SemaContext *cx, const LoopHeader *header,
                         const Stmt *body, GroupState group);
void check_claims(SemaContext *cx, const Stmt *stmt, TStmt *out);

// --- loop kernels (loop_kernel.c) ---

// The nest that is the whole body of a kernel: the outermost loop, or NULL.
const Stmt *find_nest(const Stmt *body);
// Does the statement, or a function called in it, use threads as such?
bool uses_threads(SemaContext *cx, const Stmt *stmt);
// Likewise, but to name the block is no use.
bool uses_single_threads(SemaContext *cx, const Stmt *stmt);
// May the nest be flat, see language reference "parallel for"?
bool is_flat_nest(SemaContext *cx, const Stmt *nest);
// The body of a loop kernel.
TStmt *check_flat_nest(SemaContext *cx, const Stmt *nest);
TStmt *check_grid_nest(SemaContext *cx, const Stmt *nest, TKernel *kernel);
// A loop over threads with a constant number of iterations was met.
void note_thread_trip(SemaContext *cx, const LoopHeader *header);
// The threads of a block that the loops ask for; false (reported) when they
// don't agree or say nothing.
bool decide_block_size(SemaContext *cx, const Decl *kernel, int64_t *threads);

#endif
