// SPDX-License-Identifier: Apache-2.0
// TEST: __pipeline_memcpy_async of 4, 8 and 16 bytes, zero-filled ends, and waits that leave copies under way
#include <cuda_pipeline.h>

__global__ void copies(const float *x, const float4 *q, const double *d, float *y, float4 *r, double *e)
{
    __shared__ float s[64];
    __shared__ float4 s4[64];
    __shared__ double s8[64];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    __pipeline_memcpy_async(&s[t], &x[i], sizeof(float));
    __pipeline_commit();
    __pipeline_memcpy_async(&s4[t], &q[i], 16, t == 3 ? 8 : 0);
    __pipeline_memcpy_async(&s8[t], &d[i], sizeof(double));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    y[i] = s[63 - t];
    __pipeline_wait_prior(0);
    __syncthreads();
    r[i] = s4[t ^ 1];
    e[i] = s8[63 - t];
}
// PY: def quads(q):
// PY:     q = q.copy()
// PY:     q[3::64, 2:] = 0
// PY:     return q[np.arange(len(q)) ^ 1]
// LAUNCH: x[128]=random:1 q[128]=random:2 d[128]=random:3 y[128]=zeros r[128]=zeros e[128]=zeros --grid 2 --block 64
// OUT: y = in_x.reshape(2, 64)[:, ::-1].ravel()
// OUT: r = quads(in_q)
// OUT: e = in_d.reshape(2, 64)[:, ::-1].ravel()
