// SPDX-License-Identifier: Apache-2.0
// Atomic operations of PTX, and what has an order and a scope.
namespace __ptx {
__device__ unsigned atom_add_u32(void *p, unsigned v) { return atomicAdd((unsigned *)p, v); }
// Elements of a vector one by one, each of them atomic.
__device__ void red_add_v2_f32(void *p, float a, float b) { atomicAdd((float *)p, a); atomicAdd((float *)p + 1, b); }
__device__ void red_add_v4_f32(void *p, float a, float b, float c, float d) { red_add_v2_f32(p, a, b); red_add_v2_f32((float *)p + 2, c, d); }
__device__ void red_add_f16x2(void *p, unsigned v) { atomicAdd((__half2 *)p, __halves2half2(half_of(v), half_of(v >> 16))); }
__device__ void red_add_u32(void *p, unsigned v) { atomicAdd((unsigned *)p, v); }
__device__ int atom_add_s32(void *p, int v) { return atomicAdd((int *)p, v); }
__device__ void red_add_s32(void *p, int v) { atomicAdd((int *)p, v); }
__device__ unsigned long long atom_add_u64(void *p, unsigned long long v) { return atomicAdd((unsigned long long *)p, v); }
__device__ void red_add_u64(void *p, unsigned long long v) { atomicAdd((unsigned long long *)p, v); }
__device__ float atom_add_f32(void *p, float v) { return atomicAdd((float *)p, v); }
__device__ void red_add_f32(void *p, float v) { atomicAdd((float *)p, v); }
__device__ double atom_add_f64(void *p, double v) { return atomicAdd((double *)p, v); }
__device__ void red_add_f64(void *p, double v) { atomicAdd((double *)p, v); }
__device__ unsigned atom_min_u32(void *p, unsigned v) { return atomicMin((unsigned *)p, v); }
__device__ void red_min_u32(void *p, unsigned v) { atomicMin((unsigned *)p, v); }
__device__ int atom_min_s32(void *p, int v) { return atomicMin((int *)p, v); }
__device__ void red_min_s32(void *p, int v) { atomicMin((int *)p, v); }
__device__ unsigned long long atom_min_u64(void *p, unsigned long long v) { return atomicMin((unsigned long long *)p, v); }
__device__ void red_min_u64(void *p, unsigned long long v) { atomicMin((unsigned long long *)p, v); }
__device__ long long atom_min_s64(void *p, long long v) { return atomicMin((long long *)p, v); }
__device__ void red_min_s64(void *p, long long v) { atomicMin((long long *)p, v); }
__device__ unsigned atom_max_u32(void *p, unsigned v) { return atomicMax((unsigned *)p, v); }
__device__ void red_max_u32(void *p, unsigned v) { atomicMax((unsigned *)p, v); }
__device__ int atom_max_s32(void *p, int v) { return atomicMax((int *)p, v); }
__device__ void red_max_s32(void *p, int v) { atomicMax((int *)p, v); }
__device__ unsigned long long atom_max_u64(void *p, unsigned long long v) { return atomicMax((unsigned long long *)p, v); }
__device__ void red_max_u64(void *p, unsigned long long v) { atomicMax((unsigned long long *)p, v); }
__device__ long long atom_max_s64(void *p, long long v) { return atomicMax((long long *)p, v); }
__device__ void red_max_s64(void *p, long long v) { atomicMax((long long *)p, v); }
__device__ unsigned atom_and_b32(void *p, unsigned v) { return atomicAnd((unsigned *)p, v); }
__device__ void red_and_b32(void *p, unsigned v) { atomicAnd((unsigned *)p, v); }
__device__ unsigned long long atom_and_b64(void *p, unsigned long long v) { return atomicAnd((unsigned long long *)p, v); }
__device__ void red_and_b64(void *p, unsigned long long v) { atomicAnd((unsigned long long *)p, v); }
__device__ unsigned atom_or_b32(void *p, unsigned v) { return atomicOr((unsigned *)p, v); }
__device__ void red_or_b32(void *p, unsigned v) { atomicOr((unsigned *)p, v); }
__device__ unsigned long long atom_or_b64(void *p, unsigned long long v) { return atomicOr((unsigned long long *)p, v); }
__device__ void red_or_b64(void *p, unsigned long long v) { atomicOr((unsigned long long *)p, v); }
__device__ unsigned atom_xor_b32(void *p, unsigned v) { return atomicXor((unsigned *)p, v); }
__device__ void red_xor_b32(void *p, unsigned v) { atomicXor((unsigned *)p, v); }
__device__ unsigned long long atom_xor_b64(void *p, unsigned long long v) { return atomicXor((unsigned long long *)p, v); }
__device__ void red_xor_b64(void *p, unsigned long long v) { atomicXor((unsigned long long *)p, v); }
__device__ unsigned atom_exch_b32(void *p, unsigned v) { return atomicExch((unsigned *)p, v); }
__device__ unsigned long long atom_exch_b64(void *p, unsigned long long v) { return atomicExch((unsigned long long *)p, v); }
__device__ unsigned atom_inc_u32(void *p, unsigned v) { return atomicInc((unsigned *)p, v); }
__device__ void red_inc_u32(void *p, unsigned v) { atomicInc((unsigned *)p, v); }
__device__ unsigned atom_dec_u32(void *p, unsigned v) { return atomicDec((unsigned *)p, v); }
__device__ void red_dec_u32(void *p, unsigned v) { atomicDec((unsigned *)p, v); }
__device__ unsigned atom_cas_b32(void *p, unsigned a, unsigned b) { return atomicCAS((unsigned *)p, a, b); }
__device__ unsigned long long atom_cas_b64(void *p, unsigned long long a, unsigned long long b) { return atomicCAS((unsigned long long *)p, a, b); }
__device__ unsigned short atom_cas_b16(void *p, unsigned short a, unsigned short b) { return atomicCAS((unsigned short *)p, a, b); }
// With an order and a scope, which are numbers as for __nv_atomic_…: `ld.acquire.gpu.u32` is
// ld_ordered_u32<2, 1>. Elements of vectors are ordered one by one.
template <int O, int S> __device__ unsigned ld_ordered_u32(const void *p) { return __nv_atomic_load_n((unsigned *)p, O, S); }
template <int O, int S> __device__ void st_ordered_u32(void *p, unsigned v) { __nv_atomic_store_n((unsigned *)p, v, O, S); }
template <int O, int S> __device__ int ld_ordered_s32(const void *p) { return __nv_atomic_load_n((int *)p, O, S); }
template <int O, int S> __device__ void st_ordered_s32(void *p, int v) { __nv_atomic_store_n((int *)p, v, O, S); }
template <int O, int S> __device__ unsigned ld_ordered_b32(const void *p) { return __nv_atomic_load_n((unsigned *)p, O, S); }
template <int O, int S> __device__ void st_ordered_b32(void *p, unsigned v) { __nv_atomic_store_n((unsigned *)p, v, O, S); }
template <int O, int S> __device__ float ld_ordered_f32(const void *p) { return __nv_atomic_load_n((float *)p, O, S); }
template <int O, int S> __device__ void st_ordered_f32(void *p, float v) { __nv_atomic_store_n((float *)p, v, O, S); }
template <int O, int S> __device__ unsigned long long ld_ordered_u64(const void *p) { return __nv_atomic_load_n((unsigned long long *)p, O, S); }
template <int O, int S> __device__ void st_ordered_u64(void *p, unsigned long long v) { __nv_atomic_store_n((unsigned long long *)p, v, O, S); }
template <int O, int S> __device__ long long ld_ordered_s64(const void *p) { return __nv_atomic_load_n((long long *)p, O, S); }
template <int O, int S> __device__ void st_ordered_s64(void *p, long long v) { __nv_atomic_store_n((long long *)p, v, O, S); }
template <int O, int S> __device__ unsigned long long ld_ordered_b64(const void *p) { return __nv_atomic_load_n((unsigned long long *)p, O, S); }
template <int O, int S> __device__ void st_ordered_b64(void *p, unsigned long long v) { __nv_atomic_store_n((unsigned long long *)p, v, O, S); }
template <int O, int S> __device__ double ld_ordered_f64(const void *p) { return __nv_atomic_load_n((double *)p, O, S); }
template <int O, int S> __device__ void st_ordered_f64(void *p, double v) { __nv_atomic_store_n((double *)p, v, O, S); }
template <int O, int S> __device__ unsigned short ld_ordered_u16(const void *p) { return __nv_atomic_load_n((unsigned short *)p, O, S); }
template <int O, int S> __device__ void st_ordered_u16(void *p, unsigned short v) { __nv_atomic_store_n((unsigned short *)p, v, O, S); }
template <int O, int S> __device__ unsigned short ld_ordered_b16(const void *p) { return __nv_atomic_load_n((unsigned short *)p, O, S); }
template <int O, int S> __device__ void st_ordered_b16(void *p, unsigned short v) { __nv_atomic_store_n((unsigned short *)p, v, O, S); }
template <int O, int S> __device__ short ld_ordered_s16(const void *p) { return __nv_atomic_load_n((short *)p, O, S); }
template <int O, int S> __device__ void st_ordered_s16(void *p, short v) { __nv_atomic_store_n((short *)p, v, O, S); }
template <int O, int S> __device__ unsigned ld_ordered_u8(const void *p) { return (unsigned)__nv_atomic_load_n((unsigned char *)p, O, S); }
template <int O, int S> __device__ void st_ordered_u8(void *p, unsigned v) { __nv_atomic_store_n((unsigned char *)p, (unsigned char)v, O, S); }
template <int O, int S> __device__ int ld_ordered_s8(const void *p) { return (int)__nv_atomic_load_n((signed char *)p, O, S); }
template <int O, int S> __device__ void st_ordered_s8(void *p, int v) { __nv_atomic_store_n((signed char *)p, (signed char)v, O, S); }
template <int O, int S> __device__ unsigned ld_ordered_b8(const void *p) { return (unsigned)__nv_atomic_load_n((unsigned char *)p, O, S); }
template <int O, int S> __device__ void st_ordered_b8(void *p, unsigned v) { __nv_atomic_store_n((unsigned char *)p, (unsigned char)v, O, S); }
template <int O, int S> __device__ uint2 ld_ordered_v2_u32(const void *p) { uint2 v; v.x = __nv_atomic_load_n((unsigned *)p + 0, O, S); v.y = __nv_atomic_load_n((unsigned *)p + 1, O, S); return v; }
template <int O, int S> __device__ void st_ordered_v2_u32(void *p, unsigned x, unsigned y) { __nv_atomic_store_n((unsigned *)p + 0, x, O, S); __nv_atomic_store_n((unsigned *)p + 1, y, O, S); }
template <int O, int S> __device__ uint4 ld_ordered_v4_u32(const void *p) { uint4 v; v.x = __nv_atomic_load_n((unsigned *)p + 0, O, S); v.y = __nv_atomic_load_n((unsigned *)p + 1, O, S); v.z = __nv_atomic_load_n((unsigned *)p + 2, O, S); v.w = __nv_atomic_load_n((unsigned *)p + 3, O, S); return v; }
template <int O, int S> __device__ void st_ordered_v4_u32(void *p, unsigned x, unsigned y, unsigned z, unsigned w) { __nv_atomic_store_n((unsigned *)p + 0, x, O, S); __nv_atomic_store_n((unsigned *)p + 1, y, O, S); __nv_atomic_store_n((unsigned *)p + 2, z, O, S); __nv_atomic_store_n((unsigned *)p + 3, w, O, S); }
template <int O, int S> __device__ int2 ld_ordered_v2_s32(const void *p) { int2 v; v.x = __nv_atomic_load_n((int *)p + 0, O, S); v.y = __nv_atomic_load_n((int *)p + 1, O, S); return v; }
template <int O, int S> __device__ void st_ordered_v2_s32(void *p, int x, int y) { __nv_atomic_store_n((int *)p + 0, x, O, S); __nv_atomic_store_n((int *)p + 1, y, O, S); }
template <int O, int S> __device__ int4 ld_ordered_v4_s32(const void *p) { int4 v; v.x = __nv_atomic_load_n((int *)p + 0, O, S); v.y = __nv_atomic_load_n((int *)p + 1, O, S); v.z = __nv_atomic_load_n((int *)p + 2, O, S); v.w = __nv_atomic_load_n((int *)p + 3, O, S); return v; }
template <int O, int S> __device__ void st_ordered_v4_s32(void *p, int x, int y, int z, int w) { __nv_atomic_store_n((int *)p + 0, x, O, S); __nv_atomic_store_n((int *)p + 1, y, O, S); __nv_atomic_store_n((int *)p + 2, z, O, S); __nv_atomic_store_n((int *)p + 3, w, O, S); }
template <int O, int S> __device__ uint2 ld_ordered_v2_b32(const void *p) { uint2 v; v.x = __nv_atomic_load_n((unsigned *)p + 0, O, S); v.y = __nv_atomic_load_n((unsigned *)p + 1, O, S); return v; }
template <int O, int S> __device__ void st_ordered_v2_b32(void *p, unsigned x, unsigned y) { __nv_atomic_store_n((unsigned *)p + 0, x, O, S); __nv_atomic_store_n((unsigned *)p + 1, y, O, S); }
template <int O, int S> __device__ uint4 ld_ordered_v4_b32(const void *p) { uint4 v; v.x = __nv_atomic_load_n((unsigned *)p + 0, O, S); v.y = __nv_atomic_load_n((unsigned *)p + 1, O, S); v.z = __nv_atomic_load_n((unsigned *)p + 2, O, S); v.w = __nv_atomic_load_n((unsigned *)p + 3, O, S); return v; }
template <int O, int S> __device__ void st_ordered_v4_b32(void *p, unsigned x, unsigned y, unsigned z, unsigned w) { __nv_atomic_store_n((unsigned *)p + 0, x, O, S); __nv_atomic_store_n((unsigned *)p + 1, y, O, S); __nv_atomic_store_n((unsigned *)p + 2, z, O, S); __nv_atomic_store_n((unsigned *)p + 3, w, O, S); }
template <int O, int S> __device__ float2 ld_ordered_v2_f32(const void *p) { float2 v; v.x = __nv_atomic_load_n((float *)p + 0, O, S); v.y = __nv_atomic_load_n((float *)p + 1, O, S); return v; }
template <int O, int S> __device__ void st_ordered_v2_f32(void *p, float x, float y) { __nv_atomic_store_n((float *)p + 0, x, O, S); __nv_atomic_store_n((float *)p + 1, y, O, S); }
template <int O, int S> __device__ float4 ld_ordered_v4_f32(const void *p) { float4 v; v.x = __nv_atomic_load_n((float *)p + 0, O, S); v.y = __nv_atomic_load_n((float *)p + 1, O, S); v.z = __nv_atomic_load_n((float *)p + 2, O, S); v.w = __nv_atomic_load_n((float *)p + 3, O, S); return v; }
template <int O, int S> __device__ void st_ordered_v4_f32(void *p, float x, float y, float z, float w) { __nv_atomic_store_n((float *)p + 0, x, O, S); __nv_atomic_store_n((float *)p + 1, y, O, S); __nv_atomic_store_n((float *)p + 2, z, O, S); __nv_atomic_store_n((float *)p + 3, w, O, S); }
template <int O, int S> __device__ ulonglong2 ld_ordered_v2_u64(const void *p) { ulonglong2 v; v.x = __nv_atomic_load_n((unsigned long long *)p + 0, O, S); v.y = __nv_atomic_load_n((unsigned long long *)p + 1, O, S); return v; }
template <int O, int S> __device__ void st_ordered_v2_u64(void *p, unsigned long long x, unsigned long long y) { __nv_atomic_store_n((unsigned long long *)p + 0, x, O, S); __nv_atomic_store_n((unsigned long long *)p + 1, y, O, S); }
template <int O, int S> __device__ longlong2 ld_ordered_v2_s64(const void *p) { longlong2 v; v.x = __nv_atomic_load_n((long long *)p + 0, O, S); v.y = __nv_atomic_load_n((long long *)p + 1, O, S); return v; }
template <int O, int S> __device__ void st_ordered_v2_s64(void *p, long long x, long long y) { __nv_atomic_store_n((long long *)p + 0, x, O, S); __nv_atomic_store_n((long long *)p + 1, y, O, S); }
template <int O, int S> __device__ ulonglong2 ld_ordered_v2_b64(const void *p) { ulonglong2 v; v.x = __nv_atomic_load_n((unsigned long long *)p + 0, O, S); v.y = __nv_atomic_load_n((unsigned long long *)p + 1, O, S); return v; }
template <int O, int S> __device__ void st_ordered_v2_b64(void *p, unsigned long long x, unsigned long long y) { __nv_atomic_store_n((unsigned long long *)p + 0, x, O, S); __nv_atomic_store_n((unsigned long long *)p + 1, y, O, S); }
template <int O, int S> __device__ double2 ld_ordered_v2_f64(const void *p) { double2 v; v.x = __nv_atomic_load_n((double *)p + 0, O, S); v.y = __nv_atomic_load_n((double *)p + 1, O, S); return v; }
template <int O, int S> __device__ void st_ordered_v2_f64(void *p, double x, double y) { __nv_atomic_store_n((double *)p + 0, x, O, S); __nv_atomic_store_n((double *)p + 1, y, O, S); }
template <int O, int S> __device__ unsigned atom_ordered_add_u32(void *p, unsigned v) { return __nv_atomic_fetch_add((unsigned *)p, v, O, S); }
template <int O, int S> __device__ void red_ordered_add_u32(void *p, unsigned v) { __nv_atomic_add((unsigned *)p, v, O, S); }
template <int O, int S> __device__ int atom_ordered_add_s32(void *p, int v) { return __nv_atomic_fetch_add((int *)p, v, O, S); }
template <int O, int S> __device__ void red_ordered_add_s32(void *p, int v) { __nv_atomic_add((int *)p, v, O, S); }
template <int O, int S> __device__ unsigned long long atom_ordered_add_u64(void *p, unsigned long long v) { return __nv_atomic_fetch_add((unsigned long long *)p, v, O, S); }
template <int O, int S> __device__ void red_ordered_add_u64(void *p, unsigned long long v) { __nv_atomic_add((unsigned long long *)p, v, O, S); }
template <int O, int S> __device__ float atom_ordered_add_f32(void *p, float v) { return __nv_atomic_fetch_add((float *)p, v, O, S); }
template <int O, int S> __device__ void red_ordered_add_f32(void *p, float v) { __nv_atomic_add((float *)p, v, O, S); }
template <int O, int S> __device__ double atom_ordered_add_f64(void *p, double v) { return __nv_atomic_fetch_add((double *)p, v, O, S); }
template <int O, int S> __device__ void red_ordered_add_f64(void *p, double v) { __nv_atomic_add((double *)p, v, O, S); }
template <int O, int S> __device__ unsigned atom_ordered_min_u32(void *p, unsigned v) { return __nv_atomic_fetch_min((unsigned *)p, v, O, S); }
template <int O, int S> __device__ void red_ordered_min_u32(void *p, unsigned v) { __nv_atomic_min((unsigned *)p, v, O, S); }
template <int O, int S> __device__ int atom_ordered_min_s32(void *p, int v) { return __nv_atomic_fetch_min((int *)p, v, O, S); }
template <int O, int S> __device__ void red_ordered_min_s32(void *p, int v) { __nv_atomic_min((int *)p, v, O, S); }
template <int O, int S> __device__ unsigned long long atom_ordered_min_u64(void *p, unsigned long long v) { return __nv_atomic_fetch_min((unsigned long long *)p, v, O, S); }
template <int O, int S> __device__ void red_ordered_min_u64(void *p, unsigned long long v) { __nv_atomic_min((unsigned long long *)p, v, O, S); }
template <int O, int S> __device__ long long atom_ordered_min_s64(void *p, long long v) { return __nv_atomic_fetch_min((long long *)p, v, O, S); }
template <int O, int S> __device__ void red_ordered_min_s64(void *p, long long v) { __nv_atomic_min((long long *)p, v, O, S); }
template <int O, int S> __device__ unsigned atom_ordered_max_u32(void *p, unsigned v) { return __nv_atomic_fetch_max((unsigned *)p, v, O, S); }
template <int O, int S> __device__ void red_ordered_max_u32(void *p, unsigned v) { __nv_atomic_max((unsigned *)p, v, O, S); }
template <int O, int S> __device__ int atom_ordered_max_s32(void *p, int v) { return __nv_atomic_fetch_max((int *)p, v, O, S); }
template <int O, int S> __device__ void red_ordered_max_s32(void *p, int v) { __nv_atomic_max((int *)p, v, O, S); }
template <int O, int S> __device__ unsigned long long atom_ordered_max_u64(void *p, unsigned long long v) { return __nv_atomic_fetch_max((unsigned long long *)p, v, O, S); }
template <int O, int S> __device__ void red_ordered_max_u64(void *p, unsigned long long v) { __nv_atomic_max((unsigned long long *)p, v, O, S); }
template <int O, int S> __device__ long long atom_ordered_max_s64(void *p, long long v) { return __nv_atomic_fetch_max((long long *)p, v, O, S); }
template <int O, int S> __device__ void red_ordered_max_s64(void *p, long long v) { __nv_atomic_max((long long *)p, v, O, S); }
template <int O, int S> __device__ unsigned atom_ordered_and_b32(void *p, unsigned v) { return __nv_atomic_fetch_and((unsigned *)p, v, O, S); }
template <int O, int S> __device__ void red_ordered_and_b32(void *p, unsigned v) { __nv_atomic_and((unsigned *)p, v, O, S); }
template <int O, int S> __device__ unsigned long long atom_ordered_and_b64(void *p, unsigned long long v) { return __nv_atomic_fetch_and((unsigned long long *)p, v, O, S); }
template <int O, int S> __device__ void red_ordered_and_b64(void *p, unsigned long long v) { __nv_atomic_and((unsigned long long *)p, v, O, S); }
template <int O, int S> __device__ unsigned atom_ordered_or_b32(void *p, unsigned v) { return __nv_atomic_fetch_or((unsigned *)p, v, O, S); }
template <int O, int S> __device__ void red_ordered_or_b32(void *p, unsigned v) { __nv_atomic_or((unsigned *)p, v, O, S); }
template <int O, int S> __device__ unsigned long long atom_ordered_or_b64(void *p, unsigned long long v) { return __nv_atomic_fetch_or((unsigned long long *)p, v, O, S); }
template <int O, int S> __device__ void red_ordered_or_b64(void *p, unsigned long long v) { __nv_atomic_or((unsigned long long *)p, v, O, S); }
template <int O, int S> __device__ unsigned atom_ordered_xor_b32(void *p, unsigned v) { return __nv_atomic_fetch_xor((unsigned *)p, v, O, S); }
template <int O, int S> __device__ void red_ordered_xor_b32(void *p, unsigned v) { __nv_atomic_xor((unsigned *)p, v, O, S); }
template <int O, int S> __device__ unsigned long long atom_ordered_xor_b64(void *p, unsigned long long v) { return __nv_atomic_fetch_xor((unsigned long long *)p, v, O, S); }
template <int O, int S> __device__ void red_ordered_xor_b64(void *p, unsigned long long v) { __nv_atomic_xor((unsigned long long *)p, v, O, S); }
template <int O, int S> __device__ unsigned atom_ordered_exch_b32(void *p, unsigned v) { return __nv_atomic_exchange_n((unsigned *)p, v, O, S); }
template <int O, int S> __device__ unsigned long long atom_ordered_exch_b64(void *p, unsigned long long v) { return __nv_atomic_exchange_n((unsigned long long *)p, v, O, S); }
template <int O, int S> unsigned counted_up(unsigned *p, unsigned v) __heddle("atomic_inc(p, v, __heddle_order(O), __heddle_scope(S))");
template <int O, int S> unsigned counted_down(unsigned *p, unsigned v) __heddle("atomic_dec(p, v, __heddle_order(O), __heddle_scope(S))");
template <int O, int S> __device__ unsigned atom_ordered_inc_u32(void *p, unsigned v) { return counted_up<O, S>((unsigned *)p, v); }
template <int O, int S> __device__ void red_ordered_inc_u32(void *p, unsigned v) { counted_up<O, S>((unsigned *)p, v); }
template <int O, int S> __device__ unsigned atom_ordered_dec_u32(void *p, unsigned v) { return counted_down<O, S>((unsigned *)p, v); }
template <int O, int S> __device__ void red_ordered_dec_u32(void *p, unsigned v) { counted_down<O, S>((unsigned *)p, v); }
template <int O, int S> __device__ unsigned short atom_ordered_cas_b16(void *p, unsigned short a, unsigned short b) { return __nv_atomic_cas_value((unsigned short *)p, a, b, O, S); }
template <int O, int S> __device__ unsigned atom_ordered_cas_b32(void *p, unsigned a, unsigned b) { return __nv_atomic_cas_value((unsigned *)p, a, b, O, S); }
template <int O, int S> __device__ unsigned long long atom_ordered_cas_b64(void *p, unsigned long long a, unsigned long long b) { return __nv_atomic_cas_value((unsigned long long *)p, a, b, O, S); }
}
