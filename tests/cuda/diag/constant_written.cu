// SPDX-License-Identifier: Apache-2.0
// TEST: a function that writes through its pointer can't be given __constant__ memory
__constant__ float table[4];

__device__ void set(float *p, float v)
{
    p[threadIdx.x] = v; //~ error HD0312: 'p[threadIdx.x]' can't be changed: it points to const
}

__global__ void good(float *y)
{
    set(y, 1);
}

__global__ void bad(float *y)
{
    set(table, 1);
    y[0] = table[1];
}
