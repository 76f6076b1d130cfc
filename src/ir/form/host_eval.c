// SPDX-License-Identifier: Apache-2.0
#include "ir/form/host_eval.h"

#include "ir/form/float_format.h"

#include <math.h>
#include <stdio.h>

__extension__ typedef __int128 Wide;

typedef struct {
  const HostScope *scope;
  const char *why;
  char *buffer;
  int depth;
} Evaluation;

enum { DEEPEST = 4096 };

static HostValue host_eval_evaluate(Evaluation *e, const IrHost *x);

static HostValue host_eval_fail(Evaluation *e, const char *why) {
  if (!e->why)
    e->why = why;
  return (HostValue){0};
}

static HostValue of_wide(Evaluation *e, Wide value) {
  if (value < INT64_MIN || value > INT64_MAX)
    return host_eval_fail(e, "the value does not fit 64 bits");
  return (HostValue){.integer = (int64_t)value};
}

static HostValue of_real(double value) {
  return (HostValue){.is_float = true, .real = value};
}

static double to_real(HostValue v) {
  return v.is_float ? v.real : (double)v.integer;
}

static bool host_eval_is_true(HostValue v) {
  return v.is_float ? v.real != 0 : v.integer != 0;
}

static HostValue param(Evaluation *e, int64_t index) {
  const IrParam *p = &e->scope->kernel->params.data[index];
  if (!e->scope->has_value[index]) {
    snprintf(e->buffer, 256, "the value of '%s' is not known", p->name);
    return host_eval_fail(e, e->buffer);
  }
  uint64_t bits = e->scope->slots[p->slot];
  if (ir_type_is_float(p->type))
    return of_real(float_bits_to_double(ir_float_format(p->type), bits));
  if (!p->is_signed)
    return of_wide(e, (Wide)bits);
  return of_wide(e, (Wide)(int64_t)bits);
}

static HostValue host_eval_float_op(Evaluation *e, IrHostOp op, double a,
                                    double b) {
  switch ((int)op) {
  case HOST_ADD: return of_real(a + b);
  case HOST_SUB: return of_real(a - b);
  case HOST_MUL: return of_real(a * b);
  case HOST_DIV: return of_real(a / b);
  case HOST_REM: return of_real(fmod(a, b));
  case HOST_NEG: return of_real(-a);
  case HOST_ABS: return of_real(fabs(a));
  case HOST_MIN: return of_real(float_minimum_number(a, b));
  case HOST_MAX: return of_real(float_maximum_number(a, b));
  case HOST_EQ: return of_wide(e, a == b);
  case HOST_NE: return of_wide(e, a != b);
  case HOST_LT: return of_wide(e, a < b);
  case HOST_LE: return of_wide(e, a <= b);
  default:
    return host_eval_fail(
        e, "a floating-point operand where an integer is needed");
  }
}

static HostValue host_eval_divide(Evaluation *e, IrHostOp op, Wide a, Wide b) {
  if (b == 0)
    return host_eval_fail(e, "division by zero");
  if (op == HOST_REM)
    return of_wide(e, a % b);
  Wide quotient = a / b;
  bool rounds_up = op == HOST_CDIV && a % b != 0 && (a < 0) == (b < 0);
  return of_wide(e, quotient + rounds_up);
}

static HostValue host_eval_shift(Evaluation *e, IrHostOp op, Wide a, Wide b) {
  if (b < 0 || b > 63)
    return host_eval_fail(e, "a shift count is not between 0 and 63");
  // Not a << b: shifting a negative number is undefined in C.
  return of_wide(e, op == HOST_SHL ? a * ((Wide)1 << b) : a >> b);
}

static HostValue int_op(Evaluation *e, IrHostOp op, Wide a, Wide b) {
  switch ((int)op) {
  case HOST_ADD: return of_wide(e, a + b);
  case HOST_SUB: return of_wide(e, a - b);
  case HOST_MUL: return of_wide(e, a * b);
  case HOST_DIV:
  case HOST_REM:
  case HOST_CDIV: return host_eval_divide(e, op, a, b);
  case HOST_NEG: return of_wide(e, -a);
  case HOST_BIT_AND: return of_wide(e, a & b);
  case HOST_BIT_OR: return of_wide(e, a | b);
  case HOST_BIT_XOR: return of_wide(e, a ^ b);
  case HOST_BIT_NOT: return of_wide(e, ~a);
  case HOST_SHL:
  case HOST_SHR: return host_eval_shift(e, op, a, b);
  case HOST_MIN: return of_wide(e, a < b ? a : b);
  case HOST_MAX: return of_wide(e, a > b ? a : b);
  case HOST_ABS: return of_wide(e, a < 0 ? -a : a);
  case HOST_EQ: return of_wide(e, a == b);
  case HOST_NE: return of_wide(e, a != b);
  case HOST_LT: return of_wide(e, a < b);
  case HOST_LE: return of_wide(e, a <= b);
  default: return host_eval_fail(e, "this can't be evaluated at launch");
  }
}

static HostValue host_eval_to_int(Evaluation *e, HostValue v) {
  if (!v.is_float)
    return v;
  if (!(v.real > -9223372036854775808.0 && v.real < 9223372036854775808.0))
    return host_eval_fail(e, "the value does not fit 64 bits");
  return of_wide(e, (Wide)v.real);
}

static HostValue aligned(Evaluation *e, const IrHost *x) {
  const IrParam *p = &e->scope->kernel->params.data[x->object->param];
  HostValue bytes = host_eval_evaluate(e, x->args[0]);
  if (e->why || bytes.integer <= 0)
    return host_eval_fail(e, "an alignment must be positive");
  return of_wide(e, e->scope->slots[p->slot] % (uint64_t)bytes.integer == 0);
}

// Operators that do not evaluate all operands, and leaves.
static HostValue evaluate_special(Evaluation *e, const IrHost *x,
                                  bool *is_special) {
  *is_special = true;
  switch ((int)x->op) {
  case HOST_CONST:
    return x->is_float ? of_real(x->real) : of_wide(e, x->number);
  case HOST_PARAM: return param(e, x->number);
  case HOST_EXTENT:
    if (!x->object->extents[x->number])
      return host_eval_fail(e, "an extent is not known");
    return host_eval_evaluate(e, x->object->extents[x->number]);
  case HOST_LOGICAL_AND:
    return of_wide(e, host_eval_is_true(host_eval_evaluate(e, x->args[0])) &&
                          host_eval_is_true(host_eval_evaluate(e, x->args[1])));
  case HOST_LOGICAL_OR:
    return of_wide(e, host_eval_is_true(host_eval_evaluate(e, x->args[0])) ||
                          host_eval_is_true(host_eval_evaluate(e, x->args[1])));
  case HOST_LOGICAL_NOT:
    return of_wide(e, !host_eval_is_true(host_eval_evaluate(e, x->args[0])));
  case HOST_COND:
    return host_eval_evaluate(
        e,
        x->args[host_eval_is_true(host_eval_evaluate(e, x->args[0])) ? 1 : 2]);
  case HOST_TO_FLOAT:
    return of_real(to_real(host_eval_evaluate(e, x->args[0])));
  case HOST_TO_INT:
    return host_eval_to_int(e, host_eval_evaluate(e, x->args[0]));
  case HOST_ALIGNED: return aligned(e, x);
  default: *is_special = false; return (HostValue){0};
  }
}

static HostValue host_eval_evaluate(Evaluation *e, const IrHost *x) {
  if (e->why)
    return (HostValue){0};
  if (++e->depth > DEEPEST)
    return host_eval_fail(e, "the expression is nested too deeply");
  bool is_special;
  HostValue result = evaluate_special(e, x, &is_special);
  if (!is_special) {
    HostValue a = host_eval_evaluate(e, x->args[0]);
    HostValue b = x->n_args > 1 ? host_eval_evaluate(e, x->args[1]) : a;
    if (!e->why)
      result = a.is_float || b.is_float
                   ? host_eval_float_op(e, x->op, to_real(a), to_real(b))
                   : int_op(e, x->op, a.integer, b.integer);
  }
  e->depth--;
  return result;
}

const char *host_eval(const HostScope *scope, const IrHost *expression,
                      HostValue *out, char buffer[256]) {
  Evaluation e = {.scope = scope, .buffer = buffer};
  *out = host_eval_evaluate(&e, expression);
  return e.why;
}

const char *host_eval_int(const HostScope *scope, const IrHost *expression,
                          int64_t *out, char buffer[256]) {
  HostValue value;
  const char *why = host_eval(scope, expression, &value, buffer);
  if (!why && value.is_float)
    why = "an integer is needed";
  *out = value.integer;
  return why;
}

bool host_is_open(const HostScope *scope, const IrHost *expression) {
  if (expression->op == HOST_PARAM)
    return !scope->has_value[expression->number];
  if (expression->op == HOST_EXTENT) {
    const IrHost *extent = expression->object->extents[expression->number];
    return !extent || host_is_open(scope, extent);
  }
  for (int i = 0; i < expression->n_args; i++) {
    if (expression->args[i] && host_is_open(scope, expression->args[i]))
      return true;
  }
  return false;
}
