// SPDX-License-Identifier: Apache-2.0
// TEST: min, max and abs are overloaded for all arithmetic types, mixed signedness is unsigned
__global__ void min_max(const int *x, const int *y, const float *f, const float *g, int n, int *out,
                        long long *wide, float *floats, double *doubles)
{
    int i = threadIdx.x;
    unsigned u = x[i], v = y[i];
    long long p = (long long)x[i] << 20, q = (long long)y[i] << 19;
    unsigned long long s = p, t = q;
    out[0 * n + i] = min(x[i], y[i]);
    out[1 * n + i] = max(x[i], y[i]);
    out[2 * n + i] = (int)min(u, v);
    out[3 * n + i] = (int)max(u, v);
    out[4 * n + i] = (int)min(u, y[i]);
    out[5 * n + i] = (int)max(x[i], v);
    out[6 * n + i] = (int)umin(u, v) ^ (int)umax(u, v);
    out[7 * n + i] = abs(x[i] / 2);
    wide[0 * n + i] = min(p, q);
    wide[1 * n + i] = max(p, q);
    wide[2 * n + i] = (long long)min(s, t);
    wide[3 * n + i] = (long long)max(s, t);
    wide[4 * n + i] = llmin(p, q) + llmax(p, q);
    wide[5 * n + i] = (long long)(ullmin(s, t) ^ ullmax(s, t));
    wide[6 * n + i] = llabs(p) + labs((long)q);
    floats[0 * n + i] = min(f[i], g[i]);
    floats[1 * n + i] = max(f[i], g[i]);
    floats[2 * n + i] = fabsf(f[i] - g[i]);
    doubles[0 * n + i] = min(f[i], (double)g[i]);
    doubles[1 * n + i] = max((double)f[i], g[i]);
    doubles[2 * n + i] = fabs((double)f[i] - g[i]);
}
// PY: def ints(x, y):
// PY:     u, v = x.view(np.uint32), y.view(np.uint32)
// PY:     lo, hi = np.minimum(u, v), np.maximum(u, v)
// PY:     half = np.abs(np.trunc(x / 2.0)).astype(np.uint32)
// PY:     return np.concatenate([np.minimum(x, y).view(np.uint32), np.maximum(x, y).view(np.uint32), lo, hi, lo, hi,
// PY:                            lo ^ hi, half]).view(np.int32)
// PY: def longs(x, y):
// PY:     p, q = x.astype(np.int64) << 20, y.astype(np.int64) << 19
// PY:     s, t = p.view(np.uint64), q.view(np.uint64)
// PY:     return np.concatenate([np.minimum(p, q), np.maximum(p, q), np.minimum(s, t).view(np.int64),
// PY:                            np.maximum(s, t).view(np.int64), p + q, p ^ q, np.abs(p) + np.abs(q)])
// PY: def reals(f, g): return np.concatenate([np.minimum(f, g), np.maximum(f, g), np.abs(f - g)])
// LAUNCH: n=64 x[64]=random:1 y[64]=random:2 f[64]=random:3 g[64]=random:4 out[512]=zeros wide[448]=zeros floats[192]=zeros doubles[192]=zeros --block 64 --grid 1
// OUT: out = ints(in_x, in_y)
// OUT: wide = longs(in_x, in_y)
// OUT: floats = reals(in_f, in_g)
// OUT: doubles = reals(in_f.astype(float), in_g.astype(float))
