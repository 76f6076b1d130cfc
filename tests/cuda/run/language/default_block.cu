// SPDX-License-Identifier: Apache-2.0
// TEST: without --block the block is that of the launch in the file, else of __launch_bounds__, else 256
// NO-IR: warnings of the launch come from the CUDA C file
// NVCC: the point is the launch without a block
__global__ void launched(int *out) { out[threadIdx.x] = (int)blockDim.x; }
__global__ void __launch_bounds__(96) bounded(int *out) { out[threadIdx.x] = (int)blockDim.x; }
__global__ void free_block(int *out) { out[threadIdx.x] = (int)blockDim.x; }
__global__ void shaped(int *out) { out[threadIdx.x + blockDim.x * threadIdx.y] = (int)blockDim.y; }

int main()
{
    const int threads = 128;
    int *p = nullptr;
    launched<<<1, threads>>>(p);
    shaped<<<dim3(1), dim3(16, 4)>>>(p);
}
// LAUNCH: launched out[256]=zeros --grid 1
// OUT: out = np.repeat([128, 0], 128)
// LAUNCH: bounded out[256]=zeros --grid 1
// OUT: out = np.where(np.arange(256) < 96, 96, 0)
// LAUNCH: free_block out[256]=zeros --grid 1
// OUT: out = 256
// STDERR: blocks of 256 x 1 x 1 threads are a guess
// LAUNCH: shaped out[256]=zeros --grid 1
// OUT: out = np.where(np.arange(256) < 64, 4, 0)
// LAUNCH: launched out[256]=zeros --block 32 --grid 1
// OUT: out = np.where(np.arange(256) < 32, 32, 0)
