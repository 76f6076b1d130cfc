// SPDX-License-Identifier: Apache-2.0
#include "cuda/form/cu_stated.h"

#include "cuda/form/cu_tree.h"
#include "cuda/rewrite/cu_exit_facts.h"

static bool is_about(const CudaStated *stated, Span span, Span whole) {
  Span at = stated->span;
  bool is_whole = at.begin == whole.begin && at.end == whole.end;
  return is_whole || (at.begin >= span.begin && at.end <= span.end);
}

static bool stated_holds_barrier(CuContext *cu, const Expr *expr) {
  CuExitFacts facts = {.cu = cu};
  return expr && cu_exit_expr_barrier(&facts, expr) != CU_BARRIER_NONE;
}

// Its left side decides.
static bool is_decided_before(CuContext *cu, const Expr *expr) {
  return expr->kind == EXPR_BINARY &&
         (expr->u.binary.op == BINARY_LOG_AND ||
          expr->u.binary.op == BINARY_LOG_OR) &&
         stated_holds_barrier(cu, expr->u.binary.right);
}

// The widest group over which it is stated; NULL: none.
static const CudaStated *stated_find(const CuContext *cu, Span span,
                                     Span whole) {
  const CudaStated *widest = NULL;
  for (uint32_t i = 0; i < cu->asked.n_stated; i++) {
    const CudaStated *stated = &cu->asked.stated[i];
    if (is_about(stated, span, whole) &&
        (!widest || stated->level < widest->level))
      widest = stated;
  }
  return cu->frame->is_unevaluated ? NULL : widest;
}

static Expr *stated_state(CuContext *cu, const CudaStated *stated,
                          Expr *condition, Span span) {
  static const char *const words[] = {
      [CUDA_LEVEL_GRID] = "this_grid",
      [CUDA_LEVEL_CLUSTER] = "this_cluster",
      [CUDA_LEVEL_BLOCK] = "this_block",
  };
  Expr *group = cu_word_call(cu, words[stated->level], NULL, NULL, span);
  return cu_word_call(cu, "uniform", group, condition, span);
}

static bool is_true_or_false(const Expr *expr) {
  if (expr->kind == EXPR_UNARY)
    return expr->u.unary.op == UNARY_NOT;
  if (expr->kind != EXPR_BINARY)
    return false;
  switch ((int)expr->u.binary.op) {
  case BINARY_LT:
  case BINARY_LE:
  case BINARY_GT:
  case BINARY_GE:
  case BINARY_EQ:
  case BINARY_NE:
  case BINARY_LOG_AND:
  case BINARY_LOG_OR: return true;
  default: return false;
  }
}

// Threads whose values are all other than zero agree.
static Expr *state_truth(CuContext *cu, const CudaStated *stated,
                         Expr *condition, Span span) {
  if (!is_true_or_false(condition))
    for (int i = 0; i < 2; i++)
      condition = cu_unary(cu, UNARY_NOT, condition, span);
  return stated_state(cu, stated, condition, span);
}

Expr *cu_stated(CuContext *cu, Expr *condition, Span span, Span whole) {
  const CudaStated *stated = condition ? stated_find(cu, span, whole) : NULL;
  return stated && !is_decided_before(cu, condition)
             ? state_truth(cu, stated, condition, span)
             : condition;
}

Expr *cu_stated_value(CuContext *cu, Expr *value, Span span, Span whole) {
  const CudaStated *stated = value ? stated_find(cu, span, whole) : NULL;
  return stated ? stated_state(cu, stated, value, span) : value;
}

Expr *cu_stated_before(CuContext *cu, Expr *left, const Expr *right, Span span,
                       Span whole) {
  const CudaStated *stated = left ? stated_find(cu, span, whole) : NULL;
  return stated && stated_holds_barrier(cu, right)
             ? state_truth(cu, stated, left, span)
             : left;
}
