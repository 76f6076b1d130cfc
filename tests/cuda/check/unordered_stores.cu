// SPDX-License-Identifier: Apache-2.0
// TEST: different values that threads store at one volatile place in no order are remarked on, and what has an order isn't
// REF: docs/errors/HD0694.md
// check-args: --block 64 --grid 2 --assume '256 <= len(out)'
// check last: proved
// check last: remark HD0694 line @last several threads store different values to one element of 'out' in no order
// check two_places: proved
// check two_places: remark HD0694 line @second other @first
// check equal: proved
// check apart: proved
// check one: proved
// check in_order: proved
// check flag: proved
__global__ void last(volatile int *out)
{
    out[0] = threadIdx.x; //@last
}
__global__ void two_places(volatile int *out)
{
    if (threadIdx.x == 0 && blockIdx.x == 0)
        out[0] = 1; //@first
    if (threadIdx.x == 1 && blockIdx.x == 0)
        out[0] = 2; //@second
}
__global__ void equal(volatile int *out)
{
    out[0] = 5;
}
__global__ void apart(volatile int *out)
{
    out[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;
}
__global__ void one(volatile int *out)
{
    if (threadIdx.x == 0)
        out[blockIdx.x] = blockIdx.x;
}
__global__ void in_order(volatile int *out)
{
    if (threadIdx.x == 0)
        out[blockIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 1)
        out[blockIdx.x] = 2;
}
// Somebody waits for it.
__global__ void flag(volatile int *out)
{
    if (threadIdx.x == 0)
        out[0] = blockIdx.x;
    while (out[0] < 0)
        ;
}
