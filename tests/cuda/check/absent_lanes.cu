// SPDX-License-Identifier: Apache-2.0
// TEST: what a shuffle gets from a lane that takes no part in it is told where it matters, and only there
// REF: docs/errors/HD0603.md
// check-args: --block 64 --grid 1 --assume '64 <= len(out)' --assume '64 <= len(x)' --assume 'n <= 64'
// convert leaves out not_in_mask, balloted: absent lanes give the own value there, and masks stay open
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// check returned: bug HD0603 line @returned 'the value of an absent lane' is read before it has a value
// sanitize returned: out[64]=zeros x[64]=iota --block 64 --grid 1
__global__ void returned(int *out, const int *x)
{
    int v = x[threadIdx.x];
    if (threadIdx.x % 32 >= 16)
        return;
    v += __shfl_down_sync(0xffffffff, v, 16);
    out[threadIdx.x] = v; //@returned
}

// check not_in_mask: bug HD0603 line @mask
// sanitize not_in_mask: out[64]=zeros x[64]=iota --block 64 --grid 1
__global__ void not_in_mask(int *out, const int *x)
{
    int v = x[threadIdx.x];
    if (threadIdx.x % 32 < 16) {
        v += __shfl_down_sync(0x0000ffff, v, 8);
        out[threadIdx.x] = v; //@mask
    }
}

// check guarded: bug HD0603 line @guarded
// sanitize guarded: n=40 out[64]=zeros x[64]=iota --block 64 --grid 1
__global__ void guarded(int n, int *out, const int *x)
{
    int i = threadIdx.x;
    if (i < n) {
        int v = x[i];
        v += __shfl_down_sync(0xffffffff, v, 16);
        out[i] = v; //@guarded
    }
}

// check balloted: bug HD0603 line @balloted
// sanitize balloted: n=40 out[64]=zeros x[64]=iota --block 64 --grid 1
__global__ void balloted(int n, int *out, const int *x)
{
    int i = threadIdx.x;
    unsigned mask = __ballot_sync(0xffffffff, i < n);
    if (i < n) {
        int v = x[i];
        v += __shfl_down_sync(mask, v, 16);
        out[i] = v; //@balloted
    }
}

// check tree_behind: bug HD0603 line @tree_behind
// sanitize tree_behind: n=40 out[64]=zeros x[64]=iota --block 64 --grid 1
__global__ void tree_behind(int n, int *out, const int *x)
{
    int i = threadIdx.x;
    if (i >= n)
        return;
    int v = x[i];
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffff, v, d);
    if (i % 32 == 0)
        out[i] = v; //@tree_behind
}

// check named: bug HD0603 line @named
// sanitize named: out[64]=zeros --block 64 --grid 1
__global__ void named(int *out)
{
    int i = threadIdx.x;
    if (i == 31)
        return;
    if (__shfl_sync(0xffffffff, i, 31) > 5) //@named
        out[i] = 1;
}

// check of_tile: bug HD0603 line @of_tile
// sanitize of_tile: out[64]=zeros --block 64 --grid 1
__global__ void of_tile(int *out)
{
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    if (tile.thread_rank() == 4)
        return;
    out[threadIdx.x] = tile.shfl_xor((int)threadIdx.x, 1); //@of_tile
}

// check beyond_group: bug HD0603 line @beyond_group
// sanitize beyond_group: out[64]=zeros --block 64 --grid 1
__global__ void beyond_group(int *out)
{
    if (threadIdx.x % 2) {
        auto group = cg::coalesced_threads();
        out[threadIdx.x] = group.shfl((int)threadIdx.x, 20); //@beyond_group
    }
}

// Who is there is for data to say.
// check led_by_data: unknown HD0603 line @led_by_data the lane that the shuffle reads may not take part
__global__ void led_by_data(int *out, const int *x)
{
    int v = threadIdx.x;
    if (x[threadIdx.x] % 4 == 1)
        return;
    out[threadIdx.x] = __shfl_xor_sync(0xffffffff, v, 1); //@led_by_data
}

// What only other lanes than the first get matters to nobody.
// check upper_half: unknown HD0705 the result of 'reduce'
// sanitize upper_half: out[64]=zeros x[64]=iota --block 64 --grid 1
__global__ void upper_half(int *out, const int *x)
{
    int v = x[threadIdx.x];
    if (threadIdx.x % 32 < 16) {
        for (int d = 8; d > 0; d /= 2)
            v += __shfl_down_sync(0x0000ffff, v, d);
        if (threadIdx.x % 32 == 0)
            out[threadIdx.x] = v;
    }
}

// check whole_tree: proved
// sanitize whole_tree: out[64]=zeros --block 64 --grid 1
__global__ void whole_tree(int *out)
{
    int v = threadIdx.x;
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffff, v, d);
    out[threadIdx.x] = v;
}

// check whole_warps_left: proved
// sanitize whole_warps_left: out[64]=zeros --block 64 --grid 1
__global__ void whole_warps_left(int *out)
{
    int v = threadIdx.x;
    if (threadIdx.x / 32 == 1)
        return;
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffff, v, d);
    out[threadIdx.x] = v;
}

// A lane outside of the tile gives the own value.
// check beyond_tile: unknown HD0603
// sanitize beyond_tile: out[64]=zeros --block 64 --grid 1
__global__ void beyond_tile(int *out)
{
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    if (tile.thread_rank() == 4)
        return;
    int next = tile.shfl_down((int)threadIdx.x, 1);
    if (tile.thread_rank() != 3)
        out[threadIdx.x] = next;
}

// check first_of_group: proved
// sanitize first_of_group: out[64]=zeros --block 64 --grid 1
__global__ void first_of_group(int *out)
{
    if (threadIdx.x % 3) {
        auto group = cg::coalesced_threads();
        out[threadIdx.x] = group.shfl((int)threadIdx.x, 0);
    }
}
