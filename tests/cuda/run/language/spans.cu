// SPDX-License-Identifier: Apache-2.0
// TEST: std::span is a pointer and a count, also of shared memory and of parts of itself
// REF: docs/reference/cuda.md#language
#include <cuda/std/span>

__device__ int total(cuda::std::span<const int> s)
{
    int sum = 0;
    for (int v : s)
        sum += v;
    return sum;
}

__global__ void parts(int *y, const int *x, int n)
{
    cuda::std::span<const int> all(x, n);
    cuda::std::span<int> out(y, n);
    int i = threadIdx.x;
    if (i < all.size() - 1)
        out[i] = total(all.first(i)) + (int)all.subspan(1, 2).size_bytes();
    if (i == 0)
        out.back() = all.last(2)[0] +
                     all.subspan(n - 1, cuda::std::dynamic_extent).front() * 100;
}
// LAUNCH: parts --block 64 --grid 1 y[50]=zeros x[50]=iota n=50
// OUT: y = np.where(np.arange(50) < 49, np.cumsum(np.arange(50)) - np.arange(50) + 8, 48 + 4900)

__global__ void of_shared(int *y)
{
    __shared__ int s[64];
    cuda::std::span<int> all(s);
    cuda::std::span<int>::element_type third = 3 * threadIdx.x;
    all[threadIdx.x] = third;
    __syncthreads();
    y[threadIdx.x] = all[all.size() - 1 - threadIdx.x] + (all.empty() ? 1000 : 0);
}
// LAUNCH: of_shared --block 64 --grid 1 y[64]=zeros
// OUT: y = 3 * (63 - np.arange(64))
