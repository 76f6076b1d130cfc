// SPDX-License-Identifier: Apache-2.0
// TEST: double arithmetic rounds as the name says
#define FOUR(k, name, ...)                          \
    out[(4 * k + 0) * n + i] = name##_rn(__VA_ARGS__); \
    out[(4 * k + 1) * n + i] = name##_rz(__VA_ARGS__); \
    out[(4 * k + 2) * n + i] = name##_ru(__VA_ARGS__); \
    out[(4 * k + 3) * n + i] = name##_rd(__VA_ARGS__)

__global__ void directed(const double *x, const double *y, const double *z, int n, double *out)
{
    int i = threadIdx.x;
    double a = x[i] - 0.3, b = y[i] + 0.1, c = z[i] - 0.5;
    FOUR(0, __dadd, a, b);
    FOUR(1, __dsub, a, b);
    FOUR(2, __dmul, a, b);
    FOUR(3, __ddiv, a, b);
    FOUR(4, __drcp, b);
    FOUR(5, __dsqrt, b);
    FOUR(6, __fma, a, b, c);
}
// PY: from cuda.oracles import rounded_root, table
// PY: from fractions import Fraction as F
// PY: def reference(x, y, z):
// PY:     s = lambda v: [F(float(w)) for w in v]
// PY:     a, b, c = s(x - 0.3), s(y + 0.1), s(z - 0.5)
// PY:     k = np.float64
// PY:     rows = [table([p + q for p, q in zip(a, b)], k), table([p - q for p, q in zip(a, b)], k),
// PY:             table([p * q for p, q in zip(a, b)], k), table([p / q for p, q in zip(a, b)], k),
// PY:             table([1 / q for q in b], k),
// PY:             np.array([[rounded_root(q, k, h) for q in b] for h in ("rn", "rz", "ru", "rd")], k),
// PY:             table([p * q + r for p, q, r in zip(a, b, c)], k)]
// PY:     return np.concatenate(rows).ravel()
// LAUNCH: n=64 x[64]=random:1 y[64]=random:2 z[64]=random:3 out[1792]=zeros --block 64 --grid 1
// OUT: out = reference(in_x, in_y, in_z)
