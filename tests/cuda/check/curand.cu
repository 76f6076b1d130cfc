// SPDX-License-Identifier: Apache-2.0
// TEST: kernels that draw random numbers are proved; two threads with one state are a race
// REF: docs/reference/cuda.md#curand
// check-args: --block 128
// check begin: proved
// check steps: proved
// check pi: proved
// check one_state: bug HD0601 line @one_state
#include <curand_kernel.h>

__global__ void begin(curandState *states, int n, unsigned long long seed)
{
    // heddle: requires n <= len(states)
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n)
        curand_init(seed, i, 0, &states[i]);
}
__global__ void steps(curandStatePhilox4_32_10_t *states, float *x, int n, int turns)
{
    // heddle: requires n <= len(states) && n <= len(x)
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= n)
        return;
    curandStatePhilox4_32_10_t s = states[i];
    for (int k = 0; k < turns; k++)
        x[i] += curand_normal(&s) * curand_uniform4(&s).z;
    states[i] = s;
}
__global__ void pi(unsigned *hits, int turns)
{
    // heddle: requires 1 <= len(hits)
    curandState s;
    curand_init(1, blockIdx.x * 128 + threadIdx.x, 0, &s);
    unsigned n = 0;
    for (int k = 0; k < turns; k++) {
        float x = curand_uniform(&s), y = curand_uniform(&s);
        n += x * x + y * y <= 1;
    }
    atomicAdd(hits, n);
}
__global__ void one_state(curandState *states, float *x, int n)
{
    // heddle: requires gridDim.x <= len(states) && n <= len(x)
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n)
        x[i] = curand_uniform(&states[blockIdx.x]); //@one_state
}
