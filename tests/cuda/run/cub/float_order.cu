// SPDX-License-Identifier: Apache-2.0
// TEST: sums of floats by CUB's algorithms have the bits that CUB's order of additions gives
// REF: docs/reference/cuda.md#cub
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>

template <cub::BlockReduceAlgorithm A> __device__ void sum(const float *x, float *out)
{
    typedef cub::BlockReduce<float, 256, A> Reduce;
    __shared__ typename Reduce::TempStorage s;
    float v = Reduce(s).Sum(x[threadIdx.x]);
    if (threadIdx.x == 0)
        out[0] = v;
}
__global__ void sum_by_warps(const float *x, float *out) { sum<cub::BLOCK_REDUCE_WARP_REDUCTIONS>(x, out); }
__global__ void sum_raking(const float *x, float *out) { sum<cub::BLOCK_REDUCE_RAKING>(x, out); }
__global__ void sum_commutative(const float *x, float *out) { sum<cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY>(x, out); }

template <cub::BlockScanAlgorithm A> __device__ void scan(const float *x, float *out)
{
    typedef cub::BlockScan<float, 256, A> Scan;
    __shared__ typename Scan::TempStorage s;
    Scan(s).InclusiveSum(x[threadIdx.x], out[threadIdx.x]);
}
__global__ void scan_raking(const float *x, float *out) { scan<cub::BLOCK_SCAN_RAKING>(x, out); }
__global__ void scan_by_warps(const float *x, float *out) { scan<cub::BLOCK_SCAN_WARP_SCANS>(x, out); }
// PY: def warp(v): # sums of rows of 32
// PY:     v = v.copy()
// PY:     for d in (1, 2, 4, 8, 16):
// PY:         moved = np.roll(v, -d, 1)
// PY:         v = np.where(np.arange(32) + d < 32, v + moved, v)
// PY:     return v[:, 0]
// PY: def up(v): # their scans
// PY:     for d in (1, 2, 4, 8, 16):
// PY:         v = np.where(np.arange(32) >= d, np.roll(v, d, 1) + v, v)
// PY:     return v
// PY: def one_by_one(v):
// PY:     s = v[0]
// PY:     for w in v[1:]: s = np.float32(s + w)
// PY:     return s
// PY: def rows(v):
// PY:     return np.array([one_by_one(r) for r in v], np.float32)
// LAUNCH: sum_by_warps x[256]=random:1 out[1]=zeros --block 256 --grid 1
// OUT: out = one_by_one(warp(in_x.reshape(8, 32)))
// LAUNCH: sum_raking x[256]=random:1 out[1]=zeros --block 256 --grid 1
// OUT: out = warp(rows(in_x.reshape(32, 8)).reshape(1, 32))[0]
// LAUNCH: sum_commutative x[256]=random:1 out[1]=zeros --block 256 --grid 1
// OUT: out = warp(rows(np.concatenate([in_x[:32, None], in_x[32:].reshape(32, 7)], 1)).reshape(1, 32))[0]
// PY: def raked(x):
// PY:     runs = up(rows(x.reshape(32, 8)).reshape(1, 32))[0]
// PY:     out = []
// PY:     for r in range(32):
// PY:         s = runs[r - 1] if r else None
// PY:         for v in x[8 * r:8 * r + 8]:
// PY:             s = v if s is None else np.float32(s + v)
// PY:             out.append(s)
// PY:     return out
// PY: def by_warps(x):
// PY:     v = up(x.reshape(8, 32))
// PY:     for w in range(1, 8): v[w] = one_by_one([up(x.reshape(8, 32))[i, 31] for i in range(w)]) + v[w]
// PY:     return v.ravel()
// LAUNCH: scan_raking x[256]=random:1 out[256]=zeros --block 256 --grid 1
// OUT: out = raked(in_x)
// LAUNCH: scan_by_warps x[256]=random:1 out[256]=zeros --block 256 --grid 1
// OUT: out = by_warps(in_x)
