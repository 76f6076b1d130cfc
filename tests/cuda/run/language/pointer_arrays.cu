// SPDX-License-Identifier: Apache-2.0
// TEST: arrays of pointers, and pointers in shared memory, lead to whatever memory they are given
struct Two { float *p[2]; };
__global__ void spaces(const float *x, float *y, int n)
{
    extern __shared__ float mem[];
    __shared__ float other[32];
    float *const half[2] = {mem, mem + blockDim.x};
    float *late[3];
    late[0] = other;
    late[1] = mem;
    for (int i = 2; i < 3; i++) late[i] = half[1];
    const float *mixed[2] = {x, other};
    float *grid[2][2] = {{mem, mem + 1}, {mem + 2, mem + 3}};
    float *global[2] = {y, y + 1};
    Two two = {{mem, mem + 4}};
    Two later; later.p[0] = mem; later.p[1] = other;
    int t = threadIdx.x;
    half[0][t] = x[t]; half[1][t] = 0;
    other[t] = t;
    __syncthreads();
    y[t] = late[0][t] + mixed[1][t] + mixed[0][t] + grid[1][1][0] + two.p[1][0] + later.p[0][t];
    if (t == 0) global[1][40] = late[1][1] + late[2][0];
}
// LAUNCH: spaces x[32]=iota y[42]=zeros n=2 --grid 1 --block 32 --shared 1024
// OUT: y = np.where(np.arange(42) < 32, 4 * np.arange(42) + 7, np.arange(42) == 41)

__global__ void turns(const float *x, float *y, int n)
{
    extern __shared__ float mem[];
    float *const half[2] = {mem, mem + blockDim.x};
    int t = threadIdx.x;
    half[0][t] = x[t];
    __syncthreads();
    for (int k = 1; k < n; k++) {
        float *from = half[(k - 1) % 2], *to = half[k % 2];
        to[t] = from[(t + 1) % blockDim.x] * 0.5f;
        __syncthreads();
    }
    y[t] = half[(n - 1) % 2][t];
}
// LAUNCH: turns x[64]=iota y[64]=zeros n=4 --grid 1 --block 64 --shared 512
// LAUNCH: turns x[64]=iota y[64]=zeros n=1 --grid 1 --block 64 --shared 512
// OUT: y = np.roll(in_x, 1 - n) * np.float32(0.5) ** (n - 1)

__constant__ float table[4] = {1, 2, 3, 4};
__global__ void published(float *y)
{
    __shared__ float a[32], b[32];
    __shared__ float *from;
    __shared__ const float *rows[2];
    int t = threadIdx.x;
    a[t] = t;
    b[t] = 2 * t;
    if (t == 0) {
        from = b;
        rows[0] = table;
        rows[1] = table + 2;
    }
    __syncthreads();
    y[t] = from[t] + rows[1][t % 2];
}
// LAUNCH: published y[32]=zeros --grid 1 --block 32
// OUT: y = 2 * np.arange(32) + np.tile([3, 4], 16)
