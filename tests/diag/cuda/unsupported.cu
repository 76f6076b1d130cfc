// SPDX-License-Identifier: Apache-2.0
// TEST: what kernels can't have is told at its place; other kernels are right
// REF: docs/errors/HD1150.md
__global__ void jumps(float *x)
{
again:
  x[0] += 1;
  if (x[0] < 10)
    goto again; //~ error HD1150: 'goto'
}
__global__ void keeps(int *x)
{
  static int n = 0; //~ error HD1150: 'static' variables
  x[0] = n++;
}
__global__ void right(int *x) { x[threadIdx.x] = 1; }
