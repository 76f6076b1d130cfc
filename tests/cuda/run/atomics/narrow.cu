// SPDX-License-Identifier: Apache-2.0
// TEST: atomics of 16 bits and of pairs: no update is lost, the old value is returned
#include <cuda_fp16.h>

__global__ void halves(int n, __half *h, __half2 *h2, int *old)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    __half was = atomicAdd(&h[0], __float2half(1.0f));
    atomicAdd(&old[0], (int)__half2float(was));
    atomicAdd(&h[1 + i % 3], __float2half(0.5f));
    __half2 pair = atomicAdd(&h2[i % 2], __floats2half2_rn(1.0f, 0.25f));
    atomicAdd(&old[1], (int)__low2float(pair));
}
// LAUNCH: halves n=300 h[4]=zeros h2[2]=zeros old[2]=zeros --grid 3 --block 128
// OUT: h = np.array([300, 50, 50, 50])
// OUT: h2 = np.array([[150, 37.5], [150, 37.5]])
// OUT: old = np.array([299 * 150, 149 * 150])

// Bytes counted in the halves of a word, by compare and swap.
__global__ void saturating(const int *x, unsigned short *count, int *swaps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned short *p = &count[x[i] & 3];
    unsigned short was = *(volatile unsigned short *)p, seen;
    do {
        seen = was;
        if (seen == 20)
            return;
        was = atomicCAS(p, seen, (unsigned short)(seen + 1));
    } while (was != seen);
    atomicAdd(swaps, 1);
}
// LAUNCH: saturating x[256]=iota count[4]=zeros swaps[1]=zeros --grid 2 --block 128
// OUT: count = np.array([20, 20, 20, 20])
// OUT: swaps = 80

__global__ void in_shared(__half *out)
{
    __shared__ __half2 pair;
    __shared__ __half sum;
    if (threadIdx.x == 0) {
        pair = __floats2half2_rn(0.0f, 0.0f);
        sum = __float2half(0.0f);
    }
    __syncthreads();
    atomicAdd(&pair, __floats2half2_rn(1.0f, 2.0f));
    atomicAdd(&sum, __float2half(0.5f));
    __syncthreads();
    if (threadIdx.x == 0) {
        out[0] = __low2half(pair);
        out[1] = __high2half(pair);
        out[2] = sum;
    }
}
// LAUNCH: in_shared out[3]=zeros --grid 1 --block 96
// OUT: out = np.array([96, 192, 48])
