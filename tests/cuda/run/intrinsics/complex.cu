// SPDX-License-Identifier: Apache-2.0
// TEST: cuComplex.h: complex numbers of float and double
#include <cuComplex.h>

__global__ void singles(const float *x, int n, float *out)
{
    int i = threadIdx.x;
    cuFloatComplex a = make_cuFloatComplex(x[i], x[n - 1 - i] + 0.5f), b = make_cuComplex(0.75f, -x[i]);
    cuComplex all[] = {cuCaddf(a, b), cuCsubf(a, b), cuCmulf(a, b), cuCdivf(a, b), cuConjf(a), cuCfmaf(a, b, a),
                       cuComplexDoubleToFloat(cuComplexFloatToDouble(a))};
    for (int k = 0; k < 7; k++) {
        out[2 * k * n + i] = cuCrealf(all[k]);
        out[(2 * k + 1) * n + i] = cuCimagf(all[k]);
    }
    out[14 * n + i] = cuCabsf(a);
}
// PY: def reference(x, one):
// PY:     x = x.astype(float)
// PY:     a, b = x + 1j * (x[::-1] + 0.5), one * 0.75 - 1j * x
// PY:     rows = [a + b, a - b, a * b, a / b, np.conj(a), a * b + a, a]
// PY:     return np.concatenate([np.concatenate([r.real, r.imag]) for r in rows] + [np.abs(a)])
// LAUNCH: singles n=64 x[64]=random:4 out[960]=zeros --block 64 --grid 1
// OUT: out = reference(in_x, 1)
// TOL: 2e-6 2e-6

__global__ void doubles(const double *x, int n, double *out)
{
    int i = threadIdx.x;
    cuDoubleComplex a = make_cuDoubleComplex(x[i], x[n - 1 - i] + 0.5), b = make_cuDoubleComplex(0.75, -x[i]);
    cuDoubleComplex all[] = {cuCadd(a, b), cuCsub(a, b), cuCmul(a, b), cuCdiv(a, b), cuConj(a), cuCfma(a, b, a), a};
    for (int k = 0; k < 7; k++) {
        out[2 * k * n + i] = cuCreal(all[k]);
        out[(2 * k + 1) * n + i] = cuCimag(all[k]);
    }
    out[14 * n + i] = cuCabs(a);
}
// LAUNCH: doubles n=64 x[64]=random:5 out[960]=zeros --block 64 --grid 1
// OUT: out = reference(in_x, 1)
// TOL: 1e-14 1e-14
