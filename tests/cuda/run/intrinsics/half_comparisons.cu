// SPDX-License-Identifier: Apache-2.0
// TEST: halves: comparisons, ordered or not, of one and two
#include <cuda_fp16.h>

// x is 1, 0, NaN or -2 and y one of these.
__global__ void compare(int *out)
{
    __half v[] = {__float2half(1.0f), __float2half(0.0f), __ushort_as_half(0x7e00), __float2half(-2.0f)};
    int i = threadIdx.x;
    __half x = v[i & 3], y = v[i >> 2];
    __half2 a = make_half2(x, v[0]), b = make_half2(y, v[0]);
#define ROW(n, op)                                                     \
    out[(n) * 16 + i] = __h##op(x, y) + 2 * __h##op##u(x, y) + 4 * __hb##op##2(a, b) + 8 * __hb##op##u2(a, b); \
    out[(n + 6) * 16 + i] = (__h##op##2_mask(a, b) == (__low2float(__h##op##2(a, b)) ? 0xffffu : 0u) + (__high2float(__h##op##2(a, b)) ? 0xffff0000u : 0u)) + \
        2 * (__h##op##u2_mask(a, b) == (__low2float(__h##op##u2(a, b)) ? 0xffffu : 0u) + (__high2float(__h##op##u2(a, b)) ? 0xffff0000u : 0u)) + \
        4 * (__low2float(__h##op##2(a, b)) == 1.0f) + 8 * (__low2float(__h##op##u2(a, b)) == 1.0f);
    ROW(0, eq)
    ROW(1, ne)
    ROW(2, lt)
    ROW(3, le)
    ROW(4, gt)
    ROW(5, ge)
    out[12 * 16 + i] = (a == b) + 2 * (a != b) + 4 * (a < b) + 8 * (a <= b) + 16 * (a > b) + 32 * (a >= b);
    out[13 * 16 + i] = (x == y) + 2 * (x != y) + 4 * (x < y) + 8 * (x <= y) + 16 * (x > y) + 32 * (x >= y);
    out[14 * 16 + i] = __hisnan(x) + 2 * (__low2float(__hisnan2(a)) == 1.0f) + 4 * (__hisinf(__hdiv(v[0], v[1])) == 1) + 8 * (__hisinf(__hdiv(v[3], v[1])) == -1);
}
// PY: def compare():
// PY:     v = np.array([1, 0, np.nan, -2], np.float32)
// PY:     i = np.arange(16)
// PY:     x, y = v[i & 3], v[i >> 2]
// PY:     nan = np.isnan(x) | np.isnan(y)
// PY:     ones, masks = [], []
// PY:     for k, f in enumerate([np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal]):
// PY:         ordered, either = f(x, y) & ~nan, f(x, y) | nan
// PY:         both = [0 <= 0, False, False, True, False, True][k] if k else True
// PY:         ones.append(ordered + 2 * either + 4 * (ordered & both) + 8 * (either & both))
// PY:         masks.append(3 + 4 * ordered + 8 * either)
// PY:     eq, lt, gt = x == y, x < y, x > y
// PY:     two = eq + 8 * (lt | eq) + 32 * (gt | eq)
// PY:     one = eq + 2 * ~eq + 4 * lt + 8 * (lt | eq) + 16 * gt + 32 * (gt | eq)
// PY:     return np.concatenate(ones + masks + [two, one, 3 * np.isnan(x) + 12])
// LAUNCH: compare out[240]=zeros --block 16 --grid 1
// OUT: out = compare()
