// SPDX-License-Identifier: Apache-2.0
// Making the translation of CUDA C look like Heddle C that people write. The
// translation is exact about types, which readers don't need where the value is
// the same.
#ifndef HD_CONVERT_CONVERT_TIDY_H
#define HD_CONVERT_CONVERT_TIDY_H

#include "base/intern.h"
#include "base/map.h"
#include "base/vec.h"
#include "syntax/ast.h"

typedef struct {
  const char *name;
  const TypeSyntax *type; // NULL: several of one name differ in it
  bool may_be_negative;
} TidyVar;

typedef struct {
  Arena *arena;
  Interner *names;
  AstUnit *unit;
  Map functions;         // name -> Decl
  Map globals;           // name -> TidyVar
  Map locals;            // of the function that is looked at
  const Decl *within;    // that function
  bool is_flat;          // blocks of all kernels have one dimension
  hd_vec(Expr *) wholes; // whole_warp, whole_partition, where they stand
} Tidy;

// What a call is about: the name of its callee, or "".
const char *tidy_callee(const Expr *expr);
bool tidy_is_call_of(const Expr *expr, const char *name);
// At the top of the unit.
bool tidy_is_declared(const Tidy *tidy, const char *name);

// --- tidy_types.c
void tidy_start(Tidy *tidy, Arena *arena, Interner *names, AstUnit *unit);
void tidy_enter(Tidy *tidy, const Decl *function);
// C's type of an expression; -1: not a number, or not known.
int tidy_type(const Tidy *tidy, const Expr *expr);
int tidy_builtin(const TypeSyntax *type);
bool tidy_is_pointer(const Tidy *tidy, const Expr *expr);
// No value of it is below 0, as far as it can be seen: parameters are sizes.
bool tidy_is_natural(const Tidy *tidy, const Expr *expr);
// thread_index().x, rank(g) and their kin: int, of a value that is never
// negative.
bool tidy_is_position(const Expr *expr);
// The size of a group less 1.
bool tidy_is_last(const Expr *expr);

// --- tidy_casts.c: casts and words
void tidy_casts(Tidy *tidy);
// --- tidy_clause.c: clauses and extents of a kernel, in which nothing wraps
void tidy_clauses(Tidy *tidy, const Decl *kernel);
// --- tidy_words.c: what is shorter said otherwise, of one expression
void tidy_word(Tidy *tidy, Expr *expr);
// --- tidy_block.c: variables that were declared together, branches not taken
// Names, numbers, positions, and what operators make of them.
bool tidy_is_pure(const Expr *expr);
void tidy_block(Tidy *tidy, StmtList *items);
// --- tidy_fold.c: what constants decide
// A condition of constants becomes `true` or `false`.
void tidy_condition(Expr *expr);
// The branch that is taken, of an `if` whose condition is such; NULL: none is.
Stmt *tidy_chosen(Stmt *stmt);
// --- tidy_unused.c: declarations that nothing needs
void tidy_unused(Tidy *tidy);

#endif
