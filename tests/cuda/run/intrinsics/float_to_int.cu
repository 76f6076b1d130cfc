// SPDX-License-Identifier: Apache-2.0
// TEST: float and double to integers, in each rounding direction
__global__ void convert(const float *x, const double *y, int n, int *out, long long *wide)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float f = (x[i] - 0.5f) * 1000.0f, p = x[i] * 1000.0f;
    double d = (y[i] - 0.5) * 1e6, q = y[i] * 1e6;
    if (i % 8 == 0)
        f = p = d = q = i / 8 + 0.5;
    out[0 * n + i] = __float2int_rn(f);
    out[1 * n + i] = __float2int_rz(f);
    out[2 * n + i] = __float2int_ru(f);
    out[3 * n + i] = __float2int_rd(f);
    out[4 * n + i] = (int)__float2uint_rn(p);
    out[5 * n + i] = (int)__float2uint_rz(p);
    out[6 * n + i] = (int)__float2uint_ru(p);
    out[7 * n + i] = (int)__float2uint_rd(p);
    out[8 * n + i] = __double2int_rn(d);
    out[9 * n + i] = __double2int_rz(d);
    out[10 * n + i] = __double2int_ru(d);
    out[11 * n + i] = __double2int_rd(d);
    out[12 * n + i] = (int)__double2uint_rn(q);
    out[13 * n + i] = (int)__double2uint_rz(q);
    out[14 * n + i] = (int)__double2uint_ru(q);
    out[15 * n + i] = (int)__double2uint_rd(q);
    wide[0 * n + i] = __float2ll_rn(f);
    wide[1 * n + i] = __float2ll_rz(f);
    wide[2 * n + i] = __float2ll_ru(f);
    wide[3 * n + i] = __float2ll_rd(f);
    wide[4 * n + i] = (long long)__float2ull_rn(p);
    wide[5 * n + i] = (long long)__float2ull_rz(p);
    wide[6 * n + i] = (long long)__float2ull_ru(p);
    wide[7 * n + i] = (long long)__float2ull_rd(p);
    wide[8 * n + i] = __double2ll_rn(d);
    wide[9 * n + i] = __double2ll_rz(d);
    wide[10 * n + i] = __double2ll_ru(d);
    wide[11 * n + i] = __double2ll_rd(d);
    wide[12 * n + i] = (long long)__double2ull_rn(q);
    wide[13 * n + i] = (long long)__double2ull_rz(q);
    wide[14 * n + i] = (long long)__double2ull_ru(q);
    wide[15 * n + i] = (long long)__double2ull_rd(q);
}
// PY: def reference(x, y, n):
// PY:     i = np.arange(n)
// PY:     half = (i // 8 + 0.5)
// PY:     pick = lambda v: np.where(i % 8 == 0, half, v.astype(np.float64))
// PY:     f = pick((x - np.float32(0.5)) * np.float32(1000)), pick(x * np.float32(1000))
// PY:     d = pick((y - 0.5) * 1e6), pick(y * 1e6)
// PY:     return np.concatenate([r(v) for v in f + d for r in (np.rint, np.trunc, np.ceil, np.floor)])
// LAUNCH: n=100 x[100]=random:5 y[100]=random:6 out[1600]=zeros wide[1600]=zeros --grid 2 --block 64
// OUT: out = reference(in_x, in_y, n)
// OUT: wide = reference(in_x, in_y, n)
