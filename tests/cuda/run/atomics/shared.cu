// SPDX-License-Identifier: Apache-2.0
// TEST: a histogram in shared memory, merged into global memory
#define BINS 64

__global__ void histogram(const unsigned char *data, int n, unsigned *bins)
{
    __shared__ unsigned local[BINS];
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        local[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&local[data[i] % BINS], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        if (local[b])
            atomicAdd(&bins[b], local[b]);
}
// LAUNCH: n=5000 data[5000]=random:3 bins[64]=zeros --grid 4 --block 96
// OUT: bins = np.bincount(in_data % 64, minlength=64)
