// SPDX-License-Identifier: Apache-2.0
// Operations on integers, and bits as another type.

// --- integers ---
int __clz(int x) __heddle("clz((unsigned)x)");
int __clzll(long long x) __heddle("clz((unsigned long)x)");
int __popc(unsigned x) __heddle("popcount(x)");
int __popcll(unsigned long long x) __heddle("popcount(x)");
unsigned __brev(unsigned x) __heddle("bitreverse(x)");
unsigned long long __brevll(unsigned long long x) __heddle("bitreverse(x)");
int __ffs(int x) __heddle("x ? ctz((unsigned)x) + 1 : 0");
int __ffsll(long long x) __heddle("x ? ctz((unsigned long)x) + 1 : 0");
int __builtin_popcount(unsigned x) __heddle("popcount(x)");
int __builtin_popcountll(unsigned long long x) __heddle("popcount(x)");
int __builtin_clz(unsigned x) __heddle("clz(x)");
int __builtin_clzll(unsigned long long x) __heddle("clz(x)");
int __builtin_ctz(unsigned x) __heddle("ctz(x)");
int __builtin_ctzll(unsigned long long x) __heddle("ctz(x)");
int __builtin_ffs(int x) __heddle("x ? ctz((unsigned)x) + 1 : 0");
int __builtin_ffsll(long long x) __heddle("x ? ctz((unsigned long)x) + 1 : 0");
__device__ unsigned __fns(unsigned mask, unsigned base, int offset) {
  if (offset == 0)
    return mask >> (base & 31) & 1 ? base : 0xffffffffu;
  unsigned left = offset > 0 ? (unsigned)offset : 0u - (unsigned)offset;
  for (int at = (int)base; at >= 0 && at < 32; at += offset > 0 ? 1 : -1)
    if ((mask >> at & 1) && --left == 0)
      return (unsigned)at;
  return 0xffffffffu;
}
__device__ unsigned __byte_perm(unsigned x, unsigned y, unsigned s) {
  unsigned long long both = (unsigned long long)y << 32 | x;
  unsigned r = 0;
  for (int i = 0; i < 4; i++) {
    unsigned pick = s >> 4 * i;
    unsigned b = (unsigned)(both >> 8 * (pick & 7)) & 255u;
    r |= b << 8 * i;
  }
  return r;
}
__device__ unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned n) {
  return (unsigned)(((unsigned long long)hi << 32 | lo) << (n & 31) >> 32);
}
__device__ unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned n) {
  return (unsigned)(((unsigned long long)hi << 32 | lo) >> (n & 31));
}
__device__ unsigned __funnelshift_lc(unsigned lo, unsigned hi, unsigned n) {
  return n >= 32 ? lo : __funnelshift_l(lo, hi, n);
}
__device__ unsigned __funnelshift_rc(unsigned lo, unsigned hi, unsigned n) {
  return n >= 32 ? hi : __funnelshift_r(lo, hi, n);
}
__device__ int __mul24(int x, int y) {
  long long a = (int)((unsigned)x << 8) >> 8, b = (int)((unsigned)y << 8) >> 8;
  return (int)(a * b);
}
__device__ unsigned __umul24(unsigned x, unsigned y) { return (x & 0xffffffu) * (y & 0xffffffu); }
int __mulhi(int x, int y) __heddle("(int)((long)x * y >> 32)");
unsigned __umulhi(unsigned x, unsigned y) __heddle("(unsigned)((unsigned long)x * y >> 32)");
__device__ unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  unsigned long long a = x >> 32, b = (unsigned)x, c = y >> 32, d = (unsigned)y;
  unsigned long long middle = a * d + (b * d >> 32), other = b * c + (unsigned)middle;
  return a * c + (middle >> 32) + (other >> 32);
}
__device__ long long __mul64hi(long long x, long long y) {
  unsigned long long high = __umul64hi((unsigned long long)x, (unsigned long long)y);
  high -= x < 0 ? (unsigned long long)y : 0;
  high -= y < 0 ? (unsigned long long)x : 0;
  return (long long)high;
}
__device__ unsigned __sad(int x, int y, unsigned z) { return z + (x > y ? (unsigned)x - (unsigned)y : (unsigned)y - (unsigned)x); }
__device__ unsigned __usad(unsigned x, unsigned y, unsigned z) { return z + (x > y ? x - y : y - x); }
__device__ int __hadd(int x, int y) { return (x & y) + ((x ^ y) >> 1); }
__device__ int __rhadd(int x, int y) { return (x | y) - ((x ^ y) >> 1); }
__device__ unsigned __uhadd(unsigned x, unsigned y) { return (x & y) + ((x ^ y) >> 1); }
__device__ unsigned __urhadd(unsigned x, unsigned y) { return (x | y) - ((x ^ y) >> 1); }
unsigned short __nv_bswap16(unsigned short x) __heddle("(unsigned short)(x >> 8 | x << 8)");
unsigned __nv_bswap32(unsigned x) __heddle("byteswap(x)");
unsigned long long __nv_bswap64(unsigned long long x) __heddle("byteswap(x)");
unsigned short __builtin_bswap16(unsigned short x) __heddle("(unsigned short)(x >> 8 | x << 8)");
unsigned __builtin_bswap32(unsigned x) __heddle("byteswap(x)");
unsigned long long __builtin_bswap64(unsigned long long x) __heddle("byteswap(x)");
namespace __hd {
__device__ int s8(unsigned x, int i) { return (int)(x << (24 - 8 * i)) >> 24; }
__device__ unsigned u8(unsigned x, int i) { return x >> 8 * i & 255u; }
__device__ int s16(unsigned x, int i) { return (int)(x << (16 - 16 * i)) >> 16; }
__device__ unsigned u16(unsigned x, int i) { return x >> 16 * i & 65535u; }
__device__ unsigned quad(unsigned a, unsigned b, unsigned c, unsigned d) { return (a & 255u) | (b & 255u) << 8 | (c & 255u) << 16 | d << 24; }
__device__ unsigned pair(unsigned a, unsigned b) { return (a & 65535u) | b << 16; }
}
__device__ int __dp4a(int a, int b, int c) {
  unsigned r = (unsigned)c;
  for (int i = 0; i < 4; i++)
    r += (unsigned)(__hd::s8((unsigned)a, i) * __hd::s8((unsigned)b, i));
  return (int)r;
}
__device__ unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  for (int i = 0; i < 4; i++)
    c += __hd::u8(a, i) * __hd::u8(b, i);
  return c;
}
__device__ int __dp4a(char4 a, char4 b, int c) { return c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
__device__ unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) { return c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }

__device__ int __dp2a_lo(int a, int b, int c) {
  return (int)((unsigned)c + (unsigned)(__hd::s16((unsigned)a, 0) * __hd::s8((unsigned)b, 0)) + (unsigned)(__hd::s16((unsigned)a, 1) * __hd::s8((unsigned)b, 1)));
}
__device__ unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c) {
  return c + __hd::u16(a, 0) * __hd::u8(b, 0) + __hd::u16(a, 1) * __hd::u8(b, 1);
}
__device__ int __dp2a_lo(short2 a, char4 b, int c) { return c + a.x * b.x + a.y * b.y; }
__device__ unsigned __dp2a_lo(ushort2 a, uchar4 b, unsigned c) { return c + a.x * (unsigned)b.x + a.y * (unsigned)b.y; }
__device__ int __dp2a_hi(int a, int b, int c) {
  return (int)((unsigned)c + (unsigned)(__hd::s16((unsigned)a, 0) * __hd::s8((unsigned)b, 2)) + (unsigned)(__hd::s16((unsigned)a, 1) * __hd::s8((unsigned)b, 3)));
}
__device__ unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c) {
  return c + __hd::u16(a, 0) * __hd::u8(b, 2) + __hd::u16(a, 1) * __hd::u8(b, 3);
}
__device__ int __dp2a_hi(short2 a, char4 b, int c) { return c + a.x * b.z + a.y * b.w; }
__device__ unsigned __dp2a_hi(ushort2 a, uchar4 b, unsigned c) { return c + a.x * (unsigned)b.z + a.y * (unsigned)b.w; }

// --- bits as another type ---
__device__ int __float_as_int(float x) { return *(int *)&x; }
__device__ unsigned __float_as_uint(float x) { return *(unsigned *)&x; }
__device__ float __int_as_float(int x) { return *(float *)&x; }
__device__ float __uint_as_float(unsigned x) { return *(float *)&x; }
__device__ long long __double_as_longlong(double x) { return *(long long *)&x; }
__device__ double __longlong_as_double(long long x) { return *(double *)&x; }
__device__ int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
__device__ int __double2loint(double x) { return (int)__double_as_longlong(x); }
__device__ double __hiloint2double(int hi, int lo) { return __longlong_as_double((long long)((unsigned long long)(unsigned)hi << 32 | (unsigned)lo)); }
