// SPDX-License-Identifier: Apache-2.0
// TEST: constant memory with an initialiser holds it, which is trusted; without one it holds anything
// check-args: --block 8
// check trusted: proved
// check open: bug HD0601 line @open
__constant__ int table[8] = {0, 1, 2, 3, 4, 5, 6, 7};
__constant__ int given[8];
__global__ void trusted(float *p)
{
    if (table[threadIdx.x] != threadIdx.x)
        p[0] = threadIdx.x;
}
__global__ void open(float *p)
{
    if (given[threadIdx.x] != threadIdx.x)
        p[0] = threadIdx.x;             //@open
}

void launch(float *p)
{
    trusted<<<1, 8>>>(p);
    open<<<1, 8>>>(p);
}
