// SPDX-License-Identifier: Apache-2.0
// TEST: loads and stores with cache hints move the same values, of every type they are declared for
#define LOADS(T, f, p, i) (f(__ldg(p + i)) + f(__ldca(p + i)) + f(__ldcg(p + i)) + f(__ldcs(p + i)) + \
                           f(__ldlu(p + i)) + f(__ldcv(p + i)))
template <class T> __device__ float first(T v) { return v.x; }
template <class T> __device__ float only(T v) { return v; }

__global__ void hints(const float *f, const int *w, const unsigned char *b, const double *d, const float4 *q,
                      const int2 *p, const unsigned long long *l, int n, float *out, float *copy, int *ints,
                      float4 *quads)
{
    int i = threadIdx.x;
    out[0 * n + i] = LOADS(float, only, f, i);
    out[1 * n + i] = LOADS(int, only, w, i);
    out[2 * n + i] = LOADS(unsigned char, only, b, i);
    out[3 * n + i] = LOADS(double, only, d, i);
    out[4 * n + i] = LOADS(float4, first, q, i);
    out[5 * n + i] = LOADS(int2, first, p, i);
    out[6 * n + i] = LOADS(unsigned long long, only, l, i);
    __stwb(&copy[0 * n + i], f[i]);
    __stcg(&copy[1 * n + i], f[i] + 1);
    __stcs(&copy[2 * n + i], f[i] + 2);
    __stwt(&copy[3 * n + i], f[i] + 3);
    __stcs(&ints[i], -w[i]);
    __stcg(&quads[i], make_float4(q[i].w, q[i].z, q[i].y, q[i].x));
}
// PY: def reference(f, w, b, d, q, p, l):
// PY:     rows = [f, w, b, d, q[:, 0], p[:, 0], l]
// PY:     total = []
// PY:     for r in rows:
// PY:         r = r.astype(np.float32)
// PY:         s = r + r
// PY:         for _ in range(4): s = s + r
// PY:         total.append(s)
// PY:     return np.concatenate(total)
// LAUNCH: n=64 f[64]=random:1 w[64]=iota b[64]=random:3 d[64]=random:4 q[64]=random:5 p[64]=iota l[64]=iota out[448]=zeros copy[256]=zeros ints[64]=zeros quads[64]=zeros --block 64 --grid 1
// OUT: out = reference(in_f, in_w, in_b, in_d, in_q, in_p, in_l)
// OUT: copy = np.concatenate([in_f + np.float32(k) for k in range(4)])
// OUT: ints = -in_w
// OUT: quads = in_q[:, ::-1]
