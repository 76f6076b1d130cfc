// SPDX-License-Identifier: Apache-2.0
// TEST: bodies that take the place of calls: names of parameters don't hide those of the caller
struct Ring {
    int v[4];
    __device__ int &at(int i) { return v[i & 3]; }
};
__device__ void advance(const int *&p, int n) { p += n; }

__global__ void rings(int *out)
{
    Ring r = {{5, 6, 7, 8}};
    int i = threadIdx.x;
    r.at(i * 3) += 10;
    r.at(i * 5) += 100;
    int got = i & 1 ? r.at(i + 2) : 0;
    while (r.at(i * 7) < 300)
        r.at(i * 7) += 50;
    for (int k = 0; k < 4; k++)
        out[i * 5 + k] = r.v[k];
    out[i * 5 + 4] = got;
}
// PY: def rings():
// PY:     rows = []
// PY:     for i in range(8):
// PY:         v = [5, 6, 7, 8]
// PY:         v[i * 3 & 3] += 10
// PY:         v[i * 5 & 3] += 100
// PY:         got = v[i + 2 & 3] if i & 1 else 0
// PY:         while v[i * 7 & 3] < 300:
// PY:             v[i * 7 & 3] += 50
// PY:         rows += v + [got]
// PY:     return np.array(rows)
// LAUNCH: rings out[40]=zeros --block 8 --grid 1
// OUT: out = rings()

__global__ void steps(const int *x, int *out)
{
    int n = 3;
    const int *p = x;
    advance(p, n + threadIdx.x);
    out[threadIdx.x] = *p + n;
}
// LAUNCH: steps x[16]=iota out[8]=zeros --block 8 --grid 1
// OUT: out = np.arange(8) + 6

struct Sized {
    int n = 4;
    int twice = n * 2;
    __device__ Sized(int by) : n(by) {}
};

__global__ void defaults(int *out)
{
    Sized s(threadIdx.x);
    out[threadIdx.x] = s.twice;
}
// LAUNCH: defaults out[8]=zeros --block 8 --grid 1
// OUT: out = np.arange(8) * 2
