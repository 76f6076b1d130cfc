// SPDX-License-Identifier: Apache-2.0
// TEST: tables of functions can be called, nothing else, and calls that choose where nothing may stand before them say so
typedef float (*Unary)(float);
__device__ float square(float x) { return x * x; }
__device__ void store(float *x, int i) { x[i] = 1; }
__device__ void (*const stores[2])(float *, int) = {store, store};

__global__ void assigned(float *x)
{
    Unary local[2] = {square, square};
    local[0] = nullptr;                 //~ error HD1150: a table of functions as a value
    x[0] = local[0](x[1]);
}
__global__ void passed(float *x)
{
    Unary local[2] = {square, square};
    const Unary *p = local;             //~ error HD1150: a table of functions as a value
    x[0] = p[1](x[1]);                  //~ error HD1150: calls through function pointers
}
__global__ void other(float *x)
{
    Unary local[2] = {square, nullptr};
    x[0] = local[1](x[1]);              //~ error HD1150: a table of functions that holds something else
}
__global__ void within(float *x, int k)
{
    x[0] = k > 1 ? (stores[k](x, 1), 1) : 0; //~ error HD1150: this call through a table of functions
}
