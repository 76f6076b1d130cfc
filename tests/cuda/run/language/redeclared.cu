// SPDX-License-Identifier: Apache-2.0
// TEST: a variable that is declared before it is defined has what its definition says
// REF: docs/reference/cuda.md
// NVCC: `extern` variables of devices want -rdc there
// LAUNCH: k --block 1 --grid 1 x[4]=zeros
// OUT: x = [6, 7, 8, 5]
extern __constant__ int ec[2];
extern const int ei;
extern __device__ int ed;
__constant__ int ec[2] = {5, 6};
const int ei = 7;
__device__ int ed = 8;
extern __constant__ int ec[2];
__global__ void k(int *x)
{
    x[0] = ec[1]; x[1] = ei; x[2] = ed; x[3] = ec[0];
}
