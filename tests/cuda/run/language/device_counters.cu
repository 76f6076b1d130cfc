// SPDX-License-Identifier: Apache-2.0
// TEST: a counter in a __device__ variable is fresh for every seed of --schedule all:N, an array and a struct too
struct Pair { int a, b; };
__device__ int count, counts[3] = {1, 2, 3};
__device__ Pair pair = {4, 5};

__global__ void once(int *out)
{
    out[0] = atomicAdd(&count, 1);
    out[1] = counts[1]++;
    out[2] = pair.b++;
    __assert(out[0] == 0 && out[1] == 2 && out[2] == 5);
}
// LAUNCH: out[3]=zeros --block 1 --grid 1 --schedule all:4
// OUT: out = [0, 2, 5]
