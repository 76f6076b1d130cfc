// SPDX-License-Identifier: Apache-2.0
// TEST: a bug of a guessed block is one only if the kernel shows the block, or other usual blocks have it
// check at_most_128: unknown HD0702 line @half which are a guess, but not with blocks of 128
// check one_warp: unknown HD0601 line @other which are a guess, but not with blocks of 32
// check any_block: bug HD0601 line @next
// check by_tile: unknown HD0702 line @tile which are a guess, but not with blocks of 32
// check by_stride: bug HD0601 line @stride
// check unread: unknown HD0601 line @unread the block sizes of the launches in the file are unknown
// check read: bug HD0601 line @read
// check folded: unknown HD0702
// check by_bounds: bug HD0702 line @bound
// check by_condition: bug HD0702 line @stated
// check by_launch: bug HD0702 line @launched
// check columns: unknown HD0601 line @column which are a guess, but not with blocks of
// check by_called: proved
// check of_table: unknown HD0702 line @table but not with blocks of 8
// check behind_table: bug HD0702 line @behind
// check by_primitive<512, 8>: proved
// check by_primitives: bug HD0601 line @primitive
// check both: unknown HD0601 line @row 'r' isn't made for so many
// check both: unknown HD0702 line @end but not with blocks of 128
// check by_strides: proved
// check by_strides_reversed: proved
// check meets_by_strides: bug HD0601 line @meets_strides
// check in_steps: proved

#include <cub/cub.cuh>

// What guesses go by is only seen in plain subscripts.
__device__ int own()
{
    return (int)threadIdx.x;
}

__global__ void at_most_128()
{
    __shared__ int s[128];
    s[own()] = 0; //@half
}

__global__ void one_warp()
{
    __shared__ int s[1024];
    int t = own();
    s[t] = 1;
    __syncwarp();
    int before = s[t ^ 32]; //@other
    __syncthreads();
    s[t] = before;
}

__global__ void any_block()
{
    __shared__ int s[1024];
    int t = own();
    s[t] = 1;
    int before = s[t ^ 1]; //@next
    __syncthreads();
    s[t] = before;
}

__global__ void by_tile()
{
    __shared__ int s[64];
    s[threadIdx.x] = 0;
    __syncthreads();
    s[own() + 1] = own(); //@tile
}

// The tile and the stride say 64.
__global__ void by_stride(int *x)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = blockIdx.x * 64 + t;
    s[63 - t] += own(); //@stride
}

__global__ void unread(int *x)
{
    __shared__ int s[1024];
    s[threadIdx.x] = 1;
    s[threadIdx.x ^ 1] += own(); //@unread
}

__global__ void read(int *x, int n)
{
    __shared__ int s[1024];
    s[threadIdx.x] = 1;
    s[threadIdx.x ^ 1] += own(); //@read
}

int unseen();
void launch_unread(int *x, int threads)
{
    dim3 block(unseen());
    unread<<<1, block>>>(x);
    read<<<1, threads>>>(x, threads);
}

// convert leaves out folded: its guess doesn't fit
// A constant of the guess doesn't fit: another block is taken.
__global__ void folded(int *x)
{
    __shared__ int s[32][9];
    s[threadIdx.x][threadIdx.y] = x[threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    if (gridDim.x == 1)
        x[threadIdx.y * 32 + threadIdx.x] = s[threadIdx.x][blockDim.y - 1];
}

__global__ void __launch_bounds__(256) by_bounds()
{
    __shared__ int s[128];
    s[own()] = 0; //@bound
}

__global__ void by_condition()
{
    __requires(blockDim.x == 512);
    __shared__ int s[128];
    s[own()] = 0; //@stated
}

__global__ void by_launch()
{
    __shared__ int s[128];
    s[own()] = 0; //@launched
}

void launch()
{
    by_launch<<<1, 256>>>();
}

__global__ void columns()
{
    __shared__ int s[1024];
    s[8 * threadIdx.y + own()] = own(); //@column
}

__global__ void both()
{
    __shared__ int s[1024], r[128];
    int t = own();
    s[t / 2] = t; //@row
    r[t] = t;     //@end
}

// The functions that it calls ask for y and have the tile.
__device__ int row()
{
    return threadIdx.y;
}

template <typename T> __device__ void clear(T value)
{
    __shared__ T s[8][32];
    s[row()][threadIdx.x] = value;
}

__global__ void by_called()
{
    clear<int>(0);
}

// A table of the file may have an element for each thread.
__constant__ int table[8] = {0, 1, 2, 3, 4, 5, 6, 7};

__global__ void of_table()
{
    __shared__ int s[1024];
    s[threadIdx.x] = table[threadIdx.x]; //@table
}

__global__ void behind_table()
{
    __shared__ int s[1024];
    s[threadIdx.x] = table[threadIdx.x % 8 + 1]; //@behind
}

// Primitives are made for a number of threads.
template <int THREADS, int ITEMS> __global__ void by_primitive()
{
    constexpr int OWN = THREADS / ITEMS;
    static constexpr auto HOW =
        OWN >= 32 ? cub::BLOCK_REDUCE_WARP_REDUCTIONS : cub::BLOCK_REDUCE_RAKING;
    typedef cub::BlockReduce<float, OWN, HOW> Sums;
    __shared__ typename Sums::TempStorage storage;
    __shared__ float s[2];
    int first = blockIdx.x * THREADS;
    float sum = Sums(storage).Sum(first);
    if (threadIdx.x == 0)
        s[0] = sum;
}
template __global__ void by_primitive<512, 8>();

__global__ void by_primitives()
{
    typedef cub::BlockReduce<float, 64> Sums;
    __shared__ Sums::TempStorage storage;
    __shared__ float s[1024];
    int t = own();
    float sum = Sums(storage).Sum(1.f);
    s[t] = t;
    s[t ^ 1] += sum; //@primitive
}

// Blocks of 96 x 2 by what the indices of blocks, or variables that are them,
// are multiplied by where threads are added.
__global__ void by_strides(float *x)
{
    __requires(len(x) >= 4608 * 2 * gridDim.y && gridDim.x <= 48);
    int word = threadIdx.y, words = blockIdx.y;
    int column = blockIdx.x, t = threadIdx.x;
    int current = words * 2 + word;
    x[4608 * current + column * 96 + t] += 1;
}

__global__ void by_strides_reversed(float *x)
{
    __requires(len(x) >= 4608 * 2 * gridDim.y && gridDim.x <= 48);
    int words = blockIdx.y;
    int current = threadIdx.y + 2 * words;
    x[4608 * current + (threadIdx.x + blockIdx.x * 96)] += 1;
}

__global__ void meets_by_strides(float *x)
{
    __requires(len(x) >= 4608 * 2 * gridDim.y && gridDim.x <= 48);
    int word = threadIdx.y, words = blockIdx.y;
    int column = blockIdx.x, t = threadIdx.x;
    int current = words * 2 + word;
    x[4608 * current + column * 96 + t / 2] += 1; //@meets_strides
    x[4608 * current + column * 96 + t] += 1;
}

// Where threads are scaled the stride isn't the block, which is 16 x 16 then.
__global__ void in_steps(float *x)
{
    __shared__ int s[1];
    int row = blockIdx.y * 4 + threadIdx.y / 8, t = blockIdx.x * 32 + own();
    if (blockDim.y < 16)
        s[0] = row + t;
}
