// SPDX-License-Identifier: Apache-2.0
// Complex numbers as pairs.
#pragma once

typedef float2 cuFloatComplex;
__device__ cuFloatComplex make_cuFloatComplex(float re, float im) { return make_float2(re, im); }
__device__ float cuCrealf(cuFloatComplex z) { return z.x; }
__device__ float cuCimagf(cuFloatComplex z) { return z.y; }
__device__ cuFloatComplex cuConjf(cuFloatComplex z) { return make_float2(z.x, -z.y); }
__device__ cuFloatComplex cuCaddf(cuFloatComplex a, cuFloatComplex b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ cuFloatComplex cuCsubf(cuFloatComplex a, cuFloatComplex b) { return make_float2(a.x - b.x, a.y - b.y); }
__device__ cuFloatComplex cuCmulf(cuFloatComplex a, cuFloatComplex b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
__device__ cuFloatComplex cuCfmaf(cuFloatComplex a, cuFloatComplex b, cuFloatComplex c) { return cuCaddf(cuCmulf(a, b), c); }
__device__ float cuCabsf(cuFloatComplex z) { return hypotf(z.x, z.y); }
// Scaled, so that nothing in between overflows.
__device__ cuFloatComplex cuCdivf(cuFloatComplex a, cuFloatComplex b) {
  float s = (float)1 / (fabsf(b.x) + fabsf(b.y));
  float ax = a.x * s, ay = a.y * s, bx = b.x * s, by = b.y * s;
  float n = (float)1 / (bx * bx + by * by);
  return make_float2((ax * bx + ay * by) * n, (ay * bx - ax * by) * n);
}
typedef double2 cuDoubleComplex;
__device__ cuDoubleComplex make_cuDoubleComplex(double re, double im) { return make_double2(re, im); }
__device__ double cuCreal(cuDoubleComplex z) { return z.x; }
__device__ double cuCimag(cuDoubleComplex z) { return z.y; }
__device__ cuDoubleComplex cuConj(cuDoubleComplex z) { return make_double2(z.x, -z.y); }
__device__ cuDoubleComplex cuCadd(cuDoubleComplex a, cuDoubleComplex b) { return make_double2(a.x + b.x, a.y + b.y); }
__device__ cuDoubleComplex cuCsub(cuDoubleComplex a, cuDoubleComplex b) { return make_double2(a.x - b.x, a.y - b.y); }
__device__ cuDoubleComplex cuCmul(cuDoubleComplex a, cuDoubleComplex b) { return make_double2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
__device__ cuDoubleComplex cuCfma(cuDoubleComplex a, cuDoubleComplex b, cuDoubleComplex c) { return cuCadd(cuCmul(a, b), c); }
__device__ double cuCabs(cuDoubleComplex z) { return hypot(z.x, z.y); }
// Scaled, so that nothing in between overflows.
__device__ cuDoubleComplex cuCdiv(cuDoubleComplex a, cuDoubleComplex b) {
  double s = (double)1 / (fabs(b.x) + fabs(b.y));
  double ax = a.x * s, ay = a.y * s, bx = b.x * s, by = b.y * s;
  double n = (double)1 / (bx * bx + by * by);
  return make_double2((ax * bx + ay * by) * n, (ay * bx - ax * by) * n);
}
typedef cuFloatComplex cuComplex;
__device__ cuComplex make_cuComplex(float re, float im) { return make_float2(re, im); }
__device__ cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return make_double2(z.x, z.y); }
__device__ cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) { return make_float2((float)z.x, (float)z.y); }
