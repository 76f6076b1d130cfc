// SPDX-License-Identifier: Apache-2.0
// TEST: rounding told by an argument
__global__ void modes(const double *x, double *out)
{
    int i = threadIdx.x;
    double a = x[i] * 8 - 4, b = x[63 - i] / 3;
    cudaRoundMode up = cudaRoundPosInf;
    int differ = 0;
#define SAME(e, f) differ += __double_as_longlong(e) != __double_as_longlong(f);
    SAME(dadd(a, b), a + b) SAME(dsub(a, b, up), __dsub_ru(a, b)) SAME(dmul(a, b, cudaRoundMinInf), __dmul_rd(a, b))
    SAME(fma(a, b, a, cudaRoundZero), __fma_rz(a, b, a)) SAME(float2double((float)a), (double)(float)a) SAME(dadd(a, b, cudaRoundNearest), __dadd_rn(a, b))
    SAME(int2double((int)a), (double)(int)a) SAME(uint2double(7u), 7.0) SAME(ll2double(9007199254740993ll, up), 9007199254740994.0)
    SAME(ull2double(9007199254740995ull, cudaRoundZero), 9007199254740994.0)
    out[i] = double2int(a);
    out[64 + i] = double2int(a, up);
    out[128 + i] = (double)double2ll(a, cudaRoundMinInf);
    out[192 + i] = double2uint(b * 4, cudaRoundNearest);
    out[256 + i] = (double)double2ull(b * 4, up);
    out[320 + i] = differ;
}
// PY: def modes(x):
// PY:     a, b = x * 8 - 4, x[::-1] / 3
// PY:     return np.concatenate([np.trunc(a), np.ceil(a), np.floor(a), np.rint(b * 4), np.ceil(b * 4), 0 * a]) + 0.0
// LAUNCH: modes x[64]=random:9 out[384]=zeros --block 64 --grid 1
// OUT: out = modes(in_x)
