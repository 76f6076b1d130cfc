// SPDX-License-Identifier: Apache-2.0
// sin, cos, tan, sinpi, cospi.
#include "devicemath/dm_trig.h"
#include "devicemath/devicemath.h"

float hdm_sin_f32(float x) {
  DmTurnF32 v = dm_reduce_f32(x);
  return dm_sine_f32(v.r, v.q);
}

double hdm_sin_f64(double x) {
  DmTurnF64 v = dm_reduce_f64(x);
  return dm_sine_f64(v.r, v.q);
}

float hdm_cos_f32(float x) {
  DmTurnF32 v = dm_reduce_f32(x);
  return dm_sine_f32(v.r, v.q + 1);
}

double hdm_cos_f64(double x) {
  DmTurnF64 v = dm_reduce_f64(x);
  return dm_sine_f64(v.r, v.q + 1);
}

// tan(r + pi / 2) = -1 / tan(r).
float hdm_tan_f32(float x) {
  DmTurnF32 v = dm_reduce_f32(x);
  float z = v.r * v.r;
  float t = __builtin_fmaf(v.r * z, DM_HORNER_F32(z, dm_tanf_c), v.r);
  return v.q & 1 ? -1.0f / t : t;
}

double hdm_tan_f64(double x) {
  DmTurnF64 v = dm_reduce_f64(x);
  double z = v.r * v.r;
  double t = __builtin_fma(v.r * z, DM_HORNER_F64(z, dm_tan_c), v.r);
  return v.q & 1 ? -1.0 / t : t;
}

float hdm_sinpi_f32(float x) {
  return dm_sine_of_turns_f32(x, 0);
}

double hdm_sinpi_f64(double x) {
  return dm_sine_of_turns_f64(x, 0);
}

float hdm_cospi_f32(float x) {
  return dm_sine_of_turns_f32(x, 1);
}

double hdm_cospi_f64(double x) {
  return dm_sine_of_turns_f64(x, 1);
}
