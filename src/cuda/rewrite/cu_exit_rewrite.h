// SPDX-License-Identifier: Apache-2.0
// What the files that rewrite early returns share: see Note [Early returns].
#ifndef HD_CUDA_REWRITE_CU_EXIT_REWRITE_H
#define HD_CUDA_REWRITE_CU_EXIT_REWRITE_H

#include "cuda/rewrite/cu_exit_facts.h"

typedef struct {
  CuContext *cu;
  CuExitFacts facts;
  CuName *active;      // of the variable that says who is still there
  uint32_t first_name; // in cu->output.all_names: of the kernel or function
  CuName *result;      // of the variable that holds it; NULL: none
  bool is_function;    // it returns to the kernel, nobody leaves
  bool may_leave;      // but nothing is done behind its call
  bool is_tail;        // nothing is done behind what is being rewritten
  bool votes;          // the loop around is one of cu_exit_vote_loop
  bool has_failed;
} CuExits;

// The statements of one list on their way: what only active threads do is
// collected in `run`.
typedef struct {
  const StmtList *items;
  uint32_t at, end; // of `items`: the next, and where the line ends
  CuStmtVec out, run;
  bool returns_value;
} CuLine;

Stmt *cu_exit_if(CuExits *cx, Expr *condition, const CuStmtVec *items,
                 Span span);
// The variable that says who is still there.
Expr *cu_exit_active(const CuExits *cx, Span span);
Expr *cu_present(CuExits *cx, Span span);
// Ends the run: if (active) { … }
void cu_exit_flush(CuExits *cx, CuLine *line);
void cu_exit_rewrite_item(CuExits *cx, CuLine *line, Stmt *stmt);
void cu_exit_rewrite_line(CuExits *cx, CuLine *line);
Stmt *cu_exit_rewrite_list(CuExits *cx, StmtList items, Span span);
// For a variable that is different from all of the kernel or function.
CuName *cu_exit_name(const CuExits *cx, const char *wanted);

// T name = init;
CuName *cu_exit_add_variable(CuExits *cx, CuLine *line, const char *wanted,
                             const TypeSyntax *type, Expr *init, Span span);

// --- cu_exit_vote.c ---
// A condition that only active threads may evaluate, as a vote of the block:
// all of them must agree, and the others follow. Adds what goes before to
// `line`.
Expr *cu_exit_vote(CuExits *cx, CuLine *line, Expr *condition);
// Likewise, and it holds also where nobody is active.
Expr *cu_exit_vote_out(CuExits *cx, CuLine *line, Expr *condition);
// An expression that all threads may evaluate: it is pure, or changes a
// variable of theirs by what is.
bool cu_exit_is_pure_step(const CuExitFacts *facts, const Expr *expr);
// while (true) { …; if (!vote) break; … }
Stmt *cu_exit_vote_loop(CuExits *cx, Stmt *loop);

// --- cu_exit_call.c ---
// Puts calls that hold a barrier of the block in front of the statement; one
// that is nothing else becomes empty.
void cu_exit_hoist(CuExits *cx, CuLine *line, Stmt *stmt);
// Likewise of an expression that is to be used next. Ends the run.
Expr *cu_exit_hoist_from(CuExits *cx, CuLine *line, Expr *expr);
void cu_exit_become_name(CuContext *cu, Expr *expr, CuName *name);

// --- cu_exit_choice.c ---
// Puts choices whose arms hold a barrier in front of the statement. Whether
// there were any.
bool cu_exit_lower_choices(CuExits *cx, CuLine *line, Stmt *stmt);

#endif
