// SPDX-License-Identifier: Apache-2.0
// TEST: a shuffle from a lane that the block's last warp or tile doesn't have is told where it matters, and only there
// REF: docs/errors/HD0603.md
// check-args: --block 44 --grid 1 --assume '44 <= len(out)'
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// check down: bug HD0603 line @down 'the value of an absent lane' is read before it has a value
// sanitize down: out[44]=zeros --block 44 --grid 1
__global__ void down(int *out)
{
    int v = threadIdx.x;
    v += __shfl_down_sync(0xffffffff, v, 16);
    out[threadIdx.x] = v; //@down
}

// check named: bug HD0603 line @named
// sanitize named: out[44]=zeros --block 44 --grid 1
__global__ void named(int *out)
{
    out[threadIdx.x] = __shfl_sync(0xffffffff, (int)threadIdx.x, 20); //@named
}

// -1 is lane 31.
// check folded_away: bug HD0603 line @folded_away
// sanitize folded_away: out[44]=zeros --block 44 --grid 1
__global__ void folded_away(int *out)
{
    out[threadIdx.x] = __shfl_sync(0xffffffff, (int)threadIdx.x, -1); //@folded_away
}

// check flipped: bug HD0603 line @flipped
// sanitize flipped: out[44]=zeros --block 44 --grid 1
__global__ void flipped(int *out)
{
    out[threadIdx.x] = __shfl_xor_sync(0xffffffff, (int)threadIdx.x, 16); //@flipped
}

// check stepped: bug HD0603 line @stepped
// sanitize stepped: step=3 out[44]=zeros --block 44 --grid 1
__global__ void stepped(int step, int *out)
{
    if (step > 0 && step < 8)
        out[threadIdx.x] = __shfl_down_sync(0xffffffff, (int)threadIdx.x, step); //@stepped
}

// check tree: bug HD0603 line @tree
// sanitize tree: out[44]=zeros --block 44 --grid 1
__global__ void tree(int *out)
{
    int v = threadIdx.x;
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffff, v, d);
    if (threadIdx.x % 32 == 0)
        out[threadIdx.x] = v; //@tree
}

// check of_tile: bug HD0603 line @of_tile
// sanitize of_tile: out[44]=zeros --block 44 --grid 1
__global__ void of_tile(int *out)
{
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    out[threadIdx.x] = tile.shfl_down((int)threadIdx.x, 8); //@of_tile
}

// check of_small_tile: bug HD0603 line @of_small_tile
// sanitize of_small_tile: out[44]=zeros --block 44 --grid 1
__global__ void of_small_tile(int *out)
{
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    out[threadIdx.x] = tile.shfl((int)threadIdx.x, 7); //@of_small_tile
}

// check decides: bug HD0603 line @decides
// sanitize decides: out[44]=zeros --block 44 --grid 1
__global__ void decides(int *out)
{
    if (__shfl_sync(0xffffffff, (int)threadIdx.x, 31) > 3) //@decides
        out[threadIdx.x] = 1;
}

// check subscript: bug HD0603 line @subscript
// sanitize subscript: out[44]=zeros --block 44 --grid 1
__global__ void subscript(int *out)
{
    int to = __shfl_xor_sync(0xffffffff, (int)threadIdx.x, 8);
    atomicAdd(&out[to & 31], 1); //@subscript
}

// check returned: bug HD0603 line @returned
// sanitize returned: out[44]=zeros --block 44 --grid 1
__global__ void returned(int *out)
{
    if (threadIdx.x == 40)
        return;
    int next = __shfl_down_sync(0xffffffff, (int)threadIdx.x, 1);
    if (threadIdx.x != 39)
        out[threadIdx.x] = next; //@returned
}

// check half_a_tree: bug HD0603 line @half_a_tree
// sanitize half_a_tree: out[44]=zeros --block 44 --grid 1
__global__ void half_a_tree(int *out)
{
    int v = threadIdx.x;
    for (int d = 8; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffff, v, d, 16);
    if (threadIdx.x % 16 == 0)
        out[threadIdx.x] = v; //@half_a_tree
}

// check first: proved
// sanitize first: out[44]=zeros --block 44 --grid 1
__global__ void first(int *out)
{
    out[threadIdx.x] = __shfl_sync(0xffffffff, (int)threadIdx.x, 0);
}

// check before: proved
// sanitize before: out[44]=zeros --block 44 --grid 1
__global__ void before(int *out)
{
    out[threadIdx.x] = __shfl_up_sync(0xffffffff, (int)threadIdx.x, 1);
}

// check guarded: proved
// sanitize guarded: out[44]=zeros --block 44 --grid 1
__global__ void guarded(int *out)
{
    int v = threadIdx.x, next = __shfl_down_sync(0xffffffff, v, 1);
    if (threadIdx.x + 1 < blockDim.x)
        v += next;
    out[threadIdx.x] = v;
}

// check chosen: proved
// sanitize chosen: out[44]=zeros --block 44 --grid 1
__global__ void chosen(int *out)
{
    int v = threadIdx.x, next = __shfl_down_sync(0xffffffff, v, 1);
    out[threadIdx.x] = threadIdx.x == 43 ? v : next;
}

// What isn't used matters to nobody, but which warp's it is goes through a loop.
// check unused: unknown HD0603
// sanitize unused: out[44]=zeros --block 44 --grid 1
__global__ void unused(int *out)
{
    int v = threadIdx.x;
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffff, v, d);
    if (threadIdx.x == 0)
        out[0] = v;
}

// check whole_tiles: proved
// sanitize whole_tiles: out[44]=zeros --block 44 --grid 1
__global__ void whole_tiles(int *out)
{
    auto tile = cg::tiled_partition<4>(cg::this_thread_block());
    int v = threadIdx.x;
    for (int d = 2; d > 0; d /= 2)
        v += tile.shfl_xor(v, d);
    out[threadIdx.x] = v + __shfl_xor_sync(0xffffffff, v, 2, 4);
}

// Votes, matches and reductions are of the lanes that are there.
// check voted: proved
// sanitize voted: out[44]=zeros --block 44 --grid 1
__global__ void voted(int *out)
{
    int v = threadIdx.x;
    out[v] = __ballot_sync(0xffffffff, v & 1) + __all_sync(0xffffffff, v >= 0) +
             __reduce_add_sync(0xffffffff, v) + __match_any_sync(0xffffffff, v);
}

// Lane 40 is lane 8, also where a warp has 12.
// check around: proved
// sanitize around: out[44]=zeros --block 44 --grid 1
__global__ void around(int *out)
{
    out[threadIdx.x] = __shfl_sync(0xffffffff, (int)threadIdx.x, 40);
}
