// SPDX-License-Identifier: Apache-2.0
// Constant evaluation: what is constant comes out of translating expressions;
// here is the arithmetic.
#include "base/panic.h"
#include "cuda/form/cu_local.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_value.h"

#include <math.h>

CuConst cu_const_int(int64_t value) {
  return (CuConst){.kind = CU_CONST_INT, .i = value};
}

static CuConst const_float(double value) {
  return (CuConst){.kind = CU_CONST_FLOAT, .f = value};
}

static const CuConst not_const = {.kind = CU_NOT_CONST};

static const CuType *const_arithmetic(const CuType *type) {
  type = cu_plain(type);
  return type->kind == CU_ENUM ? type->u.enumeration->underlying : type;
}

// Integers are kept as the type's value, extended to 64 bits.
static int64_t const_wrap(int64_t value, const CuType *type) {
  switch ((int)type->kind) {
  case CU_BOOL: return value != 0;
  case CU_CHAR:
  case CU_SCHAR: return (int8_t)value;
  case CU_UCHAR: return (uint8_t)value;
  case CU_SHORT: return (int16_t)value;
  case CU_USHORT: return (uint16_t)value;
  case CU_INT: return (int32_t)value;
  case CU_UINT: return (uint32_t)value;
  default: return value;
  }
}

static CuConst const_float_to_int(double value, const CuType *to) {
  if (to->kind == CU_BOOL)
    return cu_const_int(value != 0);
  if (isnan(value) || value <= -9.3e18 || value >= 1.8e19)
    return not_const;
  int64_t whole = value >= 9.2e18 ? (int64_t)(uint64_t)value : (int64_t)value;
  return cu_const_int(const_wrap(whole, to));
}

CuConst cu_const_convert(CuConst value, const CuType *from, const CuType *to) {
  from = const_arithmetic(from);
  to = const_arithmetic(to);
  if (value.kind == CU_NOT_CONST)
    return value;
  if (value.kind == CU_CONST_FLOAT && cu_is_integer(to))
    return const_float_to_int(value.f, to);
  if (value.kind == CU_CONST_FLOAT)
    return to->kind == CU_FLOAT    ? const_float((double)(float)value.f)
           : to->kind == CU_DOUBLE ? value
                                   : not_const;
  if (cu_is_integer(to))
    return cu_const_int(const_wrap(value.i, to));
  bool is_unsigned = cu_is_integer(from) && !cu_is_signed(from);
  double number = is_unsigned ? (double)(uint64_t)value.i : (double)value.i;
  if (to->kind == CU_FLOAT)
    return const_float((double)(float)number);
  if (to->kind == CU_DOUBLE)
    return const_float(number);
  return to->kind == CU_POINTER ? value : not_const;
}

CuConst cu_fold_unary(UnaryOp op, const CuValue *operand, const CuType *type) {
  CuConst value = cu_const_convert(operand->constant, operand->type, type);
  if (value.kind == CU_NOT_CONST)
    return value;
  bool is_int = value.kind == CU_CONST_INT;
  switch ((int)op) {
  case UNARY_PLUS: return value;
  case UNARY_MINUS:
    return is_int ? cu_const_int(
                        const_wrap((int64_t)(0 - (uint64_t)value.i), type))
                  : const_float(-value.f);
  case UNARY_NOT: return cu_const_int(is_int ? !value.i : value.f == 0);
  case UNARY_BIT_NOT: return cu_const_int(const_wrap(~value.i, type));
  default: return not_const;
  }
}

static CuConst fold_floats(BinaryOp op, double a, double b,
                           const CuType *type) {
  double result = 0;
  switch ((int)op) {
  case BINARY_ADD: result = a + b; break;
  case BINARY_SUB: result = a - b; break;
  case BINARY_MUL: result = a * b; break;
  case BINARY_DIV: result = a / b; break;
  case BINARY_LT: return cu_const_int(a < b);
  case BINARY_LE: return cu_const_int(a <= b);
  case BINARY_GT: return cu_const_int(a > b);
  case BINARY_GE: return cu_const_int(a >= b);
  case BINARY_EQ: return cu_const_int(a == b);
  case BINARY_NE: return cu_const_int(a != b);
  default: return not_const;
  }
  return cu_const_convert(const_float(result), type, type);
}

static CuConst const_divide(BinaryOp op, int64_t a, int64_t b, bool is_signed) {
  if (b == 0 || (is_signed && b == -1 && a == INT64_MIN))
    return not_const;
  if (is_signed)
    return cu_const_int(op == BINARY_DIV ? a / b : a % b);
  uint64_t x = (uint64_t)a, y = (uint64_t)b;
  return cu_const_int((int64_t)(op == BINARY_DIV ? x / y : x % y));
}

static bool is_less(int64_t a, int64_t b, bool is_signed) {
  return is_signed ? a < b : (uint64_t)a < (uint64_t)b;
}

static int64_t const_shift(BinaryOp op, int64_t a, int64_t by,
                           const CuType *type) {
  uint32_t bits = cu_bits(type) == 64 ? 64 : 32;
  uint64_t n = (uint64_t)by % bits;
  if (op == BINARY_SHL)
    return (int64_t)((uint64_t)a << n);
  return cu_is_signed(type) ? a >> n : (int64_t)((uint64_t)a >> n);
}

static CuConst fold_ints(BinaryOp op, int64_t a, int64_t b,
                         const CuType *type) {
  bool is_signed = cu_is_signed(type);
  uint64_t x = (uint64_t)a, y = (uint64_t)b;
  switch (op) {
  case BINARY_ADD: return cu_const_int(const_wrap((int64_t)(x + y), type));
  case BINARY_SUB: return cu_const_int(const_wrap((int64_t)(x - y), type));
  case BINARY_MUL: return cu_const_int(const_wrap((int64_t)(x * y), type));
  case BINARY_DIV:
  case BINARY_REM: return const_divide(op, a, b, is_signed);
  case BINARY_SHL:
  case BINARY_SHR:
    return cu_const_int(const_wrap(const_shift(op, a, b, type), type));
  case BINARY_LT: return cu_const_int(is_less(a, b, is_signed));
  case BINARY_LE: return cu_const_int(!is_less(b, a, is_signed));
  case BINARY_GT: return cu_const_int(is_less(b, a, is_signed));
  case BINARY_GE: return cu_const_int(!is_less(a, b, is_signed));
  case BINARY_EQ: return cu_const_int(a == b);
  case BINARY_NE: return cu_const_int(a != b);
  case BINARY_BIT_AND: return cu_const_int(a & b);
  case BINARY_BIT_XOR: return cu_const_int(a ^ b);
  case BINARY_BIT_OR: return cu_const_int(a | b);
  case BINARY_LOG_AND: return cu_const_int(a && b);
  case BINARY_LOG_OR: return cu_const_int(a || b);
  }
  return not_const;
}

CuConst cu_fold_binary(BinaryOp op, CuConst left, CuConst right,
                       const CuType *operands) {
  operands = const_arithmetic(operands);
  if (left.kind != right.kind || left.kind == CU_NOT_CONST)
    return not_const;
  return left.kind == CU_CONST_INT ? fold_ints(op, left.i, right.i, operands)
                                   : fold_floats(op, left.f, right.f, operands);
}

// Apart from the function around it: no statement of it stays.
static CuValue evaluate_apart(CuContext *cu, const CxExpr *expr) {
  CuFrame *frame = cu->frame;
  CuStmtVec dropped = {0};
  CuFrame apart = cu_apart_frame(cu, &dropped);
  cu->frame = &apart;
  CuValue value = cu_expr(cu, expr);
  if (cu_is(cu_plain(value.type), CU_RECORD))
    value = cu_convert(cu, value, cu_basic(&cu->types, CU_LONG), "constant");
  cu->frame = frame;
  return value;
}

CuValue cu_try_constant(CuContext *cu, const CxExpr *expr) {
  CuTrial trial = cu_trial_begin(cu);
  CuValue value = evaluate_apart(cu, expr);
  if (cu_trial_end(cu, trial))
    value.constant = not_const;
  return value;
}

bool cu_constant_int(CuContext *cu, const CxExpr *expr, const char *what,
                     int64_t *out) {
  uint32_t before = cu->reports.n_errors;
  CuValue value = evaluate_apart(cu, expr);
  if (value.constant.kind == CU_CONST_INT && !cu_is_poisoned(&value)) {
    *out = value.constant.i;
    return true;
  }
  bool is_told = cu_is_poisoned(&value) && cu->reports.n_errors > 0;
  if (cu->reports.n_errors == before && !is_told)
    cu_report_not_constant(cu, &value, expr->span, what);
  cu->reports.failed = true;
  return false;
}

void cu_report_not_constant(CuContext *cu, const CuValue *value, Span span,
                            const char *what) {
  const CuOverloads *set = value->overloads;
  if (set && set->is_unknown && set->part && set->part->name)
    cu_undeclared(cu, span, set->part->name);
  else if (set)
    cu_unsupported(cu, span, cu_format(cu, "a function as %s", what),
                   "pass an object with 'operator()'");
  else
    CU_ERROR(cu, span, not_constant, DS(what));
}
