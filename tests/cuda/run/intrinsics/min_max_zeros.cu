// SPDX-License-Identifier: Apache-2.0
// TEST: minima and maxima of CUDA order zeros, -0 below +0, in every order and type
#include <cuda_bf16.h>
#include <cuda_fp16.h>
__global__ void zeros(const float *x, unsigned *signs)
{
    float p = x[threadIdx.x], m = -p;
    __half hp = __float2half(p), hm = __float2half(m);
    __nv_bfloat16 bp = __float2bfloat16(p), bm = __float2bfloat16(m);
    __half2 h2 = __hmin2(__halves2half2(hp, hm), __halves2half2(hm, hp));
    __half2 g2 = __hmax2(__halves2half2(hp, hm), __halves2half2(hm, hp));
    float low[] = {fminf(p, m), fminf(m, p), min(p, m), min(m, p), (float)fmin((double)p, (double)m),
                   (float)min((double)m, (double)p), __half2float(__hmin(hp, hm)), __half2float(__hmin(hm, hp)),
                   __half2float(__hmin_nan(hp, hm)), __bfloat162float(__hmin(bp, bm)),
                   __bfloat162float(__hmin(bm, bp)), __low2float(h2), __high2float(h2)};
    float high[] = {fmaxf(p, m), fmaxf(m, p), max(p, m), max(m, p), (float)fmax((double)p, (double)m),
                    (float)max((double)m, (double)p), __half2float(__hmax(hp, hm)), __half2float(__hmax(hm, hp)),
                    __half2float(__hmax_nan(hm, hp)), __bfloat162float(__hmax(bp, bm)),
                    __bfloat162float(__hmax(bm, bp)), __low2float(g2), __high2float(g2)};
    float f, g;
    asm("min.f32 %0, %1, %2;" : "=f"(f) : "f"(p), "f"(m));
    asm("max.f32 %0, %1, %2;" : "=f"(g) : "f"(m), "f"(p));
    unsigned bits = (signbit(f) != 0) << 13 | (signbit(g) == 0) << 27;
    for (int i = 0; i < 13; i++)
        bits |= (signbit(low[i]) != 0) << i | (signbit(high[i]) == 0) << (i + 14);
    signs[threadIdx.x] = bits;
}
// LAUNCH: zeros --grid 1 --block 32 'x[32]=zeros' 'signs[32]=zeros'
// OUT: signs = np.full(32, (1 << 28) - 1)
