// SPDX-License-Identifier: Apache-2.0
// TEST: threads that have returned don't count in functions that hold barriers, at barriers that count, and in loops and branches around them whose conditions only the others may evaluate
__device__ int block_sum(int v)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = v;
    __syncthreads();
    int total = 0;
    for (int k = 0; k < 3; k++)
        total += s[k];
    __syncthreads();
    return total;
}

__device__ void publish(int *s, int at, int v)
{
    s[at] = v;
    __syncthreads();
}

// Two calls, one inside another, and one in an expression.
__device__ int twice(int v, int *s)
{
    publish(s, threadIdx.x, block_sum(v) + 1);
    return s[0] * 2;
}

__global__ void functions(const int *x, int *out, int n)
{
    __shared__ int s[64];
    int i = threadIdx.x;
    if (i >= n)
        return;
    int a = block_sum(x[i]);
    publish(s, i, x[i] * 3);
    a += s[(i + 1) % n] * 100;
    out[i] = a + 10000 * twice(x[i], s);
}

__global__ void counts(const int *x, int *out, int n)
{
    int i = threadIdx.x;
    if (i >= n)
        return;
    int c = __syncthreads_count(x[i] % 2);
    out[i] = c + 100 * __syncthreads_and(x[i] < n) + 200 * __syncthreads_or(x[i] >= n);
    if (__syncthreads_count(x[i] > 1) > 2)
        out[i] += 1000;
    int turns = 0, v = x[i];
    while (__syncthreads_or(v > 0)) {
        v -= 2;
        turns++;
    }
    out[i] += turns * 10000;
}

// Bounds that are loaded, whose places other threads must not even look at.
__global__ void loaded(const int *begin, const int *x, int *out, int n)
{
    __shared__ int s[64];
    int i = threadIdx.x, b = blockIdx.x;
    if (b * 64 + i >= n)
        return;
    s[i] = 0;
    for (int k = begin[b]; k < begin[b + 1]; k++) {
        int seen = s[0];
        __syncthreads();
        if (i == 0)
            s[0] = seen + x[k];
        __syncthreads();
    }
    int turns = begin[b + 1];
    do {
        __syncthreads();
        turns -= 2;
    } while (turns > 0);
    if (begin[b] == 0) {
        __syncthreads();
        s[i] += 0;
    }
    out[b * 64 + i] = s[0] + 1000 * turns;
}

// Loops that end by break or continue; who leaves does so in the first of them.
__global__ void jumps(const int *x, int *out, int n)
{
    __shared__ int stop;
    int i = threadIdx.x, turns = 0;
    if (i == 0)
        stop = n;
    __syncthreads();
    for (int k = 0; k < 4; k++) {
        if (x[i] == k)
            return;
        __syncthreads();
    }
    while (true) {
        turns++;
        __syncthreads();
        if (i == n)
            stop -= 1;
        __syncthreads();
        if (stop < 3) {
            turns += 100;
            break;
        }
    }
    for (int k = 0; k < 3; k++) {
        if (k == 1)
            continue;
        __syncthreads();
        turns += 1000;
    }
    out[i] = turns;
}
// PY: def functions(x, n):
// PY:     out = np.zeros(64, np.int64)
// PY:     a = sum(x[:3]) + 300 * x[(np.arange(n) + 1) % n]
// PY:     out[:n] = a + 10000 * 2 * (sum(x[:3]) + 1)
// PY:     return out
// LAUNCH: functions x[64]=iota out[64]=zeros n=40 --grid 1 --block 64
// LAUNCH: functions x[64]=iota out[64]=zeros n=40 --grid 1 --block 64 --sanitize
// LAUNCH: functions x[64]=iota out[64]=zeros n=64 --grid 1 --block 64 --schedule 2
// OUT: out = functions(in_x, n)
// PY: def counts(x, n):
// PY:     p = x[:n]
// PY:     out = np.zeros(64, np.int64)
// PY:     out[:n] = (p % 2).sum() + 100 * all(p < n) + 200 * any(p >= n) + 1000 * (sum(p > 1) > 2) + 10000 * ((p.max() + 1) // 2)
// PY:     return out
// LAUNCH: counts x[64]=iota out[64]=zeros n=37 --grid 1 --block 64
// LAUNCH: counts x[64]=iota out[64]=zeros n=3 --grid 1 --block 64
// OUT: out = counts(in_x, n)
// PY: def loaded(begin, x, n):
// PY:     out = np.full(192, -1, np.int64)
// PY:     for i in range(n):
// PY:         b = i // 64
// PY:         turns = begin[b + 1]
// PY:         while True:
// PY:             turns -= 2
// PY:             if turns <= 0: break
// PY:         out[i] = sum(x[begin[b]:begin[b + 1]]) + 1000 * turns
// PY:     return out
// LAUNCH: loaded begin[3]=iota x[8]=iota out[192]=full:-1 n=100 --grid 3 --block 64
// OUT: out = loaded(in_begin, in_x, n)
// LAUNCH: jumps x[32]=iota out[32]=full:-1 n=9 --grid 1 --block 32
// OUT: out = np.where(np.arange(32) < 4, -1, 7 + 100 + 2000)
