// SPDX-License-Identifier: Apache-2.0
// TEST: the functions for dynamic programming: additions and extrema in one, of words and pairs, with relu and predicates
#define NEXT out[k++ * n + i]
__global__ void words(const int *x, const int *y, const int *z, int n, int *out)
{
    int i = threadIdx.x, k = 0, a = x[i] >> 2, b = y[i] >> 2, c = z[i] >> 2;
    unsigned u = x[i], v = y[i], w = z[i];
    bool p, q;
    NEXT = __viaddmax_s32(a, b, c);
    NEXT = __viaddmin_s32(a, b, c);
    NEXT = __viaddmax_s32_relu(a, b, c);
    NEXT = __viaddmin_s32_relu(a, b, c);
    NEXT = (int)__viaddmax_u32(u >> 2, v >> 2, w >> 2);
    NEXT = (int)__viaddmin_u32(u >> 2, v >> 2, w >> 2);
    NEXT = __vimax3_s32(a, b, c);
    NEXT = __vimin3_s32(a, b, c);
    NEXT = __vimax3_s32_relu(a, b, c);
    NEXT = __vimin3_s32_relu(a, b, c);
    NEXT = (int)__vimax3_u32(u, v, w);
    NEXT = (int)__vimin3_u32(u, v, w);
    NEXT = __vimax_s32_relu(a, b);
    NEXT = __vimin_s32_relu(a, b);
    NEXT = __vibmax_s32(a, b, &p);
    NEXT = p;
    NEXT = __vibmin_s32(a, b, &p);
    NEXT = p;
    NEXT = (int)__vibmax_u32(u, v, &p);
    NEXT = p;
    NEXT = (int)__vibmin_u32(u, v, &q);
    NEXT = q;
}

__global__ void pairs(const int *x, const int *y, const int *z, int n, int *out)
{
    int i = threadIdx.x, k = 0;
    unsigned u = x[i] & 0x3fff3fff, v = y[i] & 0x3fff3fff, w = z[i];
    unsigned a = u ^ 0x0000ffff, b = v ^ 0xffff0000;
    bool p, q;
    NEXT = (int)__viaddmax_s16x2(a, b, w);
    NEXT = (int)__viaddmin_s16x2(a, b, w);
    NEXT = (int)__viaddmax_s16x2_relu(a, b, w);
    NEXT = (int)__viaddmin_s16x2_relu(a, b, w);
    NEXT = (int)__viaddmax_u16x2(u, v, w);
    NEXT = (int)__viaddmin_u16x2(u, v, w);
    NEXT = (int)__vimax3_s16x2(a, b, w);
    NEXT = (int)__vimin3_s16x2(a, b, w);
    NEXT = (int)__vimax3_s16x2_relu(a, b, w);
    NEXT = (int)__vimin3_s16x2_relu(a, b, w);
    NEXT = (int)__vimax3_u16x2(a, b, w);
    NEXT = (int)__vimin3_u16x2(a, b, w);
    NEXT = (int)__vimax_s16x2_relu(a, b);
    NEXT = (int)__vimin_s16x2_relu(a, b);
    NEXT = (int)__vibmax_s16x2(a, b, &p, &q);
    NEXT = 2 * p + q;
    NEXT = (int)__vibmin_u16x2(a, w, &p, &q);
    NEXT = 2 * p + q;
}
// PY: def words(x, y, z):
// PY:     a, b, c = ((t >> 2).astype(np.int64) for t in (x, y, z))
// PY:     u, v, w = (t.view(np.uint32).astype(np.int64) for t in (x, y, z))
// PY:     hi, lo, relu = np.maximum, np.minimum, lambda t: np.maximum(t, 0)
// PY:     s, t = (u >> 2) + (v >> 2), w >> 2
// PY:     rows = [hi(a + b, c), lo(a + b, c), relu(hi(a + b, c)), relu(lo(a + b, c)), hi(s, t), lo(s, t), hi(hi(a, b), c),
// PY:             lo(lo(a, b), c), relu(hi(hi(a, b), c)), relu(lo(lo(a, b), c)), hi(hi(u, v), w), lo(lo(u, v), w),
// PY:             relu(hi(a, b)), relu(lo(a, b)), hi(a, b), a >= b, lo(a, b), a <= b, hi(u, v), u >= v, lo(u, v), u <= v]
// PY:     return np.concatenate(rows).astype(np.uint32).view(np.int32)
// PY: def half(a, b, u, v, w):
// PY:     s = lambda t: np.where(t >> 15 & 1, t - 65536, t)
// PY:     hi, lo, relu = np.maximum, np.minimum, lambda t: np.maximum(t, 0)
// PY:     c, d, e = s(a), s(b), s(w)
// PY:     sums = s((c + d) & 65535)
// PY:     return [hi(sums, e), lo(sums, e), relu(hi(sums, e)), relu(lo(sums, e)), hi(u + v, w), lo(u + v, w),
// PY:             hi(hi(c, d), e), lo(lo(c, d), e), relu(hi(hi(c, d), e)), relu(lo(lo(c, d), e)), hi(hi(a, b), w),
// PY:             lo(lo(a, b), w), relu(hi(c, d)), relu(lo(c, d)), hi(c, d), c >= d, lo(a, w), a <= w]
// PY: def pairs(x, y, z):
// PY:     x, y, z = (t.view(np.uint32).astype(np.int64) for t in (x, y, z))
// PY:     u, v = x & 0x3fff3fff, y & 0x3fff3fff
// PY:     a, b = u ^ 0xffff, v ^ 0xffff0000
// PY:     low = half(*(t & 65535 for t in (a, b, u, v, z)))
// PY:     high = half(*(t >> 16 for t in (a, b, u, v, z)))
// PY:     rows = [2 * h + l if k in (15, 17) else (h & 65535) << 16 | l & 65535 for k, (h, l) in enumerate(zip(high, low))]
// PY:     return np.concatenate(rows).astype(np.uint32).view(np.int32)
// LAUNCH: words x[64]=random:1 y[64]=random:2 z[64]=random:3 n=64 out[1408]=zeros --block 64 --grid 1
// OUT: out = words(in_x, in_y, in_z)
// LAUNCH: pairs x[64]=random:1 y[64]=random:2 z[64]=random:3 n=64 out[1152]=zeros --block 64 --grid 1
// OUT: out = pairs(in_x, in_y, in_z)
