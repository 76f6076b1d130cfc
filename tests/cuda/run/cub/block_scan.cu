// SPDX-License-Identifier: Apache-2.0
// TEST: cub::BlockScan: inclusive and exclusive, with totals, initial values and callbacks, by every algorithm
// REF: docs/reference/cuda.md#cub
#include <cub/block/block_scan.cuh>
#include <cuda/functional>

struct Running {
    int total;
    __device__ Running(int total) : total(total) {}
    __device__ int operator()(int sum)
    {
        int before = total;
        total += sum;
        return before;
    }
};
struct Affine {
    unsigned a, b;
};
struct Compose { // doesn't commute
    __device__ Affine operator()(const Affine &f, const Affine &g) const { return Affine{f.a * g.a, f.b * g.a + g.b}; }
};

template <int Threads, cub::BlockScanAlgorithm A> __device__ void scans(const int *x, int *out)
{
    typedef cub::BlockScan<int, Threads, A> Scan;
    typedef cub::BlockScan<Affine, Threads, A> AffineScan;
    __shared__ typename Scan::TempStorage s;
    __shared__ typename AffineScan::TempStorage affines;
    int t = threadIdx.x, v = x[t] & 1023, sum, k = 0;
    Scan(s).InclusiveSum(v, out[k++ * Threads + t]);
    __syncthreads();
    Scan(s).ExclusiveSum(v, out[k * Threads + t], sum);
    out[k++ * Threads + t] += sum;
    __syncthreads();
    Scan(s).InclusiveScan(v, out[k * Threads + t], cuda::maximum<>(), sum);
    out[k++ * Threads + t] += sum;
    __syncthreads();
    Scan(s).ExclusiveScan(v, out[k++ * Threads + t], 500, cuda::maximum<>());
    __syncthreads();
    Scan(s).ExclusiveScan(v, sum, cuda::minimum<>());
    out[k++ * Threads + t] = t == 0 ? 0 : sum;
    __syncthreads();
    Running running(100);
    for (int turn = 0; turn < 2; turn++) {
        Scan(s).ExclusiveSum(v, out[k++ * Threads + t], running);
        __syncthreads();
        Scan(s).InclusiveSum(v, out[k++ * Threads + t], running);
        __syncthreads();
    }
    int items[3] = {v, 2 * v, t}, sums[3], more[3];
    Scan(s).InclusiveSum(items, sums);
    __syncthreads();
    Scan(s).ExclusiveScan(items, more, 7, cuda::std::plus<>(), sum);
    for (int i = 0; i < 3; i++)
        out[k++ * Threads + t] = sums[i] * 3 + more[i] + sum;
    __syncthreads();
    Scan(s).ExclusiveSum(items, items, running);
    for (int i = 0; i < 3; i++)
        out[k++ * Threads + t] = items[i];
    Affine f = {(unsigned)v | 1, (unsigned)t}, before, until;
    AffineScan(affines).InclusiveScan(f, until, Compose());
    __syncthreads();
    AffineScan(affines).ExclusiveScan(f, before, Affine{3, 5}, Compose());
    out[k++ * Threads + t] = (int)(until.b + before.b);
}

template <int Threads> __global__ void algorithms(const int *x, int *out)
{
    scans<Threads, cub::BLOCK_SCAN_RAKING>(x, out);
    scans<Threads, cub::BLOCK_SCAN_RAKING_MEMOIZE>(x, out + 16 * Threads);
    scans<Threads, cub::BLOCK_SCAN_WARP_SCANS>(x, out + 32 * Threads);
}
template __global__ void algorithms<20>(const int *, int *);
template __global__ void algorithms<32>(const int *, int *);
template __global__ void algorithms<72>(const int *, int *);
template __global__ void algorithms<128>(const int *, int *);
// PY: def affine(x, a, b):
// PY:     r = [b]
// PY:     for t, v in enumerate(int(v) for v in x):
// PY:         a, b = a * (v | 1) % 2**32, (b * (v | 1) + t) % 2**32
// PY:         r.append(b)
// PY:     return np.array(r)
// PY: def scanned(x):
// PY:     t = np.arange(len(x))
// PY:     total, most = np.cumsum(x), np.maximum.accumulate(x)
// PY:     less = np.minimum.accumulate(x)
// PY:     rows = [total, total - x + total[-1], most + most[-1], np.maximum(500, np.append(500, most[:-1])), np.append(0, less[:-1])]
// PY:     for turn in range(2):
// PY:         rows += [100 + 2 * turn * total[-1] + total - x, 100 + (2 * turn + 1) * total[-1] + total]
// PY:     items = np.stack([x, 2 * x, t], 1).ravel()
// PY:     sums = np.cumsum(items)
// PY:     rows += list((3 * sums + 7 + sums - items + sums[-1]).reshape(-1, 3).T)
// PY:     rows += list((100 + 4 * total[-1] + sums - items).reshape(-1, 3).T)
// PY:     rows += [affine(x, 1, 0)[1:] + affine(x, 3, 5)[:-1]]
// PY:     rows = np.stack(rows).ravel()
// PY:     whole = np.zeros((3, 16 * len(x)), np.int64)
// PY:     whole[:, :len(rows)] = rows
// PY:     return whole.ravel()
// LAUNCH: algorithms<20> x[20]=random:1 out[960]=zeros --block 20 --grid 1
// LAUNCH: algorithms<32> x[32]=random:1 out[1536]=zeros --block 32 --grid 1
// LAUNCH: algorithms<72> x[72]=random:2 out[3456]=zeros --block 72 --grid 1
// LAUNCH: algorithms<128> x[128]=random:3 out[6144]=zeros --block 128 --grid 1
// OUT: out = scanned(in_x.astype(np.int64) & 1023)
