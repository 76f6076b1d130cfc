// SPDX-License-Identifier: Apache-2.0
// TEST: what is assumed can't change anything, as '=' in place of '==' would
__global__ void comment(float *x, int n)
{
    // heddle: requires n = 5
    //~^ error HD1150: a condition that changes a variable; '==' compares
    x[threadIdx.x] = n;
}

__global__ void first(float *x, int n)
{
    __requires(n = 5); //~ error HD1150: a condition that changes a variable
    __assume(n > 0 && n++ <= len(x)); //~ error HD1150: a condition that changes a variable
    x[threadIdx.x] = n;
}

__global__ void right(float *x, int n)
{
    __requires(n == 5 && -n <= len(x));
    x[threadIdx.x] = n;
}
