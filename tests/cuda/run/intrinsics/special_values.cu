// SPDX-License-Identifier: Apache-2.0
// TEST: infinities, NaN and zeros: approximations, directed products, conversions and comparisons of halves
#include <cuda_fp16.h>
#include <cuda_bf16.h>

__global__ void approximations(float *out)
{
    float inf = __int_as_float(0x7f800000), nan = nanf("");
    float x[] = {0.0f, -1.0f, inf, -inf, nan, 200.0f, -200.0f, 1e-30f};
    int i = threadIdx.x;
    out[i] = __expf(x[i]);
    out[8 + i] = __exp10f(x[i]);
    out[16 + i] = __logf(x[i]);
    out[24 + i] = __log2f(x[i]);
    out[32 + i] = __log10f(x[i]);
    out[40 + i] = __powf(x[i], 0.5f);
    out[48 + i] = __fdividef(-3.0f, x[i]);
    out[56 + i] = fdividef(x[i], 3.0f);
    out[64 + i] = __tanhf(x[i]);
    out[72 + i] = fabsf(__sinf(x[i] * 1e6f)) <= 1.0f && fabsf(__cosf(x[i] * 1e6f)) <= 1.0f;
}
// PY: def approximations():
// PY:     x = np.array([0, -1, np.inf, -np.inf, np.nan, 200, -200, 1e-30], np.float32).astype(float)
// PY:     with np.errstate(all="ignore"):
// PY:         rows = [np.exp(x), 10**x, np.log(x), np.log2(x), np.log10(x), np.where(x < 0, np.nan, np.exp2(0.5 * np.log2(x))),
// PY:                 -3 / x, x / 3, np.tanh(x), np.isfinite(x)]
// PY:     return np.concatenate(rows).astype(np.float32)
// LAUNCH: approximations out[80]=zeros --block 8 --grid 1
// OUT: out = approximations()
// TOL: 1e-5 1e-37

__global__ void products(double *out)
{
    double a[] = {0.0, -0.0, 3.0, -3.0}, x = a[threadIdx.x & 3], y = a[threadIdx.x >> 2];
    int i = threadIdx.x;
    out[i] = 1 / __dmul_rz(x, y);
    out[16 + i] = 1 / __dmul_ru(x, y);
    out[32 + i] = 1 / __dmul_rd(x, y);
    out[48 + i] = 1 / dmul(x, y, cudaRoundZero);
}
// PY: def products():
// PY:     a = np.array([0.0, -0.0, 3.0, -3.0])
// PY:     with np.errstate(all="ignore"):
// PY:         one = 1 / (a[np.arange(16) & 3] * a[np.arange(16) >> 2])
// PY:     return np.concatenate([one] * 4)
// LAUNCH: products out[64]=zeros --block 16 --grid 1
// OUT: out = products()
// TOL: 1e-15

__global__ void halves(unsigned long long *out)
{
    __half nan = __ushort_as_half(0x7e00), one = __float2half(1.0f), zero = __float2half(0.0f);
    __nv_bfloat16 nan_b = __ushort_as_bfloat16(0x7fc0), one_b = __float2bfloat16(1.0f);
    out[0] = (unsigned long long)__half2ll_rz(nan);
    out[1] = __half2ull_rn(nan);
    out[2] = (unsigned)__half2int_rd(nan);
    out[3] = __half2uint_ru(nan);
    out[4] = (unsigned long long)__bfloat162ll_rd(nan_b);
    out[5] = __bfloat162ull_ru(nan_b);
    out[6] = make_half2(nan, nan) != make_half2(one, one);
    out[7] = make_bfloat162(nan_b, nan_b) != make_bfloat162(one_b, one_b);
    out[8] = __hisnan(__hfma_relu(nan, one, one));
    out[9] = __half_as_ushort(__hadd_sat(nan, one));
    out[10] = __half_as_ushort(__hmax(nan, one));
    out[11] = __hisnan(__hmax_nan(nan, one));
    out[12] = __half_as_ushort(__hfma_relu(__hneg(one), one, zero));
}
// LAUNCH: halves out[13]=zeros --block 1 --grid 1
// OUT: out = np.array([1 << 63, 1 << 63, 0, 0, 1 << 63, 1 << 63, 1, 1, 1, 0, 0x3c00, 1, 0], np.uint64)

// Results that the plain formulas would lose: squares beyond 2^53, smallest arguments.
__global__ void accurate(double *out)
{
    out[0] = erfcx(-6.65840985233336);
    out[1] = erfcx(1.7976931348623157e308) * 1e300;
    out[2] = erfcx(25.5);
    out[3] = normcdf(-9.172662346599289);
    out[4] = erfcinv(5e-324);
    out[5] = normcdfinv(5e-324);
}
// LAUNCH: accurate out[6]=zeros --block 1 --grid 1
// OUT: out = np.array([3.59107706397091e+19, 3.138408733985445e-9, 0.022108108052519827, 2.3073905336795328e-20, 27.213293210812946, -38.46740561714436])
// TOL: 2e-15
