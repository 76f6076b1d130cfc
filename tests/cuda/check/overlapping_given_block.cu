// SPDX-License-Identifier: Apache-2.0
// TEST: what launches say of pointers counts with a block that is given, too
// REF: docs/reference/cuda.md
// check-args: --block 64
// check part: unknown HD0601
// check copied: bug HD0601 line @copied
// check second: bug HD0601 line @second
// check apart: proved
// check in_place: proved
// check last_step: proved
// convert leaves out copied, part, second: launches are no part of it
#define BODY(n) __requires(n <= len(in) && n <= len(out)); int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = in[n - 1 - i]
__global__ void part(const float *in, float *out, int n) { BODY(n); }
__global__ void copied(const float *in, float *out, int n) { BODY(n); } //@copied
__global__ void second(const float *in, float *out, int n) { BODY(n); } //@second
__global__ void apart(const float *in, float *out, int n) { BODY(n); }
__global__ void in_place(const float *in, float *out, int n)
{
    __requires(n <= len(in) && n <= len(out));
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 2 * in[i];
}
__global__ void last_step(const float *in, float *out) // a block writes what others read
{
    __requires(gridDim.x * blockDim.x <= len(in) && gridDim.x <= len(out));
    __shared__ float first;
    if (threadIdx.x == 0)
        first = in[blockIdx.x * blockDim.x];
    __syncthreads();
    if (threadIdx.x == 0)
        out[blockIdx.x] = first;
}
void host()
{
    const int n = 1024;
    float *x, *y, *z;
    cudaMalloc(&x, 2 * n * 4);
    cudaMalloc(&y, 2 * n * 4);
    z = x;
    part<<<8, 128>>>(x, x + n, n);
    copied<<<8, 128>>>(x, z, n);
    second<<<8, 128>>>(x, y, n);
    second<<<4, 256>>>(y, y, n);
    apart<<<8, 128>>>(x, y, n);
    apart<<<4, 256>>>(y, x, n);
    in_place<<<8, 128>>>(x, x, n);
    last_step<<<8, 128>>>(x, y);
    last_step<<<1, 256>>>(y, y);
}
