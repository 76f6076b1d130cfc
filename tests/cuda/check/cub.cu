// SPDX-License-Identifier: Apache-2.0
// TEST: uses of CUB's block primitives are proved, and races where one TempStorage is used again without a barrier
// REF: docs/reference/cuda.md#cub
// check-args: --block 128
// check sums: proved
// check sums_again: bug HD0601 line @sums_again other @sums_before __syncthreads
// check tiles: proved
// check tiles_again: bug HD0601 line @tiles_again
// check scans<0>: proved
// check scans<1>: proved
// check scans<2>: proved
// check scans_again<0>: bug HD0601 line @scans_again
// check scans_again<1>: bug HD0601 line @scans_again
// check scans_again<2>: bug HD0601 line @scans_again
// check sorted<float>: proved
// check sorted<short>: proved
// check sorted_again: bug HD0601 line @sorted_again
// check shared_memory: proved
// check shared_memory_again: bug HD0601
// check transposed: proved
// check transposed_again: bug HD0601 line @transposed_again
// check warps: proved
// check read_elsewhere: bug HD0601 line @read_elsewhere
// check one_warp_only: bug HD0705 line @one_warp_only
// check one_warp_only: also HD0702
#include <cub/cub.cuh>

__global__ void sums(const float *x, float *y, int n)
{
    // heddle: requires n <= len(x) && gridDim.x <= len(y)
    typedef cub::BlockReduce<float, 128> Reduce;
    __shared__ typename Reduce::TempStorage s;
    int i = blockIdx.x * 128 + threadIdx.x;
    float v = i < n ? x[i] : 0, sum = Reduce(s).Sum(v);
    __syncthreads();
    float most = Reduce(s).Reduce(v, cub::Max(), min(128, n));
    if (threadIdx.x == 0)
        y[blockIdx.x] = sum + most;
}
__global__ void sums_again(const float *x, float *y, int n)
{
    // heddle: requires n <= len(x) && gridDim.x <= len(y)
    typedef cub::BlockReduce<float, 128> Reduce;
    __shared__ typename Reduce::TempStorage s;
    int i = blockIdx.x * 128 + threadIdx.x;
    float v = i < n ? x[i] : 0;
    float sum = Reduce(s).Sum(v);           //@sums_before
    float most = Reduce(s).Reduce(v, cub::Max()); //@sums_again
    if (threadIdx.x == 0)
        y[blockIdx.x] = sum + most;
}

struct Running {
    int total;
    __device__ int operator()(int sum)
    {
        int before = total;
        total += sum;
        return before;
    }
};
__global__ void tiles(const int *x, int *y, int n)
{
    // heddle: requires n <= len(x) && n <= len(y) && gridDim.x == 1
    typedef cub::BlockScan<int, 128> Scan;
    __shared__ typename Scan::TempStorage s;
    Running running = {0};
    for (int first = 0; first < n; first += 128) {
        int i = first + threadIdx.x, v = i < n ? x[i] : 0;
        Scan(s).ExclusiveSum(v, v, running);
        __syncthreads();
        if (i < n)
            y[i] = v;
    }
}
__global__ void tiles_again(const int *x, int *y, int n)
{
    // heddle: requires n <= len(x) && n <= len(y) && gridDim.x == 1
    typedef cub::BlockScan<int, 128> Scan;
    __shared__ typename Scan::TempStorage s;
    Running running = {0};
    for (int first = 0; first < n; first += 128) {
        int i = first + threadIdx.x, v = i < n ? x[i] : 0;
        Scan(s).ExclusiveSum(v, v, running); //@tiles_again
        if (i < n)
            y[i] = v;
    }
}

template <cub::BlockScanAlgorithm A> __global__ void scans(const int *x, int *y, int n)
{
    // heddle: requires n <= len(x) && n <= len(y)
    typedef cub::BlockScan<int, 128, A> Scan;
    __shared__ typename Scan::TempStorage s;
    int i = blockIdx.x * 128 + threadIdx.x, v = i < n ? x[i] : 0, sum;
    Scan(s).ExclusiveSum(v, v, sum);
    __syncthreads();
    Scan(s).InclusiveScan(v, v, cub::Min());
    if (i < n)
        y[i] = v + sum;
}
template <cub::BlockScanAlgorithm A> __global__ void scans_again(const int *x, int *y, int n)
{
    // heddle: requires n <= len(x) && n <= len(y)
    typedef cub::BlockScan<int, 128, A> Scan;
    __shared__ typename Scan::TempStorage s;
    int i = blockIdx.x * 128 + threadIdx.x, v = i < n ? x[i] : 0, sum;
    Scan(s).ExclusiveSum(v, v, sum);
    Scan(s).InclusiveScan(v, v, cub::Min()); //@scans_again
    if (i < n)
        y[i] = v + sum;
}
template __global__ void scans<cub::BLOCK_SCAN_RAKING>(const int *, int *, int);
template __global__ void scans<cub::BLOCK_SCAN_RAKING_MEMOIZE>(const int *, int *, int);
template __global__ void scans<cub::BLOCK_SCAN_WARP_SCANS>(const int *, int *, int);
template __global__ void scans_again<cub::BLOCK_SCAN_RAKING>(const int *, int *, int);
template __global__ void scans_again<cub::BLOCK_SCAN_RAKING_MEMOIZE>(const int *, int *, int);
template __global__ void scans_again<cub::BLOCK_SCAN_WARP_SCANS>(const int *, int *, int);

template <class K> __global__ void sorted(const K *x, K *y, int *places, int n)
{
    // heddle: requires n <= len(x) && n <= len(y) && n <= len(places) && gridDim.x <= 65535
    typedef cub::BlockLoad<K, 128, 3, cub::BLOCK_LOAD_WARP_TRANSPOSE> Load;
    typedef cub::BlockRadixSort<K, 128, 3, int> Sort;
    typedef cub::BlockStore<K, 128, 3, cub::BLOCK_STORE_TRANSPOSE> Store;
    __shared__ union {
        typename Load::TempStorage load;
        typename Sort::TempStorage sort;
        typename Store::TempStorage store;
    } s;
    K keys[3];
    int values[3], first = blockIdx.x * 384, left = n - first;
    Load(s.load).Load(x + first, keys, left, K());
    __syncthreads();
    for (int i = 0; i < 3; i++)
        values[i] = first + threadIdx.x * 3 + i;
    Sort(s.sort).SortDescending(keys, values, 2, 12);
    __syncthreads();
    Store(s.store).Store(y + first, keys, left);
    cub::StoreDirectBlocked(threadIdx.x, places + first, values, left);
}
template __global__ void sorted<float>(const float *, float *, int *, int);
template __global__ void sorted<short>(const short *, short *, int *, int);
__global__ void sorted_again(const int *x, int *y, int n)
{
    // heddle: requires n <= len(x) && n <= len(y) && gridDim.x <= 65535
    typedef cub::BlockRadixSort<int, 128, 2> Sort;
    typedef cub::BlockStore<int, 128, 2, cub::BLOCK_STORE_TRANSPOSE> Store;
    __shared__ union {
        Sort::TempStorage sort;
        Store::TempStorage store;
    } s;
    int keys[2], first = blockIdx.x * 256;
    cub::LoadDirectBlocked(threadIdx.x, x + first, keys, n - first, 0);
    Sort(s.sort).Sort(keys);
    Store(s.store).Store(y + first, keys, n - first); //@sorted_again
}

// Memory of CUB's that is an array of the kernel's as well.
__global__ void shared_memory(const float *x, float *y, int n)
{
    // heddle: requires n <= len(x) && n <= len(y)
    typedef cub::BlockReduce<float, 128> Reduce;
    __shared__ union {
        Reduce::TempStorage reduce;
        float tile[128];
    } s;
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    float sum = Reduce(s.reduce).Sum(i < n ? x[i] : 0);
    __syncthreads();
    s.tile[t] = t == 0 ? sum : 1;
    __syncthreads();
    if (i < n)
        y[i] = s.tile[127 - t];
}
__global__ void shared_memory_again(const float *x, float *y, int n)
{
    // heddle: requires n <= len(x) && n <= len(y)
    typedef cub::BlockReduce<float, 128> Reduce;
    __shared__ union {
        Reduce::TempStorage reduce;
        float tile[128];
    } s;
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    float sum = Reduce(s.reduce).Sum(i < n ? x[i] : 0);
    s.tile[t] = t == 0 ? sum : 1;
    __syncthreads();
    if (i < n)
        y[i] = s.tile[127 - t];
}

__global__ void transposed(const float *x, float *y, int n)
{
    // heddle: requires n <= len(x) && n <= len(y) && gridDim.x <= 65535
    typedef cub::BlockLoad<float, 128, 4, cub::BLOCK_LOAD_TRANSPOSE> Load;
    __shared__ Load::TempStorage s;
    float a[4], b[4];
    int first = blockIdx.x * 512;
    Load(s).Load(x + first, a, n - first, 0);
    __syncthreads();
    Load(s).Load(x + first, b, n - first, 1);
    for (int i = 0; i < 4; i++)
        a[i] += b[i];
    cub::StoreDirectStriped<128>(threadIdx.x, y + first, a, n - first);
}
__global__ void transposed_again(const float *x, float *y, int n)
{
    // heddle: requires n <= len(x) && n <= len(y) && gridDim.x <= 65535
    typedef cub::BlockLoad<float, 128, 4, cub::BLOCK_LOAD_TRANSPOSE> Load;
    __shared__ Load::TempStorage s;
    float a[4], b[4];
    int first = blockIdx.x * 512;
    Load(s).Load(x + first, a, n - first, 0);
    Load(s).Load(x + first, b, n - first, 1); //@transposed_again
    for (int i = 0; i < 4; i++)
        a[i] += b[i];
    cub::StoreDirectStriped<128>(threadIdx.x, y + first, a, n - first);
}

__global__ void warps(const int *x, int *y, int n)
{
    // heddle: requires n <= len(x) && n <= len(y)
    typedef cub::WarpReduce<int, 16> Reduce;
    typedef cub::WarpScan<int> Scan;
    __shared__ Reduce::TempStorage r[8];
    __shared__ Scan::TempStorage s[4];
    int t = threadIdx.x, i = blockIdx.x * 128 + t, v = i < n ? x[i] : 0, sum;
    int most = Reduce(r[t / 16]).Reduce(v, cub::Max());
    Scan(s[t / 32]).ExclusiveSum(v, sum);
    if (i < n)
        y[i] = sum + (t % 16 == 0 ? most : 0);
}

// The result is thread 0's: the others find it where it was put only behind a barrier.
__global__ void read_elsewhere(const float *x, float *y, int n)
{
    // heddle: requires n <= len(x) && n <= len(y)
    typedef cub::BlockReduce<float, 128> Reduce;
    __shared__ Reduce::TempStorage s;
    __shared__ float whole;
    int i = blockIdx.x * 128 + threadIdx.x;
    float sum = Reduce(s).Sum(i < n ? x[i] : 0);
    if (threadIdx.x == 0)
        whole = sum;
    if (i < n)
        y[i] = whole; //@read_elsewhere
}
// All threads of the block take part.
__global__ void one_warp_only(const float *x, float *y, int n)
{
    // heddle: requires n <= len(x) && gridDim.x <= len(y)
    typedef cub::BlockReduce<float, 128> Reduce;
    __shared__ Reduce::TempStorage s;
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) { //@one_warp_only
        float sum = Reduce(s).Sum(x[i]);
        if (threadIdx.x == 0)
            y[blockIdx.x] = sum;
    }
}
