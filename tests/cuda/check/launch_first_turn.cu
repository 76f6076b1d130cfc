// SPDX-License-Identifier: Apache-2.0
// TEST: what is wrong for numbers that a host loop computes is unknown where the first turn is right, and a bug where that is wrong, too
// REF: src/verdict/check_made.c
// convert leaves out summed, summed_beyond: launches are no part of it
// check summed: unknown HD0702 it is no bug in the first turn of the loop
// check summed_beyond: bug HD0702 line @summed_beyond
// check one_number: bug HD0702 line @one_number
// convert leaves out one_number: how the host computes its number stays behind
#include <stdlib.h>

// Sums of 256 elements that are `apart` from each other.
__global__ void summed(float *sums, int all, int n, int apart)
{
    __shared__ float s[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    s[threadIdx.x] = i < n ? sums[i * apart] : 0; //@summed
    __syncthreads();
    if (threadIdx.x == 0) {
        float sum = 0;
        for (int k = 0; k < 256; k++)
            sum += s[k];
        sums[blockIdx.x * apart * 256] = sum;
    }
}

__global__ void summed_beyond(float *sums, int all, int n, int apart)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i <= n)
        sums[i * apart] = i; //@summed_beyond
}

__global__ void one_number(float *sums, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i <= n)
        sums[i] = 0; //@one_number
}

int main(int argc, char **argv)
{
    int all = atoi(argv[1]), n, apart;
    float *sums;
    cudaMalloc(&sums, all * sizeof(float));
    dim3 blocks;
    blocks.x = all / 256;
    if (all % 256 != 0)
        blocks.x++;
    one_number<<<blocks, 256>>>(sums, all);
    n = all;
    apart = 1;
    while (blocks.x != 0) {
        summed<<<blocks, 256>>>(sums, all, n, apart);
        summed_beyond<<<blocks, 256>>>(sums, all, n, apart);
        n = blocks.x;
        if (blocks.x == 1) {
            blocks.x = 0;
        } else {
            apart = apart * 256;
            int more = blocks.x / 256;
            if (blocks.x % 256 != 0)
                more = more + 1;
            blocks.x = more;
        }
    }
}
