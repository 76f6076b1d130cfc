// SPDX-License-Identifier: Apache-2.0
// Numbers of 4 bits: named, so that a kernel that uses them is told.
#pragma once
#include <cuda_fp6.h>

typedef unsigned char __nv_fp4_storage_t;
typedef unsigned char __nv_fp4x2_storage_t;
typedef unsigned short __nv_fp4x4_storage_t;
enum __nv_fp4_interpretation_t { __NV_E2M1 };
struct __heddle_unsupported("floating-point numbers of 4 bits; keep bytes, and convert them with integer operations") __nv_fp4_e2m1 { unsigned unused; };
struct __heddle_unsupported("floating-point numbers of 4 bits; keep bytes, and convert them with integer operations") __nv_fp4x2_e2m1 { unsigned unused; };
struct __heddle_unsupported("floating-point numbers of 4 bits; keep bytes, and convert them with integer operations") __nv_fp4x4_e2m1 { unsigned unused; };
__nv_fp4_storage_t __nv_cvt_bfloat16raw_to_fp4(...) __heddle_unsupported("floating-point numbers of 4 bits; keep bytes, and convert them with integer operations");
__nv_fp4x2_storage_t __nv_cvt_bfloat16raw2_to_fp4x2(...) __heddle_unsupported("floating-point numbers of 4 bits; keep bytes, and convert them with integer operations");
__nv_fp4_storage_t __nv_cvt_double_to_fp4(...) __heddle_unsupported("floating-point numbers of 4 bits; keep bytes, and convert them with integer operations");
__nv_fp4x2_storage_t __nv_cvt_double2_to_fp4x2(...) __heddle_unsupported("floating-point numbers of 4 bits; keep bytes, and convert them with integer operations");
__nv_fp4_storage_t __nv_cvt_float_to_fp4(...) __heddle_unsupported("floating-point numbers of 4 bits; keep bytes, and convert them with integer operations");
__nv_fp4x2_storage_t __nv_cvt_float2_to_fp4x2(...) __heddle_unsupported("floating-point numbers of 4 bits; keep bytes, and convert them with integer operations");
__nv_fp4_storage_t __nv_cvt_halfraw_to_fp4(...) __heddle_unsupported("floating-point numbers of 4 bits; keep bytes, and convert them with integer operations");
__nv_fp4x2_storage_t __nv_cvt_halfraw2_to_fp4x2(...) __heddle_unsupported("floating-point numbers of 4 bits; keep bytes, and convert them with integer operations");
__half_raw __nv_cvt_fp4_to_halfraw(...) __heddle_unsupported("floating-point numbers of 4 bits; keep bytes, and convert them with integer operations");
__half2_raw __nv_cvt_fp4x2_to_halfraw2(...) __heddle_unsupported("floating-point numbers of 4 bits; keep bytes, and convert them with integer operations");
