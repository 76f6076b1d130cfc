// SPDX-License-Identifier: Apache-2.0
// What the rewriting of early returns asks about the statements of a kernel.
#ifndef HD_CUDA_REWRITE_CU_EXIT_FACTS_H
#define HD_CUDA_REWRITE_CU_EXIT_FACTS_H

#include "cuda/form/cu.h"

typedef struct {
  CuContext *cu;
  Map wide;         // groups that are the block or hold it
  Map varies;       // variables that may differ between threads
  Map guarded;      // variables that only active threads set
  uint32_t n_calls; // around the function that it is about
} CuExitFacts;

// Finds groups and variables.
void cu_exit_facts_init(CuExitFacts *facts, CuContext *cu,
                        const CuStmtVec *items);

// Those of a function's body, as it is called.
void cu_exit_facts_of_call(CuExitFacts *facts, const CuExitFacts *caller,
                           const Decl *function, const ExprList *args);

typedef enum {
  CU_BARRIER_NONE,
  CU_BARRIER_SYNC, // sync(g) of the block or a wider group, and no other
  CU_BARRIER_OTHER // one whose value counts, or in a function that is called
} CuBarrier;

CuBarrier cu_exit_barrier(const CuExitFacts *facts, const Stmt *stmt);
CuBarrier cu_exit_expr_barrier(const CuExitFacts *facts, const Expr *expr);
// The statement is nothing but sync(g).
bool cu_exit_is_sync(const CuExitFacts *facts, const Stmt *stmt);
bool cu_exit_varies(const CuExitFacts *facts, const Expr *expr);
// No effect, no load, no trap, and nothing that only active threads set. NULL
// is pure.
bool cu_exit_is_pure(const CuExitFacts *facts, const Expr *expr);
// Behind the last barrier of all threads.
uint32_t cu_exit_tail(const CuExitFacts *facts, StmtList items);
bool cu_exit_has_return(const Stmt *stmt);
bool cu_exit_returns_value(const Stmt *stmt);
// break or continue that leaves `stmt`.
bool cu_exit_has_jump(const Stmt *stmt);
bool cu_exit_uses(const Stmt *stmt, const char *name);
// Adds a name to the variables that only active threads set.
void cu_exit_guard_name(CuExitFacts *facts, const char *name);
// The statement or what it holds sets a variable that `used` names. NULL: no.
bool cu_exit_sets(const Stmt *stmt, const Expr *used);
// A function of the output that has a body; NULL: none.
const Decl *cu_exit_function(const CuContext *cu, const char *name);
// The name that is called; NULL: none.
const char *cu_exit_callee(const Expr *call);
// uniform(g, c) is c where a vote finds it out, or nobody waits for the others.
Expr *cu_exit_without_statement(Expr *expr);
// A group that is the block or holds it.
bool cu_exit_is_wide(const CuExitFacts *facts, const Expr *expr);
// Adds what `stmt` sets to `facts->guarded`.
void cu_exit_guard(CuExitFacts *facts, const Stmt *stmt);
// The variable that an assignment to `place` changes; NULL: memory.
const char *cu_exit_target(const Expr *place);

// --- cu_exit_find.c ---
// The statements of a block, or the one in `single`, which is `stmt`.
StmtList cu_exit_list(const Stmt *stmt, Stmt **single);
// if (c) return;  or  if (c) { …; return; }, in functions with a value.
bool cu_exit_is_exit(const CuExitFacts *facts, const Stmt *stmt);
// The first statement before `tail` with a return that some threads of a block
// may take and others not; `tail`: none.
uint32_t cu_exit_find(const CuExitFacts *facts, StmtList items, uint32_t tail);

#endif
