// SPDX-License-Identifier: Apache-2.0
// TEST: sums of arrays: interleaved, sequential, first add while loading, unrolled by templates, by shuffles, by groups
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void interleaved(const int *x, int *y, unsigned n)
{
    extern __shared__ int s[];
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? x[i] : 0;
    __syncthreads();
    for (unsigned d = 1; d < blockDim.x; d *= 2) {
        unsigned k = 2 * d * t;
        if (k < blockDim.x)
            s[k] += s[k + d];
        __syncthreads();
    }
    if (t == 0)
        y[blockIdx.x] = s[0];
}

__global__ void sequential(const int *x, int *y, unsigned n)
{
    extern __shared__ int s[];
    unsigned t = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + t;
    int v = i < n ? x[i] : 0;
    if (i + blockDim.x < n)
        v += x[i + blockDim.x];
    s[t] = v;
    __syncthreads();
    for (unsigned d = blockDim.x / 2; d > 0; d >>= 1) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        y[blockIdx.x] = s[0];
}

template <class T> struct SharedMemory {
    __device__ inline operator T *()
    {
        extern __shared__ int memory[];
        return (T *)memory;
    }
};

template <class T, unsigned BLOCK> __global__ void unrolled(const T *x, T *y, unsigned n)
{
    T *s = SharedMemory<T>();
    unsigned t = threadIdx.x;
    T v = 0;
    for (unsigned i = blockIdx.x * BLOCK * 2 + t; i < n; i += BLOCK * 2 * gridDim.x) {
        v += x[i];
        if (i + BLOCK < n)
            v += x[i + BLOCK];
    }
    s[t] = v;
    __syncthreads();
    if (BLOCK >= 256) {
        if (t < 128)
            s[t] = v = v + s[t + 128];
        __syncthreads();
    }
    if (BLOCK >= 128) {
        if (t < 64)
            s[t] = v = v + s[t + 64];
        __syncthreads();
    }
    if (t < 32) {
        if (BLOCK >= 64)
            v += s[t + 32];
        for (int d = warpSize / 2; d > 0; d /= 2)
            v += __shfl_down_sync(0xffffffff, v, d);
    }
    if (t == 0)
        y[blockIdx.x] = v;
}

__inline__ __device__ int warp_sum(int v)
{
    for (int mask = 16; mask > 0; mask >>= 1)
        v += __shfl_xor_sync(0xffffffff, v, mask);
    return v;
}

__global__ void shuffled(const int *x, int *y, unsigned n)
{
    static __shared__ int partial[32];
    int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize, v = 0;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        v += x[i];
    v = warp_sum(v);
    if (lane == 0)
        partial[warp] = v;
    __syncthreads();
    v = threadIdx.x < blockDim.x / warpSize ? partial[lane] : 0;
    if (warp == 0)
        v = warp_sum(v);
    if (threadIdx.x == 0)
        atomicAdd(y, v);
}

__global__ void grouped(const int *x, int *y, unsigned n)
{
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    int v = 0;
    for (unsigned i = cg::this_grid().thread_rank(); i < n; i += cg::this_grid().size())
        v += x[i];
    v = cg::reduce(warp, v, cg::plus<int>());
    if (warp.thread_rank() == 0)
        atomicAdd(y, v);
}
// PY: def blocks(x, size): return [x[i:i + size].sum() for i in range(0, len(x), size)]
// LAUNCH: interleaved x[1000]=iota y[8]=zeros n=1000 --grid 8 --block 128 --shared 512
// OUT: y = np.array(blocks(in_x, 128))
// LAUNCH: sequential x[1000]=iota y[4]=zeros n=1000 --grid 4 --block 128 --shared 512
// OUT: y = np.array(blocks(in_x, 256))
// LAUNCH: 'unrolled<int, 256>' x[512]=iota y[1]=zeros n=512 --grid 1 --block 256 --shared 1024
// LAUNCH: 'unrolled<float, 64>' x[2000]=iota y[1]=zeros n=2000 --grid 1 --block 64 --shared 256
// LAUNCH: shuffled x[5000]=iota y[1]=zeros n=5000 --grid 3 --block 256
// LAUNCH: grouped x[5000]=iota y[1]=zeros n=5000 --grid 3 --block 96
// OUT: y = in_x.sum()
