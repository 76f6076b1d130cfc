// SPDX-License-Identifier: Apache-2.0
// TEST: pointers of one array are found behind any number of others in a struct that a launch passes
// REF: docs/guide/cuda.md
#include <cuda_runtime.h>

#define TEN(x) *x##0, *x##1, *x##2, *x##3, *x##4, *x##5, *x##6, *x##7, *x##8, *x##9
#define TEN_TIMES(v) v, v, v, v, v, v, v, v, v, v
struct Many {
    int TEN(a), TEN(b), TEN(c), TEN(d), TEN(e), TEN(f), TEN(g);
    int *low, *high;
};

// check: unknown HD0601 may be the same memory
__global__ void k(Many m)
{
    m.low[threadIdx.x] = 1;
    m.high[threadIdx.x] = 2;
}

void launch()
{
    int *x;
    cudaMalloc(&x, 65 * sizeof(int));
    Many m = {TEN_TIMES(nullptr), TEN_TIMES(nullptr), TEN_TIMES(nullptr),
              TEN_TIMES(nullptr), TEN_TIMES(nullptr), TEN_TIMES(nullptr),
              TEN_TIMES(nullptr), x, x + 1};
    k<<<1, 64>>>(m);
}
