// SPDX-License-Identifier: Apache-2.0
// MODE: compile
// TEST: a plain kernel becomes the Heddle C that one would write, without needless casts, temporaries and parentheses
__constant__ float weights[4];
__device__ int counter;
const int TILE = 16;
enum Side { LEFT, RIGHT = 4 };

__global__ void plain(const float *__restrict__ x, float *y, int n, float a)
{
    __shared__ float tile[TILE][TILE + 1];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0, step = 2; k < n; k += step)
        tile[k % TILE][0] = (x[i] * a);
    __syncthreads();
    if (i < n && a != 0)
        y[i] = tile[threadIdx.y][RIGHT] + weights[i & 3];
    else
        atomicAdd(&counter, 1);
    (void)n;
}
// DUMP: plain --stage ast
// STDOUT: constexpr int TILE = 16;
// STDOUT: constant float weights[4];
// STDOUT: global int counter;
// STDOUT: kernel void plain(const float *restrict x, float *y, int n, float a, constexpr int block_dim_x = 16, constexpr int block_dim_y = 16, constexpr int block_dim_z = 1) threads(block_dim_x, block_dim_y, block_dim_z) {
// STDOUT:   shared float tile[TILE][TILE + 1];
// STDOUT:   const int i = (((unsigned int)block_index().x) * ((unsigned int)block_dim().x)) + ((unsigned int)thread_index().x);
// STDOUT:   for (int k = 0, step = 2; k < n; k += step) {
// STDOUT:     tile[k % TILE][0] = (x[i] * a);
// STDOUT:   sync(this_block());
// STDOUT:     y[i] = (tile[(unsigned int)thread_index().y][RIGHT] + weights[i & 3]);
// STDOUT:     atomic_add(&counter, 1);
// STDOUT-NOT: (void)
