// SPDX-License-Identifier: Apache-2.0
// TEST: what is volatile stays so as the argument of an intrinsic, and what is wrong there has its own place
// check-args: --block 64 --grid 2
// check last_block: proved
// check arguments: proved
// check places: bug HD0601 line @second other @store

__global__ void last_block(const float *__restrict__ x, volatile float *__restrict__ sums, unsigned *count)
{
    // heddle: requires 128 <= len(x) && 2 <= len(sums) && 1 <= len(count)
    __shared__ float sum;
    __shared__ bool is_last;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, x[blockIdx.x * blockDim.x + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = sum;
        __threadfence();
        is_last = atomicAdd(count, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last) {
        if (threadIdx.x == 0)
            sum = 0;
        __syncthreads();
        for (int i = threadIdx.x; i < gridDim.x; i += blockDim.x)
            atomicAdd(&sum, sums[i]);
        __syncthreads();
        if (threadIdx.x == 0) {
            sums[0] = sum;
            *count = 0; //@reset
        }
    }
}

__global__ void arguments(volatile int *flag, float *y, volatile float *v)
{
    // heddle: requires 1 <= len(flag) && 128 <= len(y) && 2 <= len(v)
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) {
        *flag = 1;
        v[1] = 2;
    }
    y[i] = __popc(*flag) + fmaxf(v[0], v[1]) + __fdividef(v[0], v[1]) + __int2float_rn(max(*flag, 3));
}

__global__ void places(float *x, float *y)
{
    // heddle: requires 128 <= len(x) && 64 <= len(y)
    __shared__ float s[64];
    if (blockIdx.x > 0)
        return;
    float first = __fdividef(x[threadIdx.x], 3);
    s[threadIdx.x] = first;                            //@store
    y[threadIdx.x] = __fdividef(s[63 - threadIdx.x],   //@second
                                x[threadIdx.x + 64]);
}
