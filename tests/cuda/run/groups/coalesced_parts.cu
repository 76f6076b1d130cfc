// SPDX-License-Identifier: Apache-2.0
// TEST: an aggregated atomic by coalesced threads, and tiles of coalesced groups
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__device__ int add_together(int *counter)
{
    cg::coalesced_group active = cg::coalesced_threads();
    int before = 0;
    if (active.thread_rank() == 0)
        before = atomicAdd(counter, (int)active.size());
    return active.shfl(before, 0) + active.thread_rank();
}

__global__ void filter(const int *x, int n, int *kept, int *count)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        if (x[i] % 3 == 0)
            kept[add_together(count)] = 1;
}

__global__ void parts(const int *x, int *out)
{
    int i = threadIdx.x, n = blockDim.x;
    if (i % 4 != 3) {
        auto active = cg::coalesced_threads();
        cg::coalesced_group part = cg::tiled_partition(active, 8);
        out[i] = part.thread_rank() + 10 * part.size() + 1000 * part.meta_group_rank();
        out[n + i] = cg::reduce(part, x[i], cg::plus<int>());
    }
}
// PY: def parts(x):
// PY:     out = np.zeros((2, len(x)), int)
// PY:     for w in range(0, len(x), 32):
// PY:         at = np.array([k for k in range(w, w + 32) if k % 4 != 3])
// PY:         for g in range(3):
// PY:             m = at[g * 8:g * 8 + 8]
// PY:             out[:, m] = [np.arange(8) + 80 + 1000 * g, np.full(8, x[m].sum())]
// PY:     return out.ravel()
// LAUNCH: filter n=1000 x[1000]=iota kept[400]=zeros count[1]=zeros --grid 2 --block 64
// OUT: kept = (np.arange(400) < 334).astype(int)
// OUT: count = 334
// LAUNCH: parts x[64]=iota out[128]=zeros --block 64 --grid 1
// OUT: out = parts(in_x)
