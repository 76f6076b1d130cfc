// SPDX-License-Identifier: Apache-2.0
// TEST: a host variable of type float is followed where it is a whole number, and not where it is computed
// REF: docs/internals/check.md
// convert leaves out whole, computed, divided, set_again: launches are no part of it
// check whole: proved
// check computed: unknown HD0702
// check divided: unknown HD0702
// check set_again: unknown HD0702
#include <stdlib.h>

#define ROW 64

#define TABLE(name)                            \
    __global__ void name(float *x, int n)      \
    {                                          \
        __shared__ float table[64];            \
        if (threadIdx.x < n)                   \
            table[threadIdx.x] = x[0];         \
    }

TABLE(whole)
TABLE(computed)
TABLE(divided)
TABLE(set_again)

int main(int argc, char **argv)
{
    float *x;
    cudaMalloc(&x, 4);
    float n = ROW, third = 193 / 3.f, half = n / 2, more = ROW;
    more = atof(argv[1]);
    whole<<<1, 128>>>(x, n);
    computed<<<1, 128>>>(x, third * 2);
    divided<<<1, 128>>>(x, half * 5);
    set_again<<<1, 128>>>(x, more);
}
