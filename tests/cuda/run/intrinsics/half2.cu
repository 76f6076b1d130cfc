// SPDX-License-Identifier: Apache-2.0
// TEST: pairs of halves: construction, parts, arithmetic, conversions to float2
#include <cuda_fp16.h>

__global__ void pairs(const float2 *x, int n, float2 *out)
{
    int i = threadIdx.x;
    __half2 a = __float22half2_rn(x[i]), b = __floats2half2_rn(1.5f, -0.25f);
    out[0 * n + i] = __half22float2(__hadd2(a, b));
    out[1 * n + i] = __half22float2(__hmul2(a, b));
    out[2 * n + i] = __half22float2(__hfma2(a, b, a));
    out[3 * n + i] = __half22float2(a - b);
    out[4 * n + i] = make_float2(__low2float(a), __high2float(a));
    out[5 * n + i] = __half22float2(__lowhigh2highlow(a));
    out[6 * n + i] = __half22float2(__halves2half2(__high2half(a), __low2half(b)));
    out[7 * n + i] = __half22float2(__half2half2(a.x));
    out[8 * n + i] = __half22float2(__float2half2_rn(x[i].y));
}
// PY: def reference(x):
// PY:     a, b = x.astype(np.float16), np.array([1.5, -0.25], np.float16)
// PY:     wide = a.astype(float) * b.astype(float) + a.astype(float)
// PY:     low = np.broadcast_to(b[:1], (len(a), 1))
// PY:     return np.concatenate([a + b, a * b, wide.astype(np.float16), a - b, a, a[:, ::-1],
// PY:                            np.concatenate([a[:, 1:], low], 1), a[:, [0, 0]], a[:, [1, 1]]])
// LAUNCH: n=64 x[64]=random:1 out[576]=zeros --block 64 --grid 1
// OUT: out = reference(in_x)
