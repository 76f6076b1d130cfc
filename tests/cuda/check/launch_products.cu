// SPDX-License-Identifier: Apache-2.0
// TEST: a product that the host passes beside one of its factors is 0 where that is; a sum isn't
// REF: docs/internals/check.md
// convert leaves out by_product, by_long_product, by_sum, next_of_product: launches are no part of it
// check by_product: proved
// check by_long_product: proved
// check by_sum: bug HD0702 line @sum
// check next_of_product: bug HD0702 line @next
#include <stdlib.h>

#define ADD(name)                                                      \
    __global__ void name(size_t n, int row, const float *x, float *y)  \
    {                                                                  \
        size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;      \
        if (i < n)                                                     \
            y[i] += x[i % row];                                        \
    }

// clang-format off
ADD(by_product)
ADD(by_long_product)
ADD(by_sum) //@sum
// clang-format on

__global__ void next_of_product(size_t n, int row, const float *x, float *y)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] += x[i % row + 1]; //@next
}

int main(int argc, char **argv)
{
    const int row = atoi(argv[1]);
    const int rows = atoi(argv[2]), planes = atoi(argv[3]);
    const size_t n = (size_t)row * rows, m = (size_t)planes * rows * row;
    const size_t sum = (size_t)row + rows;
    float *x, *y, *z, *u;
    cudaMalloc(&x, row * sizeof(float));
    cudaMalloc(&y, n * sizeof(float));
    cudaMalloc(&z, m * sizeof(float));
    cudaMalloc(&u, sum * sizeof(float));
    by_product<<<(n + 255) / 256, 256>>>(n, row, x, y);
    next_of_product<<<(n + 255) / 256, 256>>>(n, row, x, y);
    by_long_product<<<(m + 255) / 256, 256>>>(m, row, x, z);
    by_sum<<<(sum + 255) / 256, 256>>>(sum, row, x, u);
}
