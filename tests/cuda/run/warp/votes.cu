// SPDX-License-Identifier: Apache-2.0
// TEST: votes of a warp: any, all, ballot, uni by ballot, and the active mask of whole warps
__global__ void votes(const int *x, int *out)
{
    int i = threadIdx.x, n = blockDim.x, v = x[i];
    out[0 * n + i] = __any_sync(0xffffffff, v % 16 == 0);
    out[1 * n + i] = __all_sync(0xffffffff, v > 0);
    out[2 * n + i] = __all_sync(0xffffffff, v % 2 == i % 2);
    out[3 * n + i] = (int)__ballot_sync(0xffffffff, v % 3);
    out[4 * n + i] = (int)__activemask();
    out[5 * n + i] = __uni_sync(0xffffffff, i / 32 == 1) + 2 * __uni_sync(0xffffffff, i == 40);
}
// PY: def reference(x):
// PY:     out = []
// PY:     for w, p in enumerate(x.reshape(-1, 32)):
// PY:         p = p.astype(np.int64)
// PY:         t = np.where(p < 0, -(-p % 3), p % 3)
// PY:         q = [p % 16 == 0, p > 0, np.abs(p) % 2 * np.sign(p) == np.arange(32) % 2]
// PY:         ballot = np.uint32(sum(1 << k for k in range(32) if t[k])).astype(np.int32)
// PY:         out.append([q[0].any(), q[1].all(), q[2].all(), ballot, -1, 1 + 2 * (w != 1)])
// PY:     return np.repeat(np.array(out).T, 32, axis=1).ravel()
// LAUNCH: x[128]=iota out[768]=zeros --block 128 --grid 1
// LAUNCH: x[128]=random:3 out[768]=zeros --block 128 --grid 1
// OUT: out = reference(in_x)
