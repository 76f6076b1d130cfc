// SPDX-License-Identifier: Apache-2.0
// TEST: `sizeof *x` in host code is the size of what x points to where it stands
// REF: docs/guide/cuda.md#checking
// check dereferenced: proved
// check subscripted: proved
// check inner: proved
// check member: proved
// check outer: unknown HD0702 line @outer
// check arrays: proved
// check pointers: proved
#include <vector>

__global__ void dereferenced(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = 1;
}
void launch_dereferenced(int n)
{
    float *x;
    cudaMalloc(&x, n * sizeof *x);
    dereferenced<<<(n + 127) / 128, 128>>>(x, n);
}

__global__ void subscripted(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = 1;
}
void launch_subscripted(float *x, int n)
{
    cudaMalloc((void **)&x, sizeof(x[0]) * n);
    subscripted<<<(n + 127) / 128, 128>>>(x, n);
}

__global__ void inner(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = 1;
}
void launch_inner(int n)
{
    char *q;
    {
        float *q;
        cudaMalloc(&q, n * sizeof(*q));
        inner<<<(n + 127) / 128, 128>>>(q, n);
    }
}

struct Pair {
    int key;
    double value;
};
__global__ void member(double *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = 1;
}
void launch_member(int n)
{
    std::vector<Pair> unknown;
    Pair pairs[4];
    double *x;
    cudaMalloc(&x, n * sizeof(pairs[0].value));
    member<<<(n + 127) / 128, 128>>>(x, n);
}

// The inner q points to bytes.
__global__ void outer(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = 1; //@outer
}
void launch_outer(int n)
{
    float *q;
    {
        char *q;
        int bytes = sizeof(*q);
        float *x;
        cudaMalloc(&x, n * bytes);
        outer<<<(n + 127) / 128, 128>>>(x, n);
    }
}

__global__ void arrays(float *x)
{
    x[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
void launch_arrays()
{
    short host[2048];
    float *x;
    cudaMalloc(&x, sizeof host);
    arrays<<<8, 128>>>(x);
}

__global__ void pointers(float *x)
{
    x[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
void launch_pointers()
{
    float *x;
    cudaMalloc(&x, 512 * sizeof x);
    pointers<<<8, 128>>>(x);
}
