// SPDX-License-Identifier: Apache-2.0
// TEST: volatile shared memory with barriers, and volatile global memory, are ordinary loads and stores
__global__ void sum(const int *x, volatile int *y)
{
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int d = 32; d > 0; d /= 2) {
        int v = s[t] + (t + d < 64 ? s[t + d] : 0);
        __syncthreads();
        s[t] = v;
        __syncthreads();
    }
    y[t] = t;
    y[t] += s[0];
}
// LAUNCH: x[64]=iota y[64]=zeros --block 64 --grid 1
// OUT: y = in_x.sum() + np.arange(64)
