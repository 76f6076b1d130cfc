// SPDX-License-Identifier: Apache-2.0
// Numbers of 8 bits: named, so that a kernel that uses them is told.
#pragma once
#include <cuda_fp16.h>
#include <cuda_bf16.h>

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };
struct __heddle_unsupported("floating-point numbers of 8 bits; keep bytes, and convert them with integer operations") __nv_fp8_e5m2 { unsigned unused; };
struct __heddle_unsupported("floating-point numbers of 8 bits; keep bytes, and convert them with integer operations") __nv_fp8x2_e5m2 { unsigned unused; };
struct __heddle_unsupported("floating-point numbers of 8 bits; keep bytes, and convert them with integer operations") __nv_fp8x4_e5m2 { unsigned unused; };
struct __heddle_unsupported("floating-point numbers of 8 bits; keep bytes, and convert them with integer operations") __nv_fp8_e4m3 { unsigned unused; };
struct __heddle_unsupported("floating-point numbers of 8 bits; keep bytes, and convert them with integer operations") __nv_fp8x2_e4m3 { unsigned unused; };
struct __heddle_unsupported("floating-point numbers of 8 bits; keep bytes, and convert them with integer operations") __nv_fp8x4_e4m3 { unsigned unused; };
struct __heddle_unsupported("floating-point numbers of 8 bits; keep bytes, and convert them with integer operations") __nv_fp8_e8m0 { unsigned unused; };
struct __heddle_unsupported("floating-point numbers of 8 bits; keep bytes, and convert them with integer operations") __nv_fp8x2_e8m0 { unsigned unused; };
struct __heddle_unsupported("floating-point numbers of 8 bits; keep bytes, and convert them with integer operations") __nv_fp8x4_e8m0 { unsigned unused; };
__nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(...) __heddle_unsupported("floating-point numbers of 8 bits; keep bytes, and convert them with integer operations");
__nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(...) __heddle_unsupported("floating-point numbers of 8 bits; keep bytes, and convert them with integer operations");
__nv_fp8_storage_t __nv_cvt_double_to_fp8(...) __heddle_unsupported("floating-point numbers of 8 bits; keep bytes, and convert them with integer operations");
__nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(...) __heddle_unsupported("floating-point numbers of 8 bits; keep bytes, and convert them with integer operations");
__nv_fp8_storage_t __nv_cvt_float_to_fp8(...) __heddle_unsupported("floating-point numbers of 8 bits; keep bytes, and convert them with integer operations");
__nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(...) __heddle_unsupported("floating-point numbers of 8 bits; keep bytes, and convert them with integer operations");
__nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(...) __heddle_unsupported("floating-point numbers of 8 bits; keep bytes, and convert them with integer operations");
__nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(...) __heddle_unsupported("floating-point numbers of 8 bits; keep bytes, and convert them with integer operations");
__half_raw __nv_cvt_fp8_to_halfraw(...) __heddle_unsupported("floating-point numbers of 8 bits; keep bytes, and convert them with integer operations");
__half2_raw __nv_cvt_fp8x2_to_halfraw2(...) __heddle_unsupported("floating-point numbers of 8 bits; keep bytes, and convert them with integer operations");
__nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(...) __heddle_unsupported("floating-point numbers of 8 bits; keep bytes, and convert them with integer operations");
__nv_fp8x2_storage_t __nv_cvt_bfloat162raw_to_e8m0x2(...) __heddle_unsupported("floating-point numbers of 8 bits; keep bytes, and convert them with integer operations");
__nv_fp8_storage_t __nv_cvt_double_to_e8m0(...) __heddle_unsupported("floating-point numbers of 8 bits; keep bytes, and convert them with integer operations");
__nv_fp8x2_storage_t __nv_cvt_double2_to_e8m0x2(...) __heddle_unsupported("floating-point numbers of 8 bits; keep bytes, and convert them with integer operations");
__nv_fp8_storage_t __nv_cvt_float_to_e8m0(...) __heddle_unsupported("floating-point numbers of 8 bits; keep bytes, and convert them with integer operations");
__nv_fp8x2_storage_t __nv_cvt_float2_to_e8m0x2(...) __heddle_unsupported("floating-point numbers of 8 bits; keep bytes, and convert them with integer operations");
__nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(...) __heddle_unsupported("floating-point numbers of 8 bits; keep bytes, and convert them with integer operations");
__nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(...) __heddle_unsupported("floating-point numbers of 8 bits; keep bytes, and convert them with integer operations");
