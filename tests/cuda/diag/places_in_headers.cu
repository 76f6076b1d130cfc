// SPDX-License-Identifier: Apache-2.0
// TEST: what our headers make of a call is told at the call; operators that the class leaves to the compiler, and libraries that aren't supported, are named
struct Pair {
    int a, b;
    __device__ bool operator==(const Pair &) const = default; //~ error HD1150: not supported in CUDA mode: a defaulted 'operator=='
};

__global__ void counts(int *p)
{
    int n = __syncthreads_count(p[0]);
    if (threadIdx.x < 5)
        p[0] = __syncthreads_count(n); //~ error HD0515: '__syncthreads_count(n)' must be reached by all threads of the block together
}

__global__ void compares(Pair *p, int *out) { out[0] = p[0] == p[1]; }

__global__ void random(curandState *s) { s[0] = s[1]; } //~ error HD0301: 'curandState' is not declared
//~^ note: #include <curand_kernel.h> declares it
