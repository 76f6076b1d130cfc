// SPDX-License-Identifier: Apache-2.0
// TEST: a store of one value by many threads is a warning, of different values a race
// check-args: --block 64 --grid 2
// check flag: proved
// check flag: remark HD0693
// check done: proved
// check done: remark HD0693
// check number: bug HD0601
// check once: proved
// check warps: proved
// check warps: remark HD0693
// check warps_apart: bug HD0601
// check warps_apart: remark HD0693
// check root: proved
// check root: remark HD0693
// check bits: proved
// check bits: remark HD0693
// check sums: proved
// check sums: remark HD0693
// check sums_apart: bug HD0601
// check shifted: bug HD0703
// check shifted: unknown HD0601
// sanitize flag: x[128]=full:1 found[1]=zeros --block 64 --grid 2
// sanitize done: state[4]=zeros round=3 --block 64 --grid 2
// sanitize number: x[128]=full:1 found[1]=zeros --block 64 --grid 2
// sanitize once: state[4]=zeros round=3 --block 64 --grid 2
// sanitize root: y[4]=zeros scale=2 --block 64 --grid 2
// sanitize bits: y[4]=zeros --block 64 --grid 2
// sanitize sums: x[64]=iota y[4]=zeros --block 64 --grid 2
// sanitize sums_apart: x[64]=iota y[4]=zeros --block 64 --grid 2
// sanitize warps: y[128]=zeros --block 64 --grid 2
// sanitize warps_apart: y[128]=zeros --block 64 --grid 2
__global__ void flag(const int *x, int *found)
{
    // heddle: requires 128 <= len(x) && 1 <= len(found)
    if (x[blockIdx.x * 64 + threadIdx.x] == 1)
        found[0] = 1;
}

__global__ void done(int *state, int round)
{
    // heddle: requires 4 <= len(state)
    state[3] = round + 1;
}

__global__ void number(const int *x, int *found)
{
    // heddle: requires 128 <= len(x) && 1 <= len(found)
    int i = blockIdx.x * 64 + threadIdx.x;
    if (x[i] == 1)
        found[0] = i;
}

// Equal values at places that overlap: what is left depends on who is last.
// What is left in bytes of both depends on who stores last.
__global__ void shifted(unsigned char *p)
{
    // heddle: requires 1000 <= len(p)
    *(int *)(p + blockIdx.x * 64 + threadIdx.x) = 5;
}

__global__ void once(int *state, int round)
{
    // heddle: requires 4 <= len(state)
    if (blockIdx.x == 0 && threadIdx.x == 0)
        state[3] = round + 1;
}

// Each warp sets its own flag for all of its lanes, then one lane takes it back.
__global__ void warps(int *y)
{
    // heddle: requires 128 <= len(y)
    __shared__ int any[2];
    any[threadIdx.x / 32] = 1;
    __syncwarp();
    if (threadIdx.x % 32 == 0)
        any[threadIdx.x / 32] = 2;
    __syncwarp();
    y[blockIdx.x * 64 + threadIdx.x] = any[threadIdx.x / 32];
}

// The other warp's store of 1 isn't before the store of 2.
__global__ void warps_apart(int *y)
{
    // heddle: requires 128 <= len(y)
    __shared__ int any[2];
    any[0] = 1;
    __syncwarp();
    if (threadIdx.x == 32)
        any[0] = 2;
    y[blockIdx.x * 64 + threadIdx.x] = 0;
}

// Equal in all threads, as the analysis of uniform values says.
__global__ void root(float *y, float scale)
{
    // heddle: requires 4 <= len(y)
    float product = scale;
    for (int i = 0; i < 3; i++)
        product *= 1.5f;
    y[2] = sqrtf(product);
}

// Equal, but through memory of the thread, which isn't followed.
__global__ void bits(int *y)
{
    // heddle: requires 4 <= len(y)
    union
    {
        float number;
        int word;
    } both;
    both.number = 1.0f;
    y[1] = both.word;
}

// A table at places that are equal.
__global__ void sums(const int *x, int *y)
{
    // heddle: requires 64 <= len(x) && 4 <= len(y)
    int sum = 0;
    for (int i = 0; i < 64; i++)
        sum += x[i];
    y[0] = sum;
}

__global__ void sums_apart(const int *x, int *y)
{
    // heddle: requires 64 <= len(x) && 4 <= len(y)
    int sum = 0;
    for (int i = threadIdx.x; i < 64; i++)
        sum += x[i];
    y[0] = sum;
}
