// SPDX-License-Identifier: Apache-2.0
// TEST: a shift to the left of a signed number doesn't overflow in C++: what it gives at the sign counts
// check-args: --block 32 --grid 1
// check lanes: proved
// check below_zero: bug HD0601 line @below
// check below_zero_apart: proved
// check strides: proved
// check strides_over: bug HD0601 line @over
__global__ void lanes(unsigned *y)
{
    // heddle: requires 32 <= len(y)
    int lane = threadIdx.x;
    y[lane] = (1 << lane) - 1;
}

// Lane 31's is the one number below zero.
__global__ void below_zero(unsigned *y)
{
    // heddle: requires 32 <= len(y)
    int lane = threadIdx.x;
    y[lane] = lane;
    if ((1 << lane) < 0)
        y[0] = lane; //@below
}

__global__ void below_zero_apart(unsigned *y)
{
    // heddle: requires 33 <= len(y)
    int lane = threadIdx.x;
    y[lane] = lane;
    if ((1 << lane) < 0)
        y[32] = lane;
}

__global__ void strides(float *x, int d)
{
    // heddle: requires 0 <= d && d < 8 && 8192 <= len(x)
    int stride = 1 << d;
    x[threadIdx.x * stride] = d;
}

__global__ void strides_over(float *x, int d)
{
    // heddle: requires 0 <= d && d < 32 && 8192 <= len(x)
    int stride = (1 << d) >> 8;
    if (stride >= 0 && stride < 256)
        x[threadIdx.x * stride] = threadIdx.x; //@over
}
