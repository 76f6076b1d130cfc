// SPDX-License-Identifier: Apache-2.0
// The parts of this folder stand in front of each .cu file, in the order of
// load_prelude.c: what every CUDA kernel can use without an include. They hold no
// directives. A function's __heddle("E") is the Heddle C expression that takes
// the place of a call; __heddle() calls the built-in of the same name;
// __heddle_when("C", "E") does where the constant condition C holds. Functions
// with bodies are ordinary device functions.
//
// Here: types, and where a thread is.

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
