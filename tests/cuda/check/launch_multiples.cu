// SPDX-License-Identifier: Apache-2.0
// TEST: a number from outside that is refused unless it is a multiple of something has some values only; other tests of it don't excuse
// REF: docs/internals/check.md
// convert leaves out multiple, masked, signed_only, warned, around, kept: launches are no part of it
// check multiple: unknown HD0702 line @multiple it is a bug for some values, but not for 'n' = 1024
// check masked: unknown HD0702 line @masked it is a bug for some values, but not for 'n' = 1024
// check signed_only: bug HD0702 line @signed_only
// check warned: bug HD0702 line @warned
// check around: bug HD0702 line @around
// check kept: bug HD0702 line @kept
// check meets_multiple: bug HD0601 line @meets
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROW(name)                                      \
    __global__ void name(float *x, int n)              \
    {                                                  \
        int i = blockIdx.x * blockDim.x + threadIdx.x; \
        x[i] = 1;                                      \
    }

// clang-format off
ROW(multiple) //@multiple
ROW(masked) //@masked
ROW(signed_only) //@signed_only
ROW(warned) //@warned
ROW(around) //@around
ROW(kept) //@kept
// clang-format on

__global__ void meets_multiple(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i / 2] = i; //@meets
}

int main(int argc, char **argv)
{
    int n = 64, m = 64, p = 64, w = 64, k = 64;
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "-n") == 0) {
            n = atoi(argv[i + 1]);
            if ((n % 32) != 0) {
                fprintf(stderr, "n must be a multiple of 32\n");
                exit(1);
            }
        } else if (strcmp(argv[i], "-m") == 0) {
            m = atoi(argv[i + 1]);
            if (m & (m - 1))
                return 1;
        } else if (strcmp(argv[i], "-p") == 0) {
            p = atoi(argv[i + 1]);
            if (p < 0)
                return 1;
        } else if (strcmp(argv[i], "-w") == 0) {
            w = atoi(argv[i + 1]);
            if (w % 32 != 0)
                printf("slow\n");
        } else if (strcmp(argv[i], "-k") == 0) {
            if (k % 32 != 0)
                return 1;
            k = atoi(argv[i + 1]);
        }
    }
    float *x, *y, *z, *u, *v, *a;
    cudaMalloc(&x, n * sizeof(float));
    multiple<<<(n + 31) / 32, 32>>>(x, n);
    meets_multiple<<<(n + 31) / 32, 32>>>(x, n);
    cudaMalloc(&y, m * sizeof(float));
    masked<<<(m + 31) / 32, 32>>>(y, m);
    cudaMalloc(&z, p * sizeof(float));
    signed_only<<<(p + 31) / 32, 32>>>(z, p);
    cudaMalloc(&u, w * sizeof(float));
    warned<<<(w + 31) / 32, 32>>>(u, w);
    cudaMalloc(&v, k * sizeof(float));
    kept<<<(k + 31) / 32, 32>>>(v, k);
    int b = atoi(argv[1]);
    if (b % 16 != 0)
        return 1;
    cudaMalloc(&a, b * sizeof(float));
    around<<<(b + 31) / 32, 32>>>(a, b);
}
