// SPDX-License-Identifier: Apache-2.0
// TEST: --block gives a block to launches that have none as a constant; others are left behind
// check-args: --block 64
// check with: proved
// check doubled: bug HD0601
// check rounded: proved
// check constant: bug HD0601

#define ROW(name) \
    __global__ void name(int n) \
    { \
        __shared__ int s[1024]; \
        int i = threadIdx.x; \
        s[i < n ? i : 0] = i; \
    }

ROW(with)
ROW(doubled)
ROW(constant)

// Blocks of x have n elements in all.
__global__ void rounded(int n)
{
    __shared__ int s[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x == gridDim.x - 1 && i - n >= 64)
        s[0] = threadIdx.x;
}

void launch(int n, int threads)
{
    with<<<1, n>>>(n);
    doubled<<<1, 2 * n>>>(n);
    constant<<<1, 32>>>(32);
    rounded<<<(n + threads - 1) / threads, threads>>>(n);
}
