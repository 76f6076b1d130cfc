// SPDX-License-Identifier: Apache-2.0
// Mathematical functions: those of the C library for float and double.
#include "base/float_bits.h"
#include "base/panic.h"
#include "interp/eval.h"
#include <math.h>

// lgamma writes the process's signgam; these don't.
static double eval_math_log_gamma(double x) {
  int sign;
  return lgamma_r(x, &sign);
}

static float log_gammaf(float x) {
  int sign;
  return lgammaf_r(x, &sign);
}

static double minimum_number(double a, double b) {
  return float_minimum_number(a, b);
}

static double maximum_number(double a, double b) {
  return float_maximum_number(a, b);
}

static float minimum_numberf(float a, float b) {
  return (float)float_minimum_number((double)a, (double)b);
}

static float maximum_numberf(float a, float b) {
  return (float)float_maximum_number((double)a, (double)b);
}

static const double pi = 3.14159265358979323846;

// sin(pi * x): reduced exactly to at most a quarter turn, where the double
// function is within an ULP.
static double sin_pi(double x) {
  if (isinf(x))
    return NAN;
  double turn = remainder(x, 2.0); // [-1, 1], exact
  if (turn == 0 || fabs(turn) == 1)
    return copysign(0.0, x);
  if (fabs(turn) > 0.5) // sin(pi - y) = sin(y)
    turn = copysign(1.0, turn) - turn;
  return fabs(turn) > 0.25 ? copysign(cos(pi * (0.5 - fabs(turn))), turn)
                           : sin(pi * turn);
}

static double cos_pi(double x) {
  if (isinf(x))
    return NAN;
  double turn = fabs(remainder(x, 2.0)); // [0, 1]
  if (turn == 0.5)
    return 0;
  if (turn <= 0.25)
    return cos(pi * turn);
  return turn < 0.75 ? sin(pi * (0.5 - turn)) : -cos(pi * (1.0 - turn));
}

// By operation; NULL where it is no such function.
#define MATH2(id, name)
#define MATH1(id, name) [IR_##id] = name,
static double (*const one_f64[IR_OP_COUNT])(double) = {
#include "interp/math.def"
};
#undef MATH1
#define MATH1(id, name) [IR_##id] = name##f,
static float (*const one_f32[IR_OP_COUNT])(float) = {
#include "interp/math.def"
};
#undef MATH1
#undef MATH2

#define MATH1(id, name)
#define MATH2(id, name) [IR_##id] = name,
static double (*const two_f64[IR_OP_COUNT])(double, double) = {
#include "interp/math.def"
};
#undef MATH2
#define MATH2(id, name) [IR_##id] = name##f,
static float (*const two_f32[IR_OP_COUNT])(float, float) = {
#include "interp/math.def"
};
#undef MATH1
#undef MATH2

double eval_math_f64(IrOp op, double a, double b) {
  if (one_f64[op])
    return one_f64[op](a);
  if (two_f64[op])
    return two_f64[op](a, b);
  switch ((int)op) {
  case IR_LGAMMA: return eval_math_log_gamma(a);
  case IR_RSQRT:
  case IR_FAST_RSQRT: return 1.0 / sqrt(a);
  case IR_FAST_RCP: return 1.0 / a;
  case IR_SIGMOID: return 1.0 / (1.0 + exp(-a));
  case IR_SINPI: return sin_pi(a);
  case IR_COSPI: return cos_pi(a);
  default: HD_PANIC("%s is not known to the interpreter", ir_op_table[op].text);
  }
}

float eval_math_f32(IrOp op, float a, float b) {
  if (one_f32[op])
    return one_f32[op](a);
  if (two_f32[op])
    return two_f32[op](a, b);
  switch ((int)op) {
  case IR_LGAMMA: return log_gammaf(a);
  case IR_RSQRT:
  case IR_FAST_RSQRT: return (float)(1.0 / sqrt((double)a));
  case IR_FAST_RCP: return 1.0f / a;
  case IR_SIGMOID: return (float)(1.0 / (1.0 + exp(-(double)a)));
  case IR_SINPI: return (float)sin_pi((double)a);
  case IR_COSPI: return (float)cos_pi((double)a);
  default: HD_PANIC("%s is not known to the interpreter", ir_op_table[op].text);
  }
}
