// SPDX-License-Identifier: Apache-2.0
// TEST: casts: functional, static_cast, reinterpret_cast, const_cast, C style; unions; vectors seen as arrays
union Bits {
    float f;
    unsigned u;
    unsigned char bytes[4];
};

__global__ void casts(const float *x, const unsigned char *raw, unsigned *out, float *f)
{
    int i = threadIdx.x, n = blockDim.x, k = 0;
    Bits b;
    b.f = x[i];
    out[k++ * n + i] = b.u;
    out[k++ * n + i] = b.bytes[3];
    out[k++ * n + i] = *reinterpret_cast<const unsigned *>(&x[i]);
    out[k++ * n + i] = unsigned(x[i] * 100) + static_cast<unsigned>(i);
    out[k++ * n + i] = reinterpret_cast<const uint4 *>(raw)[i / 4].y;
    out[k++ * n + i] = (unsigned)(signed char)raw[i];
    float4 v = make_float4(x[i], 2.0f, 3.0f, 4.0f);
    float *p = (float *)&v;
    p[1] += p[0];
    f[0 * n + i] = v.y;
    const float *q = reinterpret_cast<const float *>(&v);
    f[1 * n + i] = q[3] + float(int(q[2])) + (float)true;
    int w = 0x3f800000;
    f[2 * n + i] = reinterpret_cast<float &>(w);
    f[3 * n + i] = *const_cast<float *>(q);
}
// PY: def words(x, raw):
// PY:     u, i = x.view(np.uint32), np.arange(len(x))
// PY:     q = raw.view(np.uint32).reshape(-1, 4)
// PY:     return np.concatenate([u, u >> 24, u, (x * np.float32(100)).astype(np.uint32) + i.astype(np.uint32), q[i // 4, 1],
// PY:                            raw[:64].astype(np.int8).astype(np.int32).view(np.uint32)])
// LAUNCH: x[64]=random:1 raw[256]=random:2 out[384]=zeros f[256]=zeros --block 64 --grid 1
// OUT: out = words(in_x, in_raw)
// OUT: f = np.concatenate([in_x + np.float32(2), np.full(64, 8), np.full(64, 1), in_x])
