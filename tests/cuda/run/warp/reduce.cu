// SPDX-License-Identifier: Apache-2.0
// TEST: __reduce_*_sync of whole warps and of the threads that a mask names
__global__ void reduce(const int *x, int *out)
{
    int i = threadIdx.x, n = blockDim.x, v = x[i];
    unsigned u = v;
    out[0 * n + i] = __reduce_add_sync(0xffffffff, v);
    out[1 * n + i] = __reduce_min_sync(0xffffffff, v);
    out[2 * n + i] = __reduce_max_sync(0xffffffff, v);
    out[3 * n + i] = (int)__reduce_add_sync(0xffffffff, u);
    out[4 * n + i] = (int)__reduce_min_sync(0xffffffff, u);
    out[5 * n + i] = (int)__reduce_max_sync(0xffffffff, u);
    out[6 * n + i] = (int)__reduce_and_sync(0xffffffff, u | 0xffffffu << i % 8);
    out[7 * n + i] = (int)__reduce_or_sync(0xffffffff, u & 0x01010101u);
    out[8 * n + i] = (int)__reduce_xor_sync(0xffffffff, u);
    if (i % 2)
        out[9 * n + i] = __reduce_max_sync(0xaaaaaaaa, v);
    else
        out[9 * n + i] = __reduce_add_sync(0x55555555, v);
}
// PY: def reference(x):
// PY:     out = []
// PY:     for p in x.reshape(-1, 32):
// PY:         u, i = p.view(np.uint32), np.arange(32)
// PY:         masks = np.bitwise_and.reduce(u | (0xffffff << i % 8).astype(np.uint32))
// PY:         one = [p.sum(dtype=np.int32), p.min(), p.max(), u.sum(dtype=np.uint32), u.min(), u.max(), masks,
// PY:                np.bitwise_or.reduce(u & np.uint32(0x01010101)), np.bitwise_xor.reduce(u)]
// PY:         rows = [np.full(32, int(v), np.int64) for v in one]
// PY:         rows.append(np.where(i % 2, p[1::2].max(), p[::2].sum(dtype=np.int32)).astype(np.int64))
// PY:         out.append(rows)
// PY:     return np.concatenate(np.array(out), axis=1).ravel().astype(np.uint32).view(np.int32)
// LAUNCH: x[64]=random:1 out[640]=zeros --block 64 --grid 1
// OUT: out = reference(in_x)
