// SPDX-License-Identifier: Apache-2.0
// TEST: what is wrong only of a guess, or in a trial of ours, is never told as an error
// RUN: heddle check %s columns
// STDOUT: columns: proved
// STDOUT: blocks of 8 x 8 threads, a guess
// STDERR-NOT: HD0701
// RUN: heddle check --rules-only %s
// STDOUT: columns: ok
// STDERR-NOT: error
// RUN: heddle check %s picked --block 64
// EXIT: 1
// STDERR: error[HD0601]
// STDERR-NOT: HD0307

// A tile of 32 x 9 for blocks of 32 x 8: the guess, 32 x 32, isn't right.
__global__ void columns()
{
    __shared__ int s[32][9];
    s[threadIdx.x][threadIdx.y] = threadIdx.y;
    __syncthreads();
    s[threadIdx.x][8] = s[threadIdx.x][blockDim.y - 1] * 0;
}

// Assumptions that are tried can't divide it.
enum class Mode { NEAR, FAR };

__global__ void picked(float *y, Mode m)
{
    int i = threadIdx.x;
    y[i / 2 + (int)m] = i;
}
