// SPDX-License-Identifier: Apache-2.0
// How many threads of a block produce into a pipeline, where the form of what
// decides their roles tells it: a comparison of the thread's rank, of its
// quotient or remainder, with a constant.
#include "cuda/form/cu_barrier.h"
#include "cuda/form/cu_names.h"
#include "cuda/form/cu_pipeline.h"
#include "cuda/form/cu_tree.h"

#include <string.h>

Expr *cu_block_size(CuContext *cu, Span span) {
  return cu_word_call(
      cu, "size", cu_word_call(cu, "this_block", NULL, NULL, span), NULL, span);
}

// ---------------------------------------------------------------- positions

// What a name of the function that hasn't changed stands for, without casts.
static const Expr *meant(CuContext *cu, const Expr *expr) {
  for (int depth = 0; expr && depth < 16; depth++) {
    if (expr->kind == EXPR_CAST) {
      expr = expr->u.cast.operand;
      continue;
    }
    const CuName *name = cu_outermost_name(cu, expr);
    bool is_known = name && name->is_local && name->decl &&
                    name->decl->kind == DECL_VAR && name->decl->u.var.init &&
                    !(name->variable && name->variable->is_changed);
    if (!is_known)
      break;
    cu_fix(cu, name, expr->span);
    expr = name->decl->u.var.init;
  }
  return expr;
}

static bool is_int(CuContext *cu, const Expr *expr, int64_t *value) {
  expr = meant(cu, expr);
  if (!expr || expr->kind != EXPR_INT)
    return false;
  *value = (int64_t)expr->u.int_lit.value;
  return true;
}

// A number of the thread: its rank, or its index along x, over `divisor`, or
// what is left of it by `modulus`.
typedef struct {
  bool is_x;
  int64_t divisor, modulus;
} Position;

static bool is_block(CuContext *cu, const Expr *expr) {
  expr = meant(cu, expr);
  return expr && cu_is_call_of(expr, "this_block");
}

// meta_rank(g) of a tile of the block.
static bool tile_position(CuContext *cu, const Expr *expr, Position *out) {
  const Expr *tile = expr->u.call.args.count == 1
                         ? meant(cu, expr->u.call.args.data[0])
                         : NULL;
  return tile && cu_is_call_of(tile, "whole_partition") &&
         tile->u.call.args.count == 2 &&
         is_block(cu, tile->u.call.args.data[0]) &&
         is_int(cu, tile->u.call.args.data[1], &out->divisor) &&
         out->divisor > 0;
}

// a / n, a % n, a >> n, a & (n - 1): what is taken of a.
static bool role_part_of(CuContext *cu, const Expr *expr, Position *out) {
  int64_t by;
  if (expr->kind != EXPR_BINARY || !is_int(cu, expr->u.binary.right, &by) ||
      by < 0 || by > INT32_MAX)
    return false;
  switch ((int)expr->u.binary.op) {
  case BINARY_DIV: out->divisor = by; return by > 0;
  case BINARY_REM: out->modulus = by; return by > 0;
  case BINARY_SHR: out->divisor = (int64_t)1 << (by & 31); return by < 31;
  case BINARY_BIT_AND: out->modulus = by + 1; return (by & (by + 1)) == 0;
  default: return false;
  }
}

static bool role_position_of(CuContext *cu, const Expr *expr, Position *out) {
  *out = (Position){.divisor = 1};
  expr = meant(cu, expr);
  if (!expr)
    return false;
  if (cu_is_call_of(expr, "meta_rank"))
    return tile_position(cu, expr, out);
  if (cu_is_call_of(expr, "rank"))
    return expr->u.call.args.count == 1 &&
           is_block(cu, expr->u.call.args.data[0]);
  if (expr->kind == EXPR_MEMBER) {
    out->is_x = true;
    return cu_is_call_of(expr->u.member.base, "thread_index") &&
           strcmp(expr->u.member.name, "x") == 0;
  }
  Position inner;
  if (!role_part_of(cu, expr, out) ||
      !role_position_of(cu, expr->u.binary.left, &inner) ||
      inner.divisor != 1 || inner.modulus)
    return false;
  out->is_x = inner.is_x;
  return true;
}

static Expr *role_smaller(CuContext *cu, Expr *a, Expr *b, Span span) {
  Expr *made = cu_new_expr(cu, EXPR_CONDITIONAL, span);
  made->u.conditional.condition = cu_binary(
      cu, BINARY_LT, cu_clone(cu, a, span), cu_clone(cu, b, span), span);
  made->u.conditional.if_true = a;
  made->u.conditional.if_false = b;
  made->depth = (uint16_t)(a->depth + b->depth + 2);
  return made;
}

static Expr *role_extent(CuContext *cu, const Position *at, Span span) {
  if (!at->is_x)
    return cu_block_size(cu, span);
  return cu_member(cu, cu_word_call(cu, "block_dim", NULL, NULL, span), "x",
                   span);
}

// How many of the positions are below `limit` (and a number more).
static Expr *below(CuContext *cu, const Position *at, const Expr *limit,
                   int64_t more, Span span) {
  int64_t value;
  Expr *bound;
  if (is_int(cu, limit, &value)) {
    if (value + more <= 0)
      return cu_int_literal(cu, 0, span);
    bound = cu_int_literal(cu, (value + more) * at->divisor, span);
  } else {
    bound = cu_binary(cu, BINARY_ADD, cu_clone(cu, limit, span),
                      cu_int_literal(cu, more, span), span);
    bound = cu_binary(cu, BINARY_MUL, bound,
                      cu_int_literal(cu, at->divisor, span), span);
  }
  return role_smaller(cu, bound, role_extent(cu, at, span), span);
}

// … leave this rest.
static Expr *with_rest(CuContext *cu, const Position *at, int64_t rest,
                       Span span) {
  Expr *more = cu_int_literal(cu, at->modulus - 1 - rest, span);
  Expr *sum = cu_binary(cu, BINARY_ADD, role_extent(cu, at, span), more, span);
  return cu_binary(cu, BINARY_DIV, sum, cu_int_literal(cu, at->modulus, span),
                   span);
}

static BinaryOp turned(BinaryOp op) {
  switch ((int)op) {
  case BINARY_LT: return BINARY_GT;
  case BINARY_GT: return BINARY_LT;
  case BINARY_LE: return BINARY_GE;
  case BINARY_GE: return BINARY_LE;
  default: return op;
  }
}

static Expr *others(CuContext *cu, const Position *at, Expr *count, Span span) {
  return cu_binary(cu, BINARY_SUB, role_extent(cu, at, span), count, span);
}

static Expr *count_compared(CuContext *cu, const Position *at, BinaryOp op,
                            const Expr *limit, Span span) {
  int64_t rest;
  if (at->modulus) {
    bool is_rest = (op == BINARY_EQ || op == BINARY_NE) &&
                   is_int(cu, limit, &rest) && rest >= 0 && rest < at->modulus;
    if (!is_rest)
      return NULL;
    Expr *count = with_rest(cu, at, rest, span);
    return op == BINARY_EQ ? count : others(cu, at, count, span);
  }
  switch ((int)op) {
  case BINARY_LT: return below(cu, at, limit, 0, span);
  case BINARY_LE: return below(cu, at, limit, 1, span);
  case BINARY_GE: return others(cu, at, below(cu, at, limit, 0, span), span);
  case BINARY_GT: return others(cu, at, below(cu, at, limit, 1, span), span);
  default: break;
  }
  if (op != BINARY_EQ && op != BINARY_NE)
    return NULL;
  Expr *count = cu_binary(cu, BINARY_SUB, below(cu, at, limit, 1, span),
                          below(cu, at, limit, 0, span), span);
  return op == BINARY_EQ ? count : others(cu, at, count, span);
}

// Positions along x are those of each row.
static Expr *in_all_rows(CuContext *cu, const Position *at, Expr *count,
                         Span span) {
  if (!count || !at->is_x)
    return count;
  Expr *rows = cu_binary(cu, BINARY_DIV, cu_block_size(cu, span),
                         role_extent(cu, at, span), span);
  return cu_binary(cu, BINARY_MUL, count, rows, span);
}

static Expr *count_where(CuContext *cu, const Expr *condition, Span span);

static Expr *count_where_not(CuContext *cu, const Expr *condition, Span span) {
  Expr *count = count_where(cu, condition, span);
  return count ? cu_binary(cu, BINARY_SUB, cu_block_size(cu, span), count, span)
               : NULL;
}

// For how many threads of the block the condition holds; NULL: not known.
static Expr *count_where(CuContext *cu, const Expr *condition, Span span) {
  const Expr *expr = meant(cu, condition);
  Position at, other;
  if (expr && expr->kind == EXPR_UNARY && expr->u.unary.op == UNARY_NOT)
    return count_where_not(cu, expr->u.unary.operand, span);
  if (role_position_of(cu, expr, &at))
    return in_all_rows(
        cu, &at,
        count_compared(cu, &at, BINARY_NE, cu_int_literal(cu, 0, span), span),
        span);
  if (!expr || expr->kind != EXPR_BINARY)
    return NULL;
  const Expr *left = expr->u.binary.left, *right = expr->u.binary.right;
  BinaryOp op = expr->u.binary.op;
  if (!role_position_of(cu, left, &at)) {
    const Expr *swapped = left;
    left = right;
    right = swapped;
    op = turned(op);
    if (!role_position_of(cu, left, &at))
      return NULL;
  }
  if (role_position_of(cu, right, &other))
    return NULL;
  return in_all_rows(cu, &at, count_compared(cu, &at, op, right, span), span);
}

// Of a pipeline_role, which the header cuda/pipeline declares as { producer,
// consumer }. 1: producer, 0: consumer, -1: not constant.
static int role_of(CuContext *cu, const Expr *expr) {
  int64_t value;
  if (!is_int(cu, expr, &value)) {
    expr = meant(cu, expr);
    const CuName *name = expr ? cu_outermost_name(cu, expr) : NULL;
    if (!name || name->constant.kind != CU_CONST_INT)
      return -1;
    value = name->constant.i;
  }
  return value == 0;
}

Expr *cu_count_producers(CuContext *cu, const Expr *role, Span span) {
  const Expr *expr = meant(cu, role);
  if (!expr || expr->kind != EXPR_CONDITIONAL)
    return NULL;
  int first = role_of(cu, expr->u.conditional.if_true);
  int second = role_of(cu, expr->u.conditional.if_false);
  if (first < 0 || second < 0 || first == second)
    return NULL;
  Expr *count = count_where(cu, expr->u.conditional.condition, span);
  if (!count || first == 1)
    return count;
  return cu_binary(cu, BINARY_SUB, cu_block_size(cu, span), count, span);
}
