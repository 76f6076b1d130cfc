// SPDX-License-Identifier: Apache-2.0
#include "cuda/form/cu_tools.h"

#include <string.h>

static const char *const hints[] = {
    "__invariant",
    "__global_invariant",
    "__function_wide_invariant",
    "__function_wide_candidate_invariant",
    "__candidate_invariant",
    "__candidate_global_invariant",
    "__barrier_invariant",
    "__ensures",
    "__global_ensures",
    "__global_requires",
    "__reads_from",
    "__reads_from_local",
    "__writes_to",
    "__writes_to_local",
    "__requires_fresh_array",
    NULL,
};

static const char *const clauses[] = {"__assert", "__assume", "__requires",
                                      NULL};

// What a tool records of a thread's accesses, and of the other thread.
static const char *const questions[] = {
    "__read",
    "__write",
    "__no_read",
    "__no_write",
    "__read_implies",
    "__write_implies",
    "__read_offset_bytes",
    "__write_offset_bytes",
    "__uniform_int",
    "__uniform_bool",
    "__distinct_int",
    "__distinct_bool",
    "__other_int",
    "__other_bool",
    "__other_ptr_base",
    "__all",
    "__exclusive",
    "__at_most_one",
    "__return_val_int",
    "__return_val_bool",
    NULL,
};

static bool tools_is_call_of(const CxExpr *expr, const char *const *words) {
  const CxExpr *callee =
      expr->kind == CX_EXPR_CALL ? expr->u.call.callee : NULL;
  if (!callee || callee->kind != CX_EXPR_NAME || callee->u.name->n_parts != 1 ||
      !callee->u.name->parts[0].name)
    return false;
  for (; *words; words++)
    if (strcmp(callee->u.name->parts[0].name, *words) == 0)
      return true;
  return false;
}

static bool asks(const CxExpr *expr);

static bool one_asks(const CxExprList *list) {
  for (uint32_t i = 0; i < list->count; i++)
    if (asks(list->data[i]))
      return true;
  return false;
}

// The depth of expressions is limited by the parser.
static bool asks(const CxExpr *expr) {
  switch ((int)expr->kind) {
  case CX_EXPR_UNARY: return asks(expr->u.unary.operand);
  case CX_EXPR_BINARY:
    return asks(expr->u.binary.left) || asks(expr->u.binary.right);
  case CX_EXPR_CONDITIONAL:
    return asks(expr->u.conditional.condition) ||
           asks(expr->u.conditional.if_true) ||
           asks(expr->u.conditional.if_false);
  case CX_EXPR_CAST: return asks(expr->u.cast.operand);
  case CX_EXPR_CALL:
    return tools_is_call_of(expr, questions) || one_asks(&expr->u.call.args);
  default: return false;
  }
}

bool cu_is_for_tools(const CxExpr *call) {
  return tools_is_call_of(call, hints) ||
         (tools_is_call_of(call, clauses) && one_asks(&call->u.call.args));
}
