// SPDX-License-Identifier: Apache-2.0
// TEST: what a lambda captures, and shared memory, has a name of its own in functions that use the same name for a parameter or a variable
// REF: docs/internals/cuda.md#what-c-has-and-c-hasnt
template <class F>
__device__ void guarded(int i, int n, F f)
{
    if (i >= n)
        return;
    f(i);
}

template <class F>
__device__ int summed(int from, F f)
{
    int total = 0;
    for (int i = from; i < from + 3; i++) {
        int v = f(i);
        total += v;
    }
    int y = total + 1; // behind the use of the other y
    return y;
}

__device__ int added(int v)
{
    __shared__ int s[64];
    s[threadIdx.x] = v;
    __syncthreads();
    int r = s[63 - threadIdx.x];
    __syncthreads();
    return r;
}

// `s` of its own, beside that of `added`
__device__ int twice(int s)
{
    int r = added(s);
    for (int k = 0; k < 2; k++) {
        int s = k + 1;
        r += s;
    }
    return r + s;
}

__global__ void parameter(int *y, int n)
{
    int i = 3;
    guarded(threadIdx.x, n - i, [&](int k) { y[k] = n + i; });
}
// LAUNCH: parameter --block 64 --grid 1 y[64]=iota n=40
// OUT: y = np.where(np.arange(64) < 37, 43, np.arange(64))

__global__ void variable(int *y, int v)
{
    int total = 2;
    y[threadIdx.x] = summed(threadIdx.x, [&](int k) { return k * v + total; }) +
                     summed(1, [=](int k) { return y[k + 32] * 0 + k; });
}
// LAUNCH: variable --block 32 --grid 1 y[64]=zeros v=5
// OUT: y = np.where(np.arange(64) < 32, (3 * np.arange(64) + 3) * 5 + 7 + 7, 0)

__global__ void shared(int *y)
{
    int s = 5;
    guarded(threadIdx.x, 64, [&](int k) { y[k] = s; });
    y[threadIdx.x] += twice(threadIdx.x);
}
// LAUNCH: shared --block 64 --grid 1 y[64]=zeros
// OUT: y = 5 + 63 + 3
