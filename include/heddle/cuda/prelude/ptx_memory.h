// SPDX-License-Identifier: Apache-2.0
// Loads, stores and prefetches of PTX.
namespace __ptx {
__device__ unsigned ld_u32(const void *p) { return *(const unsigned *)p; }
__device__ int ld_s32(const void *p) { return *(const int *)p; }
__device__ unsigned ld_b32(const void *p) { return *(const unsigned *)p; }
__device__ float ld_f32(const void *p) { return *(const float *)p; }
__device__ unsigned long long ld_u64(const void *p) { return *(const unsigned long long *)p; }
__device__ long long ld_s64(const void *p) { return *(const long long *)p; }
__device__ unsigned long long ld_b64(const void *p) { return *(const unsigned long long *)p; }
__device__ double ld_f64(const void *p) { return *(const double *)p; }
__device__ unsigned short ld_u16(const void *p) { return *(const unsigned short *)p; }
__device__ unsigned short ld_b16(const void *p) { return *(const unsigned short *)p; }
__device__ short ld_s16(const void *p) { return *(const short *)p; }
__device__ unsigned ld_u8(const void *p) { return *(const unsigned char *)p; }
__device__ int ld_s8(const void *p) { return *(const signed char *)p; }
__device__ unsigned ld_b8(const void *p) { return *(const unsigned char *)p; }
__device__ uint2 ld_v2_u32(const void *p) { return *(const uint2 *)p; }
__device__ uint4 ld_v4_u32(const void *p) { return *(const uint4 *)p; }
__device__ int2 ld_v2_s32(const void *p) { return *(const int2 *)p; }
__device__ int4 ld_v4_s32(const void *p) { return *(const int4 *)p; }
__device__ uint2 ld_v2_b32(const void *p) { return *(const uint2 *)p; }
__device__ uint4 ld_v4_b32(const void *p) { return *(const uint4 *)p; }
__device__ float2 ld_v2_f32(const void *p) { return *(const float2 *)p; }
__device__ float4 ld_v4_f32(const void *p) { return *(const float4 *)p; }
__device__ double2 ld_v2_f64(const void *p) { return *(const double2 *)p; }
__device__ ulonglong2 ld_v2_u64(const void *p) { return *(const ulonglong2 *)p; }
__device__ ulonglong2 ld_v2_b64(const void *p) { return *(const ulonglong2 *)p; }
__device__ longlong2 ld_v2_s64(const void *p) { return *(const longlong2 *)p; }
__device__ ushort2 ld_v2_u16(const void *p) { return *(const ushort2 *)p; }
__device__ ushort4 ld_v4_u16(const void *p) { return *(const ushort4 *)p; }
__device__ ushort2 ld_v2_b16(const void *p) { return *(const ushort2 *)p; }
__device__ ushort4 ld_v4_b16(const void *p) { return *(const ushort4 *)p; }
__device__ short2 ld_v2_s16(const void *p) { return *(const short2 *)p; }
__device__ short4 ld_v4_s16(const void *p) { return *(const short4 *)p; }
__device__ uchar2 ld_v2_u8(const void *p) { return *(const uchar2 *)p; }
__device__ uchar4 ld_v4_u8(const void *p) { return *(const uchar4 *)p; }
__device__ char2 ld_v2_s8(const void *p) { return *(const char2 *)p; }
__device__ char4 ld_v4_s8(const void *p) { return *(const char4 *)p; }
__device__ uchar2 ld_v2_b8(const void *p) { return *(const uchar2 *)p; }
__device__ uchar4 ld_v4_b8(const void *p) { return *(const uchar4 *)p; }
__device__ unsigned ld_ca_u32(const void *p) { return __ldca((const unsigned *)p); }
__device__ int ld_ca_s32(const void *p) { return __ldca((const int *)p); }
__device__ unsigned ld_ca_b32(const void *p) { return __ldca((const unsigned *)p); }
__device__ float ld_ca_f32(const void *p) { return __ldca((const float *)p); }
__device__ unsigned long long ld_ca_u64(const void *p) { return __ldca((const unsigned long long *)p); }
__device__ long long ld_ca_s64(const void *p) { return __ldca((const long long *)p); }
__device__ unsigned long long ld_ca_b64(const void *p) { return __ldca((const unsigned long long *)p); }
__device__ double ld_ca_f64(const void *p) { return __ldca((const double *)p); }
__device__ unsigned short ld_ca_u16(const void *p) { return __ldca((const unsigned short *)p); }
__device__ unsigned short ld_ca_b16(const void *p) { return __ldca((const unsigned short *)p); }
__device__ short ld_ca_s16(const void *p) { return __ldca((const short *)p); }
__device__ unsigned ld_ca_u8(const void *p) { return __ldca((const unsigned char *)p); }
__device__ int ld_ca_s8(const void *p) { return __ldca((const signed char *)p); }
__device__ unsigned ld_ca_b8(const void *p) { return __ldca((const unsigned char *)p); }
__device__ uint2 ld_ca_v2_u32(const void *p) { return __ldca((const uint2 *)p); }
__device__ uint4 ld_ca_v4_u32(const void *p) { return __ldca((const uint4 *)p); }
__device__ int2 ld_ca_v2_s32(const void *p) { return __ldca((const int2 *)p); }
__device__ int4 ld_ca_v4_s32(const void *p) { return __ldca((const int4 *)p); }
__device__ uint2 ld_ca_v2_b32(const void *p) { return __ldca((const uint2 *)p); }
__device__ uint4 ld_ca_v4_b32(const void *p) { return __ldca((const uint4 *)p); }
__device__ float2 ld_ca_v2_f32(const void *p) { return __ldca((const float2 *)p); }
__device__ float4 ld_ca_v4_f32(const void *p) { return __ldca((const float4 *)p); }
__device__ double2 ld_ca_v2_f64(const void *p) { return __ldca((const double2 *)p); }
__device__ ulonglong2 ld_ca_v2_u64(const void *p) { return __ldca((const ulonglong2 *)p); }
__device__ unsigned ld_cg_u32(const void *p) { return __ldcg((const unsigned *)p); }
__device__ int ld_cg_s32(const void *p) { return __ldcg((const int *)p); }
__device__ unsigned ld_cg_b32(const void *p) { return __ldcg((const unsigned *)p); }
__device__ float ld_cg_f32(const void *p) { return __ldcg((const float *)p); }
__device__ unsigned long long ld_cg_u64(const void *p) { return __ldcg((const unsigned long long *)p); }
__device__ long long ld_cg_s64(const void *p) { return __ldcg((const long long *)p); }
__device__ unsigned long long ld_cg_b64(const void *p) { return __ldcg((const unsigned long long *)p); }
__device__ double ld_cg_f64(const void *p) { return __ldcg((const double *)p); }
__device__ unsigned short ld_cg_u16(const void *p) { return __ldcg((const unsigned short *)p); }
__device__ unsigned short ld_cg_b16(const void *p) { return __ldcg((const unsigned short *)p); }
__device__ short ld_cg_s16(const void *p) { return __ldcg((const short *)p); }
__device__ unsigned ld_cg_u8(const void *p) { return __ldcg((const unsigned char *)p); }
__device__ int ld_cg_s8(const void *p) { return __ldcg((const signed char *)p); }
__device__ unsigned ld_cg_b8(const void *p) { return __ldcg((const unsigned char *)p); }
__device__ uint2 ld_cg_v2_u32(const void *p) { return __ldcg((const uint2 *)p); }
__device__ uint4 ld_cg_v4_u32(const void *p) { return __ldcg((const uint4 *)p); }
__device__ int2 ld_cg_v2_s32(const void *p) { return __ldcg((const int2 *)p); }
__device__ int4 ld_cg_v4_s32(const void *p) { return __ldcg((const int4 *)p); }
__device__ uint2 ld_cg_v2_b32(const void *p) { return __ldcg((const uint2 *)p); }
__device__ uint4 ld_cg_v4_b32(const void *p) { return __ldcg((const uint4 *)p); }
__device__ float2 ld_cg_v2_f32(const void *p) { return __ldcg((const float2 *)p); }
__device__ float4 ld_cg_v4_f32(const void *p) { return __ldcg((const float4 *)p); }
__device__ double2 ld_cg_v2_f64(const void *p) { return __ldcg((const double2 *)p); }
__device__ ulonglong2 ld_cg_v2_u64(const void *p) { return __ldcg((const ulonglong2 *)p); }
__device__ unsigned ld_cs_u32(const void *p) { return __ldcs((const unsigned *)p); }
__device__ int ld_cs_s32(const void *p) { return __ldcs((const int *)p); }
__device__ unsigned ld_cs_b32(const void *p) { return __ldcs((const unsigned *)p); }
__device__ float ld_cs_f32(const void *p) { return __ldcs((const float *)p); }
__device__ unsigned long long ld_cs_u64(const void *p) { return __ldcs((const unsigned long long *)p); }
__device__ long long ld_cs_s64(const void *p) { return __ldcs((const long long *)p); }
__device__ unsigned long long ld_cs_b64(const void *p) { return __ldcs((const unsigned long long *)p); }
__device__ double ld_cs_f64(const void *p) { return __ldcs((const double *)p); }
__device__ unsigned short ld_cs_u16(const void *p) { return __ldcs((const unsigned short *)p); }
__device__ unsigned short ld_cs_b16(const void *p) { return __ldcs((const unsigned short *)p); }
__device__ short ld_cs_s16(const void *p) { return __ldcs((const short *)p); }
__device__ unsigned ld_cs_u8(const void *p) { return __ldcs((const unsigned char *)p); }
__device__ int ld_cs_s8(const void *p) { return __ldcs((const signed char *)p); }
__device__ unsigned ld_cs_b8(const void *p) { return __ldcs((const unsigned char *)p); }
__device__ uint2 ld_cs_v2_u32(const void *p) { return __ldcs((const uint2 *)p); }
__device__ uint4 ld_cs_v4_u32(const void *p) { return __ldcs((const uint4 *)p); }
__device__ int2 ld_cs_v2_s32(const void *p) { return __ldcs((const int2 *)p); }
__device__ int4 ld_cs_v4_s32(const void *p) { return __ldcs((const int4 *)p); }
__device__ uint2 ld_cs_v2_b32(const void *p) { return __ldcs((const uint2 *)p); }
__device__ uint4 ld_cs_v4_b32(const void *p) { return __ldcs((const uint4 *)p); }
__device__ float2 ld_cs_v2_f32(const void *p) { return __ldcs((const float2 *)p); }
__device__ float4 ld_cs_v4_f32(const void *p) { return __ldcs((const float4 *)p); }
__device__ double2 ld_cs_v2_f64(const void *p) { return __ldcs((const double2 *)p); }
__device__ ulonglong2 ld_cs_v2_u64(const void *p) { return __ldcs((const ulonglong2 *)p); }
__device__ unsigned ld_cv_u32(const void *p) { return __ldcv((const unsigned *)p); }
__device__ int ld_cv_s32(const void *p) { return __ldcv((const int *)p); }
__device__ unsigned ld_cv_b32(const void *p) { return __ldcv((const unsigned *)p); }
__device__ float ld_cv_f32(const void *p) { return __ldcv((const float *)p); }
__device__ unsigned long long ld_cv_u64(const void *p) { return __ldcv((const unsigned long long *)p); }
__device__ long long ld_cv_s64(const void *p) { return __ldcv((const long long *)p); }
__device__ unsigned long long ld_cv_b64(const void *p) { return __ldcv((const unsigned long long *)p); }
__device__ double ld_cv_f64(const void *p) { return __ldcv((const double *)p); }
__device__ unsigned short ld_cv_u16(const void *p) { return __ldcv((const unsigned short *)p); }
__device__ unsigned short ld_cv_b16(const void *p) { return __ldcv((const unsigned short *)p); }
__device__ short ld_cv_s16(const void *p) { return __ldcv((const short *)p); }
__device__ unsigned ld_cv_u8(const void *p) { return __ldcv((const unsigned char *)p); }
__device__ int ld_cv_s8(const void *p) { return __ldcv((const signed char *)p); }
__device__ unsigned ld_cv_b8(const void *p) { return __ldcv((const unsigned char *)p); }
__device__ unsigned ld_lu_u32(const void *p) { return __ldlu((const unsigned *)p); }
__device__ int ld_lu_s32(const void *p) { return __ldlu((const int *)p); }
__device__ unsigned ld_lu_b32(const void *p) { return __ldlu((const unsigned *)p); }
__device__ float ld_lu_f32(const void *p) { return __ldlu((const float *)p); }
__device__ unsigned long long ld_lu_u64(const void *p) { return __ldlu((const unsigned long long *)p); }
__device__ long long ld_lu_s64(const void *p) { return __ldlu((const long long *)p); }
__device__ unsigned long long ld_lu_b64(const void *p) { return __ldlu((const unsigned long long *)p); }
__device__ double ld_lu_f64(const void *p) { return __ldlu((const double *)p); }
__device__ unsigned short ld_lu_u16(const void *p) { return __ldlu((const unsigned short *)p); }
__device__ unsigned short ld_lu_b16(const void *p) { return __ldlu((const unsigned short *)p); }
__device__ short ld_lu_s16(const void *p) { return __ldlu((const short *)p); }
__device__ unsigned ld_lu_u8(const void *p) { return __ldlu((const unsigned char *)p); }
__device__ int ld_lu_s8(const void *p) { return __ldlu((const signed char *)p); }
__device__ unsigned ld_lu_b8(const void *p) { return __ldlu((const unsigned char *)p); }
__device__ unsigned ld_nc_u32(const void *p) { return __ldg((const unsigned *)p); }
__device__ int ld_nc_s32(const void *p) { return __ldg((const int *)p); }
__device__ unsigned ld_nc_b32(const void *p) { return __ldg((const unsigned *)p); }
__device__ float ld_nc_f32(const void *p) { return __ldg((const float *)p); }
__device__ unsigned long long ld_nc_u64(const void *p) { return __ldg((const unsigned long long *)p); }
__device__ long long ld_nc_s64(const void *p) { return __ldg((const long long *)p); }
__device__ unsigned long long ld_nc_b64(const void *p) { return __ldg((const unsigned long long *)p); }
__device__ double ld_nc_f64(const void *p) { return __ldg((const double *)p); }
__device__ unsigned short ld_nc_u16(const void *p) { return __ldg((const unsigned short *)p); }
__device__ unsigned short ld_nc_b16(const void *p) { return __ldg((const unsigned short *)p); }
__device__ short ld_nc_s16(const void *p) { return __ldg((const short *)p); }
__device__ unsigned ld_nc_u8(const void *p) { return __ldg((const unsigned char *)p); }
__device__ int ld_nc_s8(const void *p) { return __ldg((const signed char *)p); }
__device__ unsigned ld_nc_b8(const void *p) { return __ldg((const unsigned char *)p); }
__device__ uint2 ld_nc_v2_u32(const void *p) { return __ldg((const uint2 *)p); }
__device__ uint4 ld_nc_v4_u32(const void *p) { return __ldg((const uint4 *)p); }
__device__ int2 ld_nc_v2_s32(const void *p) { return __ldg((const int2 *)p); }
__device__ int4 ld_nc_v4_s32(const void *p) { return __ldg((const int4 *)p); }
__device__ uint2 ld_nc_v2_b32(const void *p) { return __ldg((const uint2 *)p); }
__device__ uint4 ld_nc_v4_b32(const void *p) { return __ldg((const uint4 *)p); }
__device__ float2 ld_nc_v2_f32(const void *p) { return __ldg((const float2 *)p); }
__device__ float4 ld_nc_v4_f32(const void *p) { return __ldg((const float4 *)p); }
__device__ double2 ld_nc_v2_f64(const void *p) { return __ldg((const double2 *)p); }
__device__ ulonglong2 ld_nc_v2_u64(const void *p) { return __ldg((const ulonglong2 *)p); }
__device__ ulonglong2 ld_nc_v2_b64(const void *p) { return __ldg((const ulonglong2 *)p); }
__device__ longlong2 ld_nc_v2_s64(const void *p) { return __ldg((const longlong2 *)p); }
__device__ ushort2 ld_nc_v2_u16(const void *p) { return __ldg((const ushort2 *)p); }
__device__ ushort4 ld_nc_v4_u16(const void *p) { return __ldg((const ushort4 *)p); }
__device__ ushort2 ld_nc_v2_b16(const void *p) { return __ldg((const ushort2 *)p); }
__device__ ushort4 ld_nc_v4_b16(const void *p) { return __ldg((const ushort4 *)p); }
__device__ short2 ld_nc_v2_s16(const void *p) { return __ldg((const short2 *)p); }
__device__ short4 ld_nc_v4_s16(const void *p) { return __ldg((const short4 *)p); }
__device__ uchar2 ld_nc_v2_u8(const void *p) { return __ldg((const uchar2 *)p); }
__device__ uchar4 ld_nc_v4_u8(const void *p) { return __ldg((const uchar4 *)p); }
__device__ char2 ld_nc_v2_s8(const void *p) { return __ldg((const char2 *)p); }
__device__ char4 ld_nc_v4_s8(const void *p) { return __ldg((const char4 *)p); }
__device__ uchar2 ld_nc_v2_b8(const void *p) { return __ldg((const uchar2 *)p); }
__device__ uchar4 ld_nc_v4_b8(const void *p) { return __ldg((const uchar4 *)p); }
__device__ unsigned ld_volatile_u32(const void *p) { return __ldcv((const unsigned *)p); }
__device__ int ld_volatile_s32(const void *p) { return __ldcv((const int *)p); }
__device__ unsigned ld_volatile_b32(const void *p) { return __ldcv((const unsigned *)p); }
__device__ float ld_volatile_f32(const void *p) { return __ldcv((const float *)p); }
__device__ unsigned long long ld_volatile_u64(const void *p) { return __ldcv((const unsigned long long *)p); }
__device__ long long ld_volatile_s64(const void *p) { return __ldcv((const long long *)p); }
__device__ unsigned long long ld_volatile_b64(const void *p) { return __ldcv((const unsigned long long *)p); }
__device__ double ld_volatile_f64(const void *p) { return __ldcv((const double *)p); }
__device__ unsigned short ld_volatile_u16(const void *p) { return __ldcv((const unsigned short *)p); }
__device__ unsigned short ld_volatile_b16(const void *p) { return __ldcv((const unsigned short *)p); }
__device__ short ld_volatile_s16(const void *p) { return __ldcv((const short *)p); }
__device__ unsigned ld_volatile_u8(const void *p) { return __ldcv((const unsigned char *)p); }
__device__ int ld_volatile_s8(const void *p) { return __ldcv((const signed char *)p); }
__device__ unsigned ld_volatile_b8(const void *p) { return __ldcv((const unsigned char *)p); }
__device__ void st_u32(void *p, unsigned v) { *(unsigned *)p = v; }
__device__ void st_s32(void *p, int v) { *(int *)p = v; }
__device__ void st_b32(void *p, unsigned v) { *(unsigned *)p = v; }
__device__ void st_f32(void *p, float v) { *(float *)p = v; }
__device__ void st_u64(void *p, unsigned long long v) { *(unsigned long long *)p = v; }
__device__ void st_s64(void *p, long long v) { *(long long *)p = v; }
__device__ void st_b64(void *p, unsigned long long v) { *(unsigned long long *)p = v; }
__device__ void st_f64(void *p, double v) { *(double *)p = v; }
__device__ void st_u16(void *p, unsigned short v) { *(unsigned short *)p = v; }
__device__ void st_b16(void *p, unsigned short v) { *(unsigned short *)p = v; }
__device__ void st_s16(void *p, short v) { *(short *)p = v; }
__device__ void st_u8(void *p, unsigned v) { *(unsigned char *)p = (unsigned char)v; }
__device__ void st_s8(void *p, int v) { *(signed char *)p = (signed char)v; }
__device__ void st_b8(void *p, unsigned v) { *(unsigned char *)p = (unsigned char)v; }
__device__ void st_v2_u32(void *p, unsigned a, unsigned b) { uint2 v = make_uint2(a, b); *(uint2 *)p = v; }
__device__ void st_v4_u32(void *p, unsigned a, unsigned b, unsigned c, unsigned d) { uint4 v = make_uint4(a, b, c, d); *(uint4 *)p = v; }
__device__ void st_v2_s32(void *p, int a, int b) { int2 v = make_int2(a, b); *(int2 *)p = v; }
__device__ void st_v4_s32(void *p, int a, int b, int c, int d) { int4 v = make_int4(a, b, c, d); *(int4 *)p = v; }
__device__ void st_v2_b32(void *p, unsigned a, unsigned b) { uint2 v = make_uint2(a, b); *(uint2 *)p = v; }
__device__ void st_v4_b32(void *p, unsigned a, unsigned b, unsigned c, unsigned d) { uint4 v = make_uint4(a, b, c, d); *(uint4 *)p = v; }
__device__ void st_v2_f32(void *p, float a, float b) { float2 v = make_float2(a, b); *(float2 *)p = v; }
__device__ void st_v4_f32(void *p, float a, float b, float c, float d) { float4 v = make_float4(a, b, c, d); *(float4 *)p = v; }
__device__ void st_v2_f64(void *p, double a, double b) { double2 v = make_double2(a, b); *(double2 *)p = v; }
__device__ void st_v2_u64(void *p, unsigned long long a, unsigned long long b) { *(ulonglong2 *)p = make_ulonglong2(a, b); }
__device__ void st_v2_b64(void *p, unsigned long long a, unsigned long long b) { *(ulonglong2 *)p = make_ulonglong2(a, b); }
__device__ void st_v2_s64(void *p, long long a, long long b) { *(longlong2 *)p = make_longlong2(a, b); }
__device__ void st_v2_u16(void *p, unsigned short a, unsigned short b) { *(ushort2 *)p = make_ushort2(a, b); }
__device__ void st_v2_b16(void *p, unsigned short a, unsigned short b) { *(ushort2 *)p = make_ushort2(a, b); }
__device__ void st_v4_u16(void *p, unsigned short a, unsigned short b, unsigned short c, unsigned short d) { *(ushort4 *)p = make_ushort4(a, b, c, d); }
__device__ void st_v4_b16(void *p, unsigned short a, unsigned short b, unsigned short c, unsigned short d) { *(ushort4 *)p = make_ushort4(a, b, c, d); }
__device__ void st_wb_u32(void *p, unsigned v) { __stwb((unsigned *)p, v); }
__device__ void st_wb_s32(void *p, int v) { __stwb((int *)p, v); }
__device__ void st_wb_b32(void *p, unsigned v) { __stwb((unsigned *)p, v); }
__device__ void st_wb_f32(void *p, float v) { __stwb((float *)p, v); }
__device__ void st_wb_u64(void *p, unsigned long long v) { __stwb((unsigned long long *)p, v); }
__device__ void st_wb_s64(void *p, long long v) { __stwb((long long *)p, v); }
__device__ void st_wb_b64(void *p, unsigned long long v) { __stwb((unsigned long long *)p, v); }
__device__ void st_wb_f64(void *p, double v) { __stwb((double *)p, v); }
__device__ void st_wb_u16(void *p, unsigned short v) { __stwb((unsigned short *)p, v); }
__device__ void st_wb_b16(void *p, unsigned short v) { __stwb((unsigned short *)p, v); }
__device__ void st_wb_s16(void *p, short v) { __stwb((short *)p, v); }
__device__ void st_wb_u8(void *p, unsigned v) { __stwb((unsigned char *)p, (unsigned char)v); }
__device__ void st_wb_s8(void *p, int v) { __stwb((signed char *)p, (signed char)v); }
__device__ void st_wb_b8(void *p, unsigned v) { __stwb((unsigned char *)p, (unsigned char)v); }
__device__ void st_wb_v2_u32(void *p, unsigned a, unsigned b) { uint2 v = make_uint2(a, b); __stwb((uint2 *)p, v); }
__device__ void st_wb_v4_u32(void *p, unsigned a, unsigned b, unsigned c, unsigned d) { uint4 v = make_uint4(a, b, c, d); __stwb((uint4 *)p, v); }
__device__ void st_wb_v2_s32(void *p, int a, int b) { int2 v = make_int2(a, b); __stwb((int2 *)p, v); }
__device__ void st_wb_v4_s32(void *p, int a, int b, int c, int d) { int4 v = make_int4(a, b, c, d); __stwb((int4 *)p, v); }
__device__ void st_wb_v2_b32(void *p, unsigned a, unsigned b) { uint2 v = make_uint2(a, b); __stwb((uint2 *)p, v); }
__device__ void st_wb_v4_b32(void *p, unsigned a, unsigned b, unsigned c, unsigned d) { uint4 v = make_uint4(a, b, c, d); __stwb((uint4 *)p, v); }
__device__ void st_wb_v2_f32(void *p, float a, float b) { float2 v = make_float2(a, b); __stwb((float2 *)p, v); }
__device__ void st_wb_v4_f32(void *p, float a, float b, float c, float d) { float4 v = make_float4(a, b, c, d); __stwb((float4 *)p, v); }
__device__ void st_wb_v2_f64(void *p, double a, double b) { double2 v = make_double2(a, b); __stwb((double2 *)p, v); }
__device__ void st_cg_u32(void *p, unsigned v) { __stcg((unsigned *)p, v); }
__device__ void st_cg_s32(void *p, int v) { __stcg((int *)p, v); }
__device__ void st_cg_b32(void *p, unsigned v) { __stcg((unsigned *)p, v); }
__device__ void st_cg_f32(void *p, float v) { __stcg((float *)p, v); }
__device__ void st_cg_u64(void *p, unsigned long long v) { __stcg((unsigned long long *)p, v); }
__device__ void st_cg_s64(void *p, long long v) { __stcg((long long *)p, v); }
__device__ void st_cg_b64(void *p, unsigned long long v) { __stcg((unsigned long long *)p, v); }
__device__ void st_cg_f64(void *p, double v) { __stcg((double *)p, v); }
__device__ void st_cg_u16(void *p, unsigned short v) { __stcg((unsigned short *)p, v); }
__device__ void st_cg_b16(void *p, unsigned short v) { __stcg((unsigned short *)p, v); }
__device__ void st_cg_s16(void *p, short v) { __stcg((short *)p, v); }
__device__ void st_cg_u8(void *p, unsigned v) { __stcg((unsigned char *)p, (unsigned char)v); }
__device__ void st_cg_s8(void *p, int v) { __stcg((signed char *)p, (signed char)v); }
__device__ void st_cg_b8(void *p, unsigned v) { __stcg((unsigned char *)p, (unsigned char)v); }
__device__ void st_cg_v2_u32(void *p, unsigned a, unsigned b) { uint2 v = make_uint2(a, b); __stcg((uint2 *)p, v); }
__device__ void st_cg_v4_u32(void *p, unsigned a, unsigned b, unsigned c, unsigned d) { uint4 v = make_uint4(a, b, c, d); __stcg((uint4 *)p, v); }
__device__ void st_cg_v2_s32(void *p, int a, int b) { int2 v = make_int2(a, b); __stcg((int2 *)p, v); }
__device__ void st_cg_v4_s32(void *p, int a, int b, int c, int d) { int4 v = make_int4(a, b, c, d); __stcg((int4 *)p, v); }
__device__ void st_cg_v2_b32(void *p, unsigned a, unsigned b) { uint2 v = make_uint2(a, b); __stcg((uint2 *)p, v); }
__device__ void st_cg_v4_b32(void *p, unsigned a, unsigned b, unsigned c, unsigned d) { uint4 v = make_uint4(a, b, c, d); __stcg((uint4 *)p, v); }
__device__ void st_cg_v2_f32(void *p, float a, float b) { float2 v = make_float2(a, b); __stcg((float2 *)p, v); }
__device__ void st_cg_v4_f32(void *p, float a, float b, float c, float d) { float4 v = make_float4(a, b, c, d); __stcg((float4 *)p, v); }
__device__ void st_cg_v2_f64(void *p, double a, double b) { double2 v = make_double2(a, b); __stcg((double2 *)p, v); }
__device__ void st_cs_u32(void *p, unsigned v) { __stcs((unsigned *)p, v); }
__device__ void st_cs_s32(void *p, int v) { __stcs((int *)p, v); }
__device__ void st_cs_b32(void *p, unsigned v) { __stcs((unsigned *)p, v); }
__device__ void st_cs_f32(void *p, float v) { __stcs((float *)p, v); }
__device__ void st_cs_u64(void *p, unsigned long long v) { __stcs((unsigned long long *)p, v); }
__device__ void st_cs_s64(void *p, long long v) { __stcs((long long *)p, v); }
__device__ void st_cs_b64(void *p, unsigned long long v) { __stcs((unsigned long long *)p, v); }
__device__ void st_cs_f64(void *p, double v) { __stcs((double *)p, v); }
__device__ void st_cs_u16(void *p, unsigned short v) { __stcs((unsigned short *)p, v); }
__device__ void st_cs_b16(void *p, unsigned short v) { __stcs((unsigned short *)p, v); }
__device__ void st_cs_s16(void *p, short v) { __stcs((short *)p, v); }
__device__ void st_cs_u8(void *p, unsigned v) { __stcs((unsigned char *)p, (unsigned char)v); }
__device__ void st_cs_s8(void *p, int v) { __stcs((signed char *)p, (signed char)v); }
__device__ void st_cs_b8(void *p, unsigned v) { __stcs((unsigned char *)p, (unsigned char)v); }
__device__ void st_cs_v2_u32(void *p, unsigned a, unsigned b) { uint2 v = make_uint2(a, b); __stcs((uint2 *)p, v); }
__device__ void st_cs_v4_u32(void *p, unsigned a, unsigned b, unsigned c, unsigned d) { uint4 v = make_uint4(a, b, c, d); __stcs((uint4 *)p, v); }
__device__ void st_cs_v2_s32(void *p, int a, int b) { int2 v = make_int2(a, b); __stcs((int2 *)p, v); }
__device__ void st_cs_v4_s32(void *p, int a, int b, int c, int d) { int4 v = make_int4(a, b, c, d); __stcs((int4 *)p, v); }
__device__ void st_cs_v2_b32(void *p, unsigned a, unsigned b) { uint2 v = make_uint2(a, b); __stcs((uint2 *)p, v); }
__device__ void st_cs_v4_b32(void *p, unsigned a, unsigned b, unsigned c, unsigned d) { uint4 v = make_uint4(a, b, c, d); __stcs((uint4 *)p, v); }
__device__ void st_cs_v2_f32(void *p, float a, float b) { float2 v = make_float2(a, b); __stcs((float2 *)p, v); }
__device__ void st_cs_v4_f32(void *p, float a, float b, float c, float d) { float4 v = make_float4(a, b, c, d); __stcs((float4 *)p, v); }
__device__ void st_cs_v2_f64(void *p, double a, double b) { double2 v = make_double2(a, b); __stcs((double2 *)p, v); }
__device__ void st_wt_u32(void *p, unsigned v) { __stwt((unsigned *)p, v); }
__device__ void st_wt_s32(void *p, int v) { __stwt((int *)p, v); }
__device__ void st_wt_b32(void *p, unsigned v) { __stwt((unsigned *)p, v); }
__device__ void st_wt_f32(void *p, float v) { __stwt((float *)p, v); }
__device__ void st_wt_u64(void *p, unsigned long long v) { __stwt((unsigned long long *)p, v); }
__device__ void st_wt_s64(void *p, long long v) { __stwt((long long *)p, v); }
__device__ void st_wt_b64(void *p, unsigned long long v) { __stwt((unsigned long long *)p, v); }
__device__ void st_wt_f64(void *p, double v) { __stwt((double *)p, v); }
__device__ void st_wt_u16(void *p, unsigned short v) { __stwt((unsigned short *)p, v); }
__device__ void st_wt_b16(void *p, unsigned short v) { __stwt((unsigned short *)p, v); }
__device__ void st_wt_s16(void *p, short v) { __stwt((short *)p, v); }
__device__ void st_wt_u8(void *p, unsigned v) { __stwt((unsigned char *)p, (unsigned char)v); }
__device__ void st_wt_s8(void *p, int v) { __stwt((signed char *)p, (signed char)v); }
__device__ void st_wt_b8(void *p, unsigned v) { __stwt((unsigned char *)p, (unsigned char)v); }
__device__ void st_volatile_u32(void *p, unsigned v) { *(volatile unsigned *)p = v; }
__device__ void st_volatile_s32(void *p, int v) { *(volatile int *)p = v; }
__device__ void st_volatile_b32(void *p, unsigned v) { *(volatile unsigned *)p = v; }
__device__ void st_volatile_f32(void *p, float v) { *(volatile float *)p = v; }
__device__ void st_volatile_u64(void *p, unsigned long long v) { *(volatile unsigned long long *)p = v; }
__device__ void st_volatile_s64(void *p, long long v) { *(volatile long long *)p = v; }
__device__ void st_volatile_b64(void *p, unsigned long long v) { *(volatile unsigned long long *)p = v; }
__device__ void st_volatile_f64(void *p, double v) { *(volatile double *)p = v; }
__device__ void st_volatile_u16(void *p, unsigned short v) { *(volatile unsigned short *)p = v; }
__device__ void st_volatile_b16(void *p, unsigned short v) { *(volatile unsigned short *)p = v; }
__device__ void st_volatile_s16(void *p, short v) { *(volatile short *)p = v; }
__device__ void st_volatile_u8(void *p, unsigned v) { *(volatile unsigned char *)p = (unsigned char)v; }
__device__ void st_volatile_s8(void *p, int v) { *(volatile signed char *)p = (signed char)v; }
__device__ void st_volatile_b8(void *p, unsigned v) { *(volatile unsigned char *)p = (unsigned char)v; }
__device__ uint2 ld_volatile_v2_u32(const void *p) { const volatile unsigned *at = (const volatile unsigned *)p; uint2 v; v.x = at[0]; v.y = at[1]; return v; }
__device__ void st_volatile_v2_u32(void *p, unsigned x, unsigned y) { volatile unsigned *at = (volatile unsigned *)p; at[0] = x; at[1] = y; }
__device__ uint4 ld_volatile_v4_u32(const void *p) { const volatile unsigned *at = (const volatile unsigned *)p; uint4 v; v.x = at[0]; v.y = at[1]; v.z = at[2]; v.w = at[3]; return v; }
__device__ void st_volatile_v4_u32(void *p, unsigned x, unsigned y, unsigned z, unsigned w) { volatile unsigned *at = (volatile unsigned *)p; at[0] = x; at[1] = y; at[2] = z; at[3] = w; }
__device__ uint2 ld_volatile_v2_b32(const void *p) { const volatile unsigned *at = (const volatile unsigned *)p; uint2 v; v.x = at[0]; v.y = at[1]; return v; }
__device__ void st_volatile_v2_b32(void *p, unsigned x, unsigned y) { volatile unsigned *at = (volatile unsigned *)p; at[0] = x; at[1] = y; }
__device__ uint4 ld_volatile_v4_b32(const void *p) { const volatile unsigned *at = (const volatile unsigned *)p; uint4 v; v.x = at[0]; v.y = at[1]; v.z = at[2]; v.w = at[3]; return v; }
__device__ void st_volatile_v4_b32(void *p, unsigned x, unsigned y, unsigned z, unsigned w) { volatile unsigned *at = (volatile unsigned *)p; at[0] = x; at[1] = y; at[2] = z; at[3] = w; }
__device__ int2 ld_volatile_v2_s32(const void *p) { const volatile int *at = (const volatile int *)p; int2 v; v.x = at[0]; v.y = at[1]; return v; }
__device__ void st_volatile_v2_s32(void *p, int x, int y) { volatile int *at = (volatile int *)p; at[0] = x; at[1] = y; }
__device__ int4 ld_volatile_v4_s32(const void *p) { const volatile int *at = (const volatile int *)p; int4 v; v.x = at[0]; v.y = at[1]; v.z = at[2]; v.w = at[3]; return v; }
__device__ void st_volatile_v4_s32(void *p, int x, int y, int z, int w) { volatile int *at = (volatile int *)p; at[0] = x; at[1] = y; at[2] = z; at[3] = w; }
__device__ float2 ld_volatile_v2_f32(const void *p) { const volatile float *at = (const volatile float *)p; float2 v; v.x = at[0]; v.y = at[1]; return v; }
__device__ void st_volatile_v2_f32(void *p, float x, float y) { volatile float *at = (volatile float *)p; at[0] = x; at[1] = y; }
__device__ float4 ld_volatile_v4_f32(const void *p) { const volatile float *at = (const volatile float *)p; float4 v; v.x = at[0]; v.y = at[1]; v.z = at[2]; v.w = at[3]; return v; }
__device__ void st_volatile_v4_f32(void *p, float x, float y, float z, float w) { volatile float *at = (volatile float *)p; at[0] = x; at[1] = y; at[2] = z; at[3] = w; }
__device__ void prefetch_L1(const void *p) {  }
__device__ void prefetch_L2(const void *p) {  }
}
