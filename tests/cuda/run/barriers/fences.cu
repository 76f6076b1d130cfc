// SPDX-License-Identifier: Apache-2.0
// TEST: the last block, told by a counter behind __threadfence, sums what all blocks wrote
__device__ unsigned arrived = 0;

__global__ void sum(const int *x, int n, volatile int *partial, int *total)
{
    __shared__ int s[64];
    __shared__ bool last;
    int v = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        v += x[i];
    s[threadIdx.x] = v;
    __syncthreads();
    for (int d = 32; d > 0; d /= 2) {
        if (threadIdx.x < d)
            s[threadIdx.x] += s[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = s[0];
        __threadfence();
        last = atomicInc(&arrived, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        int all = 0;
        for (int b = 0; b < gridDim.x; b++)
            all += partial[b];
        *total = all;
        arrived = 0;
        __threadfence_system();
        __threadfence_block();
    }
}
// LAUNCH: n=1000 x[1000]=iota partial[5]=zeros total[1]=zeros --grid 5 --block 64
// OUT: total = 499500
