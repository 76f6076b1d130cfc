// SPDX-License-Identifier: Apache-2.0
// TEST: values cross a block, and a warp, at __syncthreads and __syncwarp
__global__ void reverse_block(const float *x, float *y)
{
    __shared__ float buffer[256];
    int t = threadIdx.x, base = blockIdx.x * blockDim.x;
    buffer[t] = x[base + t];
    __syncthreads();
    y[base + t] = buffer[blockDim.x - 1 - t];
}

__global__ void reverse_warp(const float *x, float *y)
{
    __shared__ float buffer[8][32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int turn = 0; turn < 3; turn++) {
        buffer[warp][lane] = x[i] + turn;
        __syncwarp();
        y[i] = buffer[warp][31 - lane];
        __syncwarp();
    }
}
// LAUNCH: reverse_block x[512]=random:1 y[512]=zeros --grid 2 --block 256
// OUT: y = in_x.reshape(2, 256)[:, ::-1].ravel()
// LAUNCH: reverse_warp x[512]=random:1 y[512]=zeros --grid 2 --block 256
// OUT: y = (in_x + np.float32(2)).reshape(16, 32)[:, ::-1].ravel()
