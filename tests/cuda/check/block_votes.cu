// SPDX-License-Identifier: Apache-2.0
// TEST: what a vote of the block gives is one value, so barriers behind it are reached by all
// check-args: --block 128 --grid 1 --assume 128<=len(x)
// check some: proved
// check all: proved
// check all_racy: bug HD0601
// check while_some: proved
// check while_some_racy: bug HD0601
// check until_none: proved
// check with_thread: bug HD0705
// check counted: proved
// check counted_wrong: bug HD0702
// check counted_wrong: bug HD0601

__global__ void some(int *x)
{
    int t = threadIdx.x, c = x[t];
    if (__syncthreads_or(c > 5)) {
        x[t] = 1;
        __syncthreads();
        x[127 - t] = 2;
    }
}

__global__ void all(int *x)
{
    int t = threadIdx.x, c = x[t];
    if (__syncthreads_and(c > 5)) {
        x[t] = 1;
        __syncthreads();
        x[127 - t] = 2;
    }
}

__global__ void all_racy(int *x)
{
    int t = threadIdx.x, c = x[t];
    if (__syncthreads_and(c >= 0)) {
        x[t] = 1;
        x[127 - t] += t;
    }
}

__global__ void while_some(int *x)
{
    __shared__ int s[128];
    int t = threadIdx.x, n = 0;
    s[t] = x[t];
    while (__syncthreads_or(s[t] > n)) {
        int other = s[127 - t];
        __syncthreads();
        s[t] = other / 2;
        n++;
    }
    x[t] = s[127 - t];
}

// The second barrier of a turn is missing.
__global__ void while_some_racy(int *x)
{
    __shared__ int s[128];
    int t = threadIdx.x, n = 0;
    s[t] = x[t];
    while (__syncthreads_or(s[t] >= n && n < 3)) {
        s[t] = s[127 - t] / 2 + t;
        n++;
    }
    x[t] = s[127 - t];
}

__global__ void until_none(int *x)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = x[t];
    for (int n = 0; n < 10; n++) {
        if (!__syncthreads_count(s[t] > n))
            break;
        s[t] = s[t] / 2;
        __syncthreads();
    }
    x[t] = s[t];
}

// Some threads alone get there.
__global__ void with_thread(int *x)
{
    int t = threadIdx.x, c = x[t];
    if (__syncthreads_or(c >= 0) && t < 64) {
        x[t] = 1;
        __syncthreads();
    }
}

// A thread that is counted is one at least.
__global__ void counted(int *x)
{
    __shared__ int s[128];
    int t = threadIdx.x, c = x[t];
    int n = __syncthreads_count(c > 5);
    s[t] = c;
    if (c > 5)
        x[t] = s[n - 1 == 0 ? t : t] + 128 / n;
}

__global__ void counted_wrong(int *x)
{
    __shared__ int s[128];
    int t = threadIdx.x, c = x[t];
    int n = __syncthreads_count(c >= 0);
    if (c >= 0)
        s[n] = c;
}
