// SPDX-License-Identifier: Apache-2.0
// Numbers of 16 bits: arithmetic is that of bfloat16, rounded after each operation.
#pragma once

// The bits of a number.
struct __nv_bfloat16_raw {
  unsigned short x;
  __nv_bfloat16_raw() = default;
  __device__ __nv_bfloat16_raw(unsigned short bits) : x(bits) {}
  __device__ __nv_bfloat16_raw(unsigned bits) : x(bits) {}
  __device__ __nv_bfloat16_raw(int bits) : x(bits) {}
  __device__ __nv_bfloat16_raw(__nv_bfloat16 h) : x(__bfloat16_as_ushort(h)) {}
  __device__ operator __nv_bfloat16() const { return __ushort_as_bfloat16(x); }
};
struct __nv_bfloat162_raw {
  unsigned short x, y;
  __nv_bfloat162_raw() = default;
  __device__ __nv_bfloat162_raw(unsigned short low, unsigned short high) : x(low), y(high) {}
  __device__ __nv_bfloat162_raw(__nv_bfloat162 h) : x(__bfloat16_as_ushort(h.x)), y(__bfloat16_as_ushort(h.y)) {}
  __device__ operator __nv_bfloat162() const { return make_bfloat162(__ushort_as_bfloat16(x), __ushort_as_bfloat16(y)); }
};

__nv_bfloat16 __float2bfloat16(float x) __heddle("(__nv_bfloat16)x");
__nv_bfloat16 __float2bfloat16_rn(float x) __heddle("(__nv_bfloat16)x");
__nv_bfloat16 __double2bfloat16(double x) __heddle("(__nv_bfloat16)x");
float __bfloat162float(__nv_bfloat16 x) __heddle("(float)x");
namespace __hd {
__device__ __nv_bfloat16 clip(__nv_bfloat16 x) { return x > (__nv_bfloat16)0.0f ? (x < (__nv_bfloat16)1.0f ? x : (__nv_bfloat16)1.0f) : (__nv_bfloat16)0.0f; }
}
namespace __hd {
__device__ __nv_bfloat16 next_bfloat16(__nv_bfloat16 h, bool up) {
  unsigned short bits = *(unsigned short *)&h;
  unsigned short to = (bits & 0x7fff) == 0 ? (up ? 1 : 0x8001) : ((bits & 0x8000) == 0) == up ? bits + 1 : bits - 1;
  return *(__nv_bfloat16 *)&to;
}
__device__ __nv_bfloat16 to_bfloat16(float x, int way) {
  __nv_bfloat16 h = (__nv_bfloat16)x;
  float f = (float)h;
  if (!(x - x == 0))
    return h;
  if (f > x && (way == 2 || (way == 0 && x > 0)))
    return next_bfloat16(h, false);
  if (f < x && (way == 1 || (way == 0 && x < 0)))
    return next_bfloat16(h, true);
  return h;
}
}
__device__ __nv_bfloat16 __float2bfloat16_rz(float x) { return __hd::to_bfloat16(x, 0); }
__device__ __nv_bfloat16 __float2bfloat16_ru(float x) { return __hd::to_bfloat16(x, 1); }
__device__ __nv_bfloat16 __float2bfloat16_rd(float x) { return __hd::to_bfloat16(x, 2); }
__nv_bfloat162 __float2bfloat162_rn(float x) __heddle("__nv_bfloat162{(__nv_bfloat16)x, (__nv_bfloat16)x}");
__nv_bfloat162 __floats2bfloat162_rn(float x, float y) __heddle("__nv_bfloat162{(__nv_bfloat16)x, (__nv_bfloat16)y}");
__device__ __nv_bfloat162 __float22bfloat162_rn(float2 v) { return __floats2bfloat162_rn(v.x, v.y); }
__device__ float2 __bfloat1622float2(__nv_bfloat162 v) { return make_float2((float)v.x, (float)v.y); }
__device__ float __low2float(__nv_bfloat162 v) { return (float)v.x; }
__device__ float __high2float(__nv_bfloat162 v) { return (float)v.y; }
__nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) __heddle("__nv_bfloat162{x, y}");
__nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 x) __heddle("__nv_bfloat162{x, x}");
__nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) __heddle("v.x");
__nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) __heddle("v.y");
__device__ __nv_bfloat162 __low2bfloat162(__nv_bfloat162 v) { return make_bfloat162(v.x, v.x); }
__device__ __nv_bfloat162 __high2bfloat162(__nv_bfloat162 v) { return make_bfloat162(v.y, v.y); }
__device__ __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 v) { return make_bfloat162(v.y, v.x); }
__device__ __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return make_bfloat162(a.x, b.x); }
__device__ __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return make_bfloat162(a.y, b.y); }
__nv_bfloat16 __int2bfloat16_rn(int x) __heddle("(__nv_bfloat16)x");
__device__ __nv_bfloat16 __int2bfloat16_rz(int x) { return __hd::to_bfloat16(__int2float_rz(x), 0); }
__device__ __nv_bfloat16 __int2bfloat16_ru(int x) { return __hd::to_bfloat16(__int2float_ru(x), 1); }
__device__ __nv_bfloat16 __int2bfloat16_rd(int x) { return __hd::to_bfloat16(__int2float_rd(x), 2); }
int __bfloat162int_rz(__nv_bfloat16 x) __heddle("(int)x");
__device__ signed char __bfloat162char_rz(__nv_bfloat16 x) { return (signed char)max(-128, min(127, __bfloat162int_rz(x))); }
__device__ unsigned char __bfloat162uchar_rz(__nv_bfloat16 x) { return (unsigned char)min(255u, __bfloat162uint_rz(x)); }
int __bfloat162int_rn(__nv_bfloat16 x) __heddle("(int)rintf((float)x)");
int __bfloat162int_rd(__nv_bfloat16 x) __heddle("(int)floorf((float)x)");
int __bfloat162int_ru(__nv_bfloat16 x) __heddle("(int)ceilf((float)x)");
__nv_bfloat16 __uint2bfloat16_rn(unsigned x) __heddle("(__nv_bfloat16)x");
__device__ __nv_bfloat16 __uint2bfloat16_rz(unsigned x) { return __hd::to_bfloat16(__uint2float_rz(x), 0); }
__device__ __nv_bfloat16 __uint2bfloat16_ru(unsigned x) { return __hd::to_bfloat16(__uint2float_ru(x), 1); }
__device__ __nv_bfloat16 __uint2bfloat16_rd(unsigned x) { return __hd::to_bfloat16(__uint2float_rd(x), 2); }
unsigned __bfloat162uint_rz(__nv_bfloat16 x) __heddle("(unsigned)x");
unsigned __bfloat162uint_rn(__nv_bfloat16 x) __heddle("(unsigned)rintf((float)x)");
unsigned __bfloat162uint_rd(__nv_bfloat16 x) __heddle("(unsigned)floorf((float)x)");
unsigned __bfloat162uint_ru(__nv_bfloat16 x) __heddle("(unsigned)ceilf((float)x)");
__nv_bfloat16 __short2bfloat16_rn(short x) __heddle("(__nv_bfloat16)x");
__device__ __nv_bfloat16 __short2bfloat16_rz(short x) { return __hd::to_bfloat16(__int2float_rz(x), 0); }
__device__ __nv_bfloat16 __short2bfloat16_ru(short x) { return __hd::to_bfloat16(__int2float_ru(x), 1); }
__device__ __nv_bfloat16 __short2bfloat16_rd(short x) { return __hd::to_bfloat16(__int2float_rd(x), 2); }
short __bfloat162short_rz(__nv_bfloat16 x) __heddle("(short)x");
short __bfloat162short_rn(__nv_bfloat16 x) __heddle("(short)rintf((float)x)");
short __bfloat162short_rd(__nv_bfloat16 x) __heddle("(short)floorf((float)x)");
short __bfloat162short_ru(__nv_bfloat16 x) __heddle("(short)ceilf((float)x)");
__nv_bfloat16 __ushort2bfloat16_rn(unsigned short x) __heddle("(__nv_bfloat16)x");
__device__ __nv_bfloat16 __ushort2bfloat16_rz(unsigned short x) { return __hd::to_bfloat16(__uint2float_rz(x), 0); }
__device__ __nv_bfloat16 __ushort2bfloat16_ru(unsigned short x) { return __hd::to_bfloat16(__uint2float_ru(x), 1); }
__device__ __nv_bfloat16 __ushort2bfloat16_rd(unsigned short x) { return __hd::to_bfloat16(__uint2float_rd(x), 2); }
unsigned short __bfloat162ushort_rz(__nv_bfloat16 x) __heddle("(unsigned short)x");
unsigned short __bfloat162ushort_rn(__nv_bfloat16 x) __heddle("(unsigned short)rintf((float)x)");
unsigned short __bfloat162ushort_rd(__nv_bfloat16 x) __heddle("(unsigned short)floorf((float)x)");
unsigned short __bfloat162ushort_ru(__nv_bfloat16 x) __heddle("(unsigned short)ceilf((float)x)");
__nv_bfloat16 __ll2bfloat16_rn(long long x) __heddle("(__nv_bfloat16)x");
__device__ __nv_bfloat16 __ll2bfloat16_rz(long long x) { return __hd::to_bfloat16(__ll2float_rz(x), 0); }
__device__ __nv_bfloat16 __ll2bfloat16_ru(long long x) { return __hd::to_bfloat16(__ll2float_ru(x), 1); }
__device__ __nv_bfloat16 __ll2bfloat16_rd(long long x) { return __hd::to_bfloat16(__ll2float_rd(x), 2); }
long long __bfloat162ll_rz(__nv_bfloat16 x) __heddle("x != x ? (long long)0x8000000000000000ul : (long long)x");
long long __bfloat162ll_rn(__nv_bfloat16 x) __heddle("x != x ? (long long)0x8000000000000000ul : (long long)rintf((float)x)");
long long __bfloat162ll_rd(__nv_bfloat16 x) __heddle("x != x ? (long long)0x8000000000000000ul : (long long)floorf((float)x)");
long long __bfloat162ll_ru(__nv_bfloat16 x) __heddle("x != x ? (long long)0x8000000000000000ul : (long long)ceilf((float)x)");
__nv_bfloat16 __ull2bfloat16_rn(unsigned long long x) __heddle("(__nv_bfloat16)x");
__device__ __nv_bfloat16 __ull2bfloat16_rz(unsigned long long x) { return __hd::to_bfloat16(__ull2float_rz(x), 0); }
__device__ __nv_bfloat16 __ull2bfloat16_ru(unsigned long long x) { return __hd::to_bfloat16(__ull2float_ru(x), 1); }
__device__ __nv_bfloat16 __ull2bfloat16_rd(unsigned long long x) { return __hd::to_bfloat16(__ull2float_rd(x), 2); }
unsigned long long __bfloat162ull_rz(__nv_bfloat16 x) __heddle("x != x ? (unsigned long long)0x8000000000000000ul : (unsigned long long)x");
unsigned long long __bfloat162ull_rn(__nv_bfloat16 x) __heddle("x != x ? (unsigned long long)0x8000000000000000ul : (unsigned long long)rintf((float)x)");
unsigned long long __bfloat162ull_rd(__nv_bfloat16 x) __heddle("x != x ? (unsigned long long)0x8000000000000000ul : (unsigned long long)floorf((float)x)");
unsigned long long __bfloat162ull_ru(__nv_bfloat16 x) __heddle("x != x ? (unsigned long long)0x8000000000000000ul : (unsigned long long)ceilf((float)x)");
__device__ unsigned short __bfloat16_as_ushort(__nv_bfloat16 x) { return *(unsigned short *)&x; }
__device__ __nv_bfloat16 __ushort_as_bfloat16(unsigned short x) { return *(__nv_bfloat16 *)&x; }
__device__ short __bfloat16_as_short(__nv_bfloat16 x) { return *(short *)&x; }
__device__ __nv_bfloat16 __short_as_bfloat16(short x) { return *(__nv_bfloat16 *)&x; }
__device__ __nv_bfloat16 __hadd(__nv_bfloat16 a, __nv_bfloat16 b) { return a + b; }
__device__ __nv_bfloat162 __hadd2(__nv_bfloat162 a, __nv_bfloat162 b) { return make_bfloat162(__hadd(a.x, b.x), __hadd(a.y, b.y)); }
__device__ __nv_bfloat16 __hadd_rn(__nv_bfloat16 a, __nv_bfloat16 b) { return a + b; }
__device__ __nv_bfloat162 __hadd2_rn(__nv_bfloat162 a, __nv_bfloat162 b) { return make_bfloat162(__hadd(a.x, b.x), __hadd(a.y, b.y)); }
__device__ __nv_bfloat16 __hadd_sat(__nv_bfloat16 a, __nv_bfloat16 b) { return __hd::clip(__hadd(a, b)); }
__device__ __nv_bfloat162 __hadd2_sat(__nv_bfloat162 a, __nv_bfloat162 b) { return make_bfloat162(__hadd_sat(a.x, b.x), __hadd_sat(a.y, b.y)); }
__device__ __nv_bfloat16 __hsub(__nv_bfloat16 a, __nv_bfloat16 b) { return a - b; }
__device__ __nv_bfloat162 __hsub2(__nv_bfloat162 a, __nv_bfloat162 b) { return make_bfloat162(__hsub(a.x, b.x), __hsub(a.y, b.y)); }
__device__ __nv_bfloat16 __hsub_rn(__nv_bfloat16 a, __nv_bfloat16 b) { return a - b; }
__device__ __nv_bfloat162 __hsub2_rn(__nv_bfloat162 a, __nv_bfloat162 b) { return make_bfloat162(__hsub(a.x, b.x), __hsub(a.y, b.y)); }
__device__ __nv_bfloat16 __hsub_sat(__nv_bfloat16 a, __nv_bfloat16 b) { return __hd::clip(__hsub(a, b)); }
__device__ __nv_bfloat162 __hsub2_sat(__nv_bfloat162 a, __nv_bfloat162 b) { return make_bfloat162(__hsub_sat(a.x, b.x), __hsub_sat(a.y, b.y)); }
__device__ __nv_bfloat16 __hmul(__nv_bfloat16 a, __nv_bfloat16 b) { return a * b; }
__device__ __nv_bfloat162 __hmul2(__nv_bfloat162 a, __nv_bfloat162 b) { return make_bfloat162(__hmul(a.x, b.x), __hmul(a.y, b.y)); }
__device__ __nv_bfloat16 __hmul_rn(__nv_bfloat16 a, __nv_bfloat16 b) { return a * b; }
__device__ __nv_bfloat162 __hmul2_rn(__nv_bfloat162 a, __nv_bfloat162 b) { return make_bfloat162(__hmul(a.x, b.x), __hmul(a.y, b.y)); }
__device__ __nv_bfloat16 __hmul_sat(__nv_bfloat16 a, __nv_bfloat16 b) { return __hd::clip(__hmul(a, b)); }
__device__ __nv_bfloat162 __hmul2_sat(__nv_bfloat162 a, __nv_bfloat162 b) { return make_bfloat162(__hmul_sat(a.x, b.x), __hmul_sat(a.y, b.y)); }
__nv_bfloat16 __hdiv(__nv_bfloat16 a, __nv_bfloat16 b) __heddle("(__nv_bfloat16)((float)a / (float)b)");
__device__ __nv_bfloat162 __h2div(__nv_bfloat162 a, __nv_bfloat162 b) { return make_bfloat162(__hdiv(a.x, b.x), __hdiv(a.y, b.y)); }
__nv_bfloat16 __hmax(__nv_bfloat16 a, __nv_bfloat16 b) __heddle("fmax(a, b)");
__nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) __heddle("fma(a, b, c)");
__device__ __nv_bfloat16 __hfma_sat(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) { return __hd::clip(__hfma(a, b, c)); }
__device__ __nv_bfloat16 __hfma_relu(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) { return __hmax_nan(__hfma(a, b, c), (__nv_bfloat16)0.0f); }
__device__ __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) { return make_bfloat162(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)); }
__device__ __nv_bfloat162 __hfma2_sat(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) { return make_bfloat162(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y)); }
__device__ __nv_bfloat162 __hfma2_relu(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) { return make_bfloat162(__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y)); }
// c + a * b of complex numbers.
__device__ __nv_bfloat162 __hcmadd(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) {
  return make_bfloat162(__hfma(-a.y, b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
}
__nv_bfloat16 __hneg(__nv_bfloat16 a) __heddle("-a");
__device__ __nv_bfloat162 __hneg2(__nv_bfloat162 a) { return make_bfloat162(__hneg(a.x), __hneg(a.y)); }
__nv_bfloat16 __habs(__nv_bfloat16 a) __heddle("fabs(a)");
__device__ __nv_bfloat162 __habs2(__nv_bfloat162 a) { return make_bfloat162(__habs(a.x), __habs(a.y)); }
__nv_bfloat16 __hmin(__nv_bfloat16 a, __nv_bfloat16 b) __heddle("fmin(a, b)");
__device__ __nv_bfloat162 __hmin2(__nv_bfloat162 a, __nv_bfloat162 b) { return make_bfloat162(__hmin(a.x, b.x), __hmin(a.y, b.y)); }
__device__ __nv_bfloat16 __hmin_nan(__nv_bfloat16 a, __nv_bfloat16 b) { return a != a ? a : b != b ? b : __hmin(a, b); }
__device__ __nv_bfloat162 __hmin2_nan(__nv_bfloat162 a, __nv_bfloat162 b) { return make_bfloat162(__hmin_nan(a.x, b.x), __hmin_nan(a.y, b.y)); }
__device__ __nv_bfloat162 __hmax2(__nv_bfloat162 a, __nv_bfloat162 b) { return make_bfloat162(__hmax(a.x, b.x), __hmax(a.y, b.y)); }
__device__ __nv_bfloat16 __hmax_nan(__nv_bfloat16 a, __nv_bfloat16 b) { return a != a ? a : b != b ? b : __hmax(a, b); }
__device__ __nv_bfloat162 __hmax2_nan(__nv_bfloat162 a, __nv_bfloat162 b) { return make_bfloat162(__hmax_nan(a.x, b.x), __hmax_nan(a.y, b.y)); }
__device__ bool __heq(__nv_bfloat16 a, __nv_bfloat16 b) { return a == b; }
__device__ bool __hequ(__nv_bfloat16 a, __nv_bfloat16 b) { return a == b || a != a || b != b; }
__device__ __nv_bfloat162 __hequ2(__nv_bfloat162 a, __nv_bfloat162 b) { return make_bfloat162((__nv_bfloat16)(float)__hequ(a.x, b.x), (__nv_bfloat16)(float)__hequ(a.y, b.y)); }
__device__ bool __hbequ2(__nv_bfloat162 a, __nv_bfloat162 b) { return __hequ(a.x, b.x) && __hequ(a.y, b.y); }
__device__ unsigned __hequ2_mask(__nv_bfloat162 a, __nv_bfloat162 b) { return (__hequ(a.x, b.x) ? 0xffffu : 0u) | (__hequ(a.y, b.y) ? 0xffff0000u : 0u); }
__device__ __nv_bfloat162 __heq2(__nv_bfloat162 a, __nv_bfloat162 b) { return make_bfloat162((__nv_bfloat16)(float)__heq(a.x, b.x), (__nv_bfloat16)(float)__heq(a.y, b.y)); }
__device__ bool __hbeq2(__nv_bfloat162 a, __nv_bfloat162 b) { return __heq(a.x, b.x) && __heq(a.y, b.y); }
__device__ unsigned __heq2_mask(__nv_bfloat162 a, __nv_bfloat162 b) { return (__heq(a.x, b.x) ? 0xffffu : 0u) | (__heq(a.y, b.y) ? 0xffff0000u : 0u); }
__device__ bool __hne(__nv_bfloat16 a, __nv_bfloat16 b) { return a < b || a > b; }
__device__ bool __hneu(__nv_bfloat16 a, __nv_bfloat16 b) { return a < b || a > b || a != a || b != b; }
__device__ __nv_bfloat162 __hneu2(__nv_bfloat162 a, __nv_bfloat162 b) { return make_bfloat162((__nv_bfloat16)(float)__hneu(a.x, b.x), (__nv_bfloat16)(float)__hneu(a.y, b.y)); }
__device__ bool __hbneu2(__nv_bfloat162 a, __nv_bfloat162 b) { return __hneu(a.x, b.x) && __hneu(a.y, b.y); }
__device__ unsigned __hneu2_mask(__nv_bfloat162 a, __nv_bfloat162 b) { return (__hneu(a.x, b.x) ? 0xffffu : 0u) | (__hneu(a.y, b.y) ? 0xffff0000u : 0u); }
__device__ __nv_bfloat162 __hne2(__nv_bfloat162 a, __nv_bfloat162 b) { return make_bfloat162((__nv_bfloat16)(float)__hne(a.x, b.x), (__nv_bfloat16)(float)__hne(a.y, b.y)); }
__device__ bool __hbne2(__nv_bfloat162 a, __nv_bfloat162 b) { return __hne(a.x, b.x) && __hne(a.y, b.y); }
__device__ unsigned __hne2_mask(__nv_bfloat162 a, __nv_bfloat162 b) { return (__hne(a.x, b.x) ? 0xffffu : 0u) | (__hne(a.y, b.y) ? 0xffff0000u : 0u); }
__device__ bool __hlt(__nv_bfloat16 a, __nv_bfloat16 b) { return a < b; }
__device__ bool __hltu(__nv_bfloat16 a, __nv_bfloat16 b) { return a < b || a != a || b != b; }
__device__ __nv_bfloat162 __hltu2(__nv_bfloat162 a, __nv_bfloat162 b) { return make_bfloat162((__nv_bfloat16)(float)__hltu(a.x, b.x), (__nv_bfloat16)(float)__hltu(a.y, b.y)); }
__device__ bool __hbltu2(__nv_bfloat162 a, __nv_bfloat162 b) { return __hltu(a.x, b.x) && __hltu(a.y, b.y); }
__device__ unsigned __hltu2_mask(__nv_bfloat162 a, __nv_bfloat162 b) { return (__hltu(a.x, b.x) ? 0xffffu : 0u) | (__hltu(a.y, b.y) ? 0xffff0000u : 0u); }
__device__ __nv_bfloat162 __hlt2(__nv_bfloat162 a, __nv_bfloat162 b) { return make_bfloat162((__nv_bfloat16)(float)__hlt(a.x, b.x), (__nv_bfloat16)(float)__hlt(a.y, b.y)); }
__device__ bool __hblt2(__nv_bfloat162 a, __nv_bfloat162 b) { return __hlt(a.x, b.x) && __hlt(a.y, b.y); }
__device__ unsigned __hlt2_mask(__nv_bfloat162 a, __nv_bfloat162 b) { return (__hlt(a.x, b.x) ? 0xffffu : 0u) | (__hlt(a.y, b.y) ? 0xffff0000u : 0u); }
__device__ bool __hle(__nv_bfloat16 a, __nv_bfloat16 b) { return a <= b; }
__device__ bool __hleu(__nv_bfloat16 a, __nv_bfloat16 b) { return a <= b || a != a || b != b; }
__device__ __nv_bfloat162 __hleu2(__nv_bfloat162 a, __nv_bfloat162 b) { return make_bfloat162((__nv_bfloat16)(float)__hleu(a.x, b.x), (__nv_bfloat16)(float)__hleu(a.y, b.y)); }
__device__ bool __hbleu2(__nv_bfloat162 a, __nv_bfloat162 b) { return __hleu(a.x, b.x) && __hleu(a.y, b.y); }
__device__ unsigned __hleu2_mask(__nv_bfloat162 a, __nv_bfloat162 b) { return (__hleu(a.x, b.x) ? 0xffffu : 0u) | (__hleu(a.y, b.y) ? 0xffff0000u : 0u); }
__device__ __nv_bfloat162 __hle2(__nv_bfloat162 a, __nv_bfloat162 b) { return make_bfloat162((__nv_bfloat16)(float)__hle(a.x, b.x), (__nv_bfloat16)(float)__hle(a.y, b.y)); }
__device__ bool __hble2(__nv_bfloat162 a, __nv_bfloat162 b) { return __hle(a.x, b.x) && __hle(a.y, b.y); }
__device__ unsigned __hle2_mask(__nv_bfloat162 a, __nv_bfloat162 b) { return (__hle(a.x, b.x) ? 0xffffu : 0u) | (__hle(a.y, b.y) ? 0xffff0000u : 0u); }
__device__ bool __hgt(__nv_bfloat16 a, __nv_bfloat16 b) { return a > b; }
__device__ bool __hgtu(__nv_bfloat16 a, __nv_bfloat16 b) { return a > b || a != a || b != b; }
__device__ __nv_bfloat162 __hgtu2(__nv_bfloat162 a, __nv_bfloat162 b) { return make_bfloat162((__nv_bfloat16)(float)__hgtu(a.x, b.x), (__nv_bfloat16)(float)__hgtu(a.y, b.y)); }
__device__ bool __hbgtu2(__nv_bfloat162 a, __nv_bfloat162 b) { return __hgtu(a.x, b.x) && __hgtu(a.y, b.y); }
__device__ unsigned __hgtu2_mask(__nv_bfloat162 a, __nv_bfloat162 b) { return (__hgtu(a.x, b.x) ? 0xffffu : 0u) | (__hgtu(a.y, b.y) ? 0xffff0000u : 0u); }
__device__ __nv_bfloat162 __hgt2(__nv_bfloat162 a, __nv_bfloat162 b) { return make_bfloat162((__nv_bfloat16)(float)__hgt(a.x, b.x), (__nv_bfloat16)(float)__hgt(a.y, b.y)); }
__device__ bool __hbgt2(__nv_bfloat162 a, __nv_bfloat162 b) { return __hgt(a.x, b.x) && __hgt(a.y, b.y); }
__device__ unsigned __hgt2_mask(__nv_bfloat162 a, __nv_bfloat162 b) { return (__hgt(a.x, b.x) ? 0xffffu : 0u) | (__hgt(a.y, b.y) ? 0xffff0000u : 0u); }
__device__ bool __hge(__nv_bfloat16 a, __nv_bfloat16 b) { return a >= b; }
__device__ bool __hgeu(__nv_bfloat16 a, __nv_bfloat16 b) { return a >= b || a != a || b != b; }
__device__ __nv_bfloat162 __hgeu2(__nv_bfloat162 a, __nv_bfloat162 b) { return make_bfloat162((__nv_bfloat16)(float)__hgeu(a.x, b.x), (__nv_bfloat16)(float)__hgeu(a.y, b.y)); }
__device__ bool __hbgeu2(__nv_bfloat162 a, __nv_bfloat162 b) { return __hgeu(a.x, b.x) && __hgeu(a.y, b.y); }
__device__ unsigned __hgeu2_mask(__nv_bfloat162 a, __nv_bfloat162 b) { return (__hgeu(a.x, b.x) ? 0xffffu : 0u) | (__hgeu(a.y, b.y) ? 0xffff0000u : 0u); }
__device__ __nv_bfloat162 __hge2(__nv_bfloat162 a, __nv_bfloat162 b) { return make_bfloat162((__nv_bfloat16)(float)__hge(a.x, b.x), (__nv_bfloat16)(float)__hge(a.y, b.y)); }
__device__ bool __hbge2(__nv_bfloat162 a, __nv_bfloat162 b) { return __hge(a.x, b.x) && __hge(a.y, b.y); }
__device__ unsigned __hge2_mask(__nv_bfloat162 a, __nv_bfloat162 b) { return (__hge(a.x, b.x) ? 0xffffu : 0u) | (__hge(a.y, b.y) ? 0xffff0000u : 0u); }
bool __hisnan(__nv_bfloat16 a) __heddle("isnan(a)");
__device__ __nv_bfloat162 __hisnan2(__nv_bfloat162 a) { return make_bfloat162((__nv_bfloat16)(float)__hisnan(a.x), (__nv_bfloat16)(float)__hisnan(a.y)); }
__device__ int __hisinf(__nv_bfloat16 a) { return isinf((float)a) ? (a > (__nv_bfloat16)0.0f ? 1 : -1) : 0; }
__nv_bfloat16 hsqrt(__nv_bfloat16 x) __heddle("(__nv_bfloat16)sqrtf((float)x)");
__device__ __nv_bfloat162 h2sqrt(__nv_bfloat162 v) { return make_bfloat162(hsqrt(v.x), hsqrt(v.y)); }
__nv_bfloat16 hexp(__nv_bfloat16 x) __heddle("(__nv_bfloat16)expf((float)x)");
__device__ __nv_bfloat162 h2exp(__nv_bfloat162 v) { return make_bfloat162(hexp(v.x), hexp(v.y)); }
__nv_bfloat16 hexp2(__nv_bfloat16 x) __heddle("(__nv_bfloat16)exp2f((float)x)");
__device__ __nv_bfloat162 h2exp2(__nv_bfloat162 v) { return make_bfloat162(hexp2(v.x), hexp2(v.y)); }
__nv_bfloat16 hexp10(__nv_bfloat16 x) __heddle("(__nv_bfloat16)exp10f((float)x)");
__device__ __nv_bfloat162 h2exp10(__nv_bfloat162 v) { return make_bfloat162(hexp10(v.x), hexp10(v.y)); }
__nv_bfloat16 hlog(__nv_bfloat16 x) __heddle("(__nv_bfloat16)logf((float)x)");
__device__ __nv_bfloat162 h2log(__nv_bfloat162 v) { return make_bfloat162(hlog(v.x), hlog(v.y)); }
__nv_bfloat16 hlog2(__nv_bfloat16 x) __heddle("(__nv_bfloat16)log2f((float)x)");
__device__ __nv_bfloat162 h2log2(__nv_bfloat162 v) { return make_bfloat162(hlog2(v.x), hlog2(v.y)); }
__nv_bfloat16 hlog10(__nv_bfloat16 x) __heddle("(__nv_bfloat16)log10f((float)x)");
__device__ __nv_bfloat162 h2log10(__nv_bfloat162 v) { return make_bfloat162(hlog10(v.x), hlog10(v.y)); }
__nv_bfloat16 hsin(__nv_bfloat16 x) __heddle("(__nv_bfloat16)sinf((float)x)");
__device__ __nv_bfloat162 h2sin(__nv_bfloat162 v) { return make_bfloat162(hsin(v.x), hsin(v.y)); }
__nv_bfloat16 hcos(__nv_bfloat16 x) __heddle("(__nv_bfloat16)cosf((float)x)");
__device__ __nv_bfloat162 h2cos(__nv_bfloat162 v) { return make_bfloat162(hcos(v.x), hcos(v.y)); }
__nv_bfloat16 hfloor(__nv_bfloat16 x) __heddle("(__nv_bfloat16)floorf((float)x)");
__device__ __nv_bfloat162 h2floor(__nv_bfloat162 v) { return make_bfloat162(hfloor(v.x), hfloor(v.y)); }
__nv_bfloat16 hceil(__nv_bfloat16 x) __heddle("(__nv_bfloat16)ceilf((float)x)");
__device__ __nv_bfloat162 h2ceil(__nv_bfloat162 v) { return make_bfloat162(hceil(v.x), hceil(v.y)); }
__nv_bfloat16 htrunc(__nv_bfloat16 x) __heddle("(__nv_bfloat16)truncf((float)x)");
__device__ __nv_bfloat162 h2trunc(__nv_bfloat162 v) { return make_bfloat162(htrunc(v.x), htrunc(v.y)); }
__nv_bfloat16 hrint(__nv_bfloat16 x) __heddle("(__nv_bfloat16)rintf((float)x)");
__device__ __nv_bfloat162 h2rint(__nv_bfloat162 v) { return make_bfloat162(hrint(v.x), hrint(v.y)); }
__nv_bfloat16 hrsqrt(__nv_bfloat16 x) __heddle("(__nv_bfloat16)rsqrtf((float)x)");
__device__ __nv_bfloat162 h2rsqrt(__nv_bfloat162 v) { return make_bfloat162(hrsqrt(v.x), hrsqrt(v.y)); }
__nv_bfloat16 hrcp(__nv_bfloat16 x) __heddle("(__nv_bfloat16)(1.0f / (float)x)");
__device__ __nv_bfloat162 h2rcp(__nv_bfloat162 v) { return make_bfloat162(hrcp(v.x), hrcp(v.y)); }
__nv_bfloat16 htanh(__nv_bfloat16 x) __heddle("(__nv_bfloat16)tanhf((float)x)");
__device__ __nv_bfloat162 h2tanh(__nv_bfloat162 v) { return make_bfloat162(htanh(v.x), htanh(v.y)); }
__nv_bfloat16 htanh_approx(__nv_bfloat16 x) __heddle("(__nv_bfloat16)fast_tanhf((float)x)");
__device__ __nv_bfloat162 h2tanh_approx(__nv_bfloat162 v) { return make_bfloat162(htanh_approx(v.x), htanh_approx(v.y)); }
__device__ __nv_bfloat162 operator+(const __nv_bfloat162 &a, const __nv_bfloat162 &b) { return __hadd2(a, b); }
__device__ __nv_bfloat162 &operator+=(__nv_bfloat162 &a, const __nv_bfloat162 &b) { a = __hadd2(a, b); return a; }
__device__ __nv_bfloat162 operator-(const __nv_bfloat162 &a, const __nv_bfloat162 &b) { return __hsub2(a, b); }
__device__ __nv_bfloat162 &operator-=(__nv_bfloat162 &a, const __nv_bfloat162 &b) { a = __hsub2(a, b); return a; }
__device__ __nv_bfloat162 operator*(const __nv_bfloat162 &a, const __nv_bfloat162 &b) { return __hmul2(a, b); }
__device__ __nv_bfloat162 &operator*=(__nv_bfloat162 &a, const __nv_bfloat162 &b) { a = __hmul2(a, b); return a; }
__device__ __nv_bfloat162 operator/(const __nv_bfloat162 &a, const __nv_bfloat162 &b) { return __h2div(a, b); }
__device__ __nv_bfloat162 &operator/=(__nv_bfloat162 &a, const __nv_bfloat162 &b) { a = __h2div(a, b); return a; }
__device__ __nv_bfloat162 operator-(const __nv_bfloat162 &a) { return __hneg2(a); }
__device__ __nv_bfloat162 operator+(const __nv_bfloat162 &a) { return a; }
__device__ __nv_bfloat162 &operator++(__nv_bfloat162 &a) { a = __hadd2(a, make_bfloat162((__nv_bfloat16)1.0f, (__nv_bfloat16)1.0f)); return a; }
__device__ __nv_bfloat162 operator++(__nv_bfloat162 &a, int) { __nv_bfloat162 was = a; a = __hadd2(a, make_bfloat162((__nv_bfloat16)1.0f, (__nv_bfloat16)1.0f)); return was; }
__device__ __nv_bfloat162 &operator--(__nv_bfloat162 &a) { a = __hsub2(a, make_bfloat162((__nv_bfloat16)1.0f, (__nv_bfloat16)1.0f)); return a; }
__device__ __nv_bfloat162 operator--(__nv_bfloat162 &a, int) { __nv_bfloat162 was = a; a = __hsub2(a, make_bfloat162((__nv_bfloat16)1.0f, (__nv_bfloat16)1.0f)); return was; }
__device__ bool operator==(const __nv_bfloat162 &a, const __nv_bfloat162 &b) { return __hbeq2(a, b); }
__device__ bool operator!=(const __nv_bfloat162 &a, const __nv_bfloat162 &b) { return __hbneu2(a, b); }
__device__ bool operator<(const __nv_bfloat162 &a, const __nv_bfloat162 &b) { return __hblt2(a, b); }
__device__ bool operator<=(const __nv_bfloat162 &a, const __nv_bfloat162 &b) { return __hble2(a, b); }
__device__ bool operator>(const __nv_bfloat162 &a, const __nv_bfloat162 &b) { return __hbgt2(a, b); }
__device__ bool operator>=(const __nv_bfloat162 &a, const __nv_bfloat162 &b) { return __hbge2(a, b); }
