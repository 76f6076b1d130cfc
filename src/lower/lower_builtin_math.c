// SPDX-License-Identifier: Apache-2.0
// Mathematical functions and bit operations: one operation each, element by
// element on short vectors.
#include "lower/lower_internal.h"

typedef struct {
  Builtin id;
  IrOp op;
} MathRow;

// Functions whose operands and result have one type.
static const MathRow same_type[] = {
    {BI_SIN, IR_SIN},
    {BI_COS, IR_COS},
    {BI_TAN, IR_TAN},
    {BI_ASIN, IR_ASIN},
    {BI_ACOS, IR_ACOS},
    {BI_ATAN, IR_ATAN},
    {BI_SINH, IR_SINH},
    {BI_COSH, IR_COSH},
    {BI_TANH, IR_TANH},
    {BI_ASINH, IR_ASINH},
    {BI_ACOSH, IR_ACOSH},
    {BI_ATANH, IR_ATANH},
    {BI_EXP, IR_EXP},
    {BI_EXP2, IR_EXP2},
    {BI_EXP10, IR_EXP10},
    {BI_EXPM1, IR_EXPM1},
    {BI_SINPI, IR_SINPI},
    {BI_COSPI, IR_COSPI},
    {BI_LOG, IR_LOG},
    {BI_LOG2, IR_LOG2},
    {BI_LOG10, IR_LOG10},
    {BI_LOG1P, IR_LOG1P},
    {BI_SQRT, IR_SQRT},
    {BI_CBRT, IR_CBRT},
    {BI_RSQRT, IR_RSQRT},
    {BI_ERF, IR_ERF},
    {BI_ERFC, IR_ERFC},
    {BI_TGAMMA, IR_TGAMMA},
    {BI_LGAMMA, IR_LGAMMA},
    {BI_SIGMOID, IR_SIGMOID},
    {BI_FABS, IR_FABS},
    {BI_FLOOR, IR_FLOOR},
    {BI_CEIL, IR_CEIL},
    {BI_TRUNC, IR_FTRUNC},
    {BI_ROUND, IR_ROUND},
    {BI_RINT, IR_RINT},
    {BI_FAST_SIN, IR_FAST_SIN},
    {BI_FAST_COS, IR_FAST_COS},
    {BI_FAST_EXP, IR_FAST_EXP},
    {BI_FAST_EXP2, IR_FAST_EXP2},
    {BI_FAST_LOG, IR_FAST_LOG},
    {BI_FAST_LOG2, IR_FAST_LOG2},
    {BI_FAST_RSQRT, IR_FAST_RSQRT},
    {BI_FAST_SQRT, IR_FAST_SQRT},
    {BI_FAST_TANH, IR_FAST_TANH},
    {BI_FAST_RCP, IR_FAST_RCP},
    {BI_ATAN2, IR_ATAN2},
    {BI_POW, IR_POW},
    {BI_FAST_POW, IR_FAST_POW},
    {BI_FAST_DIV, IR_FAST_DIV},
    {BI_HYPOT, IR_HYPOT},
    {BI_FMOD, IR_FREM},
    {BI_REMAINDER, IR_REMAINDER},
    {BI_COPYSIGN, IR_COPYSIGN},
    {BI_FDIM, IR_FDIM},
    {BI_NEXTAFTER, IR_NEXTAFTER},
    {BI_FMIN, IR_FMIN},
    {BI_FMAX, IR_FMAX},
    {BI_FMA, IR_FMA},
    {BI_LDEXP, IR_LDEXP},
    {BI_BITREVERSE, IR_BITREVERSE},
    {BI_BYTESWAP, IR_BYTESWAP},
};

static bool find_same_type(Builtin id, IrOp *op) {
  for (size_t i = 0; i < sizeof same_type / sizeof *same_type; i++)
    if (same_type[i].id == id) {
      *op = same_type[i].op;
      return true;
    }
  return false;
}

// ------------------------------------------------------------ one element

static IrNode *builtin_math_minimum(Lowering *lw, const Type *type, IrNode *a,
                                    IrNode *b, bool is_min) {
  bool is_signed = lower_type_is_signed(type) && !type_is(type, TY_BOOL);
  IrOp op = type_is_floating(type) ? (is_min ? IR_FMIN : IR_FMAX)
            : is_signed            ? (is_min ? IR_SMIN : IR_SMAX)
                                   : (is_min ? IR_UMIN : IR_UMAX);
  if (type_is(type, TY_BOOL))
    op = is_min ? IR_AND : IR_OR;
  return lower_emit2(lw, op, a->type, a, b);
}

static IrNode *builtin_math_absolute(Lowering *lw, const Type *type,
                                     IrNode *a) {
  if (type_is_floating(type))
    return lower_emit1(lw, IR_FABS, a->type, a);
  return lower_type_is_signed(type) ? lower_emit1(lw, IR_SABS, a->type, a) : a;
}

// Rounds up; the divisor is positive: q + (remainder > 0).
static IrNode *ceiling_quotient(Lowering *lw, const Type *type, IrNode *a,
                                IrNode *b) {
  bool is_signed = lower_type_is_signed(type);
  IrNode *zero = lower_zero(lw, a->type);
  IrNode *quotient =
      lower_emit2(lw, is_signed ? IR_SDIV : IR_UDIV, a->type, a, b);
  IrNode *rest = lower_emit2(lw, is_signed ? IR_SREM : IR_UREM, a->type, a, b);
  IrNode *is_more =
      lower_emit2(lw, is_signed ? IR_SLT : IR_ULT,
                  lower_shaped(lw, a, ir_scalar(IR_TYPE_BOOL)), zero, rest);
  return lower_emit2(lw, IR_ADD, a->type, quotient,
                     lower_emit1(lw, IR_ZEXT, a->type, is_more));
}

static IrNode *as_i32(Lowering *lw, IrNode *node) {
  IrType i32 = lower_shaped(lw, node, ir_scalar(IR_TYPE_I32));
  uint32_t bits = lower_element_bits(lw, node);
  if (bits == 32)
    return node;
  return lower_emit1(lw, bits > 32 ? IR_TRUNC : IR_ZEXT, i32, node);
}

static IrNode *count_bits(Lowering *lw, IrOp op, IrNode *a) {
  return as_i32(lw, lower_emit1(lw, op, a->type, a));
}

static IrNode *builtin_math_rotate(Lowering *lw, IrOp op, IrNode *a,
                                   IrNode *count) {
  uint32_t have = lower_element_bits(lw, count);
  uint32_t want = lower_element_bits(lw, a);
  if (have != want)
    count = lower_emit1(lw, have > want ? IR_TRUNC : IR_SEXT, a->type, count);
  return lower_emit2(lw, op, a->type, a, count);
}

static IrNode *builtin_math_classify(Lowering *lw, IrOp op, IrNode *a) {
  return lower_emit1(lw, op, lower_shaped(lw, a, ir_scalar(IR_TYPE_BOOL)), a);
}

static IrNode *to_integer(Lowering *lw, IrOp op, IrNode *a) {
  return lower_emit1(lw, IR_FTOS, lower_shaped(lw, a, ir_scalar(IR_TYPE_I64)),
                     lower_emit1(lw, op, a->type, a));
}

// The second value if it is NaN, or the first, or the smaller or larger.
static IrNode *builtin_math_with_nan(Lowering *lw, IrOp op, IrNode *a,
                                     IrNode *b) {
  IrNode *of_a = builtin_math_classify(lw, IR_ISNAN, a);
  IrNode *of_b = builtin_math_classify(lw, IR_ISNAN, b);
  IrNode *number = lower_emit2(lw, op, a->type, a, b);
  number = lower_emit3(lw, IR_SELECT, a->type, of_a, a, number);
  return lower_emit3(lw, IR_SELECT, a->type, of_b, b, number);
}

// The ones that aren't one operation of one type; `type` is the operands'.
static IrNode *builtin_math_special(Lowering *lw, Builtin id, const Type *type,
                                    IrNode *const *args, uint32_t n_args) {
  switch ((int)id) {
  case BI_MIN:
  case BI_MAX: {
    IrNode *node = args[0];
    for (uint32_t i = 1; i < n_args; i++)
      node = builtin_math_minimum(lw, type, node, args[i], id == BI_MIN);
    return node;
  }
  case BI_MIN_NAN: return builtin_math_with_nan(lw, IR_FMIN, args[0], args[1]);
  case BI_MAX_NAN: return builtin_math_with_nan(lw, IR_FMAX, args[0], args[1]);
  case BI_CLAMP:
    return builtin_math_minimum(
        lw, type, builtin_math_minimum(lw, type, args[0], args[1], false),
        args[2], true);
  case BI_ABS: return builtin_math_absolute(lw, type, args[0]);
  case BI_CDIV: return ceiling_quotient(lw, type, args[0], args[1]);
  case BI_POPCOUNT: return count_bits(lw, IR_POPCOUNT, args[0]);
  case BI_CLZ: return count_bits(lw, IR_CLZ, args[0]);
  case BI_CTZ: return count_bits(lw, IR_CTZ, args[0]);
  case BI_ROTL: return builtin_math_rotate(lw, IR_ROTL, args[0], args[1]);
  case BI_ROTR: return builtin_math_rotate(lw, IR_ROTR, args[0], args[1]);
  case BI_ISNAN: return builtin_math_classify(lw, IR_ISNAN, args[0]);
  case BI_ISINF: return builtin_math_classify(lw, IR_ISINF, args[0]);
  case BI_ISFINITE: return builtin_math_classify(lw, IR_ISFINITE, args[0]);
  case BI_SIGNBIT: return builtin_math_classify(lw, IR_SIGNBIT, args[0]);
  case BI_LRINT: return to_integer(lw, IR_RINT, args[0]);
  case BI_LROUND: return to_integer(lw, IR_ROUND, args[0]);
  case BI_ILOGB:
    return lower_emit1(lw, IR_ILOGB,
                       lower_shaped(lw, args[0], ir_scalar(IR_TYPE_I32)),
                       args[0]);
  case BI_LOGB: return lower_logb(lw, args[0]);
  case BI_ISNORMAL: return lower_is_normal(lw, args[0]);
  default: return NULL;
  }
}

static bool is_special(Builtin id) {
  switch ((int)id) {
  case BI_MIN:
  case BI_MAX:
  case BI_MIN_NAN:
  case BI_MAX_NAN:
  case BI_CLAMP:
  case BI_ABS:
  case BI_CDIV:
  case BI_POPCOUNT:
  case BI_CLZ:
  case BI_CTZ:
  case BI_ROTL:
  case BI_ROTR:
  case BI_ISNAN:
  case BI_ISINF:
  case BI_ISFINITE:
  case BI_SIGNBIT:
  case BI_LRINT:
  case BI_LROUND:
  case BI_ILOGB:
  case BI_LOGB:
  case BI_ISNORMAL: return true;
  default: return false;
  }
}

// ------------------------------------------------------------ all elements

typedef struct {
  Builtin id;
  bool is_special;
  IrOp op;
  const Type *type; // of an operand's element
  Value *args;
  uint32_t n_args;
} MathCall;

static IrNode *one_element(Lowering *lw, const MathCall *call, uint32_t i) {
  IrNode **args = ARENA_ARRAY(lw->scratch, IrNode *, call->n_args);
  for (uint32_t k = 0; k < call->n_args; k++)
    args[k] = lower_leaf(&call->args[k], call->args[k].n_leaves == 1 ? 0 : i);
  if (call->is_special)
    return builtin_math_special(lw, call->id, call->type, args, call->n_args);
  return lower_emit(lw, call->op, args[0]->type, args, call->n_args);
}

bool lower_is_math_builtin(Builtin id) {
  IrOp op;
  return is_special(id) || find_same_type(id, &op);
}

bool lower_builtin_math(Lowering *lw, const TExpr *expr, Value *out) {
  MathCall call = {.id = expr->u.builtin.id};
  call.is_special = is_special(call.id);
  if (!call.is_special && !find_same_type(call.id, &call.op))
    return false;
  call.n_args = expr->u.builtin.n_args;
  call.args = ARENA_ARRAY(lw->scratch, Value, call.n_args);
  for (uint32_t i = 0; i < call.n_args; i++)
    call.args[i] = lower_expr(lw, expr->u.builtin.args[i]);
  call.type = type_underlying(type_tile_element(expr->u.builtin.args[0]->type));
  if (type_is(call.type, TY_VECTOR))
    call.type = call.type->u.vector.element;
  IrNode *leaves[4];
  uint32_t n_leaves = call.args[0].n_leaves;
  for (uint32_t i = 0; i < n_leaves; i++)
    leaves[i] = one_element(lw, &call, i);
  *out = lower_value_leaves(lw, leaves, n_leaves);
  return true;
}
