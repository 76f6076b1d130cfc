// SPDX-License-Identifier: Apache-2.0
// TEST: a loop that copies the next tile while it works on this one, with __pipeline primitives
#include <cuda_pipeline_primitives.h>

#define STAGES 3

__global__ void stages(const float *x, float *y, int tiles)
{
    __shared__ float s[STAGES][64];
    int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < STAGES - 1; k++) {
        if (k < tiles)
            __pipeline_memcpy_async(&s[k][t], &x[k * 64 + t], 4);
        __pipeline_commit();
    }
    for (int k = 0; k < tiles; k++) {
        int next = k + STAGES - 1;
        __syncthreads();
        if (next < tiles)
            __pipeline_memcpy_async(&s[next % STAGES][t], &x[next * 64 + t], 4);
        __pipeline_commit();
        __pipeline_wait_prior(STAGES - 1);
        __syncthreads();
        sum += s[k % STAGES][63 - t];
    }
    y[t] = sum;
}
// LAUNCH: x[640]=iota y[64]=zeros tiles=10 --block 64 --grid 1
// LAUNCH: x[64]=iota y[64]=zeros tiles=1 --block 64 --grid 1
// OUT: y = in_x.reshape(-1, 64).sum(0)[::-1]
