// SPDX-License-Identifier: Apache-2.0
// TEST: uniform, normal and log-normal numbers are made of as many draws as cuRAND makes them of, in its order
// REF: docs/reference/cuda.md#curand
#include <curand_kernel.h>

// The raw numbers, and what the same state gives in other forms.
template <class S> __device__ void draw(unsigned *raw, float *f, double *d)
{
    S s, r;
    curand_init(42, threadIdx.x, 0, &s);
    r = s;
    for (int i = 0; i < 24; i++)
        raw[threadIdx.x * 24 + i] = curand(&r);
    f += threadIdx.x * 8;
    d += threadIdx.x * 8;
    f[0] = curand_uniform(&s); // 1 draw
    f[1] = curand_normal(&s);  // 2, the other one waits
    f[2] = curand_normal(&s);
    f[3] = curand_log_normal(&s, 0.5f, 0.25f); // 2, the other one waits
    f[4] = curand_log_normal(&s, 9.0f, 9.0f);  // it, of the old mean
    float2 two = curand_normal2(&s); // 2
    f[5] = two.x - two.y;
    two = curand_log_normal2(&s, 0, 0.5f); // 2
    f[6] = two.x + two.y;
    two = curand_box_muller(&s); // 2
    f[7] = two.x;
    d[0] = curand_uniform_double(&s); // XORWOW: 2; Philox: 1
    d[1] = curand_normal_double(&s);  // 4
    d[2] = curand_normal_double(&s);
    d[3] = curand_log_normal_double(&s, 0.5, 0.25); // 4
    d[4] = curand_log_normal_double(&s, 9, 9);
}
__global__ void xorwow(unsigned *raw, float *f, double *d) { draw<curandState>(raw, f, d); }
__global__ void philox(unsigned *raw, float *f, double *d) { draw<curandStatePhilox4_32_10_t>(raw, f, d); }

__global__ void by_two(unsigned *raw, double *d)
{
    curandState s, r;
    curand_init(6, 0, 0, &s);
    r = s;
    for (int i = 0; i < 8; i++)
        raw[i] = curand(&r);
    double2 a = curand_normal2_double(&s), b = curand_log_normal2_double(&s, 1, 0.5);
    d[0] = a.x;
    d[1] = a.y;
    d[2] = b.x;
    d[3] = b.y;
}
__global__ void by_four(unsigned *raw, float4 *f, double4 *d, double2 *e)
{
    curandStatePhilox4_32_10_t s, r;
    curand_init(5, 0, 0, &s);
    r = s;
    for (int i = 0; i < 48; i++)
        raw[i] = curand(&r);
    f[0] = curand_uniform4(&s);
    f[1] = curand_normal4(&s);
    f[2] = curand_log_normal4(&s, 0.5f, 0.25f);
    e[0] = curand_uniform2_double(&s);
    e[1] = curand_normal2_double(&s);
    e[2] = curand_log_normal2_double(&s, 0, 1);
    d[0] = curand_uniform4_double(&s);
    d[1] = curand_normal4_double(&s);
    d[2] = curand_log_normal4_double(&s, 0, 1);
}
// PY: def uni(x): return (float(x) + 0.5) / 2**32
// PY: def uni2(x, y): return ((int(x) ^ int(y) << 21) + 0.5) / 2**53
// PY: def normal(x, y):
// PY:     r, a = np.sqrt(-2 * np.log(uni(x))), 2 * np.pi * uni(y)
// PY:     return [np.sin(a) * r, np.cos(a) * r]
// PY: def normal2(x, x2, y, y2):
// PY:     r, a = np.sqrt(-2 * np.log(uni2(x, x2))), 2 * np.pi * uni2(y, y2)
// PY:     return [np.sin(a) * r, np.cos(a) * r]
// PY: def floats(r):
// PY:     a, b, c, e, g = normal(r[1], r[2]), np.exp(0.5 + 0.25 * np.array(normal(r[3], r[4]))), normal(r[5], r[6]), np.exp(0.5 * np.array(normal(r[7], r[8]))), normal(r[9], r[10])
// PY:     return [uni(r[0]), a[0], a[1], b[0], b[1], c[0] - c[1], e.sum(), g[0]]
// PY: def doubles(r, n):
// PY:     a, b = normal2(*r[11 + n:15 + n]), np.exp(0.5 + 0.25 * np.array(normal2(*r[15 + n:19 + n])))
// PY:     first = uni2(r[11], r[12]) if n == 2 else (int(r[11]) + 1) / 2**32
// PY:     return [first, a[0], a[1], b[0], b[1], 0, 0, 0]
// LAUNCH: xorwow raw[96]=zeros f[32]=zeros d[32]=zeros --block 4 --grid 1
// OUT: f = np.ravel([floats(r) for r in out_raw.reshape(4, 24)])
// OUT: d = np.ravel([doubles(r, 2) for r in out_raw.reshape(4, 24)])
// TOL: 2e-6 2e-6
// LAUNCH: philox raw[96]=zeros f[32]=zeros d[32]=zeros --block 4 --grid 1
// OUT: f = np.ravel([floats(r) for r in out_raw.reshape(4, 24)])
// OUT: d = np.ravel([doubles(r, 1) for r in out_raw.reshape(4, 24)])
// TOL: 2e-6 2e-6
// LAUNCH: by_two raw[8]=zeros d[4]=zeros --block 1 --grid 1
// OUT: d = normal2(*out_raw[:4]) + list(np.exp(1 + 0.5 * np.array(normal2(*out_raw[4:]))))
// TOL: 1e-13
// PY: def all_floats(r):
// PY:     return np.array([[uni(x) for x in r[:4]], normal(r[4], r[5]) + normal(r[6], r[7]), np.exp(0.5 + 0.25 * np.array(normal(r[8], r[9]) + normal(r[10], r[11])))])
// PY: def all_twos(r):
// PY:     return np.array([[uni2(r[12], r[13]), uni2(r[14], r[15])], normal2(*r[16:20]), np.exp(normal2(*r[20:24]))])
// PY: def all_fours(r):
// PY:     return np.array([[uni2(r[i], r[i + 1]) for i in range(24, 32, 2)], normal2(*r[32:36]) + normal2(*r[36:40]), np.exp(normal2(*r[40:44]) + normal2(*r[44:48]))])
// LAUNCH: by_four raw[48]=zeros f[3]=zeros d[3]=zeros e[3]=zeros --block 1 --grid 1
// OUT: f = all_floats(out_raw)
// OUT: e = all_twos(out_raw)
// OUT: d = all_fours(out_raw)
// TOL: 2e-6 2e-6
