// SPDX-License-Identifier: Apache-2.0
// Arithmetic and conversions with a rounding that the name states.

// --- rounding ---
// Exactly hi + lo, |lo| below half an ulp of hi, to the next float or double in
// a direction: 0 to zero, 1 up, 2 down.
namespace __hd {
__device__ float next_float(float f, bool up) {
  if (f == 0)
    return up ? __int_as_float(1) : __int_as_float((int)0x80000001u);
  int bits = __float_as_int(f);
  return __int_as_float((f > 0) == up ? bits + 1 : bits - 1);
}
__device__ double next_double(double f, bool up) {
  if (f == 0)
    return up ? __longlong_as_double(1) : __longlong_as_double((long long)0x8000000000000001ull);
  long long bits = __double_as_longlong(f);
  return __longlong_as_double((f > 0) == up ? bits + 1 : bits - 1);
}
__device__ float to_float(double hi, double lo, int way) {
  float f = (float)hi;
  if (!(hi - hi == 0))
    return f;
  bool above = (double)f > hi || ((double)f == hi && lo < 0);
  bool below = (double)f < hi || ((double)f == hi && lo > 0);
  bool is_positive = hi > 0 || (hi == 0 && lo > 0);
  if (above && (way == 2 || (way == 0 && is_positive)))
    return next_float(f, false);
  if (below && (way == 1 || (way == 0 && !is_positive)))
    return next_float(f, true);
  return f;
}
__device__ double sub_exact(double a, double b) { return a - b; }
__device__ double add_exact(double a, double b) { return a + b; }
// What a + b lost.
__device__ double lost(double a, double b, double sum) {
  double c = sub_exact(sum, a);
  return add_exact(sub_exact(a, sub_exact(sum, c)), sub_exact(b, c));
}
__device__ float add_float(double a, double b, int way) {
  double sum = add_exact(a, b);
  if (sum == 0 && way == 2 && !(a == 0 && b == 0 && 1 / a > 0 && 1 / b > 0))
    return -0.0f;
  return to_float(sum, lost(a, b, sum), way);
}
__device__ double step_double(double f, double lo, int way) {
  if (lo < 0 && (way == 2 || (way == 0 && f > 0)))
    return next_double(f, false);
  if (lo > 0 && (way == 1 || (way == 0 && f < 0)))
    return next_double(f, true);
  return f;
}
__device__ double add_double(double a, double b, int way) {
  double sum = add_exact(a, b);
  if (!(sum - sum == 0)) {
    if (!(a - a == 0 && b - b == 0))
      return sum;
    double largest = __longlong_as_double(0x7fefffffffffffffll);
    if (sum > 0)
      return way == 1 ? sum : largest;
    return way == 2 ? sum : -largest;
  }
  if (sum == 0 && way == 2 && !(a == 0 && b == 0 && 1 / a > 0 && 1 / b > 0))
    return -0.0;
  return step_double(sum, lost(a, b, sum), way);
}
__device__ float div_float(float a, float b, int way) {
  double q = (double)a / (double)b;
  if (!(q - q == 0) || q == 0)
    return (float)q;
  double r = fma(-q, (double)b, (double)a);
  return to_float(q, (r > 0) == (b > 0) ? (r == 0 ? 0.0 : 1.0) : (r == 0 ? 0.0 : -1.0), way);
}
__device__ float sqrt_float(float a, int way) {
  double q = sqrt((double)a);
  if (!(q - q == 0) || q == 0)
    return (float)q;
  return to_float(q, fma(-q, q, (double)a), way);
}
}
// Double precision: what was lost is exact as long as nothing in between is
// smaller than the least normal number, so operands are scaled first.
namespace __hd {
__device__ double limit_double(double f, double a, double b, int way) {
  if (!(f - f != 0 && a - a == 0 && b - b == 0) || f != f)
    return f;
  double largest = __longlong_as_double(0x7fefffffffffffffll);
  if (f > 0)
    return way == 1 ? f : largest;
  return way == 2 ? f : -largest;
}
// Whether hi + lo, hi rounded, times 2^n, is what f is; else the next one.
__device__ double unscale(double hi, double lo, int n, int way) {
  double f = ldexp(hi, n);
  if (f - f != 0)
    return limit_double(f, 0, 0, way);
  double back = ldexp(f, -n);
  double rest = back == hi ? lo : hi - back;
  if (f == 0 && rest != 0)
    return rest > 0 ? (way == 1 ? next_double(0, true) : 0.0) : (way == 2 ? next_double(0, false) : -0.0);
  return step_double(f, rest, way);
}
__device__ double fma_double(double a, double b, double c, int way) {
  if (!(a - a == 0 && b - b == 0 && c - c == 0) || a == 0 || b == 0)
    return a == 0 || b == 0 ? add_double(a * b, c, way) : fma(a, b, c);
  int ea = ilogb(a), eb = ilogb(b), n = ea + eb;
  double x = ldexp(a, -ea), y = ldexp(b, -eb), hi = x * y, lo = fma(x, y, -hi);
  if (c == 0)
    return unscale(hi, lo, n, way);
  int ec = ilogb(c), top = n > ec ? n : ec;
  int down = n - top < -1500 ? -1500 : n - top, other = ec - top < -1500 ? -1500 : ec - top;
  // Far below the larger one only the sign of the smaller one counts.
  double p = ldexp(hi, down < -400 ? -400 : down), q = ldexp(lo, down < -400 ? -400 : down);
  double z = ldexp(ldexp(c, -ec), other < -400 ? -400 : other);
  double s = add_exact(p, z), e = lost(p, z, s), t = add_exact(e, q), u = lost(e, q, t);
  double r = add_exact(s, t), rest = lost(s, t, r);
  if (r == 0)
    return way == 2 ? -0.0 : 0.0;
  rest = rest == 0 ? u : rest;
  return unscale(r, rest, top, way);
}
__device__ double mul_double(double a, double b, int way) { return a == 0 || b == 0 ? a * b : fma_double(a, b, 0, way); }
__device__ double div_double(double a, double b, int way) {
  if (!(a - a == 0 && b - b == 0) || a == 0 || b == 0)
    return a / b;
  int ea = ilogb(a), eb = ilogb(b);
  double x = ldexp(a, -ea), y = ldexp(b, -eb), q = x / y, r = fma(-q, y, x);
  return unscale(q, r == 0 ? 0.0 : (r > 0) == (y > 0) ? 1e-300 : -1e-300, ea - eb, way);
}
__device__ double sqrt_double(double a, int way) {
  double q = sqrt(a);
  if (!(a > 0) || q - q != 0)
    return q;
  int e = ilogb(a) / 2;
  double x = ldexp(a, -2 * e), root = sqrt(x);
  return unscale(root, fma(-root, root, x), e, way);
}
}
__device__ float __fadd_rn(float a, float b) { return a + b; }
__device__ float __fsub_rn(float a, float b) { return a - b; }
__device__ float __fmul_rn(float a, float b) { return a * b; }
float __fdiv_rn(float a, float b) __heddle("a / b");
float __frcp_rn(float a) __heddle("1.0f / a");
float __fsqrt_rn(float a) __heddle("sqrtf(a)");
__device__ float __frsqrt_rn(float a) { return (float)(1.0 / sqrt((double)a)); }
float __fmaf_rn(float a, float b, float c) __heddle("fmaf(a, b, c)");
float __fmaf_ieee_rn(float a, float b, float c) __heddle("fmaf(a, b, c)");
__device__ double __dadd_rn(double a, double b) { return a + b; }
__device__ double __dsub_rn(double a, double b) { return a - b; }
__device__ double __dmul_rn(double a, double b) { return a * b; }
double __ddiv_rn(double a, double b) __heddle("a / b");
double __drcp_rn(double a) __heddle("1.0 / a");
double __dsqrt_rn(double a) __heddle("sqrt(a)");
double __fma_rn(double a, double b, double c) __heddle("fma(a, b, c)");
__device__ float __fadd_rz(float a, float b) { return __hd::add_float(a, b, 0); }
__device__ float __fsub_rz(float a, float b) { return __hd::add_float(a, -b, 0); }
__device__ float __fmul_rz(float a, float b) { return __hd::to_float((double)a * (double)b, 0, 0); }
__device__ float __fmaf_rz(float a, float b, float c) { return __hd::add_float((double)a * (double)b, c, 0); }
__device__ float __fmaf_ieee_rz(float a, float b, float c) { return __hd::add_float((double)a * (double)b, c, 0); }
__device__ float __fdiv_rz(float a, float b) { return __hd::div_float(a, b, 0); }
__device__ float __frcp_rz(float a) { return __hd::div_float(1, a, 0); }
__device__ float __fsqrt_rz(float a) { return __hd::sqrt_float(a, 0); }
__device__ double __dadd_rz(double a, double b) { return __hd::add_double(a, b, 0); }
__device__ double __dsub_rz(double a, double b) { return __hd::add_double(a, -b, 0); }
__device__ double __dmul_rz(double a, double b) { return __hd::mul_double(a, b, 0); }
__device__ double __fma_rz(double a, double b, double c) { return __hd::fma_double(a, b, c, 0); }
__device__ double __ddiv_rz(double a, double b) { return __hd::div_double(a, b, 0); }
__device__ double __drcp_rz(double a) { return __hd::div_double(1, a, 0); }
__device__ double __dsqrt_rz(double a) { return __hd::sqrt_double(a, 0); }
__device__ float __fadd_ru(float a, float b) { return __hd::add_float(a, b, 1); }
__device__ float __fsub_ru(float a, float b) { return __hd::add_float(a, -b, 1); }
__device__ float __fmul_ru(float a, float b) { return __hd::to_float((double)a * (double)b, 0, 1); }
__device__ float __fmaf_ru(float a, float b, float c) { return __hd::add_float((double)a * (double)b, c, 1); }
__device__ float __fmaf_ieee_ru(float a, float b, float c) { return __hd::add_float((double)a * (double)b, c, 1); }
__device__ float __fdiv_ru(float a, float b) { return __hd::div_float(a, b, 1); }
__device__ float __frcp_ru(float a) { return __hd::div_float(1, a, 1); }
__device__ float __fsqrt_ru(float a) { return __hd::sqrt_float(a, 1); }
__device__ double __dadd_ru(double a, double b) { return __hd::add_double(a, b, 1); }
__device__ double __dsub_ru(double a, double b) { return __hd::add_double(a, -b, 1); }
__device__ double __dmul_ru(double a, double b) { return __hd::mul_double(a, b, 1); }
__device__ double __fma_ru(double a, double b, double c) { return __hd::fma_double(a, b, c, 1); }
__device__ double __ddiv_ru(double a, double b) { return __hd::div_double(a, b, 1); }
__device__ double __drcp_ru(double a) { return __hd::div_double(1, a, 1); }
__device__ double __dsqrt_ru(double a) { return __hd::sqrt_double(a, 1); }
__device__ float __fadd_rd(float a, float b) { return __hd::add_float(a, b, 2); }
__device__ float __fsub_rd(float a, float b) { return __hd::add_float(a, -b, 2); }
__device__ float __fmul_rd(float a, float b) { return __hd::to_float((double)a * (double)b, 0, 2); }
__device__ float __fmaf_rd(float a, float b, float c) { return __hd::add_float((double)a * (double)b, c, 2); }
__device__ float __fmaf_ieee_rd(float a, float b, float c) { return __hd::add_float((double)a * (double)b, c, 2); }
__device__ float __fdiv_rd(float a, float b) { return __hd::div_float(a, b, 2); }
__device__ float __frcp_rd(float a) { return __hd::div_float(1, a, 2); }
__device__ float __fsqrt_rd(float a) { return __hd::sqrt_float(a, 2); }
__device__ double __dadd_rd(double a, double b) { return __hd::add_double(a, b, 2); }
__device__ double __dsub_rd(double a, double b) { return __hd::add_double(a, -b, 2); }
__device__ double __dmul_rd(double a, double b) { return __hd::mul_double(a, b, 2); }
__device__ double __fma_rd(double a, double b, double c) { return __hd::fma_double(a, b, c, 2); }
__device__ double __ddiv_rd(double a, double b) { return __hd::div_double(a, b, 2); }
__device__ double __drcp_rd(double a) { return __hd::div_double(1, a, 2); }
__device__ double __dsqrt_rd(double a) { return __hd::sqrt_double(a, 2); }

// --- conversions ---
int __float2int_rn(float x) __heddle("(int)rintf(x)");
int __float2int_rz(float x) __heddle("(int)x");
int __float2int_ru(float x) __heddle("(int)ceilf(x)");
int __float2int_rd(float x) __heddle("(int)floorf(x)");
unsigned __float2uint_rn(float x) __heddle("(unsigned)rintf(x)");
unsigned __float2uint_rz(float x) __heddle("(unsigned)x");
unsigned __float2uint_ru(float x) __heddle("(unsigned)ceilf(x)");
unsigned __float2uint_rd(float x) __heddle("(unsigned)floorf(x)");
long long __float2ll_rn(float x) __heddle("(long long)rintf(x)");
long long __float2ll_rz(float x) __heddle("(long long)x");
long long __float2ll_ru(float x) __heddle("(long long)ceilf(x)");
long long __float2ll_rd(float x) __heddle("(long long)floorf(x)");
unsigned long long __float2ull_rn(float x) __heddle("(unsigned long long)rintf(x)");
unsigned long long __float2ull_rz(float x) __heddle("(unsigned long long)x");
unsigned long long __float2ull_ru(float x) __heddle("(unsigned long long)ceilf(x)");
unsigned long long __float2ull_rd(float x) __heddle("(unsigned long long)floorf(x)");
int __double2int_rn(double x) __heddle("(int)rint(x)");
int __double2int_rz(double x) __heddle("(int)x");
int __double2int_ru(double x) __heddle("(int)ceil(x)");
int __double2int_rd(double x) __heddle("(int)floor(x)");
unsigned __double2uint_rn(double x) __heddle("(unsigned)rint(x)");
unsigned __double2uint_rz(double x) __heddle("(unsigned)x");
unsigned __double2uint_ru(double x) __heddle("(unsigned)ceil(x)");
unsigned __double2uint_rd(double x) __heddle("(unsigned)floor(x)");
long long __double2ll_rn(double x) __heddle("(long long)rint(x)");
long long __double2ll_rz(double x) __heddle("(long long)x");
long long __double2ll_ru(double x) __heddle("(long long)ceil(x)");
long long __double2ll_rd(double x) __heddle("(long long)floor(x)");
unsigned long long __double2ull_rn(double x) __heddle("(unsigned long long)rint(x)");
unsigned long long __double2ull_rz(double x) __heddle("(unsigned long long)x");
unsigned long long __double2ull_ru(double x) __heddle("(unsigned long long)ceil(x)");
unsigned long long __double2ull_rd(double x) __heddle("(unsigned long long)floor(x)");
float __int2float_rn(int x) __heddle("(float)x");
double __int2double_rn(int x) __heddle("(double)x");
__device__ float __int2float_rz(int x) { return __hd::to_float(x, 0, 0); }
__device__ float __int2float_ru(int x) { return __hd::to_float(x, 0, 1); }
__device__ float __int2float_rd(int x) { return __hd::to_float(x, 0, 2); }
float __uint2float_rn(unsigned x) __heddle("(float)x");
double __uint2double_rn(unsigned x) __heddle("(double)x");
__device__ float __uint2float_rz(unsigned x) { return __hd::to_float(x, 0, 0); }
__device__ float __uint2float_ru(unsigned x) { return __hd::to_float(x, 0, 1); }
__device__ float __uint2float_rd(unsigned x) { return __hd::to_float(x, 0, 2); }
namespace __hd {
__device__ float wide_to_float(double hi, double lo, int way) { return to_float(add_exact(hi, lo), lost(hi, lo, add_exact(hi, lo)), way); }
__device__ double wide_to_double(double hi, double lo, int way) { return step_double(add_exact(hi, lo), lost(hi, lo, add_exact(hi, lo)), way); }
}
float __ll2float_rn(long long x) __heddle("(float)x");
double __ll2double_rn(long long x) __heddle("(double)x");
__device__ float __ll2float_rz(long long x) { return __hd::wide_to_float((double)(x >> 32) * 4294967296.0, (double)(unsigned)x, 0); }
__device__ double __ll2double_rz(long long x) { return __hd::wide_to_double((double)(x >> 32) * 4294967296.0, (double)(unsigned)x, 0); }
__device__ float __ll2float_ru(long long x) { return __hd::wide_to_float((double)(x >> 32) * 4294967296.0, (double)(unsigned)x, 1); }
__device__ double __ll2double_ru(long long x) { return __hd::wide_to_double((double)(x >> 32) * 4294967296.0, (double)(unsigned)x, 1); }
__device__ float __ll2float_rd(long long x) { return __hd::wide_to_float((double)(x >> 32) * 4294967296.0, (double)(unsigned)x, 2); }
__device__ double __ll2double_rd(long long x) { return __hd::wide_to_double((double)(x >> 32) * 4294967296.0, (double)(unsigned)x, 2); }
float __ull2float_rn(unsigned long long x) __heddle("(float)x");
double __ull2double_rn(unsigned long long x) __heddle("(double)x");
__device__ float __ull2float_rz(unsigned long long x) { return __hd::wide_to_float((double)(x >> 32) * 4294967296.0, (double)(unsigned)x, 0); }
__device__ double __ull2double_rz(unsigned long long x) { return __hd::wide_to_double((double)(x >> 32) * 4294967296.0, (double)(unsigned)x, 0); }
__device__ float __ull2float_ru(unsigned long long x) { return __hd::wide_to_float((double)(x >> 32) * 4294967296.0, (double)(unsigned)x, 1); }
__device__ double __ull2double_ru(unsigned long long x) { return __hd::wide_to_double((double)(x >> 32) * 4294967296.0, (double)(unsigned)x, 1); }
__device__ float __ull2float_rd(unsigned long long x) { return __hd::wide_to_float((double)(x >> 32) * 4294967296.0, (double)(unsigned)x, 2); }
__device__ double __ull2double_rd(unsigned long long x) { return __hd::wide_to_double((double)(x >> 32) * 4294967296.0, (double)(unsigned)x, 2); }
float __double2float_rn(double x) __heddle("(float)x");
__device__ float __double2float_rz(double x) { return __hd::to_float(x, 0, 0); }
__device__ float __double2float_ru(double x) { return __hd::to_float(x, 0, 1); }
__device__ float __double2float_rd(double x) { return __hd::to_float(x, 0, 2); }

// By an argument, as the first versions of CUDA had it.
enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };
__device__ double dadd(double a, double b, cudaRoundMode mode = cudaRoundNearest) {
  return mode == cudaRoundNearest ? __dadd_rn(a, b) : mode == cudaRoundZero ? __dadd_rz(a, b) : mode == cudaRoundPosInf ? __dadd_ru(a, b) : __dadd_rd(a, b);
}
__device__ double dsub(double a, double b, cudaRoundMode mode = cudaRoundNearest) {
  return mode == cudaRoundNearest ? __dsub_rn(a, b) : mode == cudaRoundZero ? __dsub_rz(a, b) : mode == cudaRoundPosInf ? __dsub_ru(a, b) : __dsub_rd(a, b);
}
__device__ double dmul(double a, double b, cudaRoundMode mode = cudaRoundNearest) {
  return mode == cudaRoundNearest ? __dmul_rn(a, b) : mode == cudaRoundZero ? __dmul_rz(a, b) : mode == cudaRoundPosInf ? __dmul_ru(a, b) : __dmul_rd(a, b);
}
__device__ double fma(double a, double b, double c, cudaRoundMode mode) {
  return mode == cudaRoundNearest ? __fma_rn(a, b, c) : mode == cudaRoundZero ? __fma_rz(a, b, c) : mode == cudaRoundPosInf ? __fma_ru(a, b, c) : __fma_rd(a, b, c);
}
__device__ int double2int(double a, cudaRoundMode mode = cudaRoundZero) {
  return mode == cudaRoundNearest ? __double2int_rn(a) : mode == cudaRoundZero ? __double2int_rz(a) : mode == cudaRoundPosInf ? __double2int_ru(a) : __double2int_rd(a);
}
__device__ unsigned double2uint(double a, cudaRoundMode mode = cudaRoundZero) {
  return mode == cudaRoundNearest ? __double2uint_rn(a) : mode == cudaRoundZero ? __double2uint_rz(a) : mode == cudaRoundPosInf ? __double2uint_ru(a) : __double2uint_rd(a);
}
__device__ long long double2ll(double a, cudaRoundMode mode = cudaRoundZero) {
  return mode == cudaRoundNearest ? __double2ll_rn(a) : mode == cudaRoundZero ? __double2ll_rz(a) : mode == cudaRoundPosInf ? __double2ll_ru(a) : __double2ll_rd(a);
}
__device__ unsigned long long double2ull(double a, cudaRoundMode mode = cudaRoundZero) {
  return mode == cudaRoundNearest ? __double2ull_rn(a) : mode == cudaRoundZero ? __double2ull_rz(a) : mode == cudaRoundPosInf ? __double2ull_ru(a) : __double2ull_rd(a);
}
__device__ double ll2double(long long a, cudaRoundMode mode = cudaRoundNearest) {
  return mode == cudaRoundNearest ? __ll2double_rn(a) : mode == cudaRoundZero ? __ll2double_rz(a) : mode == cudaRoundPosInf ? __ll2double_ru(a) : __ll2double_rd(a);
}
__device__ double ull2double(unsigned long long a, cudaRoundMode mode = cudaRoundNearest) {
  return mode == cudaRoundNearest ? __ull2double_rn(a) : mode == cudaRoundZero ? __ull2double_rz(a) : mode == cudaRoundPosInf ? __ull2double_ru(a) : __ull2double_rd(a);
}
double int2double(int a, cudaRoundMode mode = cudaRoundNearest) __heddle("(double)a");
double uint2double(unsigned a, cudaRoundMode mode = cudaRoundNearest) __heddle("(double)a");
double float2double(float a, cudaRoundMode mode = cudaRoundNearest) __heddle("(double)a");
// Of both elements.
__device__ float2 __fadd2_rn(float2 a, float2 b) { return make_float2(__fadd_rn(a.x, b.x), __fadd_rn(a.y, b.y)); }
__device__ float2 __fmul2_rn(float2 a, float2 b) { return make_float2(__fmul_rn(a.x, b.x), __fmul_rn(a.y, b.y)); }
__device__ float2 __ffma2_rn(float2 a, float2 b, float2 c) { return make_float2(__fmaf_rn(a.x, b.x, c.x), __fmaf_rn(a.y, b.y, c.y)); }
__device__ float2 __fadd2_rz(float2 a, float2 b) { return make_float2(__fadd_rz(a.x, b.x), __fadd_rz(a.y, b.y)); }
__device__ float2 __fmul2_rz(float2 a, float2 b) { return make_float2(__fmul_rz(a.x, b.x), __fmul_rz(a.y, b.y)); }
__device__ float2 __ffma2_rz(float2 a, float2 b, float2 c) { return make_float2(__fmaf_rz(a.x, b.x, c.x), __fmaf_rz(a.y, b.y, c.y)); }
__device__ float2 __fadd2_ru(float2 a, float2 b) { return make_float2(__fadd_ru(a.x, b.x), __fadd_ru(a.y, b.y)); }
__device__ float2 __fmul2_ru(float2 a, float2 b) { return make_float2(__fmul_ru(a.x, b.x), __fmul_ru(a.y, b.y)); }
__device__ float2 __ffma2_ru(float2 a, float2 b, float2 c) { return make_float2(__fmaf_ru(a.x, b.x, c.x), __fmaf_ru(a.y, b.y, c.y)); }
__device__ float2 __fadd2_rd(float2 a, float2 b) { return make_float2(__fadd_rd(a.x, b.x), __fadd_rd(a.y, b.y)); }
__device__ float2 __fmul2_rd(float2 a, float2 b) { return make_float2(__fmul_rd(a.x, b.x), __fmul_rd(a.y, b.y)); }
__device__ float2 __ffma2_rd(float2 a, float2 b, float2 c) { return make_float2(__fmaf_rd(a.x, b.x, c.x), __fmaf_rd(a.y, b.y, c.y)); }
