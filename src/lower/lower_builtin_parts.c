// SPDX-License-Identifier: Apache-2.0
// Functions that take floating-point numbers apart, made of others.
#include "lower/lower_internal.h"

// ------------------------------------------------------------- constants

typedef struct {
  IrTypeKind kind;
  uint64_t one, eight, infinity, least_normal; // bits
} Numbers;

static const Numbers numbers[] = {
    {IR_TYPE_F16, 0x3c00, 0x4800, 0x7c00, 0x0400},
    {IR_TYPE_BF16, 0x3f80, 0x4100, 0x7f80, 0x0080},
    {IR_TYPE_F32, 0x3f800000, 0x41000000, 0x7f800000, 0x00800000},
    {IR_TYPE_F64, UINT64_C(0x3ff) << 52, UINT64_C(0x402) << 52,
     UINT64_C(0x7ff) << 52, UINT64_C(1) << 52},
};

static const Numbers *numbers_of(const IrNode *node) {
  for (size_t i = 0; i + 1 < sizeof numbers / sizeof *numbers; i++)
    if (numbers[i].kind == node->type.kind)
      return &numbers[i];
  return &numbers[sizeof numbers / sizeof *numbers - 1];
}

// ------------------------------------------------------------- operations

static IrNode *one_operand(Lowering *lw, IrOp op, IrNode *x) {
  return lower_emit1(lw, op, x->type, x);
}

static IrNode *builtin_parts_test(Lowering *lw, IrOp op, IrNode *x, IrNode *y) {
  return lower_emit2(lw, op, ir_scalar(IR_TYPE_BOOL), x, y);
}

static IrNode *is_finite(Lowering *lw, IrNode *x) {
  return lower_emit1(lw, IR_ISFINITE, ir_scalar(IR_TYPE_BOOL), x);
}

static IrNode *select(Lowering *lw, IrNode *condition, IrNode *x, IrNode *y) {
  return lower_emit3(lw, IR_SELECT, x->type, condition, x, y);
}

static IrNode *builtin_parts_both(Lowering *lw, IrNode *x, IrNode *y) {
  return lower_emit2(lw, IR_AND, x->type, x, y);
}

static IrNode *exponent(Lowering *lw, IrNode *x) {
  return lower_emit1(lw, IR_ILOGB, ir_scalar(IR_TYPE_I32), x);
}

// ------------------------------------------------------------------ parts

// 0 gives -inf, inf and NaN give inf and NaN.
IrNode *lower_logb(Lowering *lw, IrNode *x) {
  uint64_t infinity = numbers_of(x)->infinity;
  IrNode *value = lower_emit1(lw, IR_STOF, x->type, exponent(lw, x));
  IrNode *least = one_operand(lw, IR_NEG, lower_const(lw, x->type, infinity));
  IrNode *is_zero = builtin_parts_test(lw, IR_FEQ, x, lower_zero(lw, x->type));
  value = select(lw, is_zero, least, value);
  return select(lw, is_finite(lw, x), value, one_operand(lw, IR_FABS, x));
}

IrNode *lower_is_normal(Lowering *lw, IrNode *x) {
  IrNode *least = lower_const(lw, x->type, numbers_of(x)->least_normal);
  IrNode *is_large =
      builtin_parts_test(lw, IR_FLE, least, one_operand(lw, IR_FABS, x));
  return builtin_parts_both(lw, is_large, is_finite(lw, x));
}

// x is f * 2^e with |f| in [0.5, 1); 0, inf and NaN are themselves, e is 0.
static IrNode *fraction(Lowering *lw, IrNode *x, IrNode **out) {
  IrNode *has_exponent = builtin_parts_both(
      lw, is_finite(lw, x),
      builtin_parts_test(lw, IR_FNE, x, lower_zero(lw, x->type)));
  IrType i32 = ir_scalar(IR_TYPE_I32);
  IrNode *e = lower_emit2(lw, IR_ADD, i32, exponent(lw, x), lower_i32(lw, 1));
  *out = select(lw, has_exponent, e, lower_i32(lw, 0));
  IrNode *down = lower_emit1(lw, IR_NEG, i32, *out);
  return lower_emit2(lw, IR_LDEXP, x->type, x, down);
}

// Both parts have the sign of x; the fraction of inf is 0.
static IrNode *fractional_part(Lowering *lw, IrNode *x, IrNode **out) {
  *out = one_operand(lw, IR_FTRUNC, x);
  IrNode *rest = lower_emit2(lw, IR_SUB, x->type, x, *out);
  IrNode *is_infinite = lower_emit1(lw, IR_ISINF, ir_scalar(IR_TYPE_BOOL), x);
  rest = select(lw, is_infinite, lower_zero(lw, x->type), rest);
  return lower_emit2(lw, IR_COPYSIGN, x->type, rest, x);
}

// Note [Quotient of remquo]
// With positive x and y: m = x mod 8y and r = x - n*y have m - r = k*y for the
// whole k = n mod 8 or 8, so rounding m/y - r/y gives k exactly. (8y may be
// infinite; then x is below it and m = x.)
static IrNode *quotient_bits(Lowering *lw, IrNode *x, IrNode *y) {
  IrNode *eight = lower_const(lw, x->type, numbers_of(x)->eight);
  IrNode *a = one_operand(lw, IR_FABS, x), *b = one_operand(lw, IR_FABS, y);
  IrNode *many = lower_emit2(lw, IR_MUL, x->type, eight, b);
  IrNode *m = select(lw, is_finite(lw, many),
                     lower_emit2(lw, IR_FREM, x->type, a, many), a);
  IrNode *r = lower_emit2(lw, IR_REMAINDER, x->type, a, b);
  IrNode *k =
      lower_emit2(lw, IR_SUB, x->type, lower_emit2(lw, IR_FDIV, x->type, m, b),
                  lower_emit2(lw, IR_FDIV, x->type, r, b));
  IrType i32 = ir_scalar(IR_TYPE_I32);
  IrNode *bits = lower_emit1(lw, IR_FTOS, i32, one_operand(lw, IR_RINT, k));
  return lower_emit2(lw, IR_AND, i32, bits, lower_i32(lw, 7));
}

static IrNode *remainder_and_quotient(Lowering *lw, IrNode *x, IrNode *y,
                                      IrNode **out) {
  IrType i32 = ir_scalar(IR_TYPE_I32), boolean = ir_scalar(IR_TYPE_BOOL);
  IrNode *bits = quotient_bits(lw, x, y);
  IrNode *is_negative =
      builtin_parts_test(lw, IR_NE, lower_emit1(lw, IR_SIGNBIT, boolean, x),
                         lower_emit1(lw, IR_SIGNBIT, boolean, y));
  *out = select(lw, is_negative, lower_emit1(lw, IR_NEG, i32, bits), bits);
  return lower_emit2(lw, IR_REMAINDER, x->type, x, y);
}

bool lower_builtin_parts(Lowering *lw, const TExpr *expr, Value *out) {
  Builtin id = expr->u.builtin.id;
  if (id != BI_FREXP && id != BI_MODF && id != BI_REMQUO)
    return false;
  TExpr *const *args = expr->u.builtin.args;
  const TExpr *pointer = args[expr->u.builtin.n_args - 1];
  IrNode *x = lower_scalar(lw, args[0]), *second, *result;
  if (id == BI_FREXP)
    result = fraction(lw, x, &second);
  else if (id == BI_MODF)
    result = fractional_part(lw, x, &second);
  else
    result = remainder_and_quotient(lw, x, lower_scalar(lw, args[1]), &second);
  lower_store_memory(lw, lower_pointer(lw, pointer),
                     pointer->type->u.pointer.pointee, lower_value_node(second),
                     HINT_NONE);
  *out = lower_value_node(result);
  return true;
}
