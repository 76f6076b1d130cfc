// SPDX-License-Identifier: Apache-2.0
// TEST: integers and doubles to floats, in each rounding direction
__global__ void convert(const int *x, const long long *y, const double *z, int n, float *out, double *wide)
{
    int i = threadIdx.x;
    unsigned u = x[i];
    unsigned long long w = y[i];
    out[0 * n + i] = __int2float_rn(x[i]);
    out[1 * n + i] = __int2float_rz(x[i]);
    out[2 * n + i] = __int2float_ru(x[i]);
    out[3 * n + i] = __int2float_rd(x[i]);
    out[4 * n + i] = __uint2float_rn(u);
    out[5 * n + i] = __uint2float_rz(u);
    out[6 * n + i] = __uint2float_ru(u);
    out[7 * n + i] = __uint2float_rd(u);
    out[8 * n + i] = __ll2float_rn(y[i]);
    out[9 * n + i] = __ll2float_rz(y[i]);
    out[10 * n + i] = __ll2float_ru(y[i]);
    out[11 * n + i] = __ll2float_rd(y[i]);
    out[12 * n + i] = __ull2float_rn(w);
    out[13 * n + i] = __ull2float_rz(w);
    out[14 * n + i] = __ull2float_ru(w);
    out[15 * n + i] = __ull2float_rd(w);
    double d = z[i] - 0.5;
    out[16 * n + i] = __double2float_rn(d);
    out[17 * n + i] = __double2float_rz(d);
    out[18 * n + i] = __double2float_ru(d);
    out[19 * n + i] = __double2float_rd(d);
    wide[0 * n + i] = __ll2double_rn(y[i]);
    wide[1 * n + i] = __ll2double_rz(y[i]);
    wide[2 * n + i] = __ll2double_ru(y[i]);
    wide[3 * n + i] = __ll2double_rd(y[i]);
    wide[4 * n + i] = __ull2double_rn(w);
    wide[5 * n + i] = __ull2double_rz(w);
    wide[6 * n + i] = __ull2double_ru(w);
    wide[7 * n + i] = __ull2double_rd(w);
    wide[8 * n + i] = __int2double_rn(x[i]);
    wide[9 * n + i] = __uint2double_rn(u);
}
// PY: from cuda.oracles import table
// PY: def reference(x, y, z):
// PY:     whole = [[int(v) for v in a] for a in (x, x.view(np.uint32), y, y.view(np.uint64))]
// PY:     return np.concatenate([table(a, np.float32) for a in whole + [[float(v) - 0.5 for v in z]]]).ravel()
// PY: def reference64(x, y):
// PY:     rows = [table([int(v) for v in a], np.float64) for a in (y, y.view(np.uint64))]
// PY:     return np.concatenate([np.array(rows).ravel(), x.astype(float), x.view(np.uint32).astype(float)])
// LAUNCH: n=64 x[64]=random:1 y[64]=random:2 z[64]=random:3 out[1280]=zeros wide[640]=zeros --block 64 --grid 1
// OUT: out = reference(in_x, in_y, in_z)
// OUT: wide = reference64(in_x, in_y)
