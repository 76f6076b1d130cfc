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

__global__ void late(float *x, int n)
{
    int i = threadIdx.x;
    __requires(n <= len(x)); //~ error HD0301: 'len' is not declared
    //~^ note: __requires and __assume that begin the body
    x[i] = n;
}

// One error, not one for each use of the name.
__global__ void referred(int &count) //~ error HD1150: a reference as a kernel's parameter
{
    count = count + 1;
}

__global__ void right(float *x, int n)
{
    __requires(n == 5 && -n <= len(x));
    x[threadIdx.x] = n;
}

// How large an array is at most says nothing that helps.
__global__ void at_most(float *x, int n)
{
    // heddle: requires n > 0 && len(x) <= n
    //~^ error HD1150: this condition about len(); write E <= len(x), E < len(x) or E == len(x)
    x[threadIdx.x] = n;
}
