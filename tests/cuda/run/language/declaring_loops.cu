// SPDX-License-Identifier: Apache-2.0
// TEST: while (T x = e) declares x anew in each turn, also with continue, break and barriers; loops over {…} go through its values
// REF: docs/reference/cuda.md#language
__global__ void halved(int *y)
{
    int t = threadIdx.x, z = t, sum = 0;
    while (int r = z) {
        z = r / 2;
        if (r == 3)
            continue;
        if (r > 40)
            break;
        sum += r;
    }
    y[t] = sum;
}
// PY: def halved(t):
// PY:     total = 0
// PY:     while t and t <= 40:
// PY:         total += t if t != 3 else 0
// PY:         t //= 2
// PY:     return total
// LAUNCH: halved --block 64 --grid 1 y[64]=zeros
// OUT: y = np.array([halved(t) for t in range(64)])

// As many turns as the blocks of 64 have elements; every thread makes them all.
__global__ void together(int *y, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, left = n;
    s[t] = t;
    __syncthreads();
    while (bool more = left > 0) {
        int v = s[63 - t];
        __syncthreads();
        s[t] = v + more;
        __syncthreads();
        left--;
    }
    y[t] = s[t];
}
// LAUNCH: together --block 64 --grid 1 y[64]=zeros n=3
// OUT: y = 63 - np.arange(64) + 3

__global__ void listed(float *y)
{
    float sum = 0;
    int t = threadIdx.x;
    for (int k : {1, 2, t})
        for (const auto w : {0.5f, 2.0f})
            sum += k * w;
    y[t] = sum;
}
// LAUNCH: listed --block 64 --grid 1 y[64]=zeros
// OUT: y = 2.5 * (3 + np.arange(64))
