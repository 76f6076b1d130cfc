// SPDX-License-Identifier: Apache-2.0
// TEST: cg::memcpy_async by bytes, by elements with layouts, with aligned sizes; wait and wait_prior
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
namespace cg = cooperative_groups;

__global__ void shapes(const int *x, int *y)
{
    __shared__ __align__(16) int s[5][64];
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    int t = threadIdx.x, w = warp.meta_group_rank();
    cg::memcpy_async(block, s[0], x, sizeof(int) * 64);
    cg::memcpy_async(block, s[1], 64, x + 64, 40);
    cg::memcpy_async(block, s[2], x + 128, cuda::aligned_size_t<16>(sizeof(int) * 64));
    cg::memcpy_async(warp, &s[3][32 * w], x + 192 + 32 * w, sizeof(int) * 32);
    cg::memcpy_async(block, s[4], cuda::aligned_size_t<4>(64), x + 256, cuda::aligned_size_t<4>(64));
    cg::wait(block);
    cg::wait(warp);
    block.sync();
    y[t] = s[0][63 - t];
    y[64 + t] = t < 40 ? s[1][39 - t] : -1;
    y[128 + t] = s[2][t ^ 5];
    y[192 + t] = s[3][(t + 7) % 64];
    y[256 + t] = s[4][t] + 1;
}

__global__ void stages(const int *x, int *y, int tiles)
{
    __shared__ int s[2][96];
    cg::thread_block block = cg::this_thread_block();
    int t = threadIdx.x, sum = 0;
    cg::memcpy_async(block, s[0], x, sizeof(int) * 96);
    for (int k = 0; k < tiles; k++) {
        if (k + 1 < tiles) {
            cg::memcpy_async(block, s[(k + 1) % 2], x + (k + 1) * 96, sizeof(int) * 96);
            cg::wait_prior<1>(block);
        } else {
            cg::wait(block);
        }
        sum += s[k % 2][95 - t];
        block.sync();
    }
    y[t] = sum;
}
// PY: def shapes(x):
// PY:     p, t = x.reshape(5, 64), np.arange(64)
// PY:     return np.concatenate([p[0][::-1], np.r_[p[1][:40][::-1], [-1] * 24], p[2][t ^ 5], p[3][(t + 7) % 64], p[4] + 1])
// LAUNCH: shapes x[320]=iota y[320]=zeros --block 64 --grid 1
// OUT: y = shapes(in_x)
// LAUNCH: stages x[576]=iota y[96]=zeros tiles=6 --block 96 --grid 1
// OUT: y = in_x.reshape(6, 96).sum(0)[::-1]
