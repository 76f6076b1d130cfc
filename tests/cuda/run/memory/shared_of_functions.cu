// SPDX-License-Identifier: Apache-2.0
// TEST: shared memory that functions declare, or the file, is that of each kernel that calls them, in all kernels of a file at once, too
// REF: docs/internals/cuda.md#what-c-has-and-c-hasnt
// check-args: --block 64 --grid 1 --assume '64 <= len(y)' --assume 'dynamic_shared_bytes == 256'
// check: proved
// check early: bug HD0601 line @early
extern __shared__ float at_file[];

__device__ float ends(float v)
{
    __shared__ alignas(16) float s[64];
    s[threadIdx.x] = v;
    __syncthreads();
    float r = s[0] + s[63];
    __syncthreads();
    return r;
}

__device__ float through(float v)
{
    return ends(v) + 1;
}

template <class T, int N>
__device__ T turned(T v)
{
    __shared__ T s[N];
    s[threadIdx.x] = v;
    __syncthreads();
    T r = s[N - 1 - threadIdx.x];
    __syncthreads();
    return r;
}

__device__ float of_launch(float v)
{
    extern __shared__ float s[];
    s[threadIdx.x] = v;
    __syncthreads();
    float r = s[63 - threadIdx.x];
    __syncthreads();
    return r;
}

__device__ void put(float v)
{
    at_file[threadIdx.x] = v;
}

__global__ void first(float *y)
{
    y[threadIdx.x] = ends(threadIdx.x) + turned<int, 64>(threadIdx.x);
}
// LAUNCH: first --block 64 --grid 1 y[64]=zeros
// OUT: y = 63 + 63 - np.arange(64)

__global__ void second(float *y)
{
    float v = through(threadIdx.x) + turned<float, 64>(0.5f * threadIdx.x);
    y[threadIdx.x] = v + turned<int, 64>(threadIdx.x);
}
// LAUNCH: second --block 64 --grid 1 y[64]=zeros
// OUT: y = 64 + 1.5 * (63 - np.arange(64))

__global__ void third(float *y)
{
    if (blockDim.x == 64)
        y[threadIdx.x] = of_launch(ends(2 * threadIdx.x) + threadIdx.x);
    put(y[threadIdx.x]);
    y[threadIdx.x] += at_file[threadIdx.x];
}
// LAUNCH: third --block 64 --grid 1 --shared 256 y[64]=zeros
// OUT: y = 2 * (126 + 63 - np.arange(64))

// The same memory as other types.
__global__ void fourth(float *y)
{
    extern __shared__ int words[];
    words[threadIdx.x] = threadIdx.x;
    int word = words[threadIdx.x];
    put(2 * word);
    y[threadIdx.x] = at_file[threadIdx.x] + word;
    y[threadIdx.x] += of_launch(1);
}
// LAUNCH: fourth --block 64 --grid 1 --shared 256 y[64]=zeros
// OUT: y = 3 * np.arange(64) + 1

__global__ void early(float *y)
{
    put(y[threadIdx.x]);
    y[threadIdx.x] = at_file[63 - threadIdx.x]; //@early
}
