// SPDX-License-Identifier: Apache-2.0
// TEST: arithmetic, extremes and signs of f16x2 in inline assembly are those of both halves, fma with one rounding
// LAUNCH: f a[64]=random:1 b[64]=random:2 c[64]=random:3 n=64 sums[64]=zeros fused[64]=zeros --block 64 --grid 1
// PY: def two(low, high):
// PY:     pack = lambda x: np.asarray(x, np.float16).view(np.uint16).astype(np.uint32)
// PY:     return pack(low) | pack(high) << np.uint32(16)
// PY: def h(x):
// PY:     return x.astype(np.float16)
// OUT: sums = two(h(h(in_a) + h(in_b)) * h(in_c), h(h(in_b) - h(in_a)) * h(in_c))
// OUT: fused = two(h(in_a).astype(np.float64) * h(in_b) + h(in_c), h(in_b).astype(np.float64) * h(in_b) + h(in_a))
// LAUNCH: g a[64]=random:1 b[64]=random:2 most[64]=zeros least[64]=zeros --block 64 --grid 1
// OUT: most = two(np.maximum(h(in_a), h(-in_b)), np.maximum(h(in_b - 0.5), 0))
// OUT: least = two(np.minimum(-h(in_a), h(-in_b)), np.abs(h(in_b - 0.5)))
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

__global__ void g(const float *a, const float *b, unsigned *most, unsigned *least)
{
    int i = threadIdx.x;
    unsigned x = both(a[i], b[i] - 0.5f), y = both(-b[i], 0), negated, bare, lower;
    asm("max.f16x2 %0, %1, %2;" : "=r"(most[i]) : "r"(x), "r"(y));
    asm("neg.f16x2 %0, %1;" : "=r"(negated) : "r"(x));
    asm("min.f16x2 %0, %1, %2;" : "=r"(lower) : "r"(negated), "r"(y));
    asm("abs.f16x2 %0, %1;" : "=r"(bare) : "r"(x));
    least[i] = (lower & 0xffff) | (bare & 0xffff0000);
}
