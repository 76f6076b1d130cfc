// SPDX-License-Identifier: Apache-2.0
// TEST: parameters of a host function for which all calls pass one value are equal where it launches; device functions of its name don't count
// REF: docs/internals/check.md
// convert leaves out apart, apart_once, moved, swapped: what the host computes stays behind
// check apart: unknown HD0702 line @apart number of elements
// check apart_once: bug HD0601
// check moved: bug HD0601
// check swapped: bug HD0601
#include <stdlib.h>

#define ROWS(name)                                                    \
    __global__ void name(float *x, int n, int stride)                 \
    {                                                                 \
        add(x + blockIdx.y * stride, n);                              \
    }

__device__ void add(float *row, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        row[i] += 1; //@apart
}

ROWS(apart)
ROWS(apart_once)
ROWS(moved)
ROWS(swapped)

template <typename T>
void add(T *x, int n, int stride, int rows)
{
    apart<<<dim3((n + 255) / 256, rows), 256>>>(x, n, stride);
}

void add_once(float *x, int n, int stride, int rows)
{
    apart_once<<<dim3((n + 255) / 256, rows), 256>>>(x, n, stride);
}

void add_moved(float *x, int n, int stride, int rows)
{
    stride--;
    moved<<<dim3((n + 255) / 256, rows), 256>>>(x, n, stride);
}

void add_swapped(float *x, int n, int stride, int rows)
{
    swapped<<<dim3((n + 255) / 256, rows), 256>>>(x, n, stride);
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), m = atoi(argv[2]);
    float *x;
    cudaMalloc(&x, 4096);
    add(x, n, n, m);
    add<float>(x, m, m, n);
    add_once(x, n, n, m);
    add_once(x, n, m, m);
    add_moved(x, n, n, m);
    add_swapped(x, n, m, m);
}
