// SPDX-License-Identifier: Apache-2.0
// TEST: builtins that compilers offer in device code, byte swaps, hints, memcpy and memset
#include <cstring>

struct Record {
    int a;
    float b;
    unsigned char c[4];
};

__global__ void builtins(const unsigned *x, const float *f, int n, int *out, float *g)
{
    int i = threadIdx.x, k = 0;
    unsigned u = x[i] >> i % 32;
    unsigned long long w = (unsigned long long)x[i] << 16 | 1;
    __builtin_assume(n > 0);
    u = u ? u : 5;
    out[k++ * n + i] = __builtin_popcount(u) + 100 * __builtin_popcountll(w);
    out[k++ * n + i] = __builtin_clz(u) + 100 * __builtin_clzll(w);
    out[k++ * n + i] = __builtin_ffs((int)u) + 100 * __builtin_ffsll((long long)w);
    out[k++ * n + i] = (int)__nv_bswap32(u);
    out[k++ * n + i] = (int)(__nv_bswap64(w) >> 40) + __nv_bswap16((unsigned short)u);
    out[k++ * n + i] = __builtin_expect(u > 7, 1);
    const float *aligned = (const float *)__builtin_assume_aligned(f, 16);
    Record r, copy;
    memset(&r, 0, sizeof(r));
    r.a = i;
    r.b = aligned[i];
    r.c[2] = 9;
    memcpy(&copy, &r, sizeof(Record));
    out[k++ * n + i] = copy.a + copy.c[1] + copy.c[2];
    g[i] = copy.b;
    unsigned bits;
    memcpy(&bits, &f[i], 4);
    out[k++ * n + i] = (int)bits;
    if (n < 0)
        __builtin_unreachable();
}
// PY: def reference(x, f):
// PY:     out = []
// PY:     for i in range(len(x)):
// PY:         u, w = (int(x[i]) >> i % 32) or 5, int(x[i]) << 16 | 1
// PY:         ones, low = lambda v: bin(v).count("1"), lambda v: (v & -v).bit_length() - 1
// PY:         swap = lambda v, n: int.from_bytes(v.to_bytes(n, "little"), "big")
// PY:         out.append([ones(u) + 100 * ones(w), 32 - u.bit_length() + 100 * (64 - w.bit_length()), low(u) + 1 + 100, swap(u, 4), (swap(w, 8) >> 40) + swap(u & 65535, 2), u > 7, i + 9,
// PY:                     int(f[i:i + 1].view(np.uint32)[0])])
// PY:     return np.array(out, np.int64).T.ravel().astype(np.uint32).view(np.int32)
// LAUNCH: x[64]=random:1 f[64]=random:2 n=64 out[512]=zeros g[64]=zeros --block 64 --grid 1
// OUT: out = reference(in_x, in_f)
// OUT: g = in_f
