// SPDX-License-Identifier: Apache-2.0
// Numbers of 16 bits: arithmetic is that of half, rounded after each operation.
#pragma once

// The bits of a number.
struct __half_raw {
  unsigned short x;
  __half_raw() = default;
  __device__ __half_raw(unsigned short bits) : x(bits) {}
  __device__ __half_raw(unsigned bits) : x(bits) {}
  __device__ __half_raw(int bits) : x(bits) {}
  __device__ __half_raw(__half h) : x(__half_as_ushort(h)) {}
  __device__ operator __half() const { return __ushort_as_half(x); }
};
struct __half2_raw {
  unsigned short x, y;
  __half2_raw() = default;
  __device__ __half2_raw(unsigned short low, unsigned short high) : x(low), y(high) {}
  __device__ __half2_raw(__half2 h) : x(__half_as_ushort(h.x)), y(__half_as_ushort(h.y)) {}
  __device__ operator __half2() const { return make_half2(__ushort_as_half(x), __ushort_as_half(y)); }
};

__half __float2half(float x) __heddle("(half)x");
__half __float2half_rn(float x) __heddle("(half)x");
__half __double2half(double x) __heddle("(half)x");
float __half2float(__half x) __heddle("(float)x");
namespace __hd {
__device__ __half clip(__half x) { return x > (__half)0.0f ? (x < (__half)1.0f ? x : (__half)1.0f) : (__half)0.0f; }
}
namespace __hd {
__device__ __half next_half(__half h, bool up) {
  unsigned short bits = *(unsigned short *)&h;
  unsigned short to = (bits & 0x7fff) == 0 ? (up ? 1 : 0x8001) : ((bits & 0x8000) == 0) == up ? bits + 1 : bits - 1;
  return *(__half *)&to;
}
__device__ __half to_half(float x, int way) {
  __half h = (__half)x;
  float f = (float)h;
  if (!(x - x == 0))
    return h;
  if (f > x && (way == 2 || (way == 0 && x > 0)))
    return next_half(h, false);
  if (f < x && (way == 1 || (way == 0 && x < 0)))
    return next_half(h, true);
  return h;
}
}
__device__ __half __float2half_rz(float x) { return __hd::to_half(x, 0); }
__device__ __half __float2half_ru(float x) { return __hd::to_half(x, 1); }
__device__ __half __float2half_rd(float x) { return __hd::to_half(x, 2); }
__half2 __float2half2_rn(float x) __heddle("half2{(half)x, (half)x}");
__half2 __floats2half2_rn(float x, float y) __heddle("half2{(half)x, (half)y}");
__device__ __half2 __float22half2_rn(float2 v) { return __floats2half2_rn(v.x, v.y); }
__device__ float2 __half22float2(__half2 v) { return make_float2((float)v.x, (float)v.y); }
__device__ float __low2float(__half2 v) { return (float)v.x; }
__device__ float __high2float(__half2 v) { return (float)v.y; }
__half2 __halves2half2(__half x, __half y) __heddle("half2{x, y}");
__half2 __half2half2(__half x) __heddle("half2{x, x}");
__half __low2half(__half2 v) __heddle("v.x");
__half __high2half(__half2 v) __heddle("v.y");
__device__ __half2 __low2half2(__half2 v) { return make_half2(v.x, v.x); }
__device__ __half2 __high2half2(__half2 v) { return make_half2(v.y, v.y); }
__device__ __half2 __lowhigh2highlow(__half2 v) { return make_half2(v.y, v.x); }
__device__ __half2 __lows2half2(__half2 a, __half2 b) { return make_half2(a.x, b.x); }
__device__ __half2 __highs2half2(__half2 a, __half2 b) { return make_half2(a.y, b.y); }
__half __int2half_rn(int x) __heddle("(half)x");
__device__ __half __int2half_rz(int x) { return __hd::to_half(__int2float_rz(x), 0); }
__device__ __half __int2half_ru(int x) { return __hd::to_half(__int2float_ru(x), 1); }
__device__ __half __int2half_rd(int x) { return __hd::to_half(__int2float_rd(x), 2); }
int __half2int_rz(__half x) __heddle("(int)x");
__device__ signed char __half2char_rz(__half x) { return (signed char)max(-128, min(127, __half2int_rz(x))); }
__device__ unsigned char __half2uchar_rz(__half x) { return (unsigned char)min(255u, __half2uint_rz(x)); }
int __half2int_rn(__half x) __heddle("(int)rintf((float)x)");
int __half2int_rd(__half x) __heddle("(int)floorf((float)x)");
int __half2int_ru(__half x) __heddle("(int)ceilf((float)x)");
__half __uint2half_rn(unsigned x) __heddle("(half)x");
__device__ __half __uint2half_rz(unsigned x) { return __hd::to_half(__uint2float_rz(x), 0); }
__device__ __half __uint2half_ru(unsigned x) { return __hd::to_half(__uint2float_ru(x), 1); }
__device__ __half __uint2half_rd(unsigned x) { return __hd::to_half(__uint2float_rd(x), 2); }
unsigned __half2uint_rz(__half x) __heddle("(unsigned)x");
unsigned __half2uint_rn(__half x) __heddle("(unsigned)rintf((float)x)");
unsigned __half2uint_rd(__half x) __heddle("(unsigned)floorf((float)x)");
unsigned __half2uint_ru(__half x) __heddle("(unsigned)ceilf((float)x)");
__half __short2half_rn(short x) __heddle("(half)x");
__device__ __half __short2half_rz(short x) { return __hd::to_half(__int2float_rz(x), 0); }
__device__ __half __short2half_ru(short x) { return __hd::to_half(__int2float_ru(x), 1); }
__device__ __half __short2half_rd(short x) { return __hd::to_half(__int2float_rd(x), 2); }
short __half2short_rz(__half x) __heddle("(short)x");
short __half2short_rn(__half x) __heddle("(short)rintf((float)x)");
short __half2short_rd(__half x) __heddle("(short)floorf((float)x)");
short __half2short_ru(__half x) __heddle("(short)ceilf((float)x)");
__half __ushort2half_rn(unsigned short x) __heddle("(half)x");
__device__ __half __ushort2half_rz(unsigned short x) { return __hd::to_half(__uint2float_rz(x), 0); }
__device__ __half __ushort2half_ru(unsigned short x) { return __hd::to_half(__uint2float_ru(x), 1); }
__device__ __half __ushort2half_rd(unsigned short x) { return __hd::to_half(__uint2float_rd(x), 2); }
unsigned short __half2ushort_rz(__half x) __heddle("(unsigned short)x");
unsigned short __half2ushort_rn(__half x) __heddle("(unsigned short)rintf((float)x)");
unsigned short __half2ushort_rd(__half x) __heddle("(unsigned short)floorf((float)x)");
unsigned short __half2ushort_ru(__half x) __heddle("(unsigned short)ceilf((float)x)");
__half __ll2half_rn(long long x) __heddle("(half)x");
__device__ __half __ll2half_rz(long long x) { return __hd::to_half(__ll2float_rz(x), 0); }
__device__ __half __ll2half_ru(long long x) { return __hd::to_half(__ll2float_ru(x), 1); }
__device__ __half __ll2half_rd(long long x) { return __hd::to_half(__ll2float_rd(x), 2); }
long long __half2ll_rz(__half x) __heddle("x != x ? (long long)0x8000000000000000ul : (long long)x");
long long __half2ll_rn(__half x) __heddle("x != x ? (long long)0x8000000000000000ul : (long long)rintf((float)x)");
long long __half2ll_rd(__half x) __heddle("x != x ? (long long)0x8000000000000000ul : (long long)floorf((float)x)");
long long __half2ll_ru(__half x) __heddle("x != x ? (long long)0x8000000000000000ul : (long long)ceilf((float)x)");
__half __ull2half_rn(unsigned long long x) __heddle("(half)x");
__device__ __half __ull2half_rz(unsigned long long x) { return __hd::to_half(__ull2float_rz(x), 0); }
__device__ __half __ull2half_ru(unsigned long long x) { return __hd::to_half(__ull2float_ru(x), 1); }
__device__ __half __ull2half_rd(unsigned long long x) { return __hd::to_half(__ull2float_rd(x), 2); }
unsigned long long __half2ull_rz(__half x) __heddle("x != x ? (unsigned long long)0x8000000000000000ul : (unsigned long long)x");
unsigned long long __half2ull_rn(__half x) __heddle("x != x ? (unsigned long long)0x8000000000000000ul : (unsigned long long)rintf((float)x)");
unsigned long long __half2ull_rd(__half x) __heddle("x != x ? (unsigned long long)0x8000000000000000ul : (unsigned long long)floorf((float)x)");
unsigned long long __half2ull_ru(__half x) __heddle("x != x ? (unsigned long long)0x8000000000000000ul : (unsigned long long)ceilf((float)x)");
__device__ unsigned short __half_as_ushort(__half x) { return *(unsigned short *)&x; }
__device__ __half __ushort_as_half(unsigned short x) { return *(__half *)&x; }
__device__ short __half_as_short(__half x) { return *(short *)&x; }
__device__ __half __short_as_half(short x) { return *(__half *)&x; }
__device__ __half __hadd(__half a, __half b) { return a + b; }
__device__ __half2 __hadd2(__half2 a, __half2 b) { return make_half2(__hadd(a.x, b.x), __hadd(a.y, b.y)); }
__device__ __half __hadd_rn(__half a, __half b) { return a + b; }
__device__ __half2 __hadd2_rn(__half2 a, __half2 b) { return make_half2(__hadd(a.x, b.x), __hadd(a.y, b.y)); }
__device__ __half __hadd_sat(__half a, __half b) { return __hd::clip(__hadd(a, b)); }
__device__ __half2 __hadd2_sat(__half2 a, __half2 b) { return make_half2(__hadd_sat(a.x, b.x), __hadd_sat(a.y, b.y)); }
__device__ __half __hsub(__half a, __half b) { return a - b; }
__device__ __half2 __hsub2(__half2 a, __half2 b) { return make_half2(__hsub(a.x, b.x), __hsub(a.y, b.y)); }
__device__ __half __hsub_rn(__half a, __half b) { return a - b; }
__device__ __half2 __hsub2_rn(__half2 a, __half2 b) { return make_half2(__hsub(a.x, b.x), __hsub(a.y, b.y)); }
__device__ __half __hsub_sat(__half a, __half b) { return __hd::clip(__hsub(a, b)); }
__device__ __half2 __hsub2_sat(__half2 a, __half2 b) { return make_half2(__hsub_sat(a.x, b.x), __hsub_sat(a.y, b.y)); }
__device__ __half __hmul(__half a, __half b) { return a * b; }
__device__ __half2 __hmul2(__half2 a, __half2 b) { return make_half2(__hmul(a.x, b.x), __hmul(a.y, b.y)); }
__device__ __half __hmul_rn(__half a, __half b) { return a * b; }
__device__ __half2 __hmul2_rn(__half2 a, __half2 b) { return make_half2(__hmul(a.x, b.x), __hmul(a.y, b.y)); }
__device__ __half __hmul_sat(__half a, __half b) { return __hd::clip(__hmul(a, b)); }
__device__ __half2 __hmul2_sat(__half2 a, __half2 b) { return make_half2(__hmul_sat(a.x, b.x), __hmul_sat(a.y, b.y)); }
__half __hdiv(__half a, __half b) __heddle("(half)((float)a / (float)b)");
__device__ __half2 __h2div(__half2 a, __half2 b) { return make_half2(__hdiv(a.x, b.x), __hdiv(a.y, b.y)); }
__half __hmax(__half a, __half b) __heddle("fmax(a, b)");
__half __hfma(__half a, __half b, __half c) __heddle("fma(a, b, c)");
__device__ __half __hfma_sat(__half a, __half b, __half c) { return __hd::clip(__hfma(a, b, c)); }
__device__ __half __hfma_relu(__half a, __half b, __half c) { return __hmax_nan(__hfma(a, b, c), (__half)0.0f); }
__device__ __half2 __hfma2(__half2 a, __half2 b, __half2 c) { return make_half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)); }
__device__ __half2 __hfma2_sat(__half2 a, __half2 b, __half2 c) { return make_half2(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y)); }
__device__ __half2 __hfma2_relu(__half2 a, __half2 b, __half2 c) { return make_half2(__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y)); }
// c + a * b of complex numbers.
__device__ __half2 __hcmadd(__half2 a, __half2 b, __half2 c) {
  return make_half2(__hfma(-a.y, b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
}
__half __hneg(__half a) __heddle("-a");
__device__ __half2 __hneg2(__half2 a) { return make_half2(__hneg(a.x), __hneg(a.y)); }
__half __habs(__half a) __heddle("fabs(a)");
__device__ __half2 __habs2(__half2 a) { return make_half2(__habs(a.x), __habs(a.y)); }
__half __hmin(__half a, __half b) __heddle("fmin(a, b)");
__device__ __half2 __hmin2(__half2 a, __half2 b) { return make_half2(__hmin(a.x, b.x), __hmin(a.y, b.y)); }
__device__ __half __hmin_nan(__half a, __half b) { return a != a ? a : b != b ? b : __hmin(a, b); }
__device__ __half2 __hmin2_nan(__half2 a, __half2 b) { return make_half2(__hmin_nan(a.x, b.x), __hmin_nan(a.y, b.y)); }
__device__ __half2 __hmax2(__half2 a, __half2 b) { return make_half2(__hmax(a.x, b.x), __hmax(a.y, b.y)); }
__device__ __half __hmax_nan(__half a, __half b) { return a != a ? a : b != b ? b : __hmax(a, b); }
__device__ __half2 __hmax2_nan(__half2 a, __half2 b) { return make_half2(__hmax_nan(a.x, b.x), __hmax_nan(a.y, b.y)); }
__device__ bool __heq(__half a, __half b) { return a == b; }
__device__ bool __hequ(__half a, __half b) { return a == b || a != a || b != b; }
__device__ __half2 __hequ2(__half2 a, __half2 b) { return make_half2((__half)(float)__hequ(a.x, b.x), (__half)(float)__hequ(a.y, b.y)); }
__device__ bool __hbequ2(__half2 a, __half2 b) { return __hequ(a.x, b.x) && __hequ(a.y, b.y); }
__device__ unsigned __hequ2_mask(__half2 a, __half2 b) { return (__hequ(a.x, b.x) ? 0xffffu : 0u) | (__hequ(a.y, b.y) ? 0xffff0000u : 0u); }
__device__ __half2 __heq2(__half2 a, __half2 b) { return make_half2((__half)(float)__heq(a.x, b.x), (__half)(float)__heq(a.y, b.y)); }
__device__ bool __hbeq2(__half2 a, __half2 b) { return __heq(a.x, b.x) && __heq(a.y, b.y); }
__device__ unsigned __heq2_mask(__half2 a, __half2 b) { return (__heq(a.x, b.x) ? 0xffffu : 0u) | (__heq(a.y, b.y) ? 0xffff0000u : 0u); }
__device__ bool __hne(__half a, __half b) { return a < b || a > b; }
__device__ bool __hneu(__half a, __half b) { return a < b || a > b || a != a || b != b; }
__device__ __half2 __hneu2(__half2 a, __half2 b) { return make_half2((__half)(float)__hneu(a.x, b.x), (__half)(float)__hneu(a.y, b.y)); }
__device__ bool __hbneu2(__half2 a, __half2 b) { return __hneu(a.x, b.x) && __hneu(a.y, b.y); }
__device__ unsigned __hneu2_mask(__half2 a, __half2 b) { return (__hneu(a.x, b.x) ? 0xffffu : 0u) | (__hneu(a.y, b.y) ? 0xffff0000u : 0u); }
__device__ __half2 __hne2(__half2 a, __half2 b) { return make_half2((__half)(float)__hne(a.x, b.x), (__half)(float)__hne(a.y, b.y)); }
__device__ bool __hbne2(__half2 a, __half2 b) { return __hne(a.x, b.x) && __hne(a.y, b.y); }
__device__ unsigned __hne2_mask(__half2 a, __half2 b) { return (__hne(a.x, b.x) ? 0xffffu : 0u) | (__hne(a.y, b.y) ? 0xffff0000u : 0u); }
__device__ bool __hlt(__half a, __half b) { return a < b; }
__device__ bool __hltu(__half a, __half b) { return a < b || a != a || b != b; }
__device__ __half2 __hltu2(__half2 a, __half2 b) { return make_half2((__half)(float)__hltu(a.x, b.x), (__half)(float)__hltu(a.y, b.y)); }
__device__ bool __hbltu2(__half2 a, __half2 b) { return __hltu(a.x, b.x) && __hltu(a.y, b.y); }
__device__ unsigned __hltu2_mask(__half2 a, __half2 b) { return (__hltu(a.x, b.x) ? 0xffffu : 0u) | (__hltu(a.y, b.y) ? 0xffff0000u : 0u); }
__device__ __half2 __hlt2(__half2 a, __half2 b) { return make_half2((__half)(float)__hlt(a.x, b.x), (__half)(float)__hlt(a.y, b.y)); }
__device__ bool __hblt2(__half2 a, __half2 b) { return __hlt(a.x, b.x) && __hlt(a.y, b.y); }
__device__ unsigned __hlt2_mask(__half2 a, __half2 b) { return (__hlt(a.x, b.x) ? 0xffffu : 0u) | (__hlt(a.y, b.y) ? 0xffff0000u : 0u); }
__device__ bool __hle(__half a, __half b) { return a <= b; }
__device__ bool __hleu(__half a, __half b) { return a <= b || a != a || b != b; }
__device__ __half2 __hleu2(__half2 a, __half2 b) { return make_half2((__half)(float)__hleu(a.x, b.x), (__half)(float)__hleu(a.y, b.y)); }
__device__ bool __hbleu2(__half2 a, __half2 b) { return __hleu(a.x, b.x) && __hleu(a.y, b.y); }
__device__ unsigned __hleu2_mask(__half2 a, __half2 b) { return (__hleu(a.x, b.x) ? 0xffffu : 0u) | (__hleu(a.y, b.y) ? 0xffff0000u : 0u); }
__device__ __half2 __hle2(__half2 a, __half2 b) { return make_half2((__half)(float)__hle(a.x, b.x), (__half)(float)__hle(a.y, b.y)); }
__device__ bool __hble2(__half2 a, __half2 b) { return __hle(a.x, b.x) && __hle(a.y, b.y); }
__device__ unsigned __hle2_mask(__half2 a, __half2 b) { return (__hle(a.x, b.x) ? 0xffffu : 0u) | (__hle(a.y, b.y) ? 0xffff0000u : 0u); }
__device__ bool __hgt(__half a, __half b) { return a > b; }
__device__ bool __hgtu(__half a, __half b) { return a > b || a != a || b != b; }
__device__ __half2 __hgtu2(__half2 a, __half2 b) { return make_half2((__half)(float)__hgtu(a.x, b.x), (__half)(float)__hgtu(a.y, b.y)); }
__device__ bool __hbgtu2(__half2 a, __half2 b) { return __hgtu(a.x, b.x) && __hgtu(a.y, b.y); }
__device__ unsigned __hgtu2_mask(__half2 a, __half2 b) { return (__hgtu(a.x, b.x) ? 0xffffu : 0u) | (__hgtu(a.y, b.y) ? 0xffff0000u : 0u); }
__device__ __half2 __hgt2(__half2 a, __half2 b) { return make_half2((__half)(float)__hgt(a.x, b.x), (__half)(float)__hgt(a.y, b.y)); }
__device__ bool __hbgt2(__half2 a, __half2 b) { return __hgt(a.x, b.x) && __hgt(a.y, b.y); }
__device__ unsigned __hgt2_mask(__half2 a, __half2 b) { return (__hgt(a.x, b.x) ? 0xffffu : 0u) | (__hgt(a.y, b.y) ? 0xffff0000u : 0u); }
__device__ bool __hge(__half a, __half b) { return a >= b; }
__device__ bool __hgeu(__half a, __half b) { return a >= b || a != a || b != b; }
__device__ __half2 __hgeu2(__half2 a, __half2 b) { return make_half2((__half)(float)__hgeu(a.x, b.x), (__half)(float)__hgeu(a.y, b.y)); }
__device__ bool __hbgeu2(__half2 a, __half2 b) { return __hgeu(a.x, b.x) && __hgeu(a.y, b.y); }
__device__ unsigned __hgeu2_mask(__half2 a, __half2 b) { return (__hgeu(a.x, b.x) ? 0xffffu : 0u) | (__hgeu(a.y, b.y) ? 0xffff0000u : 0u); }
__device__ __half2 __hge2(__half2 a, __half2 b) { return make_half2((__half)(float)__hge(a.x, b.x), (__half)(float)__hge(a.y, b.y)); }
__device__ bool __hbge2(__half2 a, __half2 b) { return __hge(a.x, b.x) && __hge(a.y, b.y); }
__device__ unsigned __hge2_mask(__half2 a, __half2 b) { return (__hge(a.x, b.x) ? 0xffffu : 0u) | (__hge(a.y, b.y) ? 0xffff0000u : 0u); }
bool __hisnan(__half a) __heddle("isnan(a)");
__device__ __half2 __hisnan2(__half2 a) { return make_half2((__half)(float)__hisnan(a.x), (__half)(float)__hisnan(a.y)); }
__device__ int __hisinf(__half a) { return isinf((float)a) ? (a > (__half)0.0f ? 1 : -1) : 0; }
__half hsqrt(__half x) __heddle("(half)sqrtf((float)x)");
__device__ __half2 h2sqrt(__half2 v) { return make_half2(hsqrt(v.x), hsqrt(v.y)); }
__half hexp(__half x) __heddle("(half)expf((float)x)");
__device__ __half2 h2exp(__half2 v) { return make_half2(hexp(v.x), hexp(v.y)); }
__half hexp2(__half x) __heddle("(half)exp2f((float)x)");
__device__ __half2 h2exp2(__half2 v) { return make_half2(hexp2(v.x), hexp2(v.y)); }
__half hexp10(__half x) __heddle("(half)exp10f((float)x)");
__device__ __half2 h2exp10(__half2 v) { return make_half2(hexp10(v.x), hexp10(v.y)); }
__half hlog(__half x) __heddle("(half)logf((float)x)");
__device__ __half2 h2log(__half2 v) { return make_half2(hlog(v.x), hlog(v.y)); }
__half hlog2(__half x) __heddle("(half)log2f((float)x)");
__device__ __half2 h2log2(__half2 v) { return make_half2(hlog2(v.x), hlog2(v.y)); }
__half hlog10(__half x) __heddle("(half)log10f((float)x)");
__device__ __half2 h2log10(__half2 v) { return make_half2(hlog10(v.x), hlog10(v.y)); }
__half hsin(__half x) __heddle("(half)sinf((float)x)");
__device__ __half2 h2sin(__half2 v) { return make_half2(hsin(v.x), hsin(v.y)); }
__half hcos(__half x) __heddle("(half)cosf((float)x)");
__device__ __half2 h2cos(__half2 v) { return make_half2(hcos(v.x), hcos(v.y)); }
__half hfloor(__half x) __heddle("(half)floorf((float)x)");
__device__ __half2 h2floor(__half2 v) { return make_half2(hfloor(v.x), hfloor(v.y)); }
__half hceil(__half x) __heddle("(half)ceilf((float)x)");
__device__ __half2 h2ceil(__half2 v) { return make_half2(hceil(v.x), hceil(v.y)); }
__half htrunc(__half x) __heddle("(half)truncf((float)x)");
__device__ __half2 h2trunc(__half2 v) { return make_half2(htrunc(v.x), htrunc(v.y)); }
__half hrint(__half x) __heddle("(half)rintf((float)x)");
__device__ __half2 h2rint(__half2 v) { return make_half2(hrint(v.x), hrint(v.y)); }
__half hrsqrt(__half x) __heddle("(half)rsqrtf((float)x)");
__device__ __half2 h2rsqrt(__half2 v) { return make_half2(hrsqrt(v.x), hrsqrt(v.y)); }
__half hrcp(__half x) __heddle("(half)(1.0f / (float)x)");
__device__ __half2 h2rcp(__half2 v) { return make_half2(hrcp(v.x), hrcp(v.y)); }
__half htanh(__half x) __heddle("(half)tanhf((float)x)");
__device__ __half2 h2tanh(__half2 v) { return make_half2(htanh(v.x), htanh(v.y)); }
__half htanh_approx(__half x) __heddle("(__half)fast_tanhf((float)x)");
__device__ __half2 h2tanh_approx(__half2 v) { return make_half2(htanh_approx(v.x), htanh_approx(v.y)); }
__device__ __half2 operator+(const __half2 &a, const __half2 &b) { return __hadd2(a, b); }
__device__ __half2 &operator+=(__half2 &a, const __half2 &b) { a = __hadd2(a, b); return a; }
__device__ __half2 operator-(const __half2 &a, const __half2 &b) { return __hsub2(a, b); }
__device__ __half2 &operator-=(__half2 &a, const __half2 &b) { a = __hsub2(a, b); return a; }
__device__ __half2 operator*(const __half2 &a, const __half2 &b) { return __hmul2(a, b); }
__device__ __half2 &operator*=(__half2 &a, const __half2 &b) { a = __hmul2(a, b); return a; }
__device__ __half2 operator/(const __half2 &a, const __half2 &b) { return __h2div(a, b); }
__device__ __half2 &operator/=(__half2 &a, const __half2 &b) { a = __h2div(a, b); return a; }
__device__ __half2 operator-(const __half2 &a) { return __hneg2(a); }
__device__ __half2 operator+(const __half2 &a) { return a; }
__device__ __half2 &operator++(__half2 &a) { a = __hadd2(a, make_half2((__half)1.0f, (__half)1.0f)); return a; }
__device__ __half2 operator++(__half2 &a, int) { __half2 was = a; a = __hadd2(a, make_half2((__half)1.0f, (__half)1.0f)); return was; }
__device__ __half2 &operator--(__half2 &a) { a = __hsub2(a, make_half2((__half)1.0f, (__half)1.0f)); return a; }
__device__ __half2 operator--(__half2 &a, int) { __half2 was = a; a = __hsub2(a, make_half2((__half)1.0f, (__half)1.0f)); return was; }
__device__ bool operator==(const __half2 &a, const __half2 &b) { return __hbeq2(a, b); }
__device__ bool operator!=(const __half2 &a, const __half2 &b) { return __hbneu2(a, b); }
__device__ bool operator<(const __half2 &a, const __half2 &b) { return __hblt2(a, b); }
__device__ bool operator<=(const __half2 &a, const __half2 &b) { return __hble2(a, b); }
__device__ bool operator>(const __half2 &a, const __half2 &b) { return __hbgt2(a, b); }
__device__ bool operator>=(const __half2 &a, const __half2 &b) { return __hbge2(a, b); }
