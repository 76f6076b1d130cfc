// SPDX-License-Identifier: Apache-2.0
// TEST: the fast approximations of mathematical functions are near the functions
__global__ void fast(const float *x, int n, float *out)
{
    int i = threadIdx.x;
    float a = x[i] * 2.0f + 0.25f, s, c;
    out[0 * n + i] = __sinf(a);
    out[1 * n + i] = __cosf(a);
    out[2 * n + i] = __tanf(a * 0.5f);
    out[3 * n + i] = __expf(a);
    out[4 * n + i] = __exp10f(a);
    out[5 * n + i] = __logf(a + 2.0f);
    out[6 * n + i] = __log2f(a + 2.0f);
    out[7 * n + i] = __log10f(a + 2.0f);
    out[8 * n + i] = __powf(a, 1.75f);
    out[9 * n + i] = __fdividef(a, 3.0f);
    out[10 * n + i] = __saturatef(a * 2.0f - 1.5f);
    __sincosf(a, &s, &c);
    out[11 * n + i] = s;
    out[12 * n + i] = c;
    out[13 * n + i] = __frsqrt_rn(a);
}
// PY: def reference(x):
// PY:     a = x.astype(float) * 2 + 0.25
// PY:     b = a + 2
// PY:     return np.concatenate([np.sin(a), np.cos(a), np.tan(a / 2), np.exp(a), 10**a, np.log(b), np.log2(b),
// PY:                            np.log10(b), a**1.75, a / 3, np.clip(a * 2 - 1.5, 0, 1), np.sin(a), np.cos(a),
// PY:                            1 / np.sqrt(a)])
// LAUNCH: n=256 x[256]=random:7 out[3584]=zeros --block 256 --grid 1
// OUT: out = reference(in_x)
// TOL: 4e-6 1e-6
