// SPDX-License-Identifier: Apache-2.0
// TEST: warp functions where the other threads have only the kernel's end before them
__global__ void guarded(const int *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int v = x[i];
        __syncwarp();
        int next = __shfl_down_sync(0xffffffff, v, 1);
        int odd = __popc(__ballot_sync(0xffffffff, v & 1));
        y[i] = v + (i + 1 < n && i % 32 < 31 ? next : 0) + 1000 * odd;
    }
}
// LAUNCH: guarded --grid 2 --block 64 x[100]=iota y[100]=zeros n=100
// OUT: y = np.arange(100) + np.where((np.arange(100) % 32 < 31) & (np.arange(100) < 99), np.arange(100) + 1, 0) + 1000 * np.where(np.arange(100) < 96, 16, 2)

__global__ void strided(const int *x, int *y, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        unsigned even = __ballot_sync(0xffffffff, x[i] % 2 == 0);
        y[i] = __popc(even);
        __syncwarp();
    }
}
// LAUNCH: strided --grid 1 --block 64 x[150]=iota y[150]=zeros n=150
// OUT: y = np.where(np.arange(150) < 128, 16, np.where(np.arange(150) < 160, 11, 0))

__global__ void triangle(int *y)
{
    int s = 0;
    for (int i = 0; i <= threadIdx.x; i++) {
        s += __popc(__ballot_sync(0xffffffff, 1));
        y[threadIdx.x] = s;
    }
}
// LAUNCH: triangle --grid 1 --block 32 y[32]=zeros
// OUT: y = np.cumsum(32 - np.arange(32))

__global__ void inner(int *y, int n)
{
    int i = threadIdx.x;
    if (i < n) {
        y[i] = 1;
        if (i % 3 == 0)
            y[i] = __popc(__ballot_sync(0xffffffff, i % 2));
    }
}
// LAUNCH: inner --grid 1 --block 32 y[32]=zeros n=20
// OUT: y = np.where(np.arange(32) < 20, np.where(np.arange(32) % 3 == 0, 3, 1), 0)
