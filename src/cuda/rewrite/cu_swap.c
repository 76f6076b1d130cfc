// SPDX-License-Identifier: Apache-2.0
// Note [Loads before a compare and swap]
// Every loop of CUDA around atomicCAS, that of its guide, too, begins with an
// ordinary load of what it is going to swap:
//
//     unsigned old = *p, seen;
//     do {
//       seen = old;
//       old = atomicCAS(p, seen, f(seen));
//     } while (seen != old);
//
// What other threads swap meanwhile makes that a data race by the letter. But
// whatever the load gives is only a guess that the swap tests. So the load is a
// relaxed atomic one here, as it is for who wrote it, in its effect as in what
// the checker sees. Which ones: a variable gets the place that is swapped, and
// what is expected there is this variable, or one that got its value.
#include "cuda/form/cu_barrier.h"
#include "cuda/form/cu_names.h"
#include "cuda/form/cu_space.h"
#include "cuda/form/cu_walk.h"

#include <string.h>

typedef struct {
  CuWalk walk;
  CuContext *cu;
  hd_vec(const Expr *) swaps;
  hd_vec(const CuName *) guesses; // of the swap that is looked at
  const Expr *place;              // what it swaps; or its address
  bool is_address, grew;
} Finder;

// (T)x, and f(x), which sees the same bits as another type.
static const Expr *swap_inside(const Expr *expr) {
  for (;;) {
    if (expr->kind == EXPR_CAST)
      expr = expr->u.cast.operand;
    else if (expr->kind == EXPR_CALL && expr->u.call.args.count == 1)
      expr = expr->u.call.args.data[0];
    else
      return expr;
  }
}

static const CuName *swap_name_of(const Finder *finder, const Expr *expr) {
  expr = swap_inside(expr);
  return expr->kind == EXPR_NAME ? cu_outermost_name(finder->cu, expr) : NULL;
}

static bool is_guess(const Finder *finder, const CuName *name) {
  for (uint32_t i = 0; i < finder->guesses.count; i++) {
    if (finder->guesses.data[i] == name)
      return true;
  }
  return false;
}

static bool is_declared_by(const CuName *name, const Decl *decl) {
  for (uint32_t i = 0; i < name->slots.count; i++) {
    if (name->slots.data[i] == &decl->name)
      return true;
  }
  return false;
}

static bool swap_is_place(const Finder *finder, const Expr *expr) {
  if (!finder->is_address)
    return cu_same_expr(finder->cu, expr, finder->place);
  return expr->kind == EXPR_UNARY && expr->u.unary.op == UNARY_DEREF &&
         cu_same_expr(finder->cu, expr->u.unary.operand, finder->place);
}

// A guess gets this value.
static void swap_note_value(Finder *finder, const Expr *value) {
  const CuName *name = swap_name_of(finder, value);
  if (name && !is_guess(finder, name)) {
    VEC_PUSH(finder->cu->arena, &finder->guesses, name);
    finder->grew = true;
  }
  value = swap_inside(value);
  if (swap_is_place(finder, value))
    cu_note_guess(finder->cu, value);
}

static void on_assignment(CuWalk *walk, const Expr *expr) {
  Finder *finder = (Finder *)walk;
  if (expr->kind != EXPR_ASSIGN || expr->u.assign.is_compound)
    return;
  const CuName *name = swap_name_of(finder, expr->u.assign.left);
  if (name && is_guess(finder, name))
    swap_note_value(finder, expr->u.assign.right);
}

static void on_declaration(CuWalk *walk, const Decl *decl) {
  Finder *finder = (Finder *)walk;
  if (decl->kind != DECL_VAR || !decl->u.var.init)
    return;
  for (uint32_t i = 0; i < finder->guesses.count; i++) {
    if (is_declared_by(finder->guesses.data[i], decl)) {
      swap_note_value(finder, decl->u.var.init);
      return;
    }
  }
}

static void on_call(CuWalk *walk, const Expr *expr) {
  Finder *finder = (Finder *)walk;
  if (expr->kind != EXPR_CALL || expr->u.call.args.count < 3)
    return;
  const Expr *callee = expr->u.call.callee;
  if (callee->kind == EXPR_NAME && callee->u.name &&
      strcmp(callee->u.name, "atomic_cas") == 0)
    VEC_PUSH(finder->cu->arena, &finder->swaps, expr);
}

static void find_guesses(Finder *finder, const Expr *swap, const Stmt *body) {
  const Expr *address = swap->u.call.args.data[0];
  const CuName *expected = swap_name_of(finder, swap->u.call.args.data[1]);
  if (!expected)
    return;
  while (address->kind == EXPR_CAST)
    address = address->u.cast.operand;
  finder->is_address =
      address->kind != EXPR_UNARY || address->u.unary.op != UNARY_ADDRESS;
  finder->place = finder->is_address ? address : address->u.unary.operand;
  finder->guesses.count = 0;
  VEC_PUSH(finder->cu->arena, &finder->guesses, expected);
  do {
    finder->grew = false;
    cu_walk_stmt(&finder->walk, body);
  } while (finder->grew);
}

void cu_find_guesses(CuContext *cu, const Stmt *body) {
  Finder finder = {.walk = {.on_expr = on_call}, .cu = cu};
  cu_walk_stmt(&finder.walk, body);
  finder.walk = (CuWalk){.on_expr = on_assignment, .on_decl = on_declaration};
  for (uint32_t i = 0; i < finder.swaps.count; i++)
    find_guesses(&finder, finder.swaps.data[i], body);
}
