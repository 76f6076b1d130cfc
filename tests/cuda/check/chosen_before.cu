// SPDX-License-Identifier: Apache-2.0
// TEST: what a variable got under a condition is what it holds under the same condition; elsewhere it may be anything
// check-args: --block 32,4 --grid 1 --assume 128<=len(g)
// check one: proved
// check nested: proved
// check by_flag: proved
// check border: proved
// check border_wide: bug HD0601
// check other_condition: bug HD0702
// check meets: bug HD0601

__global__ void one(float *g)
{
    __shared__ float s[256];
    int t = threadIdx.x + 32 * threadIdx.y, at;
    if (t < 64)
        at = 2 * t + 1;
    if (t < 64)
        s[at] = g[t];
    if (t >= 64)
        s[2 * (t - 64)] = g[t];
}

__global__ void nested(float *g)
{
    __shared__ float s[256];
    int t = threadIdx.x + 32 * threadIdx.y, at;
    if (t < 64) {
        int i, j;
        if (t < 32) {
            i = t;
            j = 1;
        } else {
            i = t - 32;
            j = 3;
        }
        at = 4 * i + j;
    }
    if (t < 64)
        s[at] = g[t];
    if (t >= 64)
        s[2 * (t - 64)] = g[t];
}

__global__ void by_flag(float *g)
{
    __shared__ float s[256];
    int t = threadIdx.x + 32 * threadIdx.y, at, e = t < 64;
    if (e)
        at = t < 32 ? 4 * t + 1 : 4 * (t - 32) + 3;
    if (e)
        s[at] = g[t];
    if (t >= 64)
        s[2 * (t - 64)] = g[t];
}

template <int WIDE> __device__ void fill(const float *g)
{
    __shared__ float s[40 * 6];
    int x = threadIdx.x, y = threadIdx.y, k = x + 32 * y, at;
    int edge = k < 2 * (32 + 4 + 2);
    if (edge) {
        int i, j;
        if (y < 2) {
            i = x;
            j = y * 5 - 1;
        } else {
            i = k % 2 * (33 - WIDE) - 1;
            j = k / 2 - 33;
        }
        at = (i + 1) + (j + 1) * 40;
    }
    s[x + 1 + (y + 1) * 40] = g[k];
    if (edge)
        s[at] = g[k] + k;
}

__global__ void border(const float *g)
{
    fill<0>(g);
}

// One column too few.
__global__ void border_wide(const float *g)
{
    fill<1>(g);
}

// Where nothing has set it.
__global__ void other_condition(float *g)
{
    __shared__ float s[256];
    int t = threadIdx.x + 32 * threadIdx.y, at = 300;
    if (t < 64)
        at = 2 * t + 1;
    if (t < 65)
        s[at] = g[t];
}

__global__ void meets(float *g)
{
    __shared__ float s[256];
    int t = threadIdx.x + 32 * threadIdx.y, at;
    if (t < 64)
        at = 2 * t;
    if (t < 64)
        s[at] = t;
    if (t >= 64)
        s[2 * (t - 64)] = t;
}
