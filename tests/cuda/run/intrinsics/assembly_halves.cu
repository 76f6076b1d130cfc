// SPDX-License-Identifier: Apache-2.0
// TEST: add, sub, mul and fma of f16x2 in inline assembly compute both halves, the last with one rounding
// LAUNCH: f a[64]=random:1 b[64]=random:2 c[64]=random:3 n=64 sums[64]=zeros fused[64]=zeros --block 64 --grid 1
// PY: def two(low, high):
// PY:     pack = lambda x: np.asarray(x, np.float16).view(np.uint16).astype(np.uint32)
// PY:     return pack(low) | pack(high) << np.uint32(16)
// PY: def h(x):
// PY:     return x.astype(np.float16)
// OUT: sums = two(h(h(in_a) + h(in_b)) * h(in_c), h(h(in_b) - h(in_a)) * h(in_c))
// OUT: fused = two(h(in_a).astype(np.float64) * h(in_b) + h(in_c), h(in_b).astype(np.float64) * h(in_b) + h(in_a))
#include <cuda_fp16.h>

__device__ unsigned both(float low, float high)
{
    half2 v = __floats2half2_rn(low, high);
    return *(unsigned *)&v;
}

__global__ void f(const float *a, const float *b, const float *c, unsigned *sums, unsigned *fused, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned sum, difference, product, exact;
    asm volatile("add.f16x2 %0, %1, %2;\n" : "=r"(sum) : "r"(both(a[i], 0)), "r"(both(b[i], 0)));
    asm("sub.rn.f16x2 %0, %1, %2;" : "=r"(difference) : "r"(both(0, b[i])), "r"(both(0, a[i])));
    asm("mul.f16x2 %0, %1, %2;" : "=r"(product) : "r"(sum | difference), "r"(both(c[i], c[i])));
    asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(exact) : "r"(both(a[i], b[i])), "r"(both(b[i], b[i])), "r"(both(c[i], a[i])));
    sums[i] = product;
    fused[i] = exact;
}
