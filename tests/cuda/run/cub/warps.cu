// SPDX-License-Identifier: Apache-2.0
// TEST: cub::WarpReduce and WarpScan for whole, smaller and odd logical warps, with valid items and segments
// REF: docs/reference/cuda.md#cub
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <cuda/functional>

template <int N> __global__ void warps(const int *x, int n, int *out)
{
    typedef cub::WarpReduce<int, N> Reduce;
    typedef cub::WarpScan<int, N> Scan;
    __shared__ typename Reduce::TempStorage reduce[4 * (32 / N)];
    __shared__ typename Scan::TempStorage scan[4 * (32 / N)];
    int t = threadIdx.x, lane = t % 32 % N, w = t / 32 * (32 / N) + min(t % 32 / N, 32 / N - 1), v = x[t] & 1023, k = 0, sum, other;
    int first[6];
    first[0] = Reduce(reduce[w]).Sum(v);
    first[1] = Reduce(reduce[w]).Reduce(v, cuda::maximum<>(), n);
    first[2] = Reduce(reduce[w]).Sum(v, n);
    first[3] = Reduce(reduce[w]).Reduce(v, cuda::minimum<>());
    first[4] = Reduce(reduce[w]).HeadSegmentedSum(v, lane == 0 || v % 3 == 0);
    first[5] = Reduce(reduce[w]).TailSegmentedReduce(v, v % 3 == 0, cuda::maximum<>());
    for (int i = 0; i < 6; i++) {
        bool is_head = i == 4 ? lane == 0 || v % 3 == 0 : lane == 0;
        out[k++ * 128 + t] = is_head ? first[i] : 0;
    }
    Scan(scan[w]).InclusiveSum(v, out[k++ * 128 + t]);
    Scan(scan[w]).ExclusiveSum(v, out[k * 128 + t], sum);
    out[k++ * 128 + t] += sum;
    Scan(scan[w]).InclusiveScan(v, out[k++ * 128 + t], cuda::maximum<>());
    Scan(scan[w]).ExclusiveScan(v, out[k++ * 128 + t], 77, cuda::minimum<>());
    Scan(scan[w]).ExclusiveScan(v, sum, cuda::std::plus<>());
    out[k++ * 128 + t] = lane == 0 ? 0 : sum;
    Scan(scan[w]).Scan(v, sum, other, 0, cuda::std::plus<>());
    out[k++ * 128 + t] = sum * 3 + other;
    out[k++ * 128 + t] = Scan(scan[w]).Broadcast(v, N - 2);
}
template __global__ void warps<32>(const int *, int, int *);
template __global__ void warps<16>(const int *, int, int *);
template __global__ void warps<4>(const int *, int, int *);

// Logical warps that don't fill a warp have a part of it that does nothing.
__global__ void tens(const int *x, int *out)
{
    typedef cub::WarpReduce<int, 10> Reduce;
    __shared__ typename Reduce::TempStorage reduce[3];
    int t = threadIdx.x, sum = Reduce(reduce[min(t / 10, 2)]).Sum(x[t] & 1023);
    if (t % 10 == 0 && t < 30)
        out[t / 10] = sum;
}
__global__ void segments(const int *x, int *out)
{
    typedef cub::WarpReduce<int> Reduce;
    __shared__ Reduce::TempStorage s;
    int t = threadIdx.x;
    int sum = Reduce(s).TailSegmentedSum(x[t] & 1023, t % 8 == 7), least = Reduce(s).HeadSegmentedReduce(x[t] & 1023, t % 4 == 0, cuda::minimum<>());
    out[t] = t % 8 == 0 ? sum : 0;
    out[32 + t] = t % 4 == 0 ? least : 0;
}
// Only one logical warp of each.
__global__ void one(const int *x, int *out)
{
    typedef cub::WarpReduce<int, 8> Reduce;
    __shared__ typename Reduce::TempStorage reduce;
    if (threadIdx.x / 8 == 1) {
        int sum = Reduce(reduce).Sum(x[threadIdx.x] & 1023);
        if (threadIdx.x == 8)
            out[0] = sum;
    }
}
// PY: def of_warp(x, n):
// PY:     N, z = len(x), np.zeros(len(x), np.int64)
// PY:     def first(v):
// PY:         return np.append(v, z[1:])
// PY:     heads = (x % 3 == 0) | (np.arange(N) == 0)
// PY:     at = np.append(np.flatnonzero(heads), N)
// PY:     segments = z.copy()
// PY:     for a, b in zip(at[:-1], at[1:]): segments[a] = x[a:b].sum()
// PY:     tails = np.flatnonzero(x % 3 == 0)
// PY:     until = tails[0] + 1 if len(tails) else N
// PY:     s = np.cumsum(x)
// PY:     return [first(x.sum()), first(x[:n].max()), first(x[:n].sum()), first(x.min()), segments, first(x[:until].max()),
// PY:             s, s - x + s[-1], np.maximum.accumulate(x), np.minimum.accumulate(np.append(77, x[:-1])), s - x, 4 * s - x,
// PY:             z + x[N - 2]]
// PY: def all_warps(x, n, N):
// PY:     return np.concatenate([of_warp(x[i:i + N], n) for i in range(0, 128, N)], 1).ravel()
// LAUNCH: warps<32> x[128]=random:1 n=9 out[1664]=zeros --block 128 --grid 1
// OUT: out = all_warps(in_x.astype(np.int64) & 1023, n, 32)
// LAUNCH: warps<16> x[128]=random:1 n=16 out[1664]=zeros --block 128 --grid 1
// OUT: out = all_warps(in_x.astype(np.int64) & 1023, n, 16)
// LAUNCH: warps<4> x[128]=random:1 n=3 out[1664]=zeros --block 128 --grid 1
// OUT: out = all_warps(in_x.astype(np.int64) & 1023, n, 4)
// LAUNCH: tens x[32]=random:4 out[3]=zeros --block 32 --grid 1
// OUT: out = (in_x.astype(np.int64) & 1023)[:30].reshape(3, 10).sum(1)
// LAUNCH: one x[32]=random:4 out[1]=zeros --block 32 --grid 1
// OUT: out = (in_x.astype(np.int64) & 1023)[8:16].sum()
// LAUNCH: segments x[32]=random:5 out[64]=zeros --block 32 --grid 1
// PY: ten = lambda x: x.astype(np.int64) & 1023
// PY: spread = lambda v, n: np.stack([v] + [v * 0] * (n - 1), 1).ravel()
// OUT: out = np.append(spread(ten(in_x).reshape(-1, 8).sum(1), 8), spread(ten(in_x).reshape(-1, 4).min(1), 4))
