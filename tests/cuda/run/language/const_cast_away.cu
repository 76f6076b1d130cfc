// SPDX-License-Identifier: Apache-2.0
// TEST: a store through a pointer whose const was cast away arrives, and later loads see it
// LAUNCH: add --block 64 --grid 1 d[64]=iota y[64]=zeros
// OUT: d = in_d + 1
// OUT: y = in_d + 1
__device__ void increment(const int *p) { *const_cast<int *>(p) += 1; }
__global__ void add(const int *d, int *y)
{
    increment(d + threadIdx.x);
    y[threadIdx.x] = d[threadIdx.x];
}
