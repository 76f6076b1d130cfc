// SPDX-License-Identifier: Apache-2.0
// TEST: the name of a function, or of an instance of a template of functions, is the operator of a reduction or scan
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

struct Running { float most, sum; };

__device__ Running join(Running a, Running b) { return Running{fmaxf(a.most, b.most), a.sum + b.sum}; }
__device__ int later(const int &a, const int &b) { return a > b ? a : b; }
template <typename T> __device__ T product(T a, T b) { return a * b; }

__global__ void softmax_parts(const float *x, float2 *out)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    Running mine = {x[threadIdx.x], 1.0f + threadIdx.x};
    Running all = cg::reduce(warp, mine, join);
    if (warp.thread_rank() == 0)
        out[threadIdx.x / 32] = make_float2(all.most, all.sum);
}

__global__ void others(const int *x, int *out)
{
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int i = threadIdx.x;
    out[i] = cg::reduce(tile, x[i], later);
    out[32 + i] = cg::reduce(tile, x[i] % 3 + 1, product<int>);
    out[64 + i] = cg::inclusive_scan(tile, x[i], later);
}

// LAUNCH: softmax_parts x[64]=iota out[2]=zeros --grid 1 --block 64
// OUT: out = [[31, 528], [63, 1552]]
// LAUNCH: others x[32]=list:3,9,1,7,7,2,30,4,8,8,9,0,0,0,1,5 out[96]=zeros --grid 1 --block 32
// PY: t = lambda x: x.reshape(4, 8)
// OUT: out = np.concatenate([np.repeat(t(in_x).max(1), 8), np.repeat((t(in_x) % 3 + 1).prod(1), 8), np.maximum.accumulate(t(in_x), 1).ravel()])
