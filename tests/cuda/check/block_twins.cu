// SPDX-License-Identifier: Apache-2.0
// TEST: twins of small kernels, one of each pair with a barrier too few
// check-args: --block 64 --grid 4
// check reverse_racy: bug HD0601
// check reverse: proved
// check neighbours_racy: bug HD0601
// check neighbours: proved
// check scan_racy: bug HD0601
// check scan: proved
// check buffers_racy: bug HD0601
// check buffers: proved
// check warp_racy: bug HD0601
// check warp: proved
// check tile_racy: bug HD0601
// check tile: proved
// check histogram_racy: bug HD0601
// check histogram: proved
// check carved_racy: bug HD0601
// check carved: proved
// check named_racy: bug HD0601
// check named: proved
// check copies_racy: bug HD0601
// check copies_racy: also HD1031
// check copies: proved
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;

__global__ void reverse_racy(int *x)
{
    // heddle: requires 256 <= len(x)
    __shared__ int s[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t] = x[i];
    x[i] = s[63 - t];
}

__global__ void reverse(int *x)
{
    // heddle: requires 256 <= len(x)
    __shared__ int s[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t] = x[i];
    __syncthreads();
    x[i] = s[63 - t];
}

__global__ void neighbours_racy(int *x)
{
    // heddle: requires 257 <= len(x)
    int i = blockIdx.x * 64 + threadIdx.x;
    int v = x[i + 1];
    __syncthreads();
    x[i] = v;
}

__global__ void neighbours(const int *x, int *y)
{
    // heddle: requires 257 <= len(x) && 256 <= len(y)
    int i = blockIdx.x * 64 + threadIdx.x;
    y[i] = x[i + 1];
}

__global__ void scan_racy(int *x)
{
    // heddle: requires 256 <= len(x)
    __shared__ int s[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t] = x[i];
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        int v = t >= d ? s[t - d] : 0;
        s[t] += v;
        __syncthreads();
    }
    x[i] = s[t];
}

__global__ void scan(int *x)
{
    // heddle: requires 256 <= len(x)
    __shared__ int s[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t] = x[i];
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        int v = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    x[i] = s[t];
}

__global__ void buffers_racy(const int *x, int *y, int rounds)
{
    // heddle: requires rounds > 0 && rounds < 1000 && 64 * rounds <= len(x) && 256 <= len(y)
    __shared__ int s[64];
    int t = threadIdx.x, sum = 0;
    for (int r = 0; r < rounds; r++) {
        s[t] = x[r * 64 + t];
        __syncthreads();
        sum += s[63 - t];
    }
    y[blockIdx.x * 64 + t] = sum;
}

__global__ void buffers(const int *x, int *y, int rounds)
{
    // heddle: requires rounds > 0 && rounds < 1000 && 64 * rounds <= len(x) && 256 <= len(y)
    __shared__ int s[2][64];
    int t = threadIdx.x, sum = 0;
    for (int r = 0; r < rounds; r++) {
        s[r % 2][t] = x[r * 64 + t];
        __syncthreads();
        sum += s[r % 2][63 - t];
    }
    y[blockIdx.x * 64 + t] = sum;
}

__global__ void warp_racy(int *x)
{
    // heddle: requires 256 <= len(x)
    __shared__ int s[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t] = x[i];
    x[i] = s[t ^ 1];
}

__global__ void warp(int *x)
{
    // heddle: requires 256 <= len(x)
    __shared__ int s[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t] = x[i];
    __syncwarp();
    x[i] = s[t ^ 1];
}

__global__ void tile_racy(int *x)
{
    // heddle: requires 256 <= len(x)
    __shared__ int s[64];
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t] = x[i];
    tile.sync();
    x[i] = s[t ^ 16];
}

__global__ void tile(int *x)
{
    // heddle: requires 256 <= len(x)
    __shared__ int s[64];
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t] = x[i];
    tile.sync();
    x[i] = s[t ^ 15];
}

__global__ void histogram_racy(const unsigned char *x, int *bins)
{
    // heddle: requires 256 <= len(x) && 256 <= len(bins)
    bins[x[blockIdx.x * 64 + threadIdx.x]]++;
}

__global__ void histogram(const unsigned char *x, int *bins)
{
    // heddle: requires 256 <= len(x) && 256 <= len(bins)
    atomicAdd(&bins[x[blockIdx.x * 64 + threadIdx.x]], 1);
}

__global__ void carved_racy(const int *x, int *y)
{
    // heddle: requires 256 <= len(x) && 256 <= len(y)
    __shared__ int s[96];
    int *low = s, *high = s + 32;
    int t = threadIdx.x;
    if (t < 40)
        low[t] = x[t];
    else
        high[t - 40] = x[t];
    __syncthreads();
    y[blockIdx.x * 64 + t] = s[t];
}

__global__ void carved(const int *x, int *y)
{
    // heddle: requires 256 <= len(x) && 256 <= len(y)
    __shared__ int s[96];
    int *low = s, *high = s + 40;
    int t = threadIdx.x;
    if (t < 40)
        low[t] = x[t];
    else
        high[t - 40] = x[t];
    __syncthreads();
    y[blockIdx.x * 64 + t] = s[t];
}

__global__ void named_racy(int *x)
{
    // heddle: requires 256 <= len(x)
    __shared__ int s[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t] = x[i];
    if (t < 32)
        asm volatile("bar.sync 1, 32;" ::: "memory");
    else
        asm volatile("bar.sync 2, 32;" ::: "memory");
    x[i] = s[63 - t];
}

__global__ void named(int *x)
{
    // heddle: requires 256 <= len(x)
    __shared__ int s[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t] = x[i];
    asm volatile("bar.sync 1, 64;" ::: "memory");
    x[i] = s[63 - t];
}

__global__ void copies_racy(int *x)
{
    // heddle: requires 256 <= len(x)
    __shared__ int s[64];
    cg::thread_block block = cg::this_thread_block();
    int t = threadIdx.x;
    cg::memcpy_async(block, s, x + blockIdx.x * 64, sizeof(int) * 64);
    block.sync();
    x[blockIdx.x * 64 + t] = s[63 - t];
}

__global__ void copies(int *x)
{
    // heddle: requires 256 <= len(x)
    __shared__ int s[64];
    cg::thread_block block = cg::this_thread_block();
    int t = threadIdx.x;
    cg::memcpy_async(block, s, x + blockIdx.x * 64, sizeof(int) * 64);
    cg::wait(block);
    x[blockIdx.x * 64 + t] = s[63 - t];
}
