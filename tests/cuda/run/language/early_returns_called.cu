// SPDX-License-Identifier: Apache-2.0
// TEST: behind an early return, barriers in calls under ?:, && and ||, and functions that return before theirs
__device__ int first_of(int *s, int v)
{
    s[threadIdx.x] = v;
    __syncthreads();
    int first = s[0];
    __syncthreads();
    return first;
}

__global__ void chosen(const int *in, int *out, int n, int flag)
{
    __shared__ int s[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int v = flag > 0 ? first_of(s, in[i]) + 1 : flag < 0 ? in[i] : first_of(s, 7);
    out[i] = v;
}
// LAUNCH: chosen in[72]=iota out[72]=zeros n=72 flag=1 --grid 2 --block 64
// OUT: out = np.arange(72) // 64 * 64 + 1
// LAUNCH: chosen in[72]=iota out[72]=zeros n=72 flag=-1 --grid 2 --block 64
// OUT: out = np.arange(72)
// LAUNCH: chosen in[72]=iota out[72]=zeros n=72 flag=0 --grid 2 --block 64
// OUT: out = np.full(72, 7)

// What is tested with the value differs between threads.
__global__ void logical(const int *in, int *out, int n, int flag)
{
    __shared__ int s[64];
    int i = threadIdx.x;
    if (i >= n)
        return;
    if (flag && in[i] > first_of(s, in[i] + 4))
        out[i] = 1;
    out[i] += flag || __syncthreads_or(in[i] == 9) ? 10 : 20;
    if (first_of(s, 5) < in[i])
        out[i] += 100;
}
// LAUNCH: logical in[12]=iota out[12]=zeros n=12 flag=1 --grid 1 --block 64
// OUT: out = 10 + (np.arange(12) > 4) + 100 * (np.arange(12) > 5)
// LAUNCH: logical in[12]=iota out[12]=zeros n=9 flag=0 --grid 1 --block 64
// OUT: out = np.array([20] * 6 + [120] * 3 + [0] * 3)

__device__ void work(int *s, const int *in, int *out, int n)
{
    int i = threadIdx.x;
    if (i >= n)
        return;
    s[i] = in[i];
    __syncthreads();
    out[i] = s[n - 1 - i];
}

__global__ void whole(const int *in, int *out, int n)
{
    __shared__ int s[64];
    work(s, in, out, n);
}
// LAUNCH: whole in[40]=iota out[50]=zeros n=40 --grid 1 --block 64
// OUT: out = np.append(39 - np.arange(40), np.zeros(10))

// Returns behind the last barrier, and of all threads before it.
__device__ int reversed_or(int *s, const int *in, int n, int other, int skip)
{
    int i = threadIdx.x;
    if (skip) {
        other -= 51;
        return other;
    }
    s[i] = i < n ? in[i] : 0;
    __syncthreads();
    if (i >= n)
        return other * 2;
    if (s[n - 1 - i] == 3)
        return 33;
    return s[n - 1 - i];
}

__global__ void with_value(const int *in, int *out, int n, int m, int skip)
{
    __shared__ int s[64];
    if (threadIdx.x >= m)
        return;
    int v = reversed_or(s, in, n, 50, skip);
    out[threadIdx.x] = v;
}
// LAUNCH: with_value in[40]=iota out[50]=zeros n=40 m=45 skip=0 --grid 1 --block 64
// OUT: out = np.concatenate([39 - np.arange(36), [33, 2, 1, 0], [100] * 5, [0] * 5])
// LAUNCH: with_value in[40]=iota out[50]=zeros n=40 m=45 skip=1 --grid 1 --block 64
// OUT: out = np.append(np.full(45, -1), np.zeros(5))

// All or none return, before more barriers.
__device__ int doubled(int *s, int v, int skip)
{
    if (skip)
        return v;
    s[threadIdx.x] = v;
    __syncthreads();
    int other = s[threadIdx.x ^ 1];
    __syncthreads();
    if (other == 4)
        return 44;
    return other;
}

__global__ void repeated(const int *in, int *out, int n, int skip)
{
    __shared__ int s[64];
    int i = threadIdx.x;
    if (i >= n)
        return;
    int a = doubled(s, in[i], skip);
    out[i] = a + doubled(s, 100 + i, 0);
}
// LAUNCH: repeated in[40]=iota out[40]=zeros n=40 skip=0 --grid 1 --block 64
// PY: def swapped(): k = np.arange(40) ^ 1; return np.where(k == 4, 44, k) + 100 + k
// OUT: out = swapped()
// LAUNCH: repeated in[40]=iota out[40]=zeros n=40 skip=1 --grid 1 --block 64
// OUT: out = np.arange(40) + 100 + (np.arange(40) ^ 1)
