// SPDX-License-Identifier: Apache-2.0
// TEST: float arithmetic rounds as the name says
#define FOUR(k, name, ...)                          \
    out[(4 * k + 0) * n + i] = name##_rn(__VA_ARGS__); \
    out[(4 * k + 1) * n + i] = name##_rz(__VA_ARGS__); \
    out[(4 * k + 2) * n + i] = name##_ru(__VA_ARGS__); \
    out[(4 * k + 3) * n + i] = name##_rd(__VA_ARGS__)

__global__ void directed(const float *x, const float *y, const float *z, int n, float *out)
{
    int i = threadIdx.x;
    float a = x[i] - 0.3f, b = y[i] + 0.1f, c = z[i] - 0.5f;
    FOUR(0, __fadd, a, b);
    FOUR(1, __fsub, a, b);
    FOUR(2, __fmul, a, b);
    FOUR(3, __fdiv, a, b);
    FOUR(4, __frcp, b);
    FOUR(5, __fsqrt, b);
    FOUR(6, __fmaf, a, b, c);
    FOUR(7, __fmaf_ieee, a, b, c);
}
// PY: from cuda.oracles import rounded_root, table
// PY: from fractions import Fraction as F
// PY: def reference(x, y, z):
// PY:     s = lambda v: [F(float(w)) for w in v]
// PY:     a, b, c = s(x - np.float32(0.3)), s(y + np.float32(0.1)), s(z - np.float32(0.5))
// PY:     k = np.float32
// PY:     rows = [table([p + q for p, q in zip(a, b)], k), table([p - q for p, q in zip(a, b)], k),
// PY:             table([p * q for p, q in zip(a, b)], k), table([p / q for p, q in zip(a, b)], k),
// PY:             table([1 / q for q in b], k),
// PY:             np.array([[rounded_root(q, k, h) for q in b] for h in ("rn", "rz", "ru", "rd")], k),
// PY:             *2 * [table([p * q + r for p, q, r in zip(a, b, c)], k)]]
// PY:     return np.concatenate(rows).ravel()
// LAUNCH: n=64 x[64]=random:1 y[64]=random:2 z[64]=random:3 out[2048]=zeros --block 64 --grid 1
// OUT: out = reference(in_x, in_y, in_z)
