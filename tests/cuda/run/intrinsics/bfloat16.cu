// SPDX-License-Identifier: Apache-2.0
// TEST: __nv_bfloat16: conversions and arithmetic of cuda_bf16.h round to nearest even
#include <cuda_bf16.h>

__global__ void brains(const float *x, const float *y, int n, float *out)
{
    int i = threadIdx.x;
    __nv_bfloat16 a = __float2bfloat16(x[i] * 4.0f - 2.0f), b = __float2bfloat16_rn(y[i] + 0.5f);
    out[0 * n + i] = __bfloat162float(a);
    out[1 * n + i] = __bfloat162float(a + b);
    out[2 * n + i] = __bfloat162float(__hadd(a, b));
    out[3 * n + i] = __bfloat162float(__hmul(a, b));
    out[4 * n + i] = __bfloat162float(__hfma(a, b, a));
    out[5 * n + i] = (float)(a - b);
    out[6 * n + i] = (float)__hmax(a, b);
    out[7 * n + i] = a < b;
}
// PY: def brain(v):
// PY:     v = np.asarray(v, float)
// PY:     f = v.astype(np.float32)
// PY:     bits = f.view(np.uint32).astype(np.int64)
// PY:     away = np.abs(v) - np.abs(f.astype(float))
// PY:     low, kept = bits & 0xffff, bits >> 16
// PY:     tie = (low == 0x8000) & (away == 0)
// PY:     up = (low > 0x8000) | ((low == 0x8000) & (away > 0)) | (tie & (kept & 1 == 1))
// PY:     return ((kept + up) << 16).astype(np.uint32).view(np.float32)
// PY: def reference(x, y):
// PY:     a, b = brain(x * np.float32(4) - np.float32(2)).astype(float), brain(y + np.float32(0.5)).astype(float)
// PY:     return np.concatenate([a, brain(a + b), brain(a + b), brain(a * b), brain(a * b + a), brain(a - b),
// PY:                            np.maximum(a, b), a < b])
// LAUNCH: n=64 x[64]=random:1 y[64]=random:2 out[512]=zeros --block 64 --grid 1
// OUT: out = reference(in_x, in_y)
