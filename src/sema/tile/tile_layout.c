// SPDX-License-Identifier: Apache-2.0
// relayout(t, L): the same tile, which threads are to hold in another way. What
// has no threads, as CPUs and the interpreter, only checks the layout.
#include "sema/tile.h"

#include <string.h>

// The fragments of matrix units, which are matrices.
static const char *const fragments[] = {"mma_a", "mma_b", "mma_c", "wgmma_a",
                                        "wgmma_c"};

static TExpr *tile_layout_poison(const BuiltinCall *call) {
  return build_poison(call->cx, call->span);
}

static bool is_fragment(const Expr *expr) {
  for (size_t i = 0; i < sizeof fragments / sizeof *fragments; i++)
    if (expr->kind == EXPR_NAME && strcmp(expr->u.name, fragments[i]) == 0)
      return true;
  return false;
}

static bool is_blocked(const Expr *expr) {
  const Expr *callee = expr->kind == EXPR_CALL ? expr->u.call.callee : NULL;
  return callee && callee->kind == EXPR_NAME &&
         strcmp(callee->u.name, "blocked") == 0;
}

static bool tile_layout_refuse(const BuiltinCall *call, const Expr *expr,
                               const char *problem) {
  SemaContext *cx = call->cx;
  SEMA_ERROR(cx, expr->span, tile_layout, DS(sema_source_text(cx, expr->span)),
             DS(problem));
  return false;
}

// blocked(a, b, …): so many elements a thread along each axis, which divide
// what the axis has.
static bool check_blocked(const BuiltinCall *call, const Expr *expr,
                          const Type *type) {
  SemaContext *cx = call->cx;
  const ExprList *args = &expr->u.call.args;
  if (args->count != type->u.tile.rank)
    return tile_layout_refuse(call, expr,
                              sema_format(cx,
                                          "it names %u axes, the tile has %u",
                                          args->count, type->u.tile.rank));
  for (uint32_t i = 0; i < args->count; i++) {
    int64_t n;
    if (!check_const_int(cx, args->data[i], "the elements of a thread", &n))
      return false;
    if (n < 1 || type->u.tile.extents[i] % n != 0)
      return tile_layout_refuse(
          call, args->data[i],
          sema_format(cx,
                      "%lld elements a thread don't divide the %u of axis "
                      "%u",
                      (long long)n, type->u.tile.extents[i], i));
  }
  return true;
}

static bool tile_layout_check(const BuiltinCall *call, const Type *type) {
  const Expr *expr = call->args->data[1];
  if (is_blocked(expr))
    return check_blocked(call, expr, type);
  if (!is_fragment(expr)) {
    if (expr->kind != EXPR_POISON)
      SEMA_ERROR(call->cx, expr->span, argument_word, DU(2), DS(call->name),
                 DS("mma_a, mma_b, mma_c, wgmma_a, wgmma_c and blocked(…)"));
    return false;
  }
  return type->u.tile.rank == 2 ||
         tile_layout_refuse(call, expr,
                            sema_format(call->cx,
                                        "it is of matrices, the tile has %u "
                                        "dimension%s",
                                        type->u.tile.rank,
                                        text_plural(type->u.tile.rank)));
}

// relayout(t, L)
TExpr *tile_rule_relayout(const BuiltinCall *call) {
  if (!builtin_takes(call, 2, 2))
    return tile_layout_poison(call);
  TExpr *value = tile_moved_argument(call, 0);
  return value && tile_layout_check(call, value->type)
             ? value
             : tile_layout_poison(call);
}
