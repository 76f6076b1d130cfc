// SPDX-License-Identifier: Apache-2.0
// TEST: threads that have returned have no part in warp functions; the others keep their lanes, and one that reads from a lane that is gone gets its own value
// NVCC: CUDA leaves open what comes from a lane that is gone
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

__device__ int warp_sum(int v)
{
    for (int d = 16; d > 0; d /= 2) {
        int other = __shfl_down_sync(0xffffffff, v, d);
        if (threadIdx.x % 32 + d < 32)
            v += other;
    }
    return v;
}

// No lane but the last ones is gone: what a reduction of n elements does.
__global__ void guarded(const int *x, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    out[0 * n + i] = __shfl_down_sync(0xffffffff, x[i], 3);
    out[1 * n + i] = __shfl_xor_sync(0xffffffff, x[i], 1);
    out[2 * n + i] = __reduce_add_sync(0xffffffff, x[i]);
    out[3 * n + i] = (int)__ballot_sync(0xffffffff, x[i] & 1);
    out[4 * n + i] = __any_sync(0xffffffff, i == n - 1) + 2 * __all_sync(0xffffffff, i < n);
    __syncwarp();
}

// Lanes in between are gone, one after the other; masks by variables, tiles.
__global__ void gaps(int *out)
{
    int lane = threadIdx.x;
    unsigned all = 0xffffffff;
    int mine[8] = {};
    if (lane % 4 == 1)
        return;
    mine[0] = __shfl_up_sync(all, lane, 1);
    if (lane == 8 || lane == 30) {
        out[lane] = mine[0];
        return;
    }
    for (int k = 0; k < 3; k++) {
        mine[1] += __shfl_sync(0xffffffff, lane, k * 8);
        if (lane == 16 + 2 * k)
            return;
    }
    mine[2] = (int)__match_any_sync(0xffffffff, lane / 8);
    int same;
    mine[3] = (int)__match_all_sync(0xffffffff, 7, &same) + same;
    mine[4] = __shfl_down_sync(all, lane, 1, 8);
    mine[5] = __shfl_sync(0xffffffff, lane * 10, 6, 8);
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(cg::this_thread_block());
    mine[6] = tile.shfl_xor(lane, 3) + 100 * (int)tile.ballot(lane & 2);
    mine[7] = cg::reduce(tile, lane, cg::plus<int>()) + 1000 * (tile.any(lane == 12));
    for (int k = 0; k < 8; k++)
        out[32 * k + lane] = mine[k];
}

// Behind a barrier of the block, in a loop around one, and in functions.
__global__ void barriers(const int *x, int *out, int n)
{
    __shared__ int sums[4];
    int t = threadIdx.x;
    if (t >= n)
        return;
    int v = warp_sum(x[t]);
    if (t % 32 == 0)
        sums[t / 32] = v;
    __syncthreads();
    int total = 0;
    for (int k = 0; k < 2; k++) {
        total += __shfl_xor_sync(0xffffffff, t, 1 << k);
        if (t % 8 == 3 + k)
            return;
        __syncthreads();
    }
    if (t % 32 > 2)
        total += (int)__ballot_sync(0xfffffff8, t & 1);
    out[t] = total;
    if (t < 2)
        out[t] = sums[t];
}

// Not all that are left get there.
__global__ void apart(int *out, int n)
{
    int t = threadIdx.x;
    if (t >= n)
        return;
    if (t < 7)
        out[t] = __shfl_xor_sync(0xffffffff, t, 1);
    out[8 + t] = 1;
}
// PY: def guarded(x, n):
// PY:     out = np.zeros((5, n), np.int64)
// PY:     for b in range(0, n, 32):
// PY:         p = x[b:min(b + 32, n)].astype(np.int64)
// PY:         m = len(p)
// PY:         k = np.arange(m)
// PY:         out[0, b:b + m] = p[np.where(k + 3 < m, k + 3, k)]
// PY:         out[1, b:b + m] = p[np.where((k ^ 1) < m, k ^ 1, k)]
// PY:         out[2, b:b + m] = p.sum()
// PY:         out[3, b:b + m] = sum(1 << j for j in range(m) if p[j] & 1)
// PY:         out[4, b:b + m] = (b + m == n) + 2
// PY:     return out.astype(np.uint64).astype(np.uint32).view(np.int32).ravel()
// LAUNCH: guarded n=41 x[64]=iota out[205]=zeros --grid 2 --block 32
// LAUNCH: guarded n=70 x[96]=iota out[350]=zeros --grid 1 --block 96
// LAUNCH: guarded n=70 x[96]=iota out[350]=zeros --grid 1 --block 96 --schedule 2
// OUT: out = guarded(in_x, n)
// PY: def gaps():
// PY:     out = np.full((8, 32), 0, np.int64)
// PY:     live = [l for l in range(32) if l % 4 != 1]
// PY:     at = lambda l, s: s if s in live else l
// PY:     mine = {l: [0] * 8 for l in live}
// PY:     for l in live: mine[l][0] = at(l, l - 1)
// PY:     for l in (8, 30): out[0, l] = mine[l][0]; live.remove(l)
// PY:     for k in range(3):
// PY:         for l in live: mine[l][1] += at(l, k * 8)
// PY:         live.remove(16 + 2 * k)
// PY:     bits = lambda ls: sum(1 << j for j in ls)
// PY:     for l in live:
// PY:         m = mine[l]
// PY:         m[2] = bits(j for j in live if j // 8 == l // 8)
// PY:         m[3] = bits(live) + 1
// PY:         m[4] = at(l, l + 1 if l % 8 < 7 else l)
// PY:         m[5] = at(l, l // 8 * 8 + 6) * 10
// PY:         tile = [j for j in live if j // 8 == l // 8]
// PY:         m[6] = at(l, l ^ 3) + 100 * bits(j % 8 for j in tile if j & 2)
// PY:         m[7] = sum(tile) + 1000 * (12 in tile)
// PY:     for l in live: out[:, l] = mine[l]
// PY:     return out.astype(np.uint64).astype(np.uint32).view(np.int32).ravel()
// LAUNCH: gaps out[256]=zeros --grid 1 --block 32
// LAUNCH: gaps out[256]=zeros --grid 1 --block 32 --schedule 5
// OUT: out = gaps()
// PY: def barriers(x, n):
// PY:     out = np.full(96, -1, np.int64)
// PY:     live = list(range(n))
// PY:     at = lambda l, s: s if s in live else l
// PY:     total = {l: 0 for l in live}
// PY:     sums = [sum(x[b:min(b + 32, n)]) for b in range(0, n, 32)]
// PY:     for k in range(2):
// PY:         for l in live: total[l] += at(l, l ^ (1 << k))
// PY:         live = [l for l in live if l % 8 != 3 + k]
// PY:     for l in live:
// PY:         if l % 32 > 2:
// PY:             total[l] += sum(1 << (j % 32) for j in live if j // 32 == l // 32 and j % 32 > 2 and j & 1)
// PY:         out[l] = total[l] if l > 1 else sums[l]
// PY:     return out.astype(np.uint64).astype(np.uint32).view(np.int32)
// LAUNCH: barriers n=70 x[96]=iota out[96]=full:-1 --grid 1 --block 96
// LAUNCH: barriers n=96 x[96]=iota out[96]=full:-1 --grid 1 --block 96
// OUT: out = barriers(in_x, n)
// LAUNCH: apart n=7 out[32]=zeros --grid 1 --block 32
// OUT: out = np.array([1, 0, 3, 2, 5, 4, 6, 0] + [1] * 7 + [0] * 17)
// LAUNCH: apart n=8 out[32]=zeros --grid 1 --block 32
// EXIT: 1
// STDERR: assertion failed: 'all threads of the warp that have not returned get here together'
