// SPDX-License-Identifier: Apache-2.0
// TEST: arithmetic of two floats is that of each
// NVCC: these functions need sm_100
__global__ void pairs(const float *x, int *out)
{
    int i = threadIdx.x, differ = 0;
    float2 a = make_float2(x[i], -x[i] * 3), b = make_float2(x[63 - i] * 1e-3f, x[i] + 1);
#define PAIR(mode)                                                                         \
    {                                                                                      \
        float2 s = __fadd2_##mode(a, b), p = __fmul2_##mode(a, b), f = __ffma2_##mode(a, b, a); \
        differ += s.x != __fadd_##mode(a.x, b.x) || s.y != __fadd_##mode(a.y, b.y);        \
        differ += p.x != __fmul_##mode(a.x, b.x) || p.y != __fmul_##mode(a.y, b.y);        \
        differ += f.x != __fmaf_##mode(a.x, b.x, a.x) || f.y != __fmaf_##mode(a.y, b.y, a.y); \
    }
    PAIR(rn) PAIR(rz) PAIR(ru) PAIR(rd)
    out[i] = differ;
}
// LAUNCH: pairs x[64]=random:9 out[64]=full:7 --block 64 --grid 1
// OUT: out = np.zeros(64, int)
