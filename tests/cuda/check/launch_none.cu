// SPDX-License-Identifier: Apache-2.0
// TEST: of a kernel that the file doesn't launch the sizes and the grid are unknown, too
// REF: docs/internals/check.md
// convert leaves out turned, by_pointer, filtered, repeated: what other files launch is no part of it
// check turned: unknown HD0601 line @turned but not for values like 'width' = 1024 and 'height' = 1024, and no launch in the file says what they are
// check by_pointer: unknown HD0601 line @by_pointer and no launch in the file says
// check filtered: unknown HD0601 line @filtered and no launch in the file says
// check repeated: unknown HD0603 line @repeated and no launch in the file says
// check meets: bug HD0601 line @meets
// check alone: bug HD0601 line @alone
// check tile_early: bug HD0601 line @early
// check stated: bug HD0601 line @stated
#define TURNED(name)                                       \
    __global__ void name(float *to, int width, int height) \
    {                                                      \
        __shared__ float tile[16][16];                     \
        int x = blockIdx.x * 16 + threadIdx.x;             \
        int y = blockIdx.y * 16 + threadIdx.y;             \
        tile[threadIdx.y][threadIdx.x] = x;                \
        to[y + height * x] = tile[threadIdx.y][threadIdx.x];

// clang-format off
TURNED(turned) //@turned
}
TURNED(by_pointer) //@by_pointer
}
// clang-format on

void launch_any(float *to, int width, int height)
{
    void (*kernel)(float *, int, int) = &by_pointer;
    kernel<<<dim3(width / 16, height / 16), dim3(16, 16)>>>(to, width, height);
}

// A row for each thread, and a radius that is less than the row is long.
__global__ void filtered(float *to, int width, int height, int radius)
{
    int y = blockIdx.x * blockDim.x + threadIdx.x;
    for (int x = 0; x <= radius; x++)
        to[y * width + x] = y; //@filtered
}

__global__ void repeated(float *to, int width, int times)
{
    float last;
    for (int k = 0; k < times; k++)
        last = k;
    to[blockIdx.x * blockDim.x + threadIdx.x] = last; //@repeated
}

// Wrong for all sizes.
__global__ void meets(float *to, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < width)
        to[x / 2 + height] = x; //@meets
}

// One number.
__global__ void alone(float *to, int width)
{
    int x = threadIdx.x, y = threadIdx.y;
    to[y * width + x] = x; //@alone
}

__global__ void tile_early(float *to, int width, int height)
{
    __shared__ float tile[16][16];
    int x = blockIdx.x * 16 + threadIdx.x;
    int y = blockIdx.y * 16 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = x;
    if (x < width && y < height)
        to[y * width + x] = tile[threadIdx.x][threadIdx.y]; //@early
}

// The kernel says what its sizes may be.
__global__ void stated(float *to, int width, int height)
{
    __requires(width >= 8 && height >= 8);
    int x = blockIdx.x * 16 + threadIdx.x;
    int y = blockIdx.y * 16 + threadIdx.y;
    to[y * width + x] = x; //@stated
}
