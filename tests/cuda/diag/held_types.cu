// SPDX-License-Identifier: Apache-2.0
// TEST: types of libraries and numbers that kernels may hold and pass, and what they can't do with them
#include <cufft.h>
#include <cuda_fp4.h>
#include <curand_kernel.h>
#include <mma.h>

#define HOLD(T) __global__ void hold_##T(T *p, T *q) { q[0] = p[0]; }
HOLD(curandState) HOLD(curandState_t) HOLD(curandStateXORWOW) HOLD(curandStateXORWOW_t) HOLD(curandStateMRG32k3a) HOLD(curandStateMRG32k3a_t)
HOLD(curandStateMtgp32) HOLD(curandStateMtgp32_t) HOLD(curandStatePhilox4_32_10) HOLD(curandStatePhilox4_32_10_t)
HOLD(curandStateSobol32) HOLD(curandStateSobol32_t) HOLD(curandStateSobol64) HOLD(curandStateSobol64_t)
HOLD(curandStateScrambledSobol32) HOLD(curandStateScrambledSobol32_t) HOLD(curandStateScrambledSobol64) HOLD(curandStateScrambledSobol64_t)
HOLD(cufftReal) HOLD(cufftComplex) HOLD(cufftDoubleReal) HOLD(cufftDoubleComplex)
HOLD(__nv_fp8_storage_t) HOLD(__nv_fp8x2_storage_t) HOLD(__nv_fp8x4_storage_t) HOLD(__nv_fp6_storage_t) HOLD(__nv_fp6x2_storage_t)
HOLD(__nv_fp6x4_storage_t) HOLD(__nv_fp4_storage_t) HOLD(__nv_fp4x2_storage_t) HOLD(__nv_fp4x4_storage_t)

__global__ void words(int *out)
{
    __nv_saturation_t a = __NV_NOSAT, b = __NV_SATFINITE;
    __nv_fp8_interpretation_t c = __NV_E4M3, d = __NV_E5M2;
    __nv_fp6_interpretation_t e = __NV_E2M3, f = __NV_E3M2;
    __nv_fp4_interpretation_t g = __NV_E2M1;
    nvcuda::wmma::layout_t h = nvcuda::wmma::mem_row_major, i = nvcuda::wmma::mem_col_major;
    out[0] = a + b + c + d + e + f + g + h + i;
}
__global__ void draws(curandStateMRG32k3a *s, float *out) { out[0] = curand_uniform(s); } //~ error HD1150: this generator or distribution of cuRAND
