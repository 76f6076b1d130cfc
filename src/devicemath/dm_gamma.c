// SPDX-License-Identifier: Apache-2.0
// tgamma, lgamma: Stirling's series above 8; smaller arguments are moved there,
// or to 2, by the recurrence, negative ones are reflected.
#include "devicemath/devicemath.h"
#include "devicemath/dm_exp.h"
#include "devicemath/dm_log.h"
#include "devicemath/dm_trig.h"

enum { DM_STIRLING_FROM = 8 };

#define DM_LN_2PI 0x1.d67f1c864beb5p0

// ln(gamma(y)) - ((y - 1/2) ln(y) - y + ln(2 pi) / 2), y >= 8.
DM_INLINE double dm_stirling(double y) {
  double w = 1.0 / y;
  return w * DM_HORNER_F64(w * w, dm_stirling_c);
}

// log2(gamma(y)), y >= 8.
DM_INLINE DmPair dm_log2_gamma(DmPair y) {
  DmPair log = dm_log2_pair(y.high);
  double m = y.high - 0.5;
  DmPair t = dm_product(m, log.high);
  DmPair u = dm_product(y.high, -DM_LOG2_E_HIGH);
  double low = __builtin_fma(m, log.low, t.low) +
               __builtin_fma(y.high, -DM_LOG2_E_LOW, u.low);
  DmPair sum = dm_sum(t.high, u.high);
  low += sum.low + DM_HALF_LOG2_2PI_LOW;
  sum = dm_sum(sum.high, DM_HALF_LOG2_2PI_HIGH);
  low += sum.low;
  sum = dm_sum(sum.high, dm_stirling(y.high) * DM_LOG2_E_HIGH);
  low += sum.low;
  // The derivative for the low part of y: psi(y) = ln(y) - 1 / 2y - ….
  double slope = log.high - 0.5 * DM_LOG2_E_HIGH / y.high;
  sum.low = __builtin_fma(y.low, slope, low);
  return sum;
}

// gamma(a) = v * 2^n of 0 < a < 190.
DM_INLINE DmScaledF64 dm_gamma_parts(double a) {
  DmPair y = {a, 0.0}, p = {1.0, 0.0};
  for (int i = 1; y.high < DM_STIRLING_FROM; i++) {
    DmPair next = dm_product(p.high, y.high);
    next.low += __builtin_fma(p.high, y.low, p.low * y.high);
    p = next;
    y = dm_sum(a, (double)i);
  }
  DmScaledF64 e = dm_exp2_parts(dm_log2_gamma(y));
  double v = e.v / p.high;
  e.v = __builtin_fma(-v, p.low / p.high, v);
  return e;
}

double hdm_tgamma_f64(double x) {
  double a = __builtin_fabs(x);
  if (DM_UNLIKELY(!(a < DM_INF)))
    return x > 0 ? x : x - x;
  if (DM_UNLIKELY(a < 0x1p-60))
    return 1.0 / x;
  if (x > 0) {
    DmScaledF64 e = dm_gamma_parts(a > 172.0 ? 172.0 : a);
    return dm_scale_f64(e.v, e.n);
  }
  if (DM_UNLIKELY(a == __builtin_rint(a)))
    return DM_NAN;
  // gamma(-a) gamma(a) = -pi / (a sin(pi a))
  double sine = dm_sine_of_turns_f64(a, 0);
  DmScaledF64 e = dm_gamma_parts(a > 188.0 ? 188.0 : a);
  return dm_scale_f64(-DM_PI_HIGH / (a * sine * e.v), -e.n);
}

float hdm_tgamma_f32(float x) {
  return (float)hdm_tgamma_f64((double)x);
}

// ln(gamma(2 + t)), -0.59 <= t <= 1/2.
DM_INLINE double dm_lgamma_at_2(double t) {
  return t * DM_HORNER_F64(t, dm_lgamma_c);
}

DM_INLINE double dm_lgamma_positive(double x) {
  if (x >= DM_STIRLING_FROM) {
    double log = dm_log_normal_f64(x);
    double rest = (0.5 * (DM_LN_2PI - 1.0)) + dm_stirling(x);
    return __builtin_fma(x - 0.5, log - 1.0, rest);
  }
  if (x < 0.5)
    return dm_lgamma_at_2(x) -
           dm_log_normal_f64(__builtin_fma(x, x, x)); // x (1 + x)
  if (x < 0.71)
    return dm_lgamma_at_2(x - 1.0) - dm_log_normal_f64(x);
  if (x < 1.414) { // ln(x) = f + low, of which f takes part in the product
    double f = x - 1.0;
    return f * (DM_HORNER_F64(f, dm_lgamma_c) - 1.0) - dm_log1p_low(f);
  }
  double p = 1.0;
  while (x > 2.5) {
    x -= 1.0;
    p *= x;
  }
  return dm_lgamma_at_2(x - 2.0) + dm_log_normal_f64(p);
}

double hdm_lgamma_f64(double x) {
  double a = __builtin_fabs(x);
  if (DM_UNLIKELY(!(a < DM_INF)))
    return a;
  if (DM_UNLIKELY(a < 0x1p-70))
    return a == 0 ? DM_INF : -dm_log_normal_f64(a);
  double v = dm_lgamma_positive(a);
  if (x > 0)
    return v;
  if (DM_UNLIKELY(a == __builtin_rint(a)))
    return DM_INF;
  // |gamma(-a)| gamma(a) = pi / (a |sin(pi a)|)
  double sine = __builtin_fabs(dm_sine_of_turns_f64(a, 0));
  return DM_LN_PI_HIGH - dm_log_normal_f64(a * sine) - v;
}

float hdm_lgamma_f32(float x) {
  return (float)hdm_lgamma_f64((double)x);
}
