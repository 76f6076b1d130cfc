// SPDX-License-Identifier: Apache-2.0
// TEST: a pointer leads into global, shared or the thread's own memory, as the way to its access was
// REF: docs/reference/cuda.md#pointers
struct View {
    int *at;
    __device__ int &operator[](int i) const { return at[i]; }
};

__device__ int *choice(int k, int *a, int *b, int *c)
{
    return k == 0 ? a : k == 1 ? b : c;
}

__device__ void add(int *p, int n, int x)
{
    for (int i = 0; i < n; i++)
        p[i] += x;
}

__global__ void ways(int *g, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    int mine = 3, *p = &g[t];
    s[t] = 2;
    if (t % 3 == 1)
        p = &s[t];
    else if (t % 3 == 2)
        p = &mine;
    *p += 10 * t;
    out[t] = 1000000 * mine + 1000 * s[t] + g[t];
}

// Behind barriers, and in a loop.
__global__ void kept(int *g, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    int a[2] = {1, 2}, b = 7, *p = t % 2 ? a : &b, *q = s + t;
    s[t] = 5;
    __syncthreads();
    a[0] = 11;
    b = 13;
    for (int k = 0; k < 4; k++) {
        *p += *q;
        int *other = p;
        p = q;
        q = other;
        __syncthreads();
    }
    out[t] = 1000 * *p + *q + s[63 - t] * 1000000 + a[1];
}

__global__ void passed(int *g, int *out)
{
    __shared__ int s[128];
    int t = threadIdx.x, mine[2] = {1, 2};
    s[2 * t] = s[2 * t + 1] = 0;
    int *p = choice(t % 3, mine, s + 2 * t, g + 2 * t);
    add(p, 2, t);
    View v = {p}, w = {t & 1 ? mine : s + 2 * t};
    v[1] += 100;
    if (t > 40)
        v = w;
    out[t] = v[0] + 1000 * v[1] + 1000000 * (mine[0] + s[2 * t]);
}

__global__ void counted(int *g, int *out)
{
    __shared__ int s[1];
    int t = threadIdx.x;
    if (t == 0)
        s[0] = 0;
    __syncthreads();
    int *p = t % 2 ? s : g;
    atomicAdd(p, t);
    __syncthreads();
    out[t] = s[0];
}
// LAUNCH: ways g[64]=iota out[64]=zeros --grid 1 --block 64
// ALSO: --schedule 3
// ALSO: --sanitize
// PY: t = np.arange(64)
// PY: d = [10 * t * (t % 3 == k) for k in range(3)]
// OUT: g = t + d[0]
// OUT: out = 1000000 * (3 + d[2]) + 1000 * (2 + d[1]) + t + d[0]
// LAUNCH: kept g[64]=iota out[64]=zeros --grid 1 --block 64
// ALSO: --schedule 3
// ALSO: --sanitize
// PY: def turns():
// PY:     rows = []
// PY:     for k in range(64):
// PY:         x, y = (11, 5) if k % 2 else (13, 5)
// PY:         for i in range(4):
// PY:             x, y = y, x + y
// PY:         rows.append((x, y))
// PY:     return np.array(rows)
// PY: def last():
// PY:     r = turns()
// PY:     return 1000 * r[:, 0] + r[:, 1] + 1000000 * r[::-1, 1] + 2
// OUT: out = last()
// LAUNCH: passed g[128]=iota out[64]=zeros --grid 1 --block 64
// ALSO: --schedule 3
// ALSO: --sanitize
// PY: def pairs():
// PY:     mine, s, g = np.array([[1, 2]] * 64), np.zeros((64, 2), int), np.arange(128).reshape(64, 2)
// PY:     for k in range(64):
// PY:         at = [mine, s, g][k % 3][k]
// PY:         at += k
// PY:         at[1] += 100
// PY:     return mine, s, g
// PY: def seen():
// PY:     mine, s, g = pairs()
// PY:     at = [[mine, s, g][k % 3][k] if k <= 40 else [s, mine][k & 1][k] for k in range(64)]
// PY:     return [v[0] + 1000 * v[1] + 1000000 * (m[0] + x[0]) for v, m, x in zip(at, mine, s)]
// OUT: g = pairs()[2].ravel()
// OUT: out = seen()
// LAUNCH: counted g[1]=zeros out[64]=zeros --grid 1 --block 64
// ALSO: --schedule 3
// ALSO: --sanitize
// OUT: g = np.arange(64)[::2].sum()
// OUT: out = np.full(64, np.arange(64)[1::2].sum())
