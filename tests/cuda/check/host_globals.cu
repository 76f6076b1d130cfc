// SPDX-License-Identifier: Apache-2.0
// TEST: variables of the file and their members are known at a launch if only the function around it, or their declaration, sets them
// REF: docs/internals/check.md
// convert leaves out member, variable, declared, copied, set_elsewhere, read_from_outside, set_later, of_class, is_shadowed: what the host computes stays behind
// check member: proved
// check variable: proved
// check declared: proved
// check copied: proved
// check set_elsewhere: unknown HD0702
// check read_from_outside: bug HD0702
// check set_later: unknown HD0702
// check of_class: bug HD0702
// check is_shadowed: bug HD0702
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POINTS 51

struct Common {
    int all, other, more, copied, later;
};

Common common;
int n_all, n_read, n_shadowed = 51;
int n_declared = POINTS;
__constant__ Common on_device;

#define TABLE(name)                            \
    __global__ void name(float *x, int n)      \
    {                                          \
        __shared__ float table[51];            \
        if (threadIdx.x < n)                   \
            table[threadIdx.x] = x[0];         \
    }

TABLE(variable)
TABLE(declared)
TABLE(copied)
TABLE(set_elsewhere)
TABLE(read_from_outside)
TABLE(set_later)
TABLE(of_class)
TABLE(is_shadowed)

__global__ void member(float *x)
{
    __shared__ float table[51];
    table[blockIdx.x] = x[0];
}

struct Run {
    int n = 51;
    Run(int size) : n(size) {}
    void start(float *x) { of_class<<<1, 64>>>(x, n); }
};

void elsewhere(int size)
{
    common.other = size;
}

void shadowed(float *x, int n_shadowed)
{
    is_shadowed<<<1, 64>>>(x, n_shadowed);
}

int main(int argc, char **argv)
{
    float *x;
    cudaMalloc(&x, 4);
    common.all = POINTS;
    common.other = 2;
    common.copied = POINTS - 1;
    n_all = POINTS;
    cudaMemcpyToSymbol(on_device, &common, sizeof(common));
    dim3 blocks;
    blocks.x = common.all;
    for (int k = 0; k < 10; k++)
        member<<<blocks, 64>>>(x);
    variable<<<1, 64>>>(x, n_all);
    declared<<<1, 64>>>(x, n_declared);
    copied<<<1, 64>>>(x, common.copied);
    elsewhere(atoi(argv[1]));
    set_elsewhere<<<1, 64>>>(x, common.other);
    scanf("%d", &n_read);
    read_from_outside<<<1, 64>>>(x, n_read);
    for (int k = 0; k < 3; k++) {
        set_later<<<1, 64>>>(x, common.later);
        common.later = k + 50;
    }
    Run(atoi(argv[1])).start(x);
    shadowed(x, atoi(argv[1]));
}
