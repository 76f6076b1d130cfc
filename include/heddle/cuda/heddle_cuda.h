// SPDX-License-Identifier: Apache-2.0
// What every CUDA kernel can use without an include. This text stands in front
// of each .cu file; it holds no directives. A function's __heddle("E") is the
// Heddle C expression that takes the place of a call; __heddle() calls the
// built-in of the same name; __heddle_when("C", "E") does where the constant
// condition C holds. Functions with bodies are ordinary device functions.

// --- types ---
typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef decltype(nullptr) nullptr_t;
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;
typedef long ssize_t;
typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned char uchar;
typedef unsigned long ulong;
typedef _Float16 __half;
typedef __half half;
typedef __bf16 __nv_bfloat16;
typedef __nv_bfloat16 nv_bfloat16;
struct char1 { char x; };
struct __heddle_type("char2") __align__(2) char2 { char x, y; };
struct __heddle_type("char3") char3 { char x, y, z; };
struct __heddle_type("char4") __align__(4) char4 { char x, y, z, w; };
struct uchar1 { unsigned char x; };
struct __heddle_type("uchar2") __align__(2) uchar2 { unsigned char x, y; };
struct __heddle_type("uchar3") uchar3 { unsigned char x, y, z; };
struct __heddle_type("uchar4") __align__(4) uchar4 { unsigned char x, y, z, w; };
struct short1 { short x; };
struct __heddle_type("short2") __align__(4) short2 { short x, y; };
struct __heddle_type("short3") short3 { short x, y, z; };
struct __heddle_type("short4") __align__(8) short4 { short x, y, z, w; };
struct ushort1 { unsigned short x; };
struct __heddle_type("ushort2") __align__(4) ushort2 { unsigned short x, y; };
struct __heddle_type("ushort3") ushort3 { unsigned short x, y, z; };
struct __heddle_type("ushort4") __align__(8) ushort4 { unsigned short x, y, z, w; };
struct int1 { int x; };
struct __heddle_type("int2") __align__(8) int2 { int x, y; };
struct __heddle_type("int3") int3 { int x, y, z; };
struct __heddle_type("int4") __align__(16) int4 { int x, y, z, w; };
struct uint1 { unsigned int x; };
struct __heddle_type("uint2") __align__(8) uint2 { unsigned int x, y; };
struct __heddle_type("uint3") uint3 { unsigned int x, y, z; };
struct __heddle_type("uint4") __align__(16) uint4 { unsigned int x, y, z, w; };
struct long1 { long x; };
struct __heddle_type("long2") __align__(16) long2 { long x, y; };
struct __heddle_type("long3") long3 { long x, y, z; };
struct __heddle_type("long4") __align__(16) long4 { long x, y, z, w; };
struct ulong1 { unsigned long x; };
struct __heddle_type("ulong2") __align__(16) ulong2 { unsigned long x, y; };
struct __heddle_type("ulong3") ulong3 { unsigned long x, y, z; };
struct __heddle_type("ulong4") __align__(16) ulong4 { unsigned long x, y, z, w; };
struct longlong1 { long long x; };
struct __heddle_type("longlong2") __align__(16) longlong2 { long long x, y; };
struct __heddle_type("longlong3") longlong3 { long long x, y, z; };
struct __heddle_type("longlong4") __align__(16) longlong4 { long long x, y, z, w; };
struct ulonglong1 { unsigned long long x; };
struct __heddle_type("ulonglong2") __align__(16) ulonglong2 { unsigned long long x, y; };
struct __heddle_type("ulonglong3") ulonglong3 { unsigned long long x, y, z; };
struct __heddle_type("ulonglong4") __align__(16) ulonglong4 { unsigned long long x, y, z, w; };
struct float1 { float x; };
struct __heddle_type("float2") __align__(8) float2 { float x, y; };
struct __heddle_type("float3") float3 { float x, y, z; };
struct __heddle_type("float4") __align__(16) float4 { float x, y, z, w; };
struct double1 { double x; };
struct __heddle_type("double2") __align__(16) double2 { double x, y; };
struct __heddle_type("double3") double3 { double x, y, z; };
struct __heddle_type("double4") __align__(16) double4 { double x, y, z, w; };
struct __heddle_type("half2") __align__(4) __half2 { __half x, y; };
typedef __half2 half2;
struct __heddle_type("bfloat162") __align__(4) __nv_bfloat162 { __nv_bfloat16 x, y; };
typedef __nv_bfloat162 nv_bfloat162;
typedef long4 long4_16a;
typedef long4 long4_32a __heddle_unsupported("vectors aligned to 32 bytes; use long4_16a");
typedef ulong4 ulong4_16a;
typedef ulong4 ulong4_32a __heddle_unsupported("vectors aligned to 32 bytes; use ulong4_16a");
typedef longlong4 longlong4_16a;
typedef longlong4 longlong4_32a __heddle_unsupported("vectors aligned to 32 bytes; use longlong4_16a");
typedef ulonglong4 ulonglong4_16a;
typedef ulonglong4 ulonglong4_32a __heddle_unsupported("vectors aligned to 32 bytes; use ulonglong4_16a");
typedef double4 double4_16a;
typedef double4 double4_32a __heddle_unsupported("vectors aligned to 32 bytes; use double4_16a");
__device__ char1 make_char1(char x) { char1 v; v.x = x; return v; }
char2 make_char2(char x, char y) __heddle("char2{x, y}");
char3 make_char3(char x, char y, char z) __heddle("char3{x, y, z}");
char4 make_char4(char x, char y, char z, char w) __heddle("char4{x, y, z, w}");
__device__ uchar1 make_uchar1(unsigned char x) { uchar1 v; v.x = x; return v; }
uchar2 make_uchar2(unsigned char x, unsigned char y) __heddle("uchar2{x, y}");
uchar3 make_uchar3(unsigned char x, unsigned char y, unsigned char z) __heddle("uchar3{x, y, z}");
uchar4 make_uchar4(unsigned char x, unsigned char y, unsigned char z, unsigned char w) __heddle("uchar4{x, y, z, w}");
__device__ short1 make_short1(short x) { short1 v; v.x = x; return v; }
short2 make_short2(short x, short y) __heddle("short2{x, y}");
short3 make_short3(short x, short y, short z) __heddle("short3{x, y, z}");
short4 make_short4(short x, short y, short z, short w) __heddle("short4{x, y, z, w}");
__device__ ushort1 make_ushort1(unsigned short x) { ushort1 v; v.x = x; return v; }
ushort2 make_ushort2(unsigned short x, unsigned short y) __heddle("ushort2{x, y}");
ushort3 make_ushort3(unsigned short x, unsigned short y, unsigned short z) __heddle("ushort3{x, y, z}");
ushort4 make_ushort4(unsigned short x, unsigned short y, unsigned short z, unsigned short w) __heddle("ushort4{x, y, z, w}");
__device__ int1 make_int1(int x) { int1 v; v.x = x; return v; }
int2 make_int2(int x, int y) __heddle("int2{x, y}");
int3 make_int3(int x, int y, int z) __heddle("int3{x, y, z}");
int4 make_int4(int x, int y, int z, int w) __heddle("int4{x, y, z, w}");
__device__ uint1 make_uint1(unsigned int x) { uint1 v; v.x = x; return v; }
uint2 make_uint2(unsigned int x, unsigned int y) __heddle("uint2{x, y}");
uint3 make_uint3(unsigned int x, unsigned int y, unsigned int z) __heddle("uint3{x, y, z}");
uint4 make_uint4(unsigned int x, unsigned int y, unsigned int z, unsigned int w) __heddle("uint4{x, y, z, w}");
__device__ long1 make_long1(long x) { long1 v; v.x = x; return v; }
long2 make_long2(long x, long y) __heddle("long2{x, y}");
long3 make_long3(long x, long y, long z) __heddle("long3{x, y, z}");
long4 make_long4(long x, long y, long z, long w) __heddle("long4{x, y, z, w}");
__device__ ulong1 make_ulong1(unsigned long x) { ulong1 v; v.x = x; return v; }
ulong2 make_ulong2(unsigned long x, unsigned long y) __heddle("ulong2{x, y}");
ulong3 make_ulong3(unsigned long x, unsigned long y, unsigned long z) __heddle("ulong3{x, y, z}");
ulong4 make_ulong4(unsigned long x, unsigned long y, unsigned long z, unsigned long w) __heddle("ulong4{x, y, z, w}");
__device__ longlong1 make_longlong1(long long x) { longlong1 v; v.x = x; return v; }
longlong2 make_longlong2(long long x, long long y) __heddle("longlong2{x, y}");
longlong3 make_longlong3(long long x, long long y, long long z) __heddle("longlong3{x, y, z}");
longlong4 make_longlong4(long long x, long long y, long long z, long long w) __heddle("longlong4{x, y, z, w}");
__device__ ulonglong1 make_ulonglong1(unsigned long long x) { ulonglong1 v; v.x = x; return v; }
ulonglong2 make_ulonglong2(unsigned long long x, unsigned long long y) __heddle("ulonglong2{x, y}");
ulonglong3 make_ulonglong3(unsigned long long x, unsigned long long y, unsigned long long z) __heddle("ulonglong3{x, y, z}");
ulonglong4 make_ulonglong4(unsigned long long x, unsigned long long y, unsigned long long z, unsigned long long w) __heddle("ulonglong4{x, y, z, w}");
__device__ float1 make_float1(float x) { float1 v; v.x = x; return v; }
float2 make_float2(float x, float y) __heddle("float2{x, y}");
float3 make_float3(float x, float y, float z) __heddle("float3{x, y, z}");
float4 make_float4(float x, float y, float z, float w) __heddle("float4{x, y, z, w}");
__device__ double1 make_double1(double x) { double1 v; v.x = x; return v; }
double2 make_double2(double x, double y) __heddle("double2{x, y}");
double3 make_double3(double x, double y, double z) __heddle("double3{x, y, z}");
double4 make_double4(double x, double y, double z, double w) __heddle("double4{x, y, z, w}");
long4_16a make_long4_16a(long x, long y, long z, long w) __heddle("long4{x, y, z, w}");
ulong4_16a make_ulong4_16a(unsigned long x, unsigned long y, unsigned long z, unsigned long w) __heddle("ulong4{x, y, z, w}");
longlong4_16a make_longlong4_16a(long long x, long long y, long long z, long long w) __heddle("longlong4{x, y, z, w}");
ulonglong4_16a make_ulonglong4_16a(unsigned long long x, unsigned long long y, unsigned long long z, unsigned long long w) __heddle("ulonglong4{x, y, z, w}");
double4_16a make_double4_16a(double x, double y, double z, double w) __heddle("double4{x, y, z, w}");
__half2 make_half2(__half x, __half y) __heddle("__half2{x, y}");
__nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) __heddle("__nv_bfloat162{x, y}");
struct __heddle_type("uint3") dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) __heddle("uint3{x, y, z}");
  constexpr dim3(uint3 v) __heddle("v");
  constexpr operator uint3() const __heddle("self");
};

// --- where a thread is ---
extern const uint3 threadIdx __heddle("(uint3)thread_index()");
extern const uint3 blockIdx __heddle("(uint3)block_index()");
extern const dim3 blockDim __heddle("(uint3)block_dim()");
extern const dim3 gridDim __heddle("(uint3)grid_dim()");
extern const int warpSize __heddle("32");

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

// --- mathematics ---
float __fdividef(float a, float b) __heddle("fast_divf(a, b)");
float fdividef(float a, float b) __heddle("a / b");
double fdivide(double a, double b) __heddle("a / b");
float __expf(float x) __heddle("fast_expf(x)");
float __exp10f(float x) __heddle("fast_exp2f(x * 3.3219280948873626f)");
float __logf(float x) __heddle("fast_logf(x)");
float __log2f(float x) __heddle("fast_log2f(x)");
float __log10f(float x) __heddle("fast_log2f(x) * 0.30102999566398120f");
float __sinf(float x) __heddle("fast_sinf(x)");
float __cosf(float x) __heddle("fast_cosf(x)");
float __tanf(float x) __heddle("fast_divf(fast_sinf(x), fast_cosf(x))");
float __tanhf(float x) __heddle("fast_tanhf(x)");
float __powf(float x, float y) __heddle("fast_powf(x, y)");
__device__ void __sincosf(float x, float *s, float *c) { *s = __sinf(x); *c = __cosf(x); }
float sinf(float x) __heddle();
float sin(float x) __heddle("sinf(x)");
double sin(double x) __heddle();
template <class T> double sin(T x) __heddle("sin((double)x)");
float cosf(float x) __heddle();
float cos(float x) __heddle("cosf(x)");
double cos(double x) __heddle();
template <class T> double cos(T x) __heddle("cos((double)x)");
float tanf(float x) __heddle();
float tan(float x) __heddle("tanf(x)");
double tan(double x) __heddle();
template <class T> double tan(T x) __heddle("tan((double)x)");
float asinf(float x) __heddle();
float asin(float x) __heddle("asinf(x)");
double asin(double x) __heddle();
template <class T> double asin(T x) __heddle("asin((double)x)");
float acosf(float x) __heddle();
float acos(float x) __heddle("acosf(x)");
double acos(double x) __heddle();
template <class T> double acos(T x) __heddle("acos((double)x)");
float atanf(float x) __heddle();
float atan(float x) __heddle("atanf(x)");
double atan(double x) __heddle();
template <class T> double atan(T x) __heddle("atan((double)x)");
float sinhf(float x) __heddle();
float sinh(float x) __heddle("sinhf(x)");
double sinh(double x) __heddle();
template <class T> double sinh(T x) __heddle("sinh((double)x)");
float coshf(float x) __heddle();
float cosh(float x) __heddle("coshf(x)");
double cosh(double x) __heddle();
template <class T> double cosh(T x) __heddle("cosh((double)x)");
float tanhf(float x) __heddle();
float tanh(float x) __heddle("tanhf(x)");
double tanh(double x) __heddle();
template <class T> double tanh(T x) __heddle("tanh((double)x)");
float asinhf(float x) __heddle();
float asinh(float x) __heddle("asinhf(x)");
double asinh(double x) __heddle();
template <class T> double asinh(T x) __heddle("asinh((double)x)");
float acoshf(float x) __heddle();
float acosh(float x) __heddle("acoshf(x)");
double acosh(double x) __heddle();
template <class T> double acosh(T x) __heddle("acosh((double)x)");
float atanhf(float x) __heddle();
float atanh(float x) __heddle("atanhf(x)");
double atanh(double x) __heddle();
template <class T> double atanh(T x) __heddle("atanh((double)x)");
float expf(float x) __heddle();
float exp(float x) __heddle("expf(x)");
double exp(double x) __heddle();
template <class T> double exp(T x) __heddle("exp((double)x)");
float exp2f(float x) __heddle();
float exp2(float x) __heddle("exp2f(x)");
double exp2(double x) __heddle();
template <class T> double exp2(T x) __heddle("exp2((double)x)");
float exp10f(float x) __heddle();
float exp10(float x) __heddle("exp10f(x)");
double exp10(double x) __heddle();
template <class T> double exp10(T x) __heddle("exp10((double)x)");
float expm1f(float x) __heddle();
float expm1(float x) __heddle("expm1f(x)");
double expm1(double x) __heddle();
template <class T> double expm1(T x) __heddle("expm1((double)x)");
float sinpif(float x) __heddle();
float sinpi(float x) __heddle("sinpif(x)");
double sinpi(double x) __heddle();
template <class T> double sinpi(T x) __heddle("sinpi((double)x)");
float cospif(float x) __heddle();
float cospi(float x) __heddle("cospif(x)");
double cospi(double x) __heddle();
template <class T> double cospi(T x) __heddle("cospi((double)x)");
float logf(float x) __heddle();
float log(float x) __heddle("logf(x)");
double log(double x) __heddle();
template <class T> double log(T x) __heddle("log((double)x)");
float log2f(float x) __heddle();
float log2(float x) __heddle("log2f(x)");
double log2(double x) __heddle();
template <class T> double log2(T x) __heddle("log2((double)x)");
float log10f(float x) __heddle();
float log10(float x) __heddle("log10f(x)");
double log10(double x) __heddle();
template <class T> double log10(T x) __heddle("log10((double)x)");
float log1pf(float x) __heddle();
float log1p(float x) __heddle("log1pf(x)");
double log1p(double x) __heddle();
template <class T> double log1p(T x) __heddle("log1p((double)x)");
float logbf(float x) __heddle();
float logb(float x) __heddle("logbf(x)");
double logb(double x) __heddle();
template <class T> double logb(T x) __heddle("logb((double)x)");
float sqrtf(float x) __heddle();
float sqrt(float x) __heddle("sqrtf(x)");
double sqrt(double x) __heddle();
template <class T> double sqrt(T x) __heddle("sqrt((double)x)");
float cbrtf(float x) __heddle();
float cbrt(float x) __heddle("cbrtf(x)");
double cbrt(double x) __heddle();
template <class T> double cbrt(T x) __heddle("cbrt((double)x)");
float rsqrtf(float x) __heddle();
float rsqrt(float x) __heddle("rsqrtf(x)");
double rsqrt(double x) __heddle();
template <class T> double rsqrt(T x) __heddle("rsqrt((double)x)");
float erff(float x) __heddle();
float erf(float x) __heddle("erff(x)");
double erf(double x) __heddle();
template <class T> double erf(T x) __heddle("erf((double)x)");
float erfcf(float x) __heddle();
float erfc(float x) __heddle("erfcf(x)");
double erfc(double x) __heddle();
template <class T> double erfc(T x) __heddle("erfc((double)x)");
float tgammaf(float x) __heddle();
float tgamma(float x) __heddle("tgammaf(x)");
double tgamma(double x) __heddle();
template <class T> double tgamma(T x) __heddle("tgamma((double)x)");
float lgammaf(float x) __heddle();
float lgamma(float x) __heddle("lgammaf(x)");
double lgamma(double x) __heddle();
template <class T> double lgamma(T x) __heddle("lgamma((double)x)");
float fabsf(float x) __heddle();
float fabs(float x) __heddle("fabsf(x)");
double fabs(double x) __heddle();
template <class T> double fabs(T x) __heddle("fabs((double)x)");
float floorf(float x) __heddle();
float floor(float x) __heddle("floorf(x)");
double floor(double x) __heddle();
template <class T> double floor(T x) __heddle("floor((double)x)");
float ceilf(float x) __heddle();
float ceil(float x) __heddle("ceilf(x)");
double ceil(double x) __heddle();
template <class T> double ceil(T x) __heddle("ceil((double)x)");
float truncf(float x) __heddle();
float trunc(float x) __heddle("truncf(x)");
double trunc(double x) __heddle();
template <class T> double trunc(T x) __heddle("trunc((double)x)");
float roundf(float x) __heddle();
float round(float x) __heddle("roundf(x)");
double round(double x) __heddle();
template <class T> double round(T x) __heddle("round((double)x)");
float rintf(float x) __heddle();
float rint(float x) __heddle("rintf(x)");
double rint(double x) __heddle();
template <class T> double rint(T x) __heddle("rint((double)x)");
float nearbyintf(float x) __heddle();
float nearbyint(float x) __heddle("nearbyintf(x)");
double nearbyint(double x) __heddle();
template <class T> double nearbyint(T x) __heddle("nearbyint((double)x)");
float atan2f(float x, float y) __heddle();
float atan2(float x, float y) __heddle("atan2f(x, y)");
double atan2(double x, double y) __heddle();
template <class T, class U> double atan2(T x, U y) __heddle("atan2((double)x, (double)y)");
float powf(float x, float y) __heddle();
float pow(float x, float y) __heddle("powf(x, y)");
double pow(double x, double y) __heddle();
template <class T, class U> double pow(T x, U y) __heddle("pow((double)x, (double)y)");
float hypotf(float x, float y) __heddle();
float hypot(float x, float y) __heddle("hypotf(x, y)");
double hypot(double x, double y) __heddle();
template <class T, class U> double hypot(T x, U y) __heddle("hypot((double)x, (double)y)");
float fmodf(float x, float y) __heddle();
float fmod(float x, float y) __heddle("fmodf(x, y)");
double fmod(double x, double y) __heddle();
template <class T, class U> double fmod(T x, U y) __heddle("fmod((double)x, (double)y)");
float remainderf(float x, float y) __heddle();
float remainder(float x, float y) __heddle("remainderf(x, y)");
double remainder(double x, double y) __heddle();
template <class T, class U> double remainder(T x, U y) __heddle("remainder((double)x, (double)y)");
float copysignf(float x, float y) __heddle();
float copysign(float x, float y) __heddle("copysignf(x, y)");
double copysign(double x, double y) __heddle();
template <class T, class U> double copysign(T x, U y) __heddle("copysign((double)x, (double)y)");
float fdimf(float x, float y) __heddle();
float fdim(float x, float y) __heddle("fdimf(x, y)");
double fdim(double x, double y) __heddle();
template <class T, class U> double fdim(T x, U y) __heddle("fdim((double)x, (double)y)");
float nextafterf(float x, float y) __heddle();
float nextafter(float x, float y) __heddle("nextafterf(x, y)");
double nextafter(double x, double y) __heddle();
template <class T, class U> double nextafter(T x, U y) __heddle("nextafter((double)x, (double)y)");
float fminf(float x, float y) __heddle();
float fmin(float x, float y) __heddle("fminf(x, y)");
double fmin(double x, double y) __heddle();
template <class T, class U> double fmin(T x, U y) __heddle("fmin((double)x, (double)y)");
float fmaxf(float x, float y) __heddle();
float fmax(float x, float y) __heddle("fmaxf(x, y)");
double fmax(double x, double y) __heddle();
template <class T, class U> double fmax(T x, U y) __heddle("fmax((double)x, (double)y)");
__device__ float __saturatef(float x) { return fminf(fmaxf(x, 0.0f), 1.0f); }
float pow(float x, int n) __heddle("powf(x, (float)n)");
double pow(double x, int n) __heddle("pow(x, (double)n)");
float fmaf(float x, float y, float z) __heddle();
float fma(float x, float y, float z) __heddle("fmaf(x, y, z)");
double fma(double x, double y, double z) __heddle();
template <class T, class U, class V> double fma(T x, U y, V z) __heddle("fma((double)x, (double)y, (double)z)");
int ilogbf(float x) __heddle();
int ilogb(float x) __heddle("ilogbf(x)");
int ilogb(double x) __heddle();
long lrintf(float x) __heddle();
long lrint(float x) __heddle("lrintf(x)");
long lrint(double x) __heddle();
long long llrintf(float x) __heddle();
long long llrint(float x) __heddle("llrintf(x)");
long long llrint(double x) __heddle();
long lroundf(float x) __heddle();
long lround(float x) __heddle("lroundf(x)");
long lround(double x) __heddle();
long long llroundf(float x) __heddle();
long long llround(float x) __heddle("llroundf(x)");
long long llround(double x) __heddle();
float ldexpf(float x, int n) __heddle();
float ldexp(float x, int n) __heddle("ldexpf(x, n)");
double ldexp(double x, int n) __heddle();
float scalbnf(float x, int n) __heddle();
float scalbn(float x, int n) __heddle("scalbnf(x, n)");
double scalbn(double x, int n) __heddle();
float scalblnf(float x, long n) __heddle("ldexpf(x, (int)clamp(n, -4000l, 4000l))");
double scalbln(double x, long n) __heddle("ldexp(x, (int)clamp(n, -4000l, 4000l))");
float frexpf(float x, int *n) __heddle();
float frexp(float x, int *n) __heddle("frexpf(x, n)");
double frexp(double x, int *n) __heddle();
float modff(float x, float *whole) __heddle();
float modf(float x, float *whole) __heddle("modff(x, whole)");
double modf(double x, double *whole) __heddle();
float remquof(float x, float y, int *n) __heddle();
float remquo(float x, float y, int *n) __heddle("remquof(x, y, n)");
double remquo(double x, double y, int *n) __heddle();
__device__ void sincosf(float x, float *s, float *c) { *s = sinf(x); *c = cosf(x); }
__device__ void sincos(float x, float *s, float *c) { *s = sinf(x); *c = cosf(x); }
__device__ void sincos(double x, double *s, double *c) { *s = sin(x); *c = cos(x); }
__device__ void sincospif(float x, float *s, float *c) { *s = sinpif(x); *c = cospif(x); }
__device__ void sincospi(float x, float *s, float *c) { *s = sinpif(x); *c = cospif(x); }
__device__ void sincospi(double x, double *s, double *c) { *s = sinpi(x); *c = cospi(x); }
__device__ float rcbrtf(float x) { return (float)(1.0 / cbrt((double)x)); }
__device__ double rcbrt(double x) { return 1.0 / cbrt(x); }
__device__ float rcbrt(float x) { return rcbrtf(x); }
__device__ float rhypotf(float x, float y) { return (float)(1.0 / hypot((double)x, (double)y)); }
__device__ double rhypot(double x, double y) { return 1.0 / hypot(x, y); }
__device__ double norm3d(double a, double b, double c) { return hypot(hypot(a, b), c); }
__device__ float norm3df(float a, float b, float c) { return (float)norm3d(a, b, c); }
__device__ double norm4d(double a, double b, double c, double d) { return hypot(hypot(a, b), hypot(c, d)); }
__device__ float norm4df(float a, float b, float c, float d) { return (float)norm4d(a, b, c, d); }
__device__ float rnorm3df(float a, float b, float c) { return (float)(1.0 / norm3d(a, b, c)); }
__device__ double rnorm3d(double a, double b, double c) { return 1.0 / norm3d(a, b, c); }
__device__ float rnorm4df(float a, float b, float c, float d) { return (float)(1.0 / norm4d(a, b, c, d)); }
__device__ double rnorm4d(double a, double b, double c, double d) { return 1.0 / norm4d(a, b, c, d); }
__device__ double norm(int n, const double *p) {
  double r = 0;
  for (int i = 0; i < n; i++)
    r = hypot(r, p[i]);
  return r;
}
__device__ float normf(int n, const float *p) {
  double r = 0;
  for (int i = 0; i < n; i++)
    r += (double)p[i] * p[i];
  return (float)sqrt(r);
}
__device__ double rnorm(int n, const double *p) { return 1.0 / norm(n, p); }
__device__ float rnormf(int n, const float *p) { return 1.0f / normf(n, p); }
__device__ double normcdf(double x) {
  double root = 0.70710678118654752440, t = -x * root;
  double rest = fma(-x, root, -t) - x * -4.8336466567264567e-17, plain = erfc(t);
  double by = 1.1283791670955125739 * exp(-t * t) * rest;
  return 0.5 * (by - by == 0 ? plain - by : plain);
}
__device__ float normcdff(float x) { return (float)normcdf((double)x); }
__device__ float normcdf(float x) { return normcdff(x); }
float nanf(const char *payload) __heddle("(0.0f / 0.0f)");
double nan(const char *payload) __heddle("(0.0 / 0.0)");
int isnan(float x) __heddle();
int isnan(double x) __heddle();
int isinf(float x) __heddle();
int isinf(double x) __heddle();
int isfinite(float x) __heddle();
int isfinite(double x) __heddle();
int isnan(__half x) __heddle("isnan((float)x)");
int isinf(__half x) __heddle("isinf((float)x)");
int isfinite(__half x) __heddle("isfinite((float)x)");
int isnormal(float x) __heddle();
int isnormal(double x) __heddle();
int signbit(float x) __heddle();
int signbit(double x) __heddle();
int finite(double x) __heddle("isfinite(x)");
int __finitef(float x) __heddle("isfinite(x)");
int __finite(double x) __heddle("isfinite(x)");
int __isnanf(float x) __heddle("isnan(x)");
int __isnan(double x) __heddle("isnan(x)");
int __isinff(float x) __heddle("isinf(x)");
int __isinf(double x) __heddle("isinf(x)");
int __signbitf(float x) __heddle("signbit(x)");
int __signbit(double x) __heddle("signbit(x)");
int abs(int x) __heddle();
long abs(long x) __heddle();
long long abs(long long x) __heddle();
float abs(float x) __heddle("fabsf(x)");
double abs(double x) __heddle("fabs(x)");
long labs(long x) __heddle("abs(x)");
long long llabs(long long x) __heddle("abs(x)");
// exp(x * x) * erfc(x), with what x * x loses; beyond 25 by its asymptotic series.
__device__ double erfcx(double x) {
  if (x < 25) {
    double square = x * x, rest = fma(x, x, -square), power = exp(square);
    return power - power == 0 ? (power + power * rest) * erfc(x) : power * erfc(x);
  }
  double r = 1 / (x * x), sum = 162.421875 + r * -1055.7421875;
  sum = 1 + r * (-0.5 + r * (0.75 + r * (-1.875 + r * (6.5625 + r * (-29.53125 + r * sum)))));
  return sum * (0.56418958354775628695 / x);
}
__device__ float erfcxf(float x) { return (float)erfcx((double)x); }
__device__ float erfcx(float x) { return erfcxf(x); }
namespace __hd {
// The x with erf(x) = y in the middle.
__device__ double inverse_erf(double y) {
  double x = y * 0.88622692545275801365;
  for (int i = 0; i < 4; i++) {
    double step = (erf(x) - y) / (1.1283791670955125739 * exp(-x * x));
    x -= step / (1 + x * step);
  }
  return x;
}
// The x with erfc(x) = y, 0 < y <= 1: a first guess, then Halley's steps; for
// the smallest y Newton's, of the logarithms.
__device__ double inverse_erfc(double y) {
  double target = log(y), t = sqrt(2 * (0.69314718055994530942 - target));
  double x = 0.70710678118654752440 * (t - (2.30753 + t * 0.27061) / (1 + t * (0.99229 + t * 0.04481)));
  for (int i = 0; i < 3 && y < 1e-280; i++)
    x += (log(erfcx(x)) - x * x - target) * erfcx(x) * 0.88622692545275801365;
  for (int i = 0; i < 3 && y >= 1e-280; i++) {
    double slope = 1.1283791670955125739 * exp(-x * x);
    double step = (erfc(x) - y) / slope;
    x += step / (1 - x * step);
  }
  return x;
}
}
__device__ double erfcinv(double y) {
  if (!(y >= 0 && y <= 2))
    return 0.0 / 0.0;
  if (fabs(1 - y) < 0.5)
    return __hd::inverse_erf(1 - y);
  if (y == 0 || y == 2)
    return y == 0 ? 1.0 / 0.0 : -1.0 / 0.0;
  return y <= 1 ? __hd::inverse_erfc(y) : -__hd::inverse_erfc(2 - y);
}
__device__ double erfinv(double y) {
  if (fabs(y) < 0.5)
    return __hd::inverse_erf(y);
  return y > 0 ? erfcinv(1 - y) : -erfcinv(1 + y);
}
__device__ double normcdfinv(double y) { return -1.4142135623730950488 * erfcinv(2 * y); }
__device__ float erfcinvf(float y) { return (float)erfcinv((double)y); }
__device__ float erfinvf(float y) { return (float)erfinv((double)y); }
__device__ float normcdfinvf(float y) { return (float)normcdfinv((double)y); }
__device__ float erfcinv(float y) { return erfcinvf(y); }
__device__ float erfinv(float y) { return erfinvf(y); }
__device__ float normcdfinv(float y) { return normcdfinvf(y); }
float cyl_bessel_i0f(float x) __heddle_unsupported("the Bessel function 'cyl_bessel_i0f'; write it out");
double cyl_bessel_i0(double x) __heddle_unsupported("the Bessel function 'cyl_bessel_i0'; write it out");
float cyl_bessel_i1f(float x) __heddle_unsupported("the Bessel function 'cyl_bessel_i1f'; write it out");
double cyl_bessel_i1(double x) __heddle_unsupported("the Bessel function 'cyl_bessel_i1'; write it out");
float j0f(float x) __heddle_unsupported("the Bessel function 'j0f'; write it out");
double j0(double x) __heddle_unsupported("the Bessel function 'j0'; write it out");
float j1f(float x) __heddle_unsupported("the Bessel function 'j1f'; write it out");
double j1(double x) __heddle_unsupported("the Bessel function 'j1'; write it out");
float y0f(float x) __heddle_unsupported("the Bessel function 'y0f'; write it out");
double y0(double x) __heddle_unsupported("the Bessel function 'y0'; write it out");
float y1f(float x) __heddle_unsupported("the Bessel function 'y1f'; write it out");
double y1(double x) __heddle_unsupported("the Bessel function 'y1'; write it out");
float jnf(int n, float x) __heddle_unsupported("'jnf'; write it out");
double jn(int n, double x) __heddle_unsupported("'jn'; write it out");
float ynf(int n, float x) __heddle_unsupported("'ynf'; write it out");
double yn(int n, double x) __heddle_unsupported("'yn'; write it out");
constexpr int min(int a, int b) __heddle();
constexpr unsigned min(unsigned a, unsigned b) __heddle();
constexpr long min(long a, long b) __heddle();
constexpr unsigned long min(unsigned long a, unsigned long b) __heddle();
constexpr long long min(long long a, long long b) __heddle();
constexpr unsigned long long min(unsigned long long a, unsigned long long b) __heddle();
constexpr unsigned min(int a, unsigned b) __heddle("min((unsigned)a, b)");
constexpr unsigned min(unsigned a, int b) __heddle("min(a, (unsigned)b)");
constexpr unsigned long min(long a, unsigned long b) __heddle("min((unsigned long)a, b)");
constexpr unsigned long min(unsigned long a, long b) __heddle("min(a, (unsigned long)b)");
constexpr unsigned long long min(long long a, unsigned long long b) __heddle("min((unsigned long long)a, b)");
constexpr unsigned long long min(unsigned long long a, long long b) __heddle("min(a, (unsigned long long)b)");
float min(float a, float b) __heddle("fminf(a, b)");
double min(double a, double b) __heddle("fmin(a, b)");
double min(float a, double b) __heddle("fmin((double)a, b)");
double min(double a, float b) __heddle("fmin(a, (double)b)");
constexpr int max(int a, int b) __heddle();
constexpr unsigned max(unsigned a, unsigned b) __heddle();
constexpr long max(long a, long b) __heddle();
constexpr unsigned long max(unsigned long a, unsigned long b) __heddle();
constexpr long long max(long long a, long long b) __heddle();
constexpr unsigned long long max(unsigned long long a, unsigned long long b) __heddle();
constexpr unsigned max(int a, unsigned b) __heddle("max((unsigned)a, b)");
constexpr unsigned max(unsigned a, int b) __heddle("max(a, (unsigned)b)");
constexpr unsigned long max(long a, unsigned long b) __heddle("max((unsigned long)a, b)");
constexpr unsigned long max(unsigned long a, long b) __heddle("max(a, (unsigned long)b)");
constexpr unsigned long long max(long long a, unsigned long long b) __heddle("max((unsigned long long)a, b)");
constexpr unsigned long long max(unsigned long long a, long long b) __heddle("max(a, (unsigned long long)b)");
float max(float a, float b) __heddle("fmaxf(a, b)");
double max(double a, double b) __heddle("fmax(a, b)");
double max(float a, double b) __heddle("fmax((double)a, b)");
double max(double a, float b) __heddle("fmax(a, (double)b)");
unsigned umin(unsigned a, unsigned b) __heddle("min(a, b)");
unsigned umax(unsigned a, unsigned b) __heddle("max(a, b)");
long long llmin(long long a, long long b) __heddle("min(a, b)");
long long llmax(long long a, long long b) __heddle("max(a, b)");
unsigned long long ullmin(unsigned long long a, unsigned long long b) __heddle("min(a, b)");
unsigned long long ullmax(unsigned long long a, unsigned long long b) __heddle("max(a, b)");
namespace std {
template <class T> constexpr T min(const T &a, const T &b) __heddle("b < a ? b : a");
template <class T> constexpr T max(const T &a, const T &b) __heddle("a < b ? b : a");
typedef ::size_t size_t;
typedef ::ptrdiff_t ptrdiff_t;
using ::sin;
using ::cos;
using ::tan;
using ::asin;
using ::acos;
using ::atan;
using ::sinh;
using ::cosh;
using ::tanh;
using ::asinh;
using ::acosh;
using ::atanh;
using ::exp;
using ::exp2;
using ::expm1;
using ::log;
using ::log2;
using ::log10;
using ::log1p;
using ::logb;
using ::sqrt;
using ::cbrt;
using ::erf;
using ::erfc;
using ::tgamma;
using ::lgamma;
using ::fabs;
using ::floor;
using ::ceil;
using ::trunc;
using ::round;
using ::rint;
using ::nearbyint;
using ::atan2;
using ::pow;
using ::hypot;
using ::fmod;
using ::remainder;
using ::copysign;
using ::fdim;
using ::nextafter;
using ::fmin;
using ::fmax;
using ::fma;
using ::ldexp;
using ::scalbn;
using ::frexp;
using ::modf;
using ::remquo;
using ::ilogb;
using ::lrint;
using ::llrint;
using ::lround;
using ::llround;
using ::isnan;
using ::isinf;
using ::isfinite;
using ::isnormal;
using ::signbit;
using ::abs;
using ::nan;
typedef ::int8_t int8_t;
typedef ::uint8_t uint8_t;
typedef ::int16_t int16_t;
typedef ::uint16_t uint16_t;
typedef ::int32_t int32_t;
typedef ::uint32_t uint32_t;
typedef ::int64_t int64_t;
typedef ::uint64_t uint64_t;
template <class T> constexpr T &&move(T &v) __heddle("v");
template <class T> constexpr T &&forward(T &v) __heddle("v");
template <class T> __device__ void swap(T &a, T &b) { T t = a; a = b; b = t; }
}

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

// --- helpers of this header ---
namespace __hd {
struct __heddle_group lanes {
  lanes(unsigned mask) __heddle("labeled_partition(coalesced_threads(), mask)");
  int rank() const __heddle("rank(self)");
  void sync() const __heddle("sync(self)");
  int any(int p) const __heddle("any(self, p)");
  int all(int p) const __heddle("all(self, p)");
  unsigned match_all(long long v) const __heddle("match_all(self, v)");
  template <class T> T shfl(T v, int r) const __heddle("shfl(self, v, r)");
  template <class T> T add(T v) const __heddle("reduce(self, v, plus)");
  template <class T> T least(T v) const __heddle("reduce(self, v, min)");
  template <class T> T most(T v) const __heddle("reduce(self, v, max)");
  template <class T> T conjunction(T v) const __heddle("reduce(self, v, bit_and)");
  template <class T> T disjunction(T v) const __heddle("reduce(self, v, bit_or)");
  template <class T> T parity(T v) const __heddle("reduce(self, v, bit_xor)");
};
int lane() __heddle("rank(this_warp())");
unsigned present_lanes() __heddle();
void confirm(bool is_right) __heddle("assert(is_right)");
template <class T> void out(T *p, T v) __heddle("*p = v");
// The threads that come together here with this mask are those it names, but
// for those that have returned.
__device__ unsigned mask_names_who_is_here(const lanes &g, unsigned mask) {
  unsigned present = present_lanes();
  bool the_mask_names_the_threads_here = g.disjunction(1u << lane()) == (mask & present);
  confirm(the_mask_names_the_threads_here);
  return mask & present;
}
// The rank of a lane among those of a mask; 32 if it isn't there.
__device__ int rank_of_lane(unsigned mask, int l) {
  return (mask >> l & 1) ? __popc(mask & ((1u << l) - 1)) : 32;
}
}

// --- barriers, votes, shuffles ---
namespace __hd {
int block_count(int p) __heddle("count(this_block(), p)");
int block_all(int p) __heddle("all(this_block(), p)");
int block_any(int p) __heddle("any(this_block(), p)");
}
void __syncthreads() __heddle("sync(this_block())");
__device__ int __syncthreads_count(int p) { __syncthreads(); return __hd::block_count(p); }
__device__ int __syncthreads_and(int p) { __syncthreads(); return __hd::block_all(p); }
__device__ int __syncthreads_or(int p) { __syncthreads(); return __hd::block_any(p); }
bool syncthreads_and(bool p) __heddle_unsupported("'syncthreads_and'; write '__syncthreads_and'");
bool syncthreads_or(bool p) __heddle_unsupported("'syncthreads_or'; write '__syncthreads_or'");
int syncthreads_count(bool p) __heddle_unsupported("'syncthreads_count'; write '__syncthreads_count'");
unsigned __activemask() __heddle("reduce(coalesced_threads(), 1u << rank(this_warp()), bit_or)");
__device__ void __syncwarp(unsigned mask = 0xffffffffu) __heddle_when("mask == 0xffffffffu", "sync(whole_warp())") {
  __hd::lanes g(mask);
  __hd::mask_names_who_is_here(g, mask);
  g.sync();
}
__device__ int __any_sync(unsigned mask, int p) __heddle_when("mask == 0xffffffffu", "any(whole_warp(), p)") {
  __hd::lanes g(mask);
  __hd::mask_names_who_is_here(g, mask);
  return g.any(p);
}
__device__ int __all_sync(unsigned mask, int p) __heddle_when("mask == 0xffffffffu", "all(whole_warp(), p)") {
  __hd::lanes g(mask);
  __hd::mask_names_who_is_here(g, mask);
  return g.all(p);
}
__device__ int __uni_sync(unsigned mask, int p) __heddle_when("mask == 0xffffffffu", "match_all(whole_warp(), p != 0) != 0") {
  __hd::lanes g(mask);
  __hd::mask_names_who_is_here(g, mask);
  return g.all(p) || !g.any(p);
}
__device__ unsigned __ballot_sync(unsigned mask, int p) __heddle_when("mask == 0xffffffffu", "ballot(whole_warp(), p)") {
  __hd::lanes g(mask);
  __hd::mask_names_who_is_here(g, mask);
  return g.disjunction(p ? 1u << __hd::lane() : 0u);
}
namespace __hd {
struct __heddle_group alike {
  alike(const lanes &g, long long v) __heddle("labeled_partition(g, v)");
  unsigned disjunction(unsigned v) const __heddle("reduce(self, v, bit_or)");
};
__device__ long long bits(int v) { return v; }
__device__ long long bits(unsigned v) { return v; }
__device__ long long bits(long v) { return v; }
__device__ long long bits(unsigned long v) { return (long long)v; }
__device__ long long bits(long long v) { return v; }
__device__ long long bits(unsigned long long v) { return (long long)v; }
__device__ long long bits(float v) { return __float_as_int(v); }
__device__ long long bits(double v) { return __double_as_longlong(v); }
}
namespace __hd {
template <class T> __device__ unsigned all_alike(unsigned mask, T v) {
  lanes g(mask);
  mask_names_who_is_here(g, mask);
  return g.match_all(bits(v)) != 0 ? g.disjunction(1u << lane()) : 0;
}
}
__device__ unsigned __match_any_sync(unsigned mask, int v) __heddle_when("mask == 0xffffffffu", "match_any(whole_warp(), v)") {
  __hd::lanes g(mask);
  __hd::mask_names_who_is_here(g, mask);
  __hd::alike same(g, __hd::bits(v));
  return same.disjunction(1u << __hd::lane());
}
__device__ unsigned __match_all_sync(unsigned mask, int v, int *pred) {
  unsigned same = __hd::all_alike(mask, v);
  *pred = same != 0;
  return same;
}
__device__ unsigned __match_any_sync(unsigned mask, unsigned v) __heddle_when("mask == 0xffffffffu", "match_any(whole_warp(), v)") {
  __hd::lanes g(mask);
  __hd::mask_names_who_is_here(g, mask);
  __hd::alike same(g, __hd::bits(v));
  return same.disjunction(1u << __hd::lane());
}
__device__ unsigned __match_all_sync(unsigned mask, unsigned v, int *pred) {
  unsigned same = __hd::all_alike(mask, v);
  *pred = same != 0;
  return same;
}
__device__ unsigned __match_any_sync(unsigned mask, long v) __heddle_when("mask == 0xffffffffu", "match_any(whole_warp(), v)") {
  __hd::lanes g(mask);
  __hd::mask_names_who_is_here(g, mask);
  __hd::alike same(g, __hd::bits(v));
  return same.disjunction(1u << __hd::lane());
}
__device__ unsigned __match_all_sync(unsigned mask, long v, int *pred) {
  unsigned same = __hd::all_alike(mask, v);
  *pred = same != 0;
  return same;
}
__device__ unsigned __match_any_sync(unsigned mask, unsigned long v) __heddle_when("mask == 0xffffffffu", "match_any(whole_warp(), v)") {
  __hd::lanes g(mask);
  __hd::mask_names_who_is_here(g, mask);
  __hd::alike same(g, __hd::bits(v));
  return same.disjunction(1u << __hd::lane());
}
__device__ unsigned __match_all_sync(unsigned mask, unsigned long v, int *pred) {
  unsigned same = __hd::all_alike(mask, v);
  *pred = same != 0;
  return same;
}
__device__ unsigned __match_any_sync(unsigned mask, long long v) __heddle_when("mask == 0xffffffffu", "match_any(whole_warp(), v)") {
  __hd::lanes g(mask);
  __hd::mask_names_who_is_here(g, mask);
  __hd::alike same(g, __hd::bits(v));
  return same.disjunction(1u << __hd::lane());
}
__device__ unsigned __match_all_sync(unsigned mask, long long v, int *pred) {
  unsigned same = __hd::all_alike(mask, v);
  *pred = same != 0;
  return same;
}
__device__ unsigned __match_any_sync(unsigned mask, unsigned long long v) __heddle_when("mask == 0xffffffffu", "match_any(whole_warp(), v)") {
  __hd::lanes g(mask);
  __hd::mask_names_who_is_here(g, mask);
  __hd::alike same(g, __hd::bits(v));
  return same.disjunction(1u << __hd::lane());
}
__device__ unsigned __match_all_sync(unsigned mask, unsigned long long v, int *pred) {
  unsigned same = __hd::all_alike(mask, v);
  *pred = same != 0;
  return same;
}
__device__ unsigned __match_any_sync(unsigned mask, float v) __heddle_when("mask == 0xffffffffu", "match_any(whole_warp(), v)") {
  __hd::lanes g(mask);
  __hd::mask_names_who_is_here(g, mask);
  __hd::alike same(g, __hd::bits(v));
  return same.disjunction(1u << __hd::lane());
}
__device__ unsigned __match_all_sync(unsigned mask, float v, int *pred) {
  unsigned same = __hd::all_alike(mask, v);
  *pred = same != 0;
  return same;
}
__device__ unsigned __match_any_sync(unsigned mask, double v) __heddle_when("mask == 0xffffffffu", "match_any(whole_warp(), v)") {
  __hd::lanes g(mask);
  __hd::mask_names_who_is_here(g, mask);
  __hd::alike same(g, __hd::bits(v));
  return same.disjunction(1u << __hd::lane());
}
__device__ unsigned __match_all_sync(unsigned mask, double v, int *pred) {
  unsigned same = __hd::all_alike(mask, v);
  *pred = same != 0;
  return same;
}
template <class T> __device__ T __shfl_sync(unsigned mask, T v, int src, int width = 32)
  __heddle_when("mask == 0xffffffffu && width == 32", "shfl(whole_warp(), v, src)")
  __heddle_when("mask == 0xffffffffu && width != 32 && width > 0", "shfl(tiled_partition(whole_warp(), width), v, src)") {
  __hd::lanes g(mask);
  mask = __hd::mask_names_who_is_here(g, mask);
  return g.shfl(v, __hd::rank_of_lane(mask, (src & (width - 1)) | (__hd::lane() & -width)));
}
template <class T> __device__ T __shfl_up_sync(unsigned mask, T v, unsigned delta, int width = 32)
  __heddle_when("mask == 0xffffffffu && width == 32", "shfl_up(whole_warp(), v, delta)")
  __heddle_when("mask == 0xffffffffu && width != 32 && width > 0", "shfl_up(tiled_partition(whole_warp(), width), v, delta)") {
  __hd::lanes g(mask);
  mask = __hd::mask_names_who_is_here(g, mask);
  int lane = __hd::lane(), from = lane - (int)delta;
  return g.shfl(v, __hd::rank_of_lane(mask, from < (lane & -width) ? lane : from));
}
template <class T> __device__ T __shfl_down_sync(unsigned mask, T v, unsigned delta, int width = 32)
  __heddle_when("mask == 0xffffffffu && width == 32", "shfl_down(whole_warp(), v, delta)")
  __heddle_when("mask == 0xffffffffu && width != 32 && width > 0", "shfl_down(tiled_partition(whole_warp(), width), v, delta)") {
  __hd::lanes g(mask);
  mask = __hd::mask_names_who_is_here(g, mask);
  int lane = __hd::lane(), from = lane + (int)delta;
  return g.shfl(v, __hd::rank_of_lane(mask, from > (lane | (width - 1)) ? lane : from));
}
template <class T> __device__ T __shfl_xor_sync(unsigned mask, T v, int lanes, int width = 32)
  __heddle_when("mask == 0xffffffffu && width == 32", "shfl_xor(whole_warp(), v, lanes)")
  __heddle_when("mask == 0xffffffffu && width != 32 && width > 0 && lanes >= 0 && lanes < width", "shfl_xor(tiled_partition(whole_warp(), width), v, lanes)") {
  __hd::lanes g(mask);
  mask = __hd::mask_names_who_is_here(g, mask);
  int lane = __hd::lane(), from = lane ^ lanes;
  return g.shfl(v, __hd::rank_of_lane(mask, from > (lane | (width - 1)) ? lane : from));
}
__device__ unsigned __reduce_add_sync(unsigned mask, unsigned v) __heddle_when("mask == 0xffffffffu", "reduce(whole_warp(), v, plus)") {
  __hd::lanes g(mask);
  __hd::mask_names_who_is_here(g, mask);
  return g.add(v);
}
__device__ int __reduce_add_sync(unsigned mask, int v) __heddle_when("mask == 0xffffffffu", "reduce(whole_warp(), v, plus)") {
  __hd::lanes g(mask);
  __hd::mask_names_who_is_here(g, mask);
  return g.add(v);
}
__device__ unsigned __reduce_min_sync(unsigned mask, unsigned v) __heddle_when("mask == 0xffffffffu", "reduce(whole_warp(), v, min)") {
  __hd::lanes g(mask);
  __hd::mask_names_who_is_here(g, mask);
  return g.least(v);
}
__device__ int __reduce_min_sync(unsigned mask, int v) __heddle_when("mask == 0xffffffffu", "reduce(whole_warp(), v, min)") {
  __hd::lanes g(mask);
  __hd::mask_names_who_is_here(g, mask);
  return g.least(v);
}
__device__ unsigned __reduce_max_sync(unsigned mask, unsigned v) __heddle_when("mask == 0xffffffffu", "reduce(whole_warp(), v, max)") {
  __hd::lanes g(mask);
  __hd::mask_names_who_is_here(g, mask);
  return g.most(v);
}
__device__ int __reduce_max_sync(unsigned mask, int v) __heddle_when("mask == 0xffffffffu", "reduce(whole_warp(), v, max)") {
  __hd::lanes g(mask);
  __hd::mask_names_who_is_here(g, mask);
  return g.most(v);
}
__device__ unsigned __reduce_and_sync(unsigned mask, unsigned v) __heddle_when("mask == 0xffffffffu", "reduce(whole_warp(), v, bit_and)") {
  __hd::lanes g(mask);
  __hd::mask_names_who_is_here(g, mask);
  return g.conjunction(v);
}
__device__ unsigned __reduce_or_sync(unsigned mask, unsigned v) __heddle_when("mask == 0xffffffffu", "reduce(whole_warp(), v, bit_or)") {
  __hd::lanes g(mask);
  __hd::mask_names_who_is_here(g, mask);
  return g.disjunction(v);
}
__device__ unsigned __reduce_xor_sync(unsigned mask, unsigned v) __heddle_when("mask == 0xffffffffu", "reduce(whole_warp(), v, bit_xor)") {
  __hd::lanes g(mask);
  __hd::mask_names_who_is_here(g, mask);
  return g.parity(v);
}
// Without a mask: that of all 32 lanes, which is told.
template <class T> __device__ T __shfl(T v, int src, int width = 32) __heddle_full_mask
  __heddle_when("width == 32", "shfl(whole_warp(), v, src)")
  __heddle_when("width != 32 && width > 0", "shfl(tiled_partition(whole_warp(), width), v, src)") {
  return __shfl_sync(0xffffffffu, v, src, width);
}
template <class T> __device__ T __shfl_up(T v, unsigned delta, int width = 32) __heddle_full_mask
  __heddle_when("width == 32", "shfl_up(whole_warp(), v, delta)")
  __heddle_when("width != 32 && width > 0", "shfl_up(tiled_partition(whole_warp(), width), v, delta)") {
  return __shfl_up_sync(0xffffffffu, v, delta, width);
}
template <class T> __device__ T __shfl_down(T v, unsigned delta, int width = 32) __heddle_full_mask
  __heddle_when("width == 32", "shfl_down(whole_warp(), v, delta)")
  __heddle_when("width != 32 && width > 0", "shfl_down(tiled_partition(whole_warp(), width), v, delta)") {
  return __shfl_down_sync(0xffffffffu, v, delta, width);
}
template <class T> __device__ T __shfl_xor(T v, int lanes, int width = 32) __heddle_full_mask
  __heddle_when("width == 32", "shfl_xor(whole_warp(), v, lanes)")
  __heddle_when("width != 32 && width > 0 && lanes >= 0 && lanes < width", "shfl_xor(tiled_partition(whole_warp(), width), v, lanes)") {
  return __shfl_xor_sync(0xffffffffu, v, lanes, width);
}
int __any(int p) __heddle_full_mask __heddle("any(whole_warp(), p)");
int __all(int p) __heddle_full_mask __heddle("all(whole_warp(), p)");
unsigned __ballot(int p) __heddle_full_mask __heddle("ballot(whole_warp(), p)");
void __barrier_sync(unsigned id) __heddle_unsupported("'__barrier_sync'; use asm volatile(\"bar.sync …\") or cooperative groups");
void __barrier_sync_count(unsigned id, unsigned count) __heddle_unsupported("'__barrier_sync_count'; use asm volatile(\"bar.sync …\") or cooperative groups");

// --- atomics ---
int atomicAdd(int *p, int v) __heddle("atomic_add(p, v)");
unsigned atomicAdd(unsigned *p, unsigned v) __heddle("atomic_add(p, v)");
unsigned long long atomicAdd(unsigned long long *p, unsigned long long v) __heddle("atomic_add(p, v)");
float atomicAdd(float *p, float v) __heddle("atomic_add(p, v)");
double atomicAdd(double *p, double v) __heddle("atomic_add(p, v)");
int atomicSub(int *p, int v) __heddle("atomic_sub(p, v)");
unsigned atomicSub(unsigned *p, unsigned v) __heddle("atomic_sub(p, v)");
int atomicExch(int *p, int v) __heddle("atomic_exch(p, v)");
unsigned atomicExch(unsigned *p, unsigned v) __heddle("atomic_exch(p, v)");
unsigned long long atomicExch(unsigned long long *p, unsigned long long v) __heddle("atomic_exch(p, v)");
float atomicExch(float *p, float v) __heddle("atomic_exch(p, v)");
int atomicMin(int *p, int v) __heddle("atomic_min(p, v)");
unsigned atomicMin(unsigned *p, unsigned v) __heddle("atomic_min(p, v)");
long long atomicMin(long long *p, long long v) __heddle("atomic_min(p, v)");
unsigned long long atomicMin(unsigned long long *p, unsigned long long v) __heddle("atomic_min(p, v)");
int atomicMax(int *p, int v) __heddle("atomic_max(p, v)");
unsigned atomicMax(unsigned *p, unsigned v) __heddle("atomic_max(p, v)");
long long atomicMax(long long *p, long long v) __heddle("atomic_max(p, v)");
unsigned long long atomicMax(unsigned long long *p, unsigned long long v) __heddle("atomic_max(p, v)");
unsigned atomicInc(unsigned *p, unsigned v) __heddle("atomic_inc(p, v)");
unsigned atomicDec(unsigned *p, unsigned v) __heddle("atomic_dec(p, v)");
int atomicAnd(int *p, int v) __heddle("atomic_and(p, v)");
unsigned atomicAnd(unsigned *p, unsigned v) __heddle("atomic_and(p, v)");
long long atomicAnd(long long *p, long long v) __heddle("atomic_and(p, v)");
unsigned long long atomicAnd(unsigned long long *p, unsigned long long v) __heddle("atomic_and(p, v)");
int atomicOr(int *p, int v) __heddle("atomic_or(p, v)");
unsigned atomicOr(unsigned *p, unsigned v) __heddle("atomic_or(p, v)");
long long atomicOr(long long *p, long long v) __heddle("atomic_or(p, v)");
unsigned long long atomicOr(unsigned long long *p, unsigned long long v) __heddle("atomic_or(p, v)");
int atomicXor(int *p, int v) __heddle("atomic_xor(p, v)");
unsigned atomicXor(unsigned *p, unsigned v) __heddle("atomic_xor(p, v)");
long long atomicXor(long long *p, long long v) __heddle("atomic_xor(p, v)");
unsigned long long atomicXor(unsigned long long *p, unsigned long long v) __heddle("atomic_xor(p, v)");
int atomicCAS(int *p, int expected, int v) __heddle("atomic_cas(p, expected, v)");
unsigned atomicCAS(unsigned *p, unsigned expected, unsigned v) __heddle("atomic_cas(p, expected, v)");
unsigned long long atomicCAS(unsigned long long *p, unsigned long long expected, unsigned long long v) __heddle("atomic_cas(p, expected, v)");
unsigned short atomicCAS(unsigned short *p, unsigned short expected, unsigned short v) __heddle("atomic_cas(p, expected, v)");
__device__ float2 atomicAdd(float2 *p, float2 v) { return make_float2(atomicAdd(&p->x, v.x), atomicAdd(&p->y, v.y)); }
__device__ float4 atomicAdd(float4 *p, float4 v) {
  float x = atomicAdd(&p->x, v.x), y = atomicAdd(&p->y, v.y);
  float z = atomicAdd(&p->z, v.z), w = atomicAdd(&p->w, v.w);
  return make_float4(x, y, z, w);
}
__half atomicAdd(__half *p, __half v) __heddle("atomic_add(p, v)");
__nv_bfloat16 atomicAdd(__nv_bfloat16 *p, __nv_bfloat16 v) __heddle("atomic_add(p, v)");
__half2 atomicAdd(__half2 *p, __half2 v) __heddle("atomic_add(p, v)");
__nv_bfloat162 atomicAdd(__nv_bfloat162 *p, __nv_bfloat162 v) __heddle("atomic_add(p, v)");
int atomicAdd_block(int *p, int v) __heddle("atomic_add(p, v, relaxed, block)");
unsigned atomicAdd_block(unsigned *p, unsigned v) __heddle("atomic_add(p, v, relaxed, block)");
unsigned long long atomicAdd_block(unsigned long long *p, unsigned long long v) __heddle("atomic_add(p, v, relaxed, block)");
float atomicAdd_block(float *p, float v) __heddle("atomic_add(p, v, relaxed, block)");
double atomicAdd_block(double *p, double v) __heddle("atomic_add(p, v, relaxed, block)");
int atomicSub_block(int *p, int v) __heddle("atomic_sub(p, v, relaxed, block)");
unsigned atomicSub_block(unsigned *p, unsigned v) __heddle("atomic_sub(p, v, relaxed, block)");
int atomicExch_block(int *p, int v) __heddle("atomic_exch(p, v, relaxed, block)");
unsigned atomicExch_block(unsigned *p, unsigned v) __heddle("atomic_exch(p, v, relaxed, block)");
unsigned long long atomicExch_block(unsigned long long *p, unsigned long long v) __heddle("atomic_exch(p, v, relaxed, block)");
float atomicExch_block(float *p, float v) __heddle("atomic_exch(p, v, relaxed, block)");
int atomicMin_block(int *p, int v) __heddle("atomic_min(p, v, relaxed, block)");
unsigned atomicMin_block(unsigned *p, unsigned v) __heddle("atomic_min(p, v, relaxed, block)");
long long atomicMin_block(long long *p, long long v) __heddle("atomic_min(p, v, relaxed, block)");
unsigned long long atomicMin_block(unsigned long long *p, unsigned long long v) __heddle("atomic_min(p, v, relaxed, block)");
int atomicMax_block(int *p, int v) __heddle("atomic_max(p, v, relaxed, block)");
unsigned atomicMax_block(unsigned *p, unsigned v) __heddle("atomic_max(p, v, relaxed, block)");
long long atomicMax_block(long long *p, long long v) __heddle("atomic_max(p, v, relaxed, block)");
unsigned long long atomicMax_block(unsigned long long *p, unsigned long long v) __heddle("atomic_max(p, v, relaxed, block)");
unsigned atomicInc_block(unsigned *p, unsigned v) __heddle("atomic_inc(p, v, relaxed, block)");
unsigned atomicDec_block(unsigned *p, unsigned v) __heddle("atomic_dec(p, v, relaxed, block)");
int atomicAnd_block(int *p, int v) __heddle("atomic_and(p, v, relaxed, block)");
unsigned atomicAnd_block(unsigned *p, unsigned v) __heddle("atomic_and(p, v, relaxed, block)");
long long atomicAnd_block(long long *p, long long v) __heddle("atomic_and(p, v, relaxed, block)");
unsigned long long atomicAnd_block(unsigned long long *p, unsigned long long v) __heddle("atomic_and(p, v, relaxed, block)");
int atomicOr_block(int *p, int v) __heddle("atomic_or(p, v, relaxed, block)");
unsigned atomicOr_block(unsigned *p, unsigned v) __heddle("atomic_or(p, v, relaxed, block)");
long long atomicOr_block(long long *p, long long v) __heddle("atomic_or(p, v, relaxed, block)");
unsigned long long atomicOr_block(unsigned long long *p, unsigned long long v) __heddle("atomic_or(p, v, relaxed, block)");
int atomicXor_block(int *p, int v) __heddle("atomic_xor(p, v, relaxed, block)");
unsigned atomicXor_block(unsigned *p, unsigned v) __heddle("atomic_xor(p, v, relaxed, block)");
long long atomicXor_block(long long *p, long long v) __heddle("atomic_xor(p, v, relaxed, block)");
unsigned long long atomicXor_block(unsigned long long *p, unsigned long long v) __heddle("atomic_xor(p, v, relaxed, block)");
int atomicCAS_block(int *p, int expected, int v) __heddle("atomic_cas(p, expected, v, relaxed, block)");
unsigned atomicCAS_block(unsigned *p, unsigned expected, unsigned v) __heddle("atomic_cas(p, expected, v, relaxed, block)");
unsigned long long atomicCAS_block(unsigned long long *p, unsigned long long expected, unsigned long long v) __heddle("atomic_cas(p, expected, v, relaxed, block)");
unsigned short atomicCAS_block(unsigned short *p, unsigned short expected, unsigned short v) __heddle("atomic_cas(p, expected, v, relaxed, block)");
__device__ float2 atomicAdd_block(float2 *p, float2 v) { return make_float2(atomicAdd_block(&p->x, v.x), atomicAdd_block(&p->y, v.y)); }
__device__ float4 atomicAdd_block(float4 *p, float4 v) {
  float x = atomicAdd_block(&p->x, v.x), y = atomicAdd_block(&p->y, v.y);
  float z = atomicAdd_block(&p->z, v.z), w = atomicAdd_block(&p->w, v.w);
  return make_float4(x, y, z, w);
}
__half atomicAdd_block(__half *p, __half v) __heddle("atomic_add(p, v, relaxed, block)");
__nv_bfloat16 atomicAdd_block(__nv_bfloat16 *p, __nv_bfloat16 v) __heddle("atomic_add(p, v, relaxed, block)");
__half2 atomicAdd_block(__half2 *p, __half2 v) __heddle("atomic_add(p, v, relaxed, block)");
__nv_bfloat162 atomicAdd_block(__nv_bfloat162 *p, __nv_bfloat162 v) __heddle("atomic_add(p, v, relaxed, block)");
int atomicAdd_system(int *p, int v) __heddle("atomic_add(p, v, relaxed, system)");
unsigned atomicAdd_system(unsigned *p, unsigned v) __heddle("atomic_add(p, v, relaxed, system)");
unsigned long long atomicAdd_system(unsigned long long *p, unsigned long long v) __heddle("atomic_add(p, v, relaxed, system)");
float atomicAdd_system(float *p, float v) __heddle("atomic_add(p, v, relaxed, system)");
double atomicAdd_system(double *p, double v) __heddle("atomic_add(p, v, relaxed, system)");
int atomicSub_system(int *p, int v) __heddle("atomic_sub(p, v, relaxed, system)");
unsigned atomicSub_system(unsigned *p, unsigned v) __heddle("atomic_sub(p, v, relaxed, system)");
int atomicExch_system(int *p, int v) __heddle("atomic_exch(p, v, relaxed, system)");
unsigned atomicExch_system(unsigned *p, unsigned v) __heddle("atomic_exch(p, v, relaxed, system)");
unsigned long long atomicExch_system(unsigned long long *p, unsigned long long v) __heddle("atomic_exch(p, v, relaxed, system)");
float atomicExch_system(float *p, float v) __heddle("atomic_exch(p, v, relaxed, system)");
int atomicMin_system(int *p, int v) __heddle("atomic_min(p, v, relaxed, system)");
unsigned atomicMin_system(unsigned *p, unsigned v) __heddle("atomic_min(p, v, relaxed, system)");
long long atomicMin_system(long long *p, long long v) __heddle("atomic_min(p, v, relaxed, system)");
unsigned long long atomicMin_system(unsigned long long *p, unsigned long long v) __heddle("atomic_min(p, v, relaxed, system)");
int atomicMax_system(int *p, int v) __heddle("atomic_max(p, v, relaxed, system)");
unsigned atomicMax_system(unsigned *p, unsigned v) __heddle("atomic_max(p, v, relaxed, system)");
long long atomicMax_system(long long *p, long long v) __heddle("atomic_max(p, v, relaxed, system)");
unsigned long long atomicMax_system(unsigned long long *p, unsigned long long v) __heddle("atomic_max(p, v, relaxed, system)");
unsigned atomicInc_system(unsigned *p, unsigned v) __heddle("atomic_inc(p, v, relaxed, system)");
unsigned atomicDec_system(unsigned *p, unsigned v) __heddle("atomic_dec(p, v, relaxed, system)");
int atomicAnd_system(int *p, int v) __heddle("atomic_and(p, v, relaxed, system)");
unsigned atomicAnd_system(unsigned *p, unsigned v) __heddle("atomic_and(p, v, relaxed, system)");
long long atomicAnd_system(long long *p, long long v) __heddle("atomic_and(p, v, relaxed, system)");
unsigned long long atomicAnd_system(unsigned long long *p, unsigned long long v) __heddle("atomic_and(p, v, relaxed, system)");
int atomicOr_system(int *p, int v) __heddle("atomic_or(p, v, relaxed, system)");
unsigned atomicOr_system(unsigned *p, unsigned v) __heddle("atomic_or(p, v, relaxed, system)");
long long atomicOr_system(long long *p, long long v) __heddle("atomic_or(p, v, relaxed, system)");
unsigned long long atomicOr_system(unsigned long long *p, unsigned long long v) __heddle("atomic_or(p, v, relaxed, system)");
int atomicXor_system(int *p, int v) __heddle("atomic_xor(p, v, relaxed, system)");
unsigned atomicXor_system(unsigned *p, unsigned v) __heddle("atomic_xor(p, v, relaxed, system)");
long long atomicXor_system(long long *p, long long v) __heddle("atomic_xor(p, v, relaxed, system)");
unsigned long long atomicXor_system(unsigned long long *p, unsigned long long v) __heddle("atomic_xor(p, v, relaxed, system)");
int atomicCAS_system(int *p, int expected, int v) __heddle("atomic_cas(p, expected, v, relaxed, system)");
unsigned atomicCAS_system(unsigned *p, unsigned expected, unsigned v) __heddle("atomic_cas(p, expected, v, relaxed, system)");
unsigned long long atomicCAS_system(unsigned long long *p, unsigned long long expected, unsigned long long v) __heddle("atomic_cas(p, expected, v, relaxed, system)");
unsigned short atomicCAS_system(unsigned short *p, unsigned short expected, unsigned short v) __heddle("atomic_cas(p, expected, v, relaxed, system)");
__device__ float2 atomicAdd_system(float2 *p, float2 v) { return make_float2(atomicAdd_system(&p->x, v.x), atomicAdd_system(&p->y, v.y)); }
__device__ float4 atomicAdd_system(float4 *p, float4 v) {
  float x = atomicAdd_system(&p->x, v.x), y = atomicAdd_system(&p->y, v.y);
  float z = atomicAdd_system(&p->z, v.z), w = atomicAdd_system(&p->w, v.w);
  return make_float4(x, y, z, w);
}
__half atomicAdd_system(__half *p, __half v) __heddle("atomic_add(p, v, relaxed, system)");
__nv_bfloat16 atomicAdd_system(__nv_bfloat16 *p, __nv_bfloat16 v) __heddle("atomic_add(p, v, relaxed, system)");
__half2 atomicAdd_system(__half2 *p, __half2 v) __heddle("atomic_add(p, v, relaxed, system)");
__nv_bfloat162 atomicAdd_system(__nv_bfloat162 *p, __nv_bfloat162 v) __heddle("atomic_add(p, v, relaxed, system)");
enum { __NV_ATOMIC_RELAXED, __NV_ATOMIC_CONSUME, __NV_ATOMIC_ACQUIRE, __NV_ATOMIC_RELEASE, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_SEQ_CST };
enum { __NV_THREAD_SCOPE_SYSTEM, __NV_THREAD_SCOPE_DEVICE, __NV_THREAD_SCOPE_BLOCK, __NV_THREAD_SCOPE_THREAD, __NV_THREAD_SCOPE_CLUSTER };
void __nv_atomic_thread_fence(int order, int scope = 0) __heddle("fence(__heddle_scope(scope))");
template <class T> T __nv_atomic_load_n(T *p, int order, int scope = 0) __heddle_when("order == 0", "atomic_load(p, relaxed, __heddle_scope(scope))") __heddle_when("order == 5", "(fence(__heddle_scope(scope)), atomic_load(p, acquire, __heddle_scope(scope)))") __heddle("atomic_load(p, acquire, __heddle_scope(scope))");
template <class T> void __nv_atomic_store_n(T *p, T v, int order, int scope = 0) __heddle_when("order == 0", "atomic_store(p, v, relaxed, __heddle_scope(scope))") __heddle_when("order == 5", "(fence(__heddle_scope(scope)), atomic_store(p, v, release, __heddle_scope(scope)))") __heddle("atomic_store(p, v, release, __heddle_scope(scope))");
template <class T> void __nv_atomic_load(T *p, T *result, int order, int scope = 0) __heddle_when("order == 0", "*result = atomic_load(p, relaxed, __heddle_scope(scope))") __heddle_when("order == 5", "(fence(__heddle_scope(scope)), *result = atomic_load(p, acquire, __heddle_scope(scope)))") __heddle("*result = atomic_load(p, acquire, __heddle_scope(scope))");
template <class T> void __nv_atomic_store(T *p, T *v, int order, int scope = 0) __heddle_when("order == 0", "atomic_store(p, *v, relaxed, __heddle_scope(scope))") __heddle_when("order == 5", "(fence(__heddle_scope(scope)), atomic_store(p, *v, release, __heddle_scope(scope)))") __heddle("atomic_store(p, *v, release, __heddle_scope(scope))");
template <class T> T __nv_atomic_exchange_n(T *p, T v, int order, int scope = 0) __heddle_when("order == 5", "(fence(__heddle_scope(scope)), atomic_exch(p, v, __heddle_order(order), __heddle_scope(scope)))") __heddle("atomic_exch(p, v, __heddle_order(order), __heddle_scope(scope))");
template <class T> void __nv_atomic_exchange(T *p, T *v, T *result, int order, int scope = 0) __heddle_when("order == 5", "(fence(__heddle_scope(scope)), *result = atomic_exch(p, *v, __heddle_order(order), __heddle_scope(scope)))") __heddle("*result = atomic_exch(p, *v, __heddle_order(order), __heddle_scope(scope))");
template <class T> T __nv_atomic_cas_value(T *p, T expected, T v, int order, int scope) __heddle_when("order == 5", "(fence(__heddle_scope(scope)), atomic_cas(p, expected, v, __heddle_order(order), __heddle_scope(scope)))") __heddle("atomic_cas(p, expected, v, __heddle_order(order), __heddle_scope(scope))");
template <class T> T __nv_atomic_fetch_add(T *p, T v, int order, int scope = 0) __heddle_when("order == 5", "(fence(__heddle_scope(scope)), atomic_add(p, v, __heddle_order(order), __heddle_scope(scope)))") __heddle("atomic_add(p, v, __heddle_order(order), __heddle_scope(scope))");
template <class T> void __nv_atomic_add(T *p, T v, int order, int scope = 0) __heddle_when("order == 5", "(fence(__heddle_scope(scope)), (void)atomic_add(p, v, __heddle_order(order), __heddle_scope(scope)))") __heddle("(void)atomic_add(p, v, __heddle_order(order), __heddle_scope(scope))");
template <class T> T __nv_atomic_fetch_sub(T *p, T v, int order, int scope = 0) __heddle_when("order == 5", "(fence(__heddle_scope(scope)), atomic_sub(p, v, __heddle_order(order), __heddle_scope(scope)))") __heddle("atomic_sub(p, v, __heddle_order(order), __heddle_scope(scope))");
template <class T> void __nv_atomic_sub(T *p, T v, int order, int scope = 0) __heddle_when("order == 5", "(fence(__heddle_scope(scope)), (void)atomic_sub(p, v, __heddle_order(order), __heddle_scope(scope)))") __heddle("(void)atomic_sub(p, v, __heddle_order(order), __heddle_scope(scope))");
template <class T> T __nv_atomic_fetch_and(T *p, T v, int order, int scope = 0) __heddle_when("order == 5", "(fence(__heddle_scope(scope)), atomic_and(p, v, __heddle_order(order), __heddle_scope(scope)))") __heddle("atomic_and(p, v, __heddle_order(order), __heddle_scope(scope))");
template <class T> void __nv_atomic_and(T *p, T v, int order, int scope = 0) __heddle_when("order == 5", "(fence(__heddle_scope(scope)), (void)atomic_and(p, v, __heddle_order(order), __heddle_scope(scope)))") __heddle("(void)atomic_and(p, v, __heddle_order(order), __heddle_scope(scope))");
template <class T> T __nv_atomic_fetch_or(T *p, T v, int order, int scope = 0) __heddle_when("order == 5", "(fence(__heddle_scope(scope)), atomic_or(p, v, __heddle_order(order), __heddle_scope(scope)))") __heddle("atomic_or(p, v, __heddle_order(order), __heddle_scope(scope))");
template <class T> void __nv_atomic_or(T *p, T v, int order, int scope = 0) __heddle_when("order == 5", "(fence(__heddle_scope(scope)), (void)atomic_or(p, v, __heddle_order(order), __heddle_scope(scope)))") __heddle("(void)atomic_or(p, v, __heddle_order(order), __heddle_scope(scope))");
template <class T> T __nv_atomic_fetch_xor(T *p, T v, int order, int scope = 0) __heddle_when("order == 5", "(fence(__heddle_scope(scope)), atomic_xor(p, v, __heddle_order(order), __heddle_scope(scope)))") __heddle("atomic_xor(p, v, __heddle_order(order), __heddle_scope(scope))");
template <class T> void __nv_atomic_xor(T *p, T v, int order, int scope = 0) __heddle_when("order == 5", "(fence(__heddle_scope(scope)), (void)atomic_xor(p, v, __heddle_order(order), __heddle_scope(scope)))") __heddle("(void)atomic_xor(p, v, __heddle_order(order), __heddle_scope(scope))");
template <class T> T __nv_atomic_fetch_min(T *p, T v, int order, int scope = 0) __heddle_when("order == 5", "(fence(__heddle_scope(scope)), atomic_min(p, v, __heddle_order(order), __heddle_scope(scope)))") __heddle("atomic_min(p, v, __heddle_order(order), __heddle_scope(scope))");
template <class T> void __nv_atomic_min(T *p, T v, int order, int scope = 0) __heddle_when("order == 5", "(fence(__heddle_scope(scope)), (void)atomic_min(p, v, __heddle_order(order), __heddle_scope(scope)))") __heddle("(void)atomic_min(p, v, __heddle_order(order), __heddle_scope(scope))");
template <class T> T __nv_atomic_fetch_max(T *p, T v, int order, int scope = 0) __heddle_when("order == 5", "(fence(__heddle_scope(scope)), atomic_max(p, v, __heddle_order(order), __heddle_scope(scope)))") __heddle("atomic_max(p, v, __heddle_order(order), __heddle_scope(scope))");
template <class T> void __nv_atomic_max(T *p, T v, int order, int scope = 0) __heddle_when("order == 5", "(fence(__heddle_scope(scope)), (void)atomic_max(p, v, __heddle_order(order), __heddle_scope(scope)))") __heddle("(void)atomic_max(p, v, __heddle_order(order), __heddle_scope(scope))");
namespace __hd {
template <class T> __device__ bool swapped(T *expected, T was) {
  bool is_same = was == *expected;
  *expected = was;
  return is_same;
}
}
// As strong as can be asked for, whatever the order and scope.
template <class T> __device__ bool __nv_atomic_compare_exchange_n(T *p, T *expected, T v, bool weak, int order, int failure, int scope = 0) {
  __nv_atomic_thread_fence(5, 0);
  return __hd::swapped(expected, __nv_atomic_cas_value(p, *expected, v, 4, 0));
}
template <class T> __device__ bool __nv_atomic_compare_exchange(T *p, T *expected, T *v, bool weak, int order, int failure, int scope = 0) {
  return __nv_atomic_compare_exchange_n(p, expected, *v, weak, order, failure, scope);
}

// --- memory ---
void __threadfence() __heddle("fence(device)");
void __threadfence_block() __heddle("fence(block)");
void __threadfence_cluster() __heddle("fence(cluster)");
void __threadfence_system() __heddle("fence(system)");
template <class T> T __ldg(const T *p) __heddle("*p");
template <class T> T __ldca(const T *p) __heddle("load(p, cached)");
template <class T> T __ldcg(const T *p) __heddle("*p");
template <class T> T __ldcs(const T *p) __heddle("load(p, streaming)");
template <class T> T __ldlu(const T *p) __heddle("load(p, last_use)");
template <class T> __device__ T __ldcv(const T *p) { return *(const volatile T *)p; }
template <class T, class U> void __stwb(T *p, U v) __heddle("store(p, v, cached)");
template <class T, class U> void __stcg(T *p, U v) __heddle("*p = v");
template <class T, class U> void __stcs(T *p, U v) __heddle("store(p, v, streaming)");
template <class T, class U> __device__ void __stwt(T *p, U v) { *(volatile T *)p = v; }
void *__nv_aligned_device_malloc(size_t n, size_t align) __heddle_unsupported("memory allocated in a kernel; pass an array as a parameter");
void *malloc(size_t n) __heddle_unsupported("memory allocated in a kernel; pass an array as a parameter");
void free(void *p) __heddle_unsupported("memory allocated in a kernel; pass an array as a parameter");
__device__ void memcpy(void *to, const void *from, size_t n) {
  for (size_t i = 0; i < n; i++)
    ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
}
__device__ void memset(void *to, int value, size_t n) {
  for (size_t i = 0; i < n; i++)
    ((unsigned char *)to)[i] = (unsigned char)value;
}
__device__ void __builtin_memcpy(void *to, const void *from, size_t n) { memcpy(to, from, n); }
__device__ void __builtin_memset(void *to, int value, size_t n) { memset(to, value, n); }
namespace std {
using ::memcpy;
using ::memset;
}
unsigned __isGlobal(const void *p) __heddle_unsupported("'__isGlobal': which memory a pointer points to is known when the kernel is compiled; leave the question out");
unsigned __isShared(const void *p) __heddle_unsupported("'__isShared': which memory a pointer points to is known when the kernel is compiled; leave the question out");
unsigned __isConstant(const void *p) __heddle_unsupported("'__isConstant': which memory a pointer points to is known when the kernel is compiled; leave the question out");
unsigned __isLocal(const void *p) __heddle_unsupported("'__isLocal': which memory a pointer points to is known when the kernel is compiled; leave the question out");
unsigned __isGridConstant(const void *p) __heddle_unsupported("'__isGridConstant': which memory a pointer points to is known when the kernel is compiled; leave the question out");
unsigned __isCtaShared(const void *p) __heddle_unsupported("'__isCtaShared': which memory a pointer points to is known when the kernel is compiled; leave the question out");
unsigned __isClusterShared(const void *p) __heddle_unsupported("'__isClusterShared': which memory a pointer points to is known when the kernel is compiled; leave the question out");
// Words of 64 bits in shared memory that the kernel uses as mbarriers, the
// states of theirs, and those of another block of the cluster.
namespace __hd {
class __heddle_barrier("mbarrier") word_barrier {};
class __heddle_barrier("mbarrier of another block") mapped_barrier {};
class __heddle_token("state of an mbarrier") word_token {};
}
size_t __cvta_generic_to_global(const void *p) __heddle_address;
void *__cvta_global_to_generic(size_t p) __heddle_address;
size_t __cvta_generic_to_shared(const void *p) __heddle_address;
void *__cvta_shared_to_generic(size_t p) __heddle_address;
size_t __cvta_generic_to_local(const void *p) __heddle_unsupported("addresses as numbers; keep the pointer");
void *__cvta_local_to_generic(size_t p) __heddle_unsupported("addresses as numbers; keep the pointer");
size_t __cvta_generic_to_constant(const void *p) __heddle_unsupported("addresses as numbers; keep the pointer");
void *__cvta_constant_to_generic(size_t p) __heddle_unsupported("addresses as numbers; keep the pointer");
size_t __cvta_generic_to_grid_constant(const void *p) __heddle_unsupported("addresses as numbers; keep the pointer");
void *__cvta_grid_constant_to_generic(size_t p) __heddle_unsupported("addresses as numbers; keep the pointer");

// --- stopping, printing, time ---
int printf(const char *format, ...) __heddle();
void __trap() __heddle("trap()");
void __brkpt() __heddle("trap()");
void abort() __heddle("trap()");
void assert(bool e) __heddle();
void __assert(bool e) __heddle("assert(e)");
void __assume(bool e) __heddle("assume(e)");
void __requires(bool e) __heddle("assume(e)");
bool __implies(bool a, bool b) __heddle("!a || b");
bool __enabled() __heddle("true");
template <class T> bool __is_pow2(T x) __heddle("(x & (x - 1)) == 0");
void __builtin_assume(bool e) __heddle("assume(e)");
void __builtin_unreachable() __heddle("assume(false)");
long __builtin_expect(long value, long expected) __heddle("value");
template <class T> T *__builtin_assume_aligned(T *p, size_t n) __heddle("p");
template <class T> T *__builtin_assume_aligned(T *p, size_t n, size_t offset) __heddle("p");
typedef long clock_t;
clock_t clock() __heddle("clock64()");
long long clock64() __heddle();
void __nanosleep(unsigned ns) __heddle("(void)ns");
void __prof_trigger(int counter) __heddle("(void)counter");
unsigned __pm0() __heddle_unsupported("counters of a multiprocessor; use a profiler");
unsigned __pm1() __heddle_unsupported("counters of a multiprocessor; use a profiler");
unsigned __pm2() __heddle_unsupported("counters of a multiprocessor; use a profiler");
unsigned __pm3() __heddle_unsupported("counters of a multiprocessor; use a profiler");

// --- pairs and quads in a word ---
__device__ unsigned __vadd4(unsigned a, unsigned b) { return __hd::quad((unsigned)(__hd::u8(a, 0) + __hd::u8(b, 0)), (unsigned)(__hd::u8(a, 1) + __hd::u8(b, 1)), (unsigned)(__hd::u8(a, 2) + __hd::u8(b, 2)), (unsigned)(__hd::u8(a, 3) + __hd::u8(b, 3))); }
__device__ unsigned __vsub4(unsigned a, unsigned b) { return __hd::quad((unsigned)(__hd::u8(a, 0) - __hd::u8(b, 0)), (unsigned)(__hd::u8(a, 1) - __hd::u8(b, 1)), (unsigned)(__hd::u8(a, 2) - __hd::u8(b, 2)), (unsigned)(__hd::u8(a, 3) - __hd::u8(b, 3))); }
__device__ unsigned __vaddss4(unsigned a, unsigned b) { return __hd::quad((unsigned)(max(-128, min(127, __hd::s8(a, 0) + __hd::s8(b, 0)))), (unsigned)(max(-128, min(127, __hd::s8(a, 1) + __hd::s8(b, 1)))), (unsigned)(max(-128, min(127, __hd::s8(a, 2) + __hd::s8(b, 2)))), (unsigned)(max(-128, min(127, __hd::s8(a, 3) + __hd::s8(b, 3))))); }
__device__ unsigned __vsubss4(unsigned a, unsigned b) { return __hd::quad((unsigned)(max(-128, min(127, __hd::s8(a, 0) - __hd::s8(b, 0)))), (unsigned)(max(-128, min(127, __hd::s8(a, 1) - __hd::s8(b, 1)))), (unsigned)(max(-128, min(127, __hd::s8(a, 2) - __hd::s8(b, 2)))), (unsigned)(max(-128, min(127, __hd::s8(a, 3) - __hd::s8(b, 3))))); }
__device__ unsigned __vaddus4(unsigned a, unsigned b) { return __hd::quad((unsigned)(min(255u, __hd::u8(a, 0) + __hd::u8(b, 0))), (unsigned)(min(255u, __hd::u8(a, 1) + __hd::u8(b, 1))), (unsigned)(min(255u, __hd::u8(a, 2) + __hd::u8(b, 2))), (unsigned)(min(255u, __hd::u8(a, 3) + __hd::u8(b, 3)))); }
__device__ unsigned __vsubus4(unsigned a, unsigned b) { return __hd::quad((unsigned)(__hd::u8(a, 0) > __hd::u8(b, 0) ? __hd::u8(a, 0) - __hd::u8(b, 0) : 0u), (unsigned)(__hd::u8(a, 1) > __hd::u8(b, 1) ? __hd::u8(a, 1) - __hd::u8(b, 1) : 0u), (unsigned)(__hd::u8(a, 2) > __hd::u8(b, 2) ? __hd::u8(a, 2) - __hd::u8(b, 2) : 0u), (unsigned)(__hd::u8(a, 3) > __hd::u8(b, 3) ? __hd::u8(a, 3) - __hd::u8(b, 3) : 0u)); }
__device__ unsigned __vavgs4(unsigned a, unsigned b) { return __hd::quad((unsigned)((__hd::s8(a, 0) + __hd::s8(b, 0) + ((__hd::s8(a, 0) + __hd::s8(b, 0)) >= 0)) >> 1), (unsigned)((__hd::s8(a, 1) + __hd::s8(b, 1) + ((__hd::s8(a, 1) + __hd::s8(b, 1)) >= 0)) >> 1), (unsigned)((__hd::s8(a, 2) + __hd::s8(b, 2) + ((__hd::s8(a, 2) + __hd::s8(b, 2)) >= 0)) >> 1), (unsigned)((__hd::s8(a, 3) + __hd::s8(b, 3) + ((__hd::s8(a, 3) + __hd::s8(b, 3)) >= 0)) >> 1)); }
__device__ unsigned __vavgu4(unsigned a, unsigned b) { return __hd::quad((unsigned)((__hd::u8(a, 0) + __hd::u8(b, 0) + 1) >> 1), (unsigned)((__hd::u8(a, 1) + __hd::u8(b, 1) + 1) >> 1), (unsigned)((__hd::u8(a, 2) + __hd::u8(b, 2) + 1) >> 1), (unsigned)((__hd::u8(a, 3) + __hd::u8(b, 3) + 1) >> 1)); }
__device__ unsigned __vhaddu4(unsigned a, unsigned b) { return __hd::quad((unsigned)((__hd::u8(a, 0) + __hd::u8(b, 0)) >> 1), (unsigned)((__hd::u8(a, 1) + __hd::u8(b, 1)) >> 1), (unsigned)((__hd::u8(a, 2) + __hd::u8(b, 2)) >> 1), (unsigned)((__hd::u8(a, 3) + __hd::u8(b, 3)) >> 1)); }
__device__ unsigned __vabs4(unsigned a) { return __hd::quad((unsigned)(abs(__hd::s8(a, 0))), (unsigned)(abs(__hd::s8(a, 1))), (unsigned)(abs(__hd::s8(a, 2))), (unsigned)(abs(__hd::s8(a, 3)))); }
__device__ unsigned __vabsss4(unsigned a) { return __hd::quad((unsigned)(min(127, abs(__hd::s8(a, 0)))), (unsigned)(min(127, abs(__hd::s8(a, 1)))), (unsigned)(min(127, abs(__hd::s8(a, 2)))), (unsigned)(min(127, abs(__hd::s8(a, 3))))); }
__device__ unsigned __vneg4(unsigned a) { return __hd::quad((unsigned)(-__hd::s8(a, 0)), (unsigned)(-__hd::s8(a, 1)), (unsigned)(-__hd::s8(a, 2)), (unsigned)(-__hd::s8(a, 3))); }
__device__ unsigned __vnegss4(unsigned a) { return __hd::quad((unsigned)(min(127, -__hd::s8(a, 0))), (unsigned)(min(127, -__hd::s8(a, 1))), (unsigned)(min(127, -__hd::s8(a, 2))), (unsigned)(min(127, -__hd::s8(a, 3)))); }
__device__ unsigned __vabsdiffs4(unsigned a, unsigned b) { return __hd::quad((unsigned)(abs(__hd::s8(a, 0) - __hd::s8(b, 0))), (unsigned)(abs(__hd::s8(a, 1) - __hd::s8(b, 1))), (unsigned)(abs(__hd::s8(a, 2) - __hd::s8(b, 2))), (unsigned)(abs(__hd::s8(a, 3) - __hd::s8(b, 3)))); }
__device__ unsigned __vabsdiffu4(unsigned a, unsigned b) { return __hd::quad((unsigned)(__hd::u8(a, 0) > __hd::u8(b, 0) ? __hd::u8(a, 0) - __hd::u8(b, 0) : __hd::u8(b, 0) - __hd::u8(a, 0)), (unsigned)(__hd::u8(a, 1) > __hd::u8(b, 1) ? __hd::u8(a, 1) - __hd::u8(b, 1) : __hd::u8(b, 1) - __hd::u8(a, 1)), (unsigned)(__hd::u8(a, 2) > __hd::u8(b, 2) ? __hd::u8(a, 2) - __hd::u8(b, 2) : __hd::u8(b, 2) - __hd::u8(a, 2)), (unsigned)(__hd::u8(a, 3) > __hd::u8(b, 3) ? __hd::u8(a, 3) - __hd::u8(b, 3) : __hd::u8(b, 3) - __hd::u8(a, 3))); }
__device__ unsigned __vmins4(unsigned a, unsigned b) { return __hd::quad((unsigned)(min(__hd::s8(a, 0), __hd::s8(b, 0))), (unsigned)(min(__hd::s8(a, 1), __hd::s8(b, 1))), (unsigned)(min(__hd::s8(a, 2), __hd::s8(b, 2))), (unsigned)(min(__hd::s8(a, 3), __hd::s8(b, 3)))); }
__device__ unsigned __vminu4(unsigned a, unsigned b) { return __hd::quad((unsigned)(min(__hd::u8(a, 0), __hd::u8(b, 0))), (unsigned)(min(__hd::u8(a, 1), __hd::u8(b, 1))), (unsigned)(min(__hd::u8(a, 2), __hd::u8(b, 2))), (unsigned)(min(__hd::u8(a, 3), __hd::u8(b, 3)))); }
__device__ unsigned __vmaxs4(unsigned a, unsigned b) { return __hd::quad((unsigned)(max(__hd::s8(a, 0), __hd::s8(b, 0))), (unsigned)(max(__hd::s8(a, 1), __hd::s8(b, 1))), (unsigned)(max(__hd::s8(a, 2), __hd::s8(b, 2))), (unsigned)(max(__hd::s8(a, 3), __hd::s8(b, 3)))); }
__device__ unsigned __vmaxu4(unsigned a, unsigned b) { return __hd::quad((unsigned)(max(__hd::u8(a, 0), __hd::u8(b, 0))), (unsigned)(max(__hd::u8(a, 1), __hd::u8(b, 1))), (unsigned)(max(__hd::u8(a, 2), __hd::u8(b, 2))), (unsigned)(max(__hd::u8(a, 3), __hd::u8(b, 3)))); }
__device__ unsigned __vcmpeq4(unsigned a, unsigned b) { return __hd::quad((unsigned)(__hd::u8(a, 0) == __hd::u8(b, 0) ? 255 : 0), (unsigned)(__hd::u8(a, 1) == __hd::u8(b, 1) ? 255 : 0), (unsigned)(__hd::u8(a, 2) == __hd::u8(b, 2) ? 255 : 0), (unsigned)(__hd::u8(a, 3) == __hd::u8(b, 3) ? 255 : 0)); }
__device__ unsigned __vseteq4(unsigned a, unsigned b) { return __hd::quad((unsigned)(__hd::u8(a, 0) == __hd::u8(b, 0)), (unsigned)(__hd::u8(a, 1) == __hd::u8(b, 1)), (unsigned)(__hd::u8(a, 2) == __hd::u8(b, 2)), (unsigned)(__hd::u8(a, 3) == __hd::u8(b, 3))); }
__device__ unsigned __vcmpne4(unsigned a, unsigned b) { return __hd::quad((unsigned)(__hd::u8(a, 0) != __hd::u8(b, 0) ? 255 : 0), (unsigned)(__hd::u8(a, 1) != __hd::u8(b, 1) ? 255 : 0), (unsigned)(__hd::u8(a, 2) != __hd::u8(b, 2) ? 255 : 0), (unsigned)(__hd::u8(a, 3) != __hd::u8(b, 3) ? 255 : 0)); }
__device__ unsigned __vsetne4(unsigned a, unsigned b) { return __hd::quad((unsigned)(__hd::u8(a, 0) != __hd::u8(b, 0)), (unsigned)(__hd::u8(a, 1) != __hd::u8(b, 1)), (unsigned)(__hd::u8(a, 2) != __hd::u8(b, 2)), (unsigned)(__hd::u8(a, 3) != __hd::u8(b, 3))); }
__device__ unsigned __vcmpges4(unsigned a, unsigned b) { return __hd::quad((unsigned)(__hd::s8(a, 0) >= __hd::s8(b, 0) ? 255 : 0), (unsigned)(__hd::s8(a, 1) >= __hd::s8(b, 1) ? 255 : 0), (unsigned)(__hd::s8(a, 2) >= __hd::s8(b, 2) ? 255 : 0), (unsigned)(__hd::s8(a, 3) >= __hd::s8(b, 3) ? 255 : 0)); }
__device__ unsigned __vsetges4(unsigned a, unsigned b) { return __hd::quad((unsigned)(__hd::s8(a, 0) >= __hd::s8(b, 0)), (unsigned)(__hd::s8(a, 1) >= __hd::s8(b, 1)), (unsigned)(__hd::s8(a, 2) >= __hd::s8(b, 2)), (unsigned)(__hd::s8(a, 3) >= __hd::s8(b, 3))); }
__device__ unsigned __vcmpgeu4(unsigned a, unsigned b) { return __hd::quad((unsigned)(__hd::u8(a, 0) >= __hd::u8(b, 0) ? 255 : 0), (unsigned)(__hd::u8(a, 1) >= __hd::u8(b, 1) ? 255 : 0), (unsigned)(__hd::u8(a, 2) >= __hd::u8(b, 2) ? 255 : 0), (unsigned)(__hd::u8(a, 3) >= __hd::u8(b, 3) ? 255 : 0)); }
__device__ unsigned __vsetgeu4(unsigned a, unsigned b) { return __hd::quad((unsigned)(__hd::u8(a, 0) >= __hd::u8(b, 0)), (unsigned)(__hd::u8(a, 1) >= __hd::u8(b, 1)), (unsigned)(__hd::u8(a, 2) >= __hd::u8(b, 2)), (unsigned)(__hd::u8(a, 3) >= __hd::u8(b, 3))); }
__device__ unsigned __vcmpgts4(unsigned a, unsigned b) { return __hd::quad((unsigned)(__hd::s8(a, 0) > __hd::s8(b, 0) ? 255 : 0), (unsigned)(__hd::s8(a, 1) > __hd::s8(b, 1) ? 255 : 0), (unsigned)(__hd::s8(a, 2) > __hd::s8(b, 2) ? 255 : 0), (unsigned)(__hd::s8(a, 3) > __hd::s8(b, 3) ? 255 : 0)); }
__device__ unsigned __vsetgts4(unsigned a, unsigned b) { return __hd::quad((unsigned)(__hd::s8(a, 0) > __hd::s8(b, 0)), (unsigned)(__hd::s8(a, 1) > __hd::s8(b, 1)), (unsigned)(__hd::s8(a, 2) > __hd::s8(b, 2)), (unsigned)(__hd::s8(a, 3) > __hd::s8(b, 3))); }
__device__ unsigned __vcmpgtu4(unsigned a, unsigned b) { return __hd::quad((unsigned)(__hd::u8(a, 0) > __hd::u8(b, 0) ? 255 : 0), (unsigned)(__hd::u8(a, 1) > __hd::u8(b, 1) ? 255 : 0), (unsigned)(__hd::u8(a, 2) > __hd::u8(b, 2) ? 255 : 0), (unsigned)(__hd::u8(a, 3) > __hd::u8(b, 3) ? 255 : 0)); }
__device__ unsigned __vsetgtu4(unsigned a, unsigned b) { return __hd::quad((unsigned)(__hd::u8(a, 0) > __hd::u8(b, 0)), (unsigned)(__hd::u8(a, 1) > __hd::u8(b, 1)), (unsigned)(__hd::u8(a, 2) > __hd::u8(b, 2)), (unsigned)(__hd::u8(a, 3) > __hd::u8(b, 3))); }
__device__ unsigned __vcmples4(unsigned a, unsigned b) { return __hd::quad((unsigned)(__hd::s8(a, 0) <= __hd::s8(b, 0) ? 255 : 0), (unsigned)(__hd::s8(a, 1) <= __hd::s8(b, 1) ? 255 : 0), (unsigned)(__hd::s8(a, 2) <= __hd::s8(b, 2) ? 255 : 0), (unsigned)(__hd::s8(a, 3) <= __hd::s8(b, 3) ? 255 : 0)); }
__device__ unsigned __vsetles4(unsigned a, unsigned b) { return __hd::quad((unsigned)(__hd::s8(a, 0) <= __hd::s8(b, 0)), (unsigned)(__hd::s8(a, 1) <= __hd::s8(b, 1)), (unsigned)(__hd::s8(a, 2) <= __hd::s8(b, 2)), (unsigned)(__hd::s8(a, 3) <= __hd::s8(b, 3))); }
__device__ unsigned __vcmpleu4(unsigned a, unsigned b) { return __hd::quad((unsigned)(__hd::u8(a, 0) <= __hd::u8(b, 0) ? 255 : 0), (unsigned)(__hd::u8(a, 1) <= __hd::u8(b, 1) ? 255 : 0), (unsigned)(__hd::u8(a, 2) <= __hd::u8(b, 2) ? 255 : 0), (unsigned)(__hd::u8(a, 3) <= __hd::u8(b, 3) ? 255 : 0)); }
__device__ unsigned __vsetleu4(unsigned a, unsigned b) { return __hd::quad((unsigned)(__hd::u8(a, 0) <= __hd::u8(b, 0)), (unsigned)(__hd::u8(a, 1) <= __hd::u8(b, 1)), (unsigned)(__hd::u8(a, 2) <= __hd::u8(b, 2)), (unsigned)(__hd::u8(a, 3) <= __hd::u8(b, 3))); }
__device__ unsigned __vcmplts4(unsigned a, unsigned b) { return __hd::quad((unsigned)(__hd::s8(a, 0) < __hd::s8(b, 0) ? 255 : 0), (unsigned)(__hd::s8(a, 1) < __hd::s8(b, 1) ? 255 : 0), (unsigned)(__hd::s8(a, 2) < __hd::s8(b, 2) ? 255 : 0), (unsigned)(__hd::s8(a, 3) < __hd::s8(b, 3) ? 255 : 0)); }
__device__ unsigned __vsetlts4(unsigned a, unsigned b) { return __hd::quad((unsigned)(__hd::s8(a, 0) < __hd::s8(b, 0)), (unsigned)(__hd::s8(a, 1) < __hd::s8(b, 1)), (unsigned)(__hd::s8(a, 2) < __hd::s8(b, 2)), (unsigned)(__hd::s8(a, 3) < __hd::s8(b, 3))); }
__device__ unsigned __vcmpltu4(unsigned a, unsigned b) { return __hd::quad((unsigned)(__hd::u8(a, 0) < __hd::u8(b, 0) ? 255 : 0), (unsigned)(__hd::u8(a, 1) < __hd::u8(b, 1) ? 255 : 0), (unsigned)(__hd::u8(a, 2) < __hd::u8(b, 2) ? 255 : 0), (unsigned)(__hd::u8(a, 3) < __hd::u8(b, 3) ? 255 : 0)); }
__device__ unsigned __vsetltu4(unsigned a, unsigned b) { return __hd::quad((unsigned)(__hd::u8(a, 0) < __hd::u8(b, 0)), (unsigned)(__hd::u8(a, 1) < __hd::u8(b, 1)), (unsigned)(__hd::u8(a, 2) < __hd::u8(b, 2)), (unsigned)(__hd::u8(a, 3) < __hd::u8(b, 3))); }
__device__ unsigned __vsads4(unsigned a, unsigned b) { return (unsigned)abs(__hd::s8(a, 0) - __hd::s8(b, 0)) + (unsigned)abs(__hd::s8(a, 1) - __hd::s8(b, 1)) + (unsigned)abs(__hd::s8(a, 2) - __hd::s8(b, 2)) + (unsigned)abs(__hd::s8(a, 3) - __hd::s8(b, 3)); }
__device__ unsigned __vsadu4(unsigned a, unsigned b) { return (__hd::u8(a, 0) > __hd::u8(b, 0) ? __hd::u8(a, 0) - __hd::u8(b, 0) : __hd::u8(b, 0) - __hd::u8(a, 0)) + (__hd::u8(a, 1) > __hd::u8(b, 1) ? __hd::u8(a, 1) - __hd::u8(b, 1) : __hd::u8(b, 1) - __hd::u8(a, 1)) + (__hd::u8(a, 2) > __hd::u8(b, 2) ? __hd::u8(a, 2) - __hd::u8(b, 2) : __hd::u8(b, 2) - __hd::u8(a, 2)) + (__hd::u8(a, 3) > __hd::u8(b, 3) ? __hd::u8(a, 3) - __hd::u8(b, 3) : __hd::u8(b, 3) - __hd::u8(a, 3)); }
__device__ unsigned __vadd2(unsigned a, unsigned b) { return __hd::pair((unsigned)(__hd::u16(a, 0) + __hd::u16(b, 0)), (unsigned)(__hd::u16(a, 1) + __hd::u16(b, 1))); }
__device__ unsigned __vsub2(unsigned a, unsigned b) { return __hd::pair((unsigned)(__hd::u16(a, 0) - __hd::u16(b, 0)), (unsigned)(__hd::u16(a, 1) - __hd::u16(b, 1))); }
__device__ unsigned __vaddss2(unsigned a, unsigned b) { return __hd::pair((unsigned)(max(-32768, min(32767, __hd::s16(a, 0) + __hd::s16(b, 0)))), (unsigned)(max(-32768, min(32767, __hd::s16(a, 1) + __hd::s16(b, 1))))); }
__device__ unsigned __vsubss2(unsigned a, unsigned b) { return __hd::pair((unsigned)(max(-32768, min(32767, __hd::s16(a, 0) - __hd::s16(b, 0)))), (unsigned)(max(-32768, min(32767, __hd::s16(a, 1) - __hd::s16(b, 1))))); }
__device__ unsigned __vaddus2(unsigned a, unsigned b) { return __hd::pair((unsigned)(min(65535u, __hd::u16(a, 0) + __hd::u16(b, 0))), (unsigned)(min(65535u, __hd::u16(a, 1) + __hd::u16(b, 1)))); }
__device__ unsigned __vsubus2(unsigned a, unsigned b) { return __hd::pair((unsigned)(__hd::u16(a, 0) > __hd::u16(b, 0) ? __hd::u16(a, 0) - __hd::u16(b, 0) : 0u), (unsigned)(__hd::u16(a, 1) > __hd::u16(b, 1) ? __hd::u16(a, 1) - __hd::u16(b, 1) : 0u)); }
__device__ unsigned __vavgs2(unsigned a, unsigned b) { return __hd::pair((unsigned)((__hd::s16(a, 0) + __hd::s16(b, 0) + ((__hd::s16(a, 0) + __hd::s16(b, 0)) >= 0)) >> 1), (unsigned)((__hd::s16(a, 1) + __hd::s16(b, 1) + ((__hd::s16(a, 1) + __hd::s16(b, 1)) >= 0)) >> 1)); }
__device__ unsigned __vavgu2(unsigned a, unsigned b) { return __hd::pair((unsigned)((__hd::u16(a, 0) + __hd::u16(b, 0) + 1) >> 1), (unsigned)((__hd::u16(a, 1) + __hd::u16(b, 1) + 1) >> 1)); }
__device__ unsigned __vhaddu2(unsigned a, unsigned b) { return __hd::pair((unsigned)((__hd::u16(a, 0) + __hd::u16(b, 0)) >> 1), (unsigned)((__hd::u16(a, 1) + __hd::u16(b, 1)) >> 1)); }
__device__ unsigned __vabs2(unsigned a) { return __hd::pair((unsigned)(abs(__hd::s16(a, 0))), (unsigned)(abs(__hd::s16(a, 1)))); }
__device__ unsigned __vabsss2(unsigned a) { return __hd::pair((unsigned)(min(32767, abs(__hd::s16(a, 0)))), (unsigned)(min(32767, abs(__hd::s16(a, 1))))); }
__device__ unsigned __vneg2(unsigned a) { return __hd::pair((unsigned)(-__hd::s16(a, 0)), (unsigned)(-__hd::s16(a, 1))); }
__device__ unsigned __vnegss2(unsigned a) { return __hd::pair((unsigned)(min(32767, -__hd::s16(a, 0))), (unsigned)(min(32767, -__hd::s16(a, 1)))); }
__device__ unsigned __vabsdiffs2(unsigned a, unsigned b) { return __hd::pair((unsigned)(abs(__hd::s16(a, 0) - __hd::s16(b, 0))), (unsigned)(abs(__hd::s16(a, 1) - __hd::s16(b, 1)))); }
__device__ unsigned __vabsdiffu2(unsigned a, unsigned b) { return __hd::pair((unsigned)(__hd::u16(a, 0) > __hd::u16(b, 0) ? __hd::u16(a, 0) - __hd::u16(b, 0) : __hd::u16(b, 0) - __hd::u16(a, 0)), (unsigned)(__hd::u16(a, 1) > __hd::u16(b, 1) ? __hd::u16(a, 1) - __hd::u16(b, 1) : __hd::u16(b, 1) - __hd::u16(a, 1))); }
__device__ unsigned __vmins2(unsigned a, unsigned b) { return __hd::pair((unsigned)(min(__hd::s16(a, 0), __hd::s16(b, 0))), (unsigned)(min(__hd::s16(a, 1), __hd::s16(b, 1)))); }
__device__ unsigned __vminu2(unsigned a, unsigned b) { return __hd::pair((unsigned)(min(__hd::u16(a, 0), __hd::u16(b, 0))), (unsigned)(min(__hd::u16(a, 1), __hd::u16(b, 1)))); }
__device__ unsigned __vmaxs2(unsigned a, unsigned b) { return __hd::pair((unsigned)(max(__hd::s16(a, 0), __hd::s16(b, 0))), (unsigned)(max(__hd::s16(a, 1), __hd::s16(b, 1)))); }
__device__ unsigned __vmaxu2(unsigned a, unsigned b) { return __hd::pair((unsigned)(max(__hd::u16(a, 0), __hd::u16(b, 0))), (unsigned)(max(__hd::u16(a, 1), __hd::u16(b, 1)))); }
__device__ unsigned __vcmpeq2(unsigned a, unsigned b) { return __hd::pair((unsigned)(__hd::u16(a, 0) == __hd::u16(b, 0) ? 65535 : 0), (unsigned)(__hd::u16(a, 1) == __hd::u16(b, 1) ? 65535 : 0)); }
__device__ unsigned __vseteq2(unsigned a, unsigned b) { return __hd::pair((unsigned)(__hd::u16(a, 0) == __hd::u16(b, 0)), (unsigned)(__hd::u16(a, 1) == __hd::u16(b, 1))); }
__device__ unsigned __vcmpne2(unsigned a, unsigned b) { return __hd::pair((unsigned)(__hd::u16(a, 0) != __hd::u16(b, 0) ? 65535 : 0), (unsigned)(__hd::u16(a, 1) != __hd::u16(b, 1) ? 65535 : 0)); }
__device__ unsigned __vsetne2(unsigned a, unsigned b) { return __hd::pair((unsigned)(__hd::u16(a, 0) != __hd::u16(b, 0)), (unsigned)(__hd::u16(a, 1) != __hd::u16(b, 1))); }
__device__ unsigned __vcmpges2(unsigned a, unsigned b) { return __hd::pair((unsigned)(__hd::s16(a, 0) >= __hd::s16(b, 0) ? 65535 : 0), (unsigned)(__hd::s16(a, 1) >= __hd::s16(b, 1) ? 65535 : 0)); }
__device__ unsigned __vsetges2(unsigned a, unsigned b) { return __hd::pair((unsigned)(__hd::s16(a, 0) >= __hd::s16(b, 0)), (unsigned)(__hd::s16(a, 1) >= __hd::s16(b, 1))); }
__device__ unsigned __vcmpgeu2(unsigned a, unsigned b) { return __hd::pair((unsigned)(__hd::u16(a, 0) >= __hd::u16(b, 0) ? 65535 : 0), (unsigned)(__hd::u16(a, 1) >= __hd::u16(b, 1) ? 65535 : 0)); }
__device__ unsigned __vsetgeu2(unsigned a, unsigned b) { return __hd::pair((unsigned)(__hd::u16(a, 0) >= __hd::u16(b, 0)), (unsigned)(__hd::u16(a, 1) >= __hd::u16(b, 1))); }
__device__ unsigned __vcmpgts2(unsigned a, unsigned b) { return __hd::pair((unsigned)(__hd::s16(a, 0) > __hd::s16(b, 0) ? 65535 : 0), (unsigned)(__hd::s16(a, 1) > __hd::s16(b, 1) ? 65535 : 0)); }
__device__ unsigned __vsetgts2(unsigned a, unsigned b) { return __hd::pair((unsigned)(__hd::s16(a, 0) > __hd::s16(b, 0)), (unsigned)(__hd::s16(a, 1) > __hd::s16(b, 1))); }
__device__ unsigned __vcmpgtu2(unsigned a, unsigned b) { return __hd::pair((unsigned)(__hd::u16(a, 0) > __hd::u16(b, 0) ? 65535 : 0), (unsigned)(__hd::u16(a, 1) > __hd::u16(b, 1) ? 65535 : 0)); }
__device__ unsigned __vsetgtu2(unsigned a, unsigned b) { return __hd::pair((unsigned)(__hd::u16(a, 0) > __hd::u16(b, 0)), (unsigned)(__hd::u16(a, 1) > __hd::u16(b, 1))); }
__device__ unsigned __vcmples2(unsigned a, unsigned b) { return __hd::pair((unsigned)(__hd::s16(a, 0) <= __hd::s16(b, 0) ? 65535 : 0), (unsigned)(__hd::s16(a, 1) <= __hd::s16(b, 1) ? 65535 : 0)); }
__device__ unsigned __vsetles2(unsigned a, unsigned b) { return __hd::pair((unsigned)(__hd::s16(a, 0) <= __hd::s16(b, 0)), (unsigned)(__hd::s16(a, 1) <= __hd::s16(b, 1))); }
__device__ unsigned __vcmpleu2(unsigned a, unsigned b) { return __hd::pair((unsigned)(__hd::u16(a, 0) <= __hd::u16(b, 0) ? 65535 : 0), (unsigned)(__hd::u16(a, 1) <= __hd::u16(b, 1) ? 65535 : 0)); }
__device__ unsigned __vsetleu2(unsigned a, unsigned b) { return __hd::pair((unsigned)(__hd::u16(a, 0) <= __hd::u16(b, 0)), (unsigned)(__hd::u16(a, 1) <= __hd::u16(b, 1))); }
__device__ unsigned __vcmplts2(unsigned a, unsigned b) { return __hd::pair((unsigned)(__hd::s16(a, 0) < __hd::s16(b, 0) ? 65535 : 0), (unsigned)(__hd::s16(a, 1) < __hd::s16(b, 1) ? 65535 : 0)); }
__device__ unsigned __vsetlts2(unsigned a, unsigned b) { return __hd::pair((unsigned)(__hd::s16(a, 0) < __hd::s16(b, 0)), (unsigned)(__hd::s16(a, 1) < __hd::s16(b, 1))); }
__device__ unsigned __vcmpltu2(unsigned a, unsigned b) { return __hd::pair((unsigned)(__hd::u16(a, 0) < __hd::u16(b, 0) ? 65535 : 0), (unsigned)(__hd::u16(a, 1) < __hd::u16(b, 1) ? 65535 : 0)); }
__device__ unsigned __vsetltu2(unsigned a, unsigned b) { return __hd::pair((unsigned)(__hd::u16(a, 0) < __hd::u16(b, 0)), (unsigned)(__hd::u16(a, 1) < __hd::u16(b, 1))); }
__device__ unsigned __vsads2(unsigned a, unsigned b) { return (unsigned)abs(__hd::s16(a, 0) - __hd::s16(b, 0)) + (unsigned)abs(__hd::s16(a, 1) - __hd::s16(b, 1)); }
__device__ unsigned __vsadu2(unsigned a, unsigned b) { return (__hd::u16(a, 0) > __hd::u16(b, 0) ? __hd::u16(a, 0) - __hd::u16(b, 0) : __hd::u16(b, 0) - __hd::u16(a, 0)) + (__hd::u16(a, 1) > __hd::u16(b, 1) ? __hd::u16(a, 1) - __hd::u16(b, 1) : __hd::u16(b, 1) - __hd::u16(a, 1)); }
__device__ int __vimax3_s32(int a, int b, int c) { return max(max(a, b), c); }
__device__ int __viaddmax_s32(int a, int b, int c) { return max((int)((unsigned)a + (unsigned)b), c); }
__device__ int __vibmax_s32(int a, int b, bool *pred) { *pred = a >= b; return max(a, b); }
__device__ unsigned __vimax3_u32(unsigned a, unsigned b, unsigned c) { return max(max(a, b), c); }
__device__ unsigned __viaddmax_u32(unsigned a, unsigned b, unsigned c) { return max((unsigned)((unsigned)a + (unsigned)b), c); }
__device__ unsigned __vibmax_u32(unsigned a, unsigned b, bool *pred) { *pred = a >= b; return max(a, b); }
__device__ int __vimax_s32_relu(int a, int b) { return max(max(a, b), 0); }
__device__ int __vimax3_s32_relu(int a, int b, int c) { return max(max(max(a, b), c), 0); }
__device__ int __viaddmax_s32_relu(int a, int b, int c) { return max(max((int)((unsigned)a + (unsigned)b), c), 0); }
__device__ unsigned __vimax3_s16x2(unsigned a, unsigned b, unsigned c) { return __hd::pair((unsigned)(max(max(__hd::s16(a, 0), __hd::s16(b, 0)), __hd::s16(c, 0))), (unsigned)(max(max(__hd::s16(a, 1), __hd::s16(b, 1)), __hd::s16(c, 1)))); }
__device__ unsigned __viaddmax_s16x2(unsigned a, unsigned b, unsigned c) { return __hd::pair((unsigned)(max(__hd::s16(__vadd2(a, b), 0), __hd::s16(c, 0))), (unsigned)(max(__hd::s16(__vadd2(a, b), 1), __hd::s16(c, 1)))); }
__device__ unsigned __vibmax_s16x2(unsigned a, unsigned b, bool *high, bool *low) { *high = __hd::s16(a, 1) >= __hd::s16(b, 1); *low = __hd::s16(a, 0) >= __hd::s16(b, 0); return __hd::pair((unsigned)(max(__hd::s16(a, 0), __hd::s16(b, 0))), (unsigned)(max(__hd::s16(a, 1), __hd::s16(b, 1)))); }
__device__ unsigned __vimax_s16x2_relu(unsigned a, unsigned b) { return __hd::pair((unsigned)(max(max(__hd::s16(a, 0), __hd::s16(b, 0)), 0)), (unsigned)(max(max(__hd::s16(a, 1), __hd::s16(b, 1)), 0))); }
__device__ unsigned __vimax3_s16x2_relu(unsigned a, unsigned b, unsigned c) { return __hd::pair((unsigned)(max(max(max(__hd::s16(a, 0), __hd::s16(b, 0)), __hd::s16(c, 0)), 0)), (unsigned)(max(max(max(__hd::s16(a, 1), __hd::s16(b, 1)), __hd::s16(c, 1)), 0))); }
__device__ unsigned __viaddmax_s16x2_relu(unsigned a, unsigned b, unsigned c) { return __hd::pair((unsigned)(max(max(__hd::s16(__vadd2(a, b), 0), __hd::s16(c, 0)), 0)), (unsigned)(max(max(__hd::s16(__vadd2(a, b), 1), __hd::s16(c, 1)), 0))); }
__device__ unsigned __vimax3_u16x2(unsigned a, unsigned b, unsigned c) { return __hd::pair((unsigned)(max(max(__hd::u16(a, 0), __hd::u16(b, 0)), __hd::u16(c, 0))), (unsigned)(max(max(__hd::u16(a, 1), __hd::u16(b, 1)), __hd::u16(c, 1)))); }
__device__ unsigned __viaddmax_u16x2(unsigned a, unsigned b, unsigned c) { return __hd::pair((unsigned)(max(__hd::u16(__vadd2(a, b), 0), __hd::u16(c, 0))), (unsigned)(max(__hd::u16(__vadd2(a, b), 1), __hd::u16(c, 1)))); }
__device__ unsigned __vibmax_u16x2(unsigned a, unsigned b, bool *high, bool *low) { *high = __hd::u16(a, 1) >= __hd::u16(b, 1); *low = __hd::u16(a, 0) >= __hd::u16(b, 0); return __hd::pair((unsigned)(max(__hd::u16(a, 0), __hd::u16(b, 0))), (unsigned)(max(__hd::u16(a, 1), __hd::u16(b, 1)))); }
__device__ int __vimin3_s32(int a, int b, int c) { return min(min(a, b), c); }
__device__ int __viaddmin_s32(int a, int b, int c) { return min((int)((unsigned)a + (unsigned)b), c); }
__device__ int __vibmin_s32(int a, int b, bool *pred) { *pred = a <= b; return min(a, b); }
__device__ unsigned __vimin3_u32(unsigned a, unsigned b, unsigned c) { return min(min(a, b), c); }
__device__ unsigned __viaddmin_u32(unsigned a, unsigned b, unsigned c) { return min((unsigned)((unsigned)a + (unsigned)b), c); }
__device__ unsigned __vibmin_u32(unsigned a, unsigned b, bool *pred) { *pred = a <= b; return min(a, b); }
__device__ int __vimin_s32_relu(int a, int b) { return max(min(a, b), 0); }
__device__ int __vimin3_s32_relu(int a, int b, int c) { return max(min(min(a, b), c), 0); }
__device__ int __viaddmin_s32_relu(int a, int b, int c) { return max(min((int)((unsigned)a + (unsigned)b), c), 0); }
__device__ unsigned __vimin3_s16x2(unsigned a, unsigned b, unsigned c) { return __hd::pair((unsigned)(min(min(__hd::s16(a, 0), __hd::s16(b, 0)), __hd::s16(c, 0))), (unsigned)(min(min(__hd::s16(a, 1), __hd::s16(b, 1)), __hd::s16(c, 1)))); }
__device__ unsigned __viaddmin_s16x2(unsigned a, unsigned b, unsigned c) { return __hd::pair((unsigned)(min(__hd::s16(__vadd2(a, b), 0), __hd::s16(c, 0))), (unsigned)(min(__hd::s16(__vadd2(a, b), 1), __hd::s16(c, 1)))); }
__device__ unsigned __vibmin_s16x2(unsigned a, unsigned b, bool *high, bool *low) { *high = __hd::s16(a, 1) <= __hd::s16(b, 1); *low = __hd::s16(a, 0) <= __hd::s16(b, 0); return __hd::pair((unsigned)(min(__hd::s16(a, 0), __hd::s16(b, 0))), (unsigned)(min(__hd::s16(a, 1), __hd::s16(b, 1)))); }
__device__ unsigned __vimin_s16x2_relu(unsigned a, unsigned b) { return __hd::pair((unsigned)(max(min(__hd::s16(a, 0), __hd::s16(b, 0)), 0)), (unsigned)(max(min(__hd::s16(a, 1), __hd::s16(b, 1)), 0))); }
__device__ unsigned __vimin3_s16x2_relu(unsigned a, unsigned b, unsigned c) { return __hd::pair((unsigned)(max(min(min(__hd::s16(a, 0), __hd::s16(b, 0)), __hd::s16(c, 0)), 0)), (unsigned)(max(min(min(__hd::s16(a, 1), __hd::s16(b, 1)), __hd::s16(c, 1)), 0))); }
__device__ unsigned __viaddmin_s16x2_relu(unsigned a, unsigned b, unsigned c) { return __hd::pair((unsigned)(max(min(__hd::s16(__vadd2(a, b), 0), __hd::s16(c, 0)), 0)), (unsigned)(max(min(__hd::s16(__vadd2(a, b), 1), __hd::s16(c, 1)), 0))); }
__device__ unsigned __vimin3_u16x2(unsigned a, unsigned b, unsigned c) { return __hd::pair((unsigned)(min(min(__hd::u16(a, 0), __hd::u16(b, 0)), __hd::u16(c, 0))), (unsigned)(min(min(__hd::u16(a, 1), __hd::u16(b, 1)), __hd::u16(c, 1)))); }
__device__ unsigned __viaddmin_u16x2(unsigned a, unsigned b, unsigned c) { return __hd::pair((unsigned)(min(__hd::u16(__vadd2(a, b), 0), __hd::u16(c, 0))), (unsigned)(min(__hd::u16(__vadd2(a, b), 1), __hd::u16(c, 1)))); }
__device__ unsigned __vibmin_u16x2(unsigned a, unsigned b, bool *high, bool *low) { *high = __hd::u16(a, 1) <= __hd::u16(b, 1); *low = __hd::u16(a, 0) <= __hd::u16(b, 0); return __hd::pair((unsigned)(min(__hd::u16(a, 0), __hd::u16(b, 0))), (unsigned)(min(__hd::u16(a, 1), __hd::u16(b, 1)))); }
namespace cuda {
namespace std {
using namespace ::std;
}
}

// --- clusters ---
dim3 __clusterDim() __heddle("(uint3)cluster_dim()");
dim3 __clusterIdx() __heddle("(uint3)block_index() / (uint3)cluster_dim()");
dim3 __clusterRelativeBlockIdx() __heddle("(uint3)block_index() % (uint3)cluster_dim()");
dim3 __clusterGridDimInClusters() __heddle("(uint3)grid_dim() / (uint3)cluster_dim()");
unsigned __clusterDimIsSpecified() __heddle_unsupported("'__clusterDimIsSpecified'; compare __clusterSizeInBlocks() with 1");
unsigned __clusterRelativeBlockRank() __heddle("(unsigned)meta_rank(this_block())");
unsigned __clusterSizeInBlocks() __heddle("(unsigned)meta_size(this_block())");
void *__cluster_map_shared_rank(const void *p, unsigned rank) __heddle("map_shared(this_cluster(), p, rank)");
unsigned __cluster_query_shared_rank(const void *p) __heddle("shared_rank(this_cluster(), p)");
void __cluster_barrier_arrive() __heddle_phase_arrive;
void __cluster_barrier_arrive_relaxed() __heddle_unsupported("'__cluster_barrier_arrive_relaxed'; use __cluster_barrier_arrive()");
void __cluster_barrier_wait() __heddle_phase_wait;

// --- what kernels can't do here ---
void *__nv_associate_access_property(const void *p, unsigned long long property) __heddle_unsupported("access properties; leave them out");
struct cudaExtent { size_t width, height, depth; };
struct cudaPos { size_t x, y, z; };
struct cudaPitchedPtr { void *ptr; size_t pitch, xsize, ysize; };
typedef unsigned long long cudaGraphConditionalHandle;
typedef void *cudaStream_t;
typedef void *cudaEvent_t;
enum cudaError_t { cudaSuccess = 0 };
enum { cudaStreamDefault, cudaStreamNonBlocking };
// A kernel that is launched behind another one without waiting for it; here
// launches wait.
__device__ void cudaGridDependencySynchronize() {}
__device__ void cudaTriggerProgrammaticLaunchCompletion() {}
int exit(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int fprintf(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int sprintf(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int snprintf(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int vprintf(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int puts(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int putchar(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int qsort(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int bsearch(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int rand(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int srand(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int calloc(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int realloc(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int strlen(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int strcmp(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int strncmp(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int strcpy(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int strncpy(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int strcat(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int atoi(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int atof(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int getenv(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int setjmp(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int longjmp(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
void *alloca(size_t n) __heddle_unsupported("memory allocated in a kernel; pass an array as a parameter");
void *__builtin_alloca(size_t n) __heddle_unsupported("memory allocated in a kernel; pass an array as a parameter");
int cudaGetErrorName(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaGetDevice(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaGetDeviceCount(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaSetDevice(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaDeviceGetAttribute(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaDeviceGetLimit(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaDeviceGetCacheConfig(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaDeviceGetSharedMemConfig(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaFuncGetAttributes(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaStreamCreate(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaStreamSynchronize(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaStreamWaitEvent(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaEventCreate(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaEventCreateWithFlags(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaEventDestroy(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaEventRecordWithFlags(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaEventSynchronize(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaMemcpy2D(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaMemcpy2DAsync(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaMemcpy3DAsync(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaMemset(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaMemset2DAsync(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaMemset3DAsync(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaMallocManaged(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaRuntimeGetVersion(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaOccupancyMaxActiveBlocksPerMultiprocessor(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaOccupancyMaxPotentialBlockSize(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaLaunchKernel(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaLaunchDevice(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaGetParameterBuffer(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaGetParameterBufferV2(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaGetCurrentGraphExec(...) __heddle_unsupported("graphs that a kernel launches or changes; launch them on the host");
int cudaGraphKernelNodeSetParam(...) __heddle_unsupported("graphs that a kernel launches or changes; launch them on the host");
int cudaGraphKernelNodeSetEnabled(...) __heddle_unsupported("graphs that a kernel launches or changes; launch them on the host");
int cudaGraphKernelNodeSetGridDim(...) __heddle_unsupported("graphs that a kernel launches or changes; launch them on the host");
int cudaGraphKernelNodeUpdatesApply(...) __heddle_unsupported("graphs that a kernel launches or changes; launch them on the host");
typedef unsigned long long cudaGraphExec_t __heddle_unsupported("graphs that a kernel launches or changes; launch them on the host");
typedef unsigned long long cudaGraphDeviceNode_t __heddle_unsupported("graphs that a kernel launches or changes; launch them on the host");
typedef void *va_list __heddle_unsupported("variadic functions; use a template with a parameter pack");
int va_start(...) __heddle_unsupported("variadic functions; use a template with a parameter pack");
int va_arg(...) __heddle_unsupported("variadic functions; use a template with a parameter pack");
int va_end(...) __heddle_unsupported("variadic functions; use a template with a parameter pack");
int va_copy(...) __heddle_unsupported("variadic functions; use a template with a parameter pack");
typedef unsigned long long CUtensorMap __heddle_unsupported("bulk copies of tensors; copy rows of bytes with 'cp.async.bulk'");
const char *cudaGetErrorString(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaGraphSetConditional(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaGraphLaunch(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaMalloc(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaFree(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaMemcpyAsync(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaMemsetAsync(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaMemcpy(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaDeviceSynchronize(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaGetLastError(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaPeekAtLastError(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaStreamCreateWithFlags(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaStreamDestroy(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaEventRecord(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
