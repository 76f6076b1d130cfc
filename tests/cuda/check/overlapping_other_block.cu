// SPDX-License-Identifier: Apache-2.0
// TEST: a launch with another block than the first may pass one array twice, and is asked with its own
// REF: docs/reference/cuda.md
// check second: bug HD0601 line @second
// check in_place: proved
// check last_step: proved
// check each_turn: bug HD0601 line @each
// convert leaves out second, each_turn: launches are no part of it
#define BODY(n) __requires(n <= len(in) && n <= len(out)); int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = in[n - 1 - i]
__global__ void second(const float *in, float *out, int n) { BODY(n); } //@second
__global__ void in_place(const float *in, float *out, int n)
{
    __requires(n <= len(in) && n <= len(out));
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 2 * in[i];
}
// A block writes what others read: in place, there may be one.
#define STEP __requires(gridDim.x * blockDim.x <= len(in) && gridDim.x <= len(out)); __shared__ float first; if (threadIdx.x == 0) first = in[blockIdx.x * blockDim.x]; __syncthreads(); if (threadIdx.x == 0) out[blockIdx.x * 64] = first
__global__ void last_step(const float *in, float *out) { __requires(gridDim.x * 64 <= len(out)); STEP; }
__global__ void each_turn(const float *in, float *out, int n) { __requires(n <= len(in) && n <= len(out)); int i = threadIdx.x; if (i < n) out[i] = in[(i + 1) % n]; } //@each
void host()
{
    const int n = 1024;
    float *x, *y;
    cudaMalloc(&x, 2 * n * 4);
    cudaMalloc(&y, 2 * n * 4);
    second<<<8, 128>>>(x, y, n);
    second<<<4, 256>>>(y, y, n);
    in_place<<<8, 128>>>(x, y, n);
    in_place<<<4, 256>>>(x, x, n);
    last_step<<<8, 128>>>(x, y);
    last_step<<<1, 256>>>(y, y);
    each_turn<<<1, 128>>>(x, y, 64);
    each_turn<<<1, 256>>>(x, y, 64);
    each_turn<<<1, 32>>>(x, y, 64);
    each_turn<<<1, 64>>>(x, x, 64);
}
