// SPDX-License-Identifier: Apache-2.0
// Host code that chooses between numbers: quotients that are rounded up, the
// smaller and the larger of two.
#include "cuda/host/cu_host_ceiling.h"

static const CuHost *choice_follow(CuHostReader *reader, const CxExpr *expr) {
  return cu_host_follow(reader, expr, reader->at);
}

// ------------------------------------------------------------- rounding up

const CxExpr *cu_host_strip_casts(const CxExpr *expr) {
  for (;;) {
    if (expr->kind == CX_EXPR_CAST)
      expr = expr->u.cast.operand;
    else if (expr->kind == CX_EXPR_CONSTRUCT &&
             expr->u.construct.args.count == 1)
      expr = expr->u.construct.args.data[0];
    else
      return expr;
  }
}

bool cu_host_is_int(const CxExpr *expr, uint64_t value) {
  return expr->kind == CX_EXPR_INT && expr->u.int_lit.value == value;
}

bool cu_host_is_binary(const CxExpr *expr, BinaryOp op) {
  return expr->kind == CX_EXPR_BINARY && expr->u.binary.op == op;
}

// Whether a / b leaves something: a % b, a % b != 0, a % b > 0, !(a % b). The
// remainder; NULL: it isn't asked. `is_none`: true where nothing is left.
static const CxExpr *remainder_asked(const CxExpr *test, bool *is_none) {
  *is_none = false;
  test = cu_host_strip_casts(test);
  while (test->kind == CX_EXPR_UNARY && test->u.unary.op == UNARY_NOT) {
    *is_none = !*is_none;
    test = cu_host_strip_casts(test->u.unary.operand);
  }
  bool is_equal = cu_host_is_binary(test, BINARY_EQ);
  if ((is_equal || cu_host_is_binary(test, BINARY_NE) ||
       cu_host_is_binary(test, BINARY_GT)) &&
      cu_host_is_int(test->u.binary.right, 0)) {
    *is_none ^= is_equal;
    test = cu_host_strip_casts(test->u.binary.left);
  }
  return cu_host_is_binary(test, BINARY_REM) ? test : NULL;
}

// 1 where a / b leaves something, else 0: the remainder; NULL: something else.
static const CxExpr *remainder_counted(const CxExpr *expr) {
  bool is_none;
  expr = cu_host_strip_casts(expr);
  if (expr->kind == CX_EXPR_CONDITIONAL) {
    const CxExpr *asked =
        remainder_asked(expr->u.conditional.condition, &is_none);
    const CxExpr *yes = expr->u.conditional.if_true;
    const CxExpr *no = expr->u.conditional.if_false;
    return asked && cu_host_is_int(is_none ? no : yes, 1) &&
                   cu_host_is_int(is_none ? yes : no, 0)
               ? asked
               : NULL;
  }
  const CxExpr *asked = remainder_asked(expr, &is_none);
  return asked == expr || is_none ? NULL : asked;
}

// a / b, one more where a % b leaves something. NULL: these aren't of one a, b.
static const CuHost *rounded_up(CuHostReader *reader, const CuHost *quotient,
                                const CxExpr *remainder) {
  const CuHost *rest = choice_follow(reader, remainder);
  if (!quotient || !rest)
    return NULL;
  if (rest->kind == CU_HOST_NUMBER)
    return cu_host_join(reader->cu, CU_HOST_ADD, quotient,
                        cu_host_number(reader->cu, rest->number != 0));
  bool is_one = quotient->kind == CU_HOST_DIV && rest->kind == CU_HOST_REM &&
                cu_host_equal(quotient->a, rest->a) &&
                cu_host_equal(quotient->b, rest->b);
  return is_one
             ? cu_host_join(reader->cu, CU_HOST_CDIV, quotient->a, quotient->b)
             : NULL;
}

// q * b < a, a > q * b of the quotient q = a / b: something is left.
static const CuHost *choice_of_product(CuHostReader *reader, const CxExpr *test,
                                       const CuHost *quotient) {
  bool is_less = cu_host_is_binary(test, BINARY_LT);
  if (quotient->kind != CU_HOST_DIV ||
      (!is_less && !cu_host_is_binary(test, BINARY_GT)))
    return NULL;
  const CxExpr *left = test->u.binary.left, *right = test->u.binary.right;
  const CuHost *product = choice_follow(reader, is_less ? left : right);
  const CuHost *all = choice_follow(reader, is_less ? right : left);
  if (!product || !all || !cu_host_equal(all, quotient->a) ||
      product->kind != CU_HOST_MUL)
    return NULL;
  bool is_q_first = cu_host_equal(product->a, quotient);
  bool is_product =
      cu_host_equal(is_q_first ? product->b : product->a, quotient->b) &&
      (is_q_first || cu_host_equal(product->b, quotient));
  return is_product
             ? cu_host_join(reader->cu, CU_HOST_CDIV, quotient->a, quotient->b)
             : NULL;
}

// (a % b != 0) ? (a / b + 1) : (a / b)
static const CuHost *choice_of_ceiling(CuHostReader *reader, const CxExpr *test,
                                       const CxExpr *yes, const CxExpr *no) {
  bool is_none;
  const CxExpr *asked = remainder_asked(test, &is_none);
  const CxExpr *up = cu_host_strip_casts(is_none ? no : yes);
  if (!cu_host_is_binary(up, BINARY_ADD) ||
      !cu_host_is_int(up->u.binary.right, 1))
    return NULL;
  const CuHost *more = choice_follow(reader, up->u.binary.left);
  const CuHost *down = choice_follow(reader, is_none ? yes : no);
  if (!more || !down || !cu_host_equal(more, down))
    return NULL;
  return asked ? rounded_up(reader, down, asked)
               : choice_of_product(reader, cu_host_strip_casts(test), down);
}

// a / b + (a % b > 0)
const CuHost *cu_host_ceiling_sum(CuHostReader *reader, const CxExpr *expr) {
  const CxExpr *left = expr->u.binary.left, *right = expr->u.binary.right;
  const CxExpr *remainder = remainder_counted(right);
  if (remainder)
    return rounded_up(reader, choice_follow(reader, left), remainder);
  remainder = remainder_counted(left);
  return remainder ? rounded_up(reader, choice_follow(reader, right), remainder)
                   : NULL;
}

// ----------------------------------------------------------------- choices

static bool choice_is_true(BinaryOp op, int64_t a, int64_t b) {
  switch ((int)op) {
  case BINARY_LT: return a < b;
  case BINARY_LE: return a <= b;
  case BINARY_GT: return a > b;
  case BINARY_GE: return a >= b;
  case BINARY_EQ: return a == b;
  default: return a != b;
  }
}

// a <= 32 ? b : c of a number; a < b ? a : b
const CuHost *cu_host_choice(CuHostReader *reader, const CxExpr *test,
                             const CxExpr *if_true, const CxExpr *if_false) {
  const CuHost *ceiling = choice_of_ceiling(reader, test, if_true, if_false);
  if (ceiling)
    return ceiling;
  BinaryOp op = test->u.binary.op;
  if (test->kind != CX_EXPR_BINARY || op < BINARY_LT || op > BINARY_NE)
    return NULL;
  const CuHost *a = choice_follow(reader, test->u.binary.left);
  const CuHost *b = choice_follow(reader, test->u.binary.right);
  if (!a || !b)
    return NULL;
  if (a->kind == CU_HOST_NUMBER && b->kind == CU_HOST_NUMBER)
    return choice_follow(
        reader, choice_is_true(op, a->number, b->number) ? if_true : if_false);
  const CuHost *yes = choice_follow(reader, if_true);
  const CuHost *no = choice_follow(reader, if_false);
  bool is_order = op != BINARY_EQ && op != BINARY_NE && yes && no;
  bool is_less = op == BINARY_LT || op == BINARY_LE;
  if (is_order && cu_host_equal(a, yes) && cu_host_equal(b, no))
    return cu_host_join(reader->cu, is_less ? CU_HOST_MIN : CU_HOST_MAX, a, b);
  if (is_order && cu_host_equal(a, no) && cu_host_equal(b, yes))
    return cu_host_join(reader->cu, is_less ? CU_HOST_MAX : CU_HOST_MIN, a, b);
  return NULL;
}

// ---------------------------------------------------------------- branches

static const CxExpr *choice_arm(const CuHostReader *reader, const CxArm *arm,
                                const CxExpr *place) {
  static const CxExpr one = {.kind = CX_EXPR_INT,
                             .u.int_lit = {.value = 1, .base = 10}};
  if (arm->kind == CX_ARM_NONE)
    return place;
  const CxExpr *value =
      arm->kind == CX_ARM_RAISED ? &one : cu_host_parse(reader, arm->value);
  if (arm->kind == CX_ARM_VALUE || !value)
    return value;
  CxExpr *sum = ARENA_NEW(reader->cu->arena, CxExpr);
  sum->kind = CX_EXPR_BINARY;
  sum->u.binary.op = BINARY_ADD;
  sum->u.binary.left = (CxExpr *)(uintptr_t)place;
  sum->u.binary.right = (CxExpr *)(uintptr_t)value;
  return sum;
}

const CuHost *cu_host_in_branch(CuHostReader *reader, const CxPlace *place,
                                const CxHostVar *local) {
  CxBranch branch;
  CxPlace asked = *place;
  asked.is_first = reader->is_first;
  if (reader->frame || reader->depth >= CU_HOST_MOST_DEPTH ||
      !cx_last_branch(reader->cu->tree, reader->launch->function, &asked,
                      local ? local->at : 0, reader->at, &branch))
    return NULL;
  const CxExpr *before = cu_host_parse(reader, branch.place);
  const CxExpr *test = cu_host_parse(reader, branch.condition);
  const CxExpr *yes = before ? choice_arm(reader, &branch.yes, before) : NULL;
  const CxExpr *no = before ? choice_arm(reader, &branch.no, before) : NULL;
  if (!test || !yes || !no)
    return NULL;
  uint32_t at = reader->at;
  reader->at = branch.at;
  reader->depth++;
  const CuHost *value = cu_host_choice(reader, test, yes, no);
  reader->depth--;
  reader->at = at;
  return value;
}
