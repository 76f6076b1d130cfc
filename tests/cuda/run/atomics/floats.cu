// SPDX-License-Identifier: Apache-2.0
// TEST: atomicAdd and atomicExch on floats and doubles, in global and shared memory, in all scopes
__global__ void floats(const int *x, float *f, double *d)
{
    __shared__ float sf;
    __shared__ double sd;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) {
        sf = 0.0f;
        sd = 0.0;
    }
    __syncthreads();
    float v = x[i] * 0.25f;
    atomicAdd(&f[0], v);
    atomicAdd_system(&f[1], v);
    atomicAdd(&d[0], (double)v);
    atomicAdd_system(&d[1], (double)v);
    atomicAdd_block(&f[2 + blockIdx.x], v);
    atomicAdd_block(&d[2 + blockIdx.x], v);
    atomicAdd(&sf, v);
    atomicAdd_block(&sd, v);
    __syncthreads();
    if (threadIdx.x == 0) {
        f[4 + blockIdx.x] = sf;
        d[4 + blockIdx.x] = sd;
        atomicExch(&f[6], 1.5f);
        atomicExch_block(&f[7], 2.5f);
    }
}
// PY: def sums(x):
// PY:     a, b = x[:64].sum() / 4, x[64:].sum() / 4
// PY:     return [a + b, a + b, a, b, a, b]
// LAUNCH: x[128]=iota f[8]=zeros d[6]=zeros --grid 2 --block 64
// OUT: f = np.array(sums(in_x) + [1.5, 2.5])
// OUT: d = np.array(sums(in_x))
