// SPDX-License-Identifier: Apache-2.0
// TEST: numbers that other code hands over go together: members of structs, parameters that other files pass, what unseen functions give
// REF: docs/internals/check.md
// convert leaves out rows, rows_given, rows_set, parts, padded, mixed_up, unguarded, strided, strided_one, stepped: launches are no part of it
// check rows: unknown HD0601 line @rows but not for 'width' = 1024
// check rows_given: bug HD0601 line @rows_given
// check rows_set: bug HD0601 line @rows_set
// check parts: proved
// check always: bug HD0601 line @always
// check padded: unknown HD0601 line @padded but not for 'height' = 8192, 'width' = 4096
// check padded_one: bug HD0601 line @padded_one
// check mixed_up: unknown HD0601 line @mixed_up but not for 'width' = 4096 and 'pitch' = 8192
// check unguarded: bug HD0702 line @unguarded
// check strided: unknown HD0601 line @strided but not for 'stride' = 1024
// check strided_one: bug HD0601 line @strided_one
// check stepped: unknown HD0702 line @stepped but not for 'order' =
#include <stdlib.h>

#define ROWS(name)                                                                            \
    __global__ void name(float *x, int width)                                                 \
    {                                                                                         \
        x[(blockIdx.y * blockDim.y + threadIdx.y) * (width + 1) + threadIdx.x] = threadIdx.x; \
    }

// clang-format off
ROWS(rows) //@rows
ROWS(rows_given) //@rows_given
ROWS(rows_set) //@rows_set
// clang-format on

struct Layers {
    int width, height;
    int count;
    static const int most = 4;
};

__global__ void parts(float *x, int n)
{
    __shared__ float s[4];
    for (int k = threadIdx.x; k < n; k += blockDim.x)
        s[k] = k;
}

// Whatever the width is.
__global__ void always(float *x, int width)
{
    x[blockIdx.y * width + threadIdx.x / 2] = threadIdx.x; //@always
}

void layer(float *x, Layers *net, Layers plain)
{
    dim3 block(16, 16), grid(1, net->height / 16);
    rows<<<grid, block>>>(x, net->width);
    const int n = plain.most;
    parts<<<1, 64>>>(x, n);
    always<<<dim3(1, net->height), 64>>>(x, net->width);
}

__global__ void padded(float *to, int height, int width, int rows, int columns)
{
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (y < rows && x < columns)
        to[y * width + x] = x; //@padded
}

// Right where rows are at least as long as the image is wide, which the caller may see to.
__global__ void mixed_up(float *to, int width, int pitch)
{
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < width)
        to[y * pitch + x] = x; //@mixed_up
}

// A number alone may be any.
__global__ void padded_one(float *to, int width)
{
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    to[y * width + threadIdx.x] = y; //@padded_one
}

__global__ void unguarded(float *x, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = m; //@unguarded
}

void pad(float *to, int height, int width, int rows, int columns)
{
    dim3 block(16, 16), grid((columns + 15) / 16, (rows + 15) / 16);
    padded<<<grid, block>>>(to, height, width, rows, columns);
    mixed_up<<<grid, block>>>(to, columns, rows);
    padded_one<<<dim3(1, 4), dim3(8, 8)>>>(to, width);
    float *x;
    cudaMalloc(&x, columns * sizeof(float));
    unguarded<<<(columns + 127) / 128, 128>>>(x, columns, rows);
}

#define STRIDED(name)                                                                              \
    __global__ void name(float *x, int stride)                                                     \
    {                                                                                              \
        x[blockIdx.y * stride + blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.y + threadIdx.x; \
    }

// clang-format off
STRIDED(strided) //@strided
STRIDED(strided_one) //@strided_one
// clang-format on

float *plane(int width, int height, int *stride);
dim3 blocks_of(int width, int height);

void with_stride(int width, int height)
{
    int stride;
    float *x = plane(width, height, &stride);
    strided<<<blocks_of(width, height), 64>>>(x, stride);
    strided_one<<<dim3(2, 2), 64>>>(x, stride);
}

// The loop that calls isn't around the launch.
__global__ void stepped(float *x, int order)
{
    __shared__ float s[2048];
    if (threadIdx.x == 0)
        s[threadIdx.x + order] = 1; //@stepped
}

void one_order(float *x, int order)
{
    stepped<<<1, 64>>>(x, order);
}

int main(int argc, char **argv)
{
    Layers own;
    own.count = atoi(argv[1]);
    int size = atoi(argv[2]);
    float *x;
    rows_given<<<dim3(1, 4), dim3(16, 16)>>>(x, own.count);
    rows_set<<<dim3(1, 4), dim3(16, 16)>>>(x, size);
    for (int order = 1; order <= 128; order *= 2)
        one_order(x, order);
}
