// SPDX-License-Identifier: Apache-2.0
// TEST: __match_any_sync and __match_all_sync for each type, floats compared by their bits
__global__ void match(const int *x, unsigned *out)
{
    int i = threadIdx.x, n = blockDim.x, v = x[i] & 3, all, some;
    out[0 * n + i] = __match_any_sync(0xffffffff, v);
    out[1 * n + i] = __match_any_sync(0xffffffff, (unsigned)v << 30);
    out[2 * n + i] = __match_any_sync(0xffffffff, (long long)v << 40);
    out[3 * n + i] = __match_any_sync(0xffffffff, (unsigned long long)(v & 1) << 63);
    out[4 * n + i] = __match_any_sync(0xffffffff, v == 0 ? -0.0f : v == 1 ? 0.0f : 1.5f);
    out[5 * n + i] = __match_any_sync(0xffffffff, v * 0.5);
    out[6 * n + i] = __match_all_sync(0xffffffff, v, &some) + some;
    out[7 * n + i] = __match_all_sync(0xffffffff, (double)(i / 32), &all) + (unsigned)all;
}
// PY: def same(k): return np.concatenate([[sum(1 << j for j in range(32) if p[j] == p[i]) for i in range(32)]
// PY:                                     for p in k.reshape(-1, 32)])
// PY: def reference(x):
// PY:     v = x & 3
// PY:     once = np.concatenate([[0xffffffff + 1 if (p == p[0]).all() else 0] * 32 for p in v.reshape(-1, 32)])
// PY:     s = same(v)
// PY:     return np.concatenate([s, s, s, same(v & 1), same(np.minimum(v, 2)), s, once % 2**32, 0 * v])
// LAUNCH: x[64]=random:1 out[512]=zeros --block 64 --grid 1
// LAUNCH: x[64]=full:7 out[512]=zeros --block 64 --grid 1
// OUT: out = reference(in_x)
