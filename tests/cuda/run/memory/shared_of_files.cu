// SPDX-License-Identifier: Apache-2.0
// TEST: shared variables of the file are one each for a kernel, whichever block or function of it names them first
// REF: docs/internals/cuda.md#what-c-has-and-c-hasnt
// check-args: --block 64 --grid 1 --assume '64 <= len(x)' --assume 'dynamic_shared_bytes == 20'
// check: proved
__shared__ bool is_large;
static __shared__ float part[64];
namespace tables {
__device__ __shared__ int words[4];
}
extern __shared__ float dynamic[];

__device__ void add(int i, float v)
{
    if (i < 4)
        tables::words[i] = i;
    part[i] += v;
}

// The first uses are in a branch, in a function, and in a loop under the name of
// a variable of the loop.
__global__ void first_uses(int *x)
{
    int i = threadIdx.x;
    if (i == 0) {
        is_large = x[0] > 3;
    }
    part[i] = 0;
    for (int k = 0; k < 3; k++) {
        float part = 2;
        add(i, part);
    }
    __syncthreads();
    {
        int is_large = 3;
        x[64 * blockIdx.x + i] += is_large;
    }
    if (is_large)
        x[64 * blockIdx.x + i] += part[i ^ 1] + tables::words[i % 4];
}
// LAUNCH: first_uses x[64]=full:5 --block 64 --grid 1
// OUT: x = 5 + 3 + 6 + np.arange(64) % 4
// LAUNCH: first_uses x[64]=full:1 --block 64 --grid 1
// OUT: x = np.full(64, 4)

__global__ void first_lanes(float *x)
{
    if (threadIdx.x < 5) {
        dynamic[threadIdx.x] = x[threadIdx.x + 1];
    }
    __syncthreads();
    x[64 * blockIdx.x + threadIdx.x] = dynamic[threadIdx.x % 5];
}
// LAUNCH: first_lanes x[64]=iota --block 64 --grid 1 --shared 20
// OUT: x = np.arange(64) % 5 + 1
