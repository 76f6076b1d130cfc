// SPDX-License-Identifier: Apache-2.0
// TEST: bits of floats and doubles as integers and back
__global__ void casts(const float *x, const int *y, const double *z, const long long *w, int n, int *bits,
                      float *floats, long long *wide, double *doubles)
{
    int i = threadIdx.x;
    bits[i] = __float_as_int(x[i]);
    bits[n + i] = (int)(__float_as_uint(-x[i]) >> 3);
    bits[2 * n + i] = __double2hiint(z[i]);
    bits[3 * n + i] = __double2loint(z[i]);
    floats[i] = __int_as_float(y[i] & 0x3fffffff);
    floats[n + i] = __uint_as_float((unsigned)y[i] | 0x80000000u);
    wide[i] = __double_as_longlong(z[i]);
    doubles[i] = __longlong_as_double(w[i] & 0x3fffffffffffffffLL);
    doubles[n + i] = __hiloint2double(y[i] & 0x3fffffff, bits[i]);
}
// PY: def words(x, z):
// PY:     d = z.view(np.int64)
// PY:     return np.concatenate([x.view(np.int32), (-x).view(np.uint32) >> 3, d >> 32, d.astype(np.int32)])
// PY: def reals(y):
// PY:     return np.concatenate([y & 0x3fffffff, y | np.int32(-2**31)]).view(np.float32)
// PY: def longs(w, y, x):
// PY:     high = (y & 0x3fffffff).astype(np.int64) << 32
// PY:     return np.concatenate([w & 0x3fffffffffffffff, high | x.view(np.int32).view(np.uint32)]).view(np.float64)
// LAUNCH: n=96 x[96]=random:1 y[96]=random:2 z[96]=random:3 w[96]=random:4 bits[384]=zeros floats[192]=zeros wide[96]=zeros doubles[192]=zeros --block 96 --grid 1
// OUT: bits = words(in_x, in_z)
// OUT: floats = reals(in_y)
// OUT: wide = in_z.view(np.int64)
// OUT: doubles = longs(in_w, in_y, in_x)
