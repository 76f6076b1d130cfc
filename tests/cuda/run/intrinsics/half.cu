// SPDX-License-Identifier: Apache-2.0
// TEST: __half and __half2: conversions, arithmetic, comparisons and functions of cuda_fp16.h
#include <cuda_fp16.h>

__global__ void halves(const float *x, const float *y, int n, __half *out, float *back, int *bits)
{
    int i = threadIdx.x;
    __half a = __float2half(x[i] * 4.0f - 2.0f), b = __float2half_rn(y[i] + 0.5f);
    out[0 * n + i] = a;
    out[1 * n + i] = a + b;
    out[2 * n + i] = __hadd(a, b);
    out[3 * n + i] = __hsub(a, b);
    out[4 * n + i] = __hmul(a, b);
    out[5 * n + i] = __hdiv(a, b);
    out[6 * n + i] = __hfma(a, b, a);
    out[7 * n + i] = __hneg(a);
    out[8 * n + i] = __habs(a);
    out[9 * n + i] = __hmin(a, b);
    out[10 * n + i] = __hmax(a, b);
    out[11 * n + i] = a - b - a;
    out[12 * n + i] = __int2half_rn(i * 37);
    out[13 * n + i] = hfloor(a);
    out[14 * n + i] = hsqrt(b);
    a += b;
    out[15 * n + i] = a;
    back[0 * n + i] = __half2float(a);
    back[1 * n + i] = (float)b;
    bits[0 * n + i] = __heq(a, b) + 2 * __hlt(a, b) + 4 * __hge(a, b) + 8 * (a > b) + 16 * __hisnan(a);
    bits[1 * n + i] = __half2int_rz(a) + (__half_as_ushort(b) << 16);
    bits[2 * n + i] = __half_as_short(__ushort_as_half((unsigned short)(0x3c00 + i)));
}
// PY: H = np.float16
// PY: def parts(x, y):
// PY:     return (x * np.float32(4) - np.float32(2)).astype(H), (y + np.float32(0.5)).astype(H)
// PY: def reference(x, y):
// PY:     a, b = parts(x, y)
// PY:     d, e = a.astype(float), b.astype(float)
// PY:     i = np.arange(len(x))
// PY:     return np.concatenate([a, a + b, a + b, a - b, a * b, (d / e).astype(H), (d * e + d).astype(H), -a, abs(a),
// PY:                            np.minimum(a, b), np.maximum(a, b), a - b - a, (i * 37).astype(H), np.floor(a),
// PY:                            np.sqrt(e).astype(H), a + b])
// PY: def reference_bits(x, y):
// PY:     a, b = parts(x, y)
// PY:     a = a + b
// PY:     first = 2 * (a < b) + 1 * (a == b) + 4 * (a >= b) + 8 * (a > b)
// PY:     second = np.trunc(a).astype(np.int64) + (b.view(np.uint16).astype(np.int64) << 16)
// PY:     return np.concatenate([first, second, 0x3c00 + np.arange(len(x))])
// LAUNCH: n=64 x[64]=random:1 y[64]=random:2 out[1024]=zeros back[128]=zeros bits[192]=zeros --block 64 --grid 1
// OUT: out = reference(in_x, in_y)
// OUT: back = np.concatenate([sum(parts(in_x, in_y)), parts(in_x, in_y)[1]])
// OUT: bits = reference_bits(in_x, in_y)
