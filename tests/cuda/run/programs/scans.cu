// SPDX-License-Identifier: Apache-2.0
// TEST: prefix sums: double buffered, work-efficient with padding, by shuffles across a block
#define PAD(k) ((k) + ((k) >> 5))

__global__ void simple(const float *x, float *y, int n)
{
    extern __shared__ float temp[];
    int t = threadIdx.x, out = 0, in = 1;
    temp[t] = t > 0 ? x[t - 1] : 0.0f;
    __syncthreads();
    for (int d = 1; d < n; d *= 2) {
        out = 1 - out;
        in = 1 - out;
        if (t >= d)
            temp[out * n + t] = temp[in * n + t] + temp[in * n + t - d];
        else
            temp[out * n + t] = temp[in * n + t];
        __syncthreads();
    }
    y[t] = temp[out * n + t];
}

__global__ void efficient(const int *x, int *y, int n)
{
    __shared__ int temp[PAD(512)];
    int t = threadIdx.x, step = 1;
    temp[PAD(2 * t)] = x[2 * t];
    temp[PAD(2 * t + 1)] = x[2 * t + 1];
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) {
            int a = step * (2 * t + 1) - 1, b = step * (2 * t + 2) - 1;
            temp[PAD(b)] += temp[PAD(a)];
        }
        step *= 2;
    }
    if (t == 0)
        temp[PAD(n - 1)] = 0;
    for (int d = 1; d < n; d *= 2) {
        step >>= 1;
        __syncthreads();
        if (t < d) {
            int a = step * (2 * t + 1) - 1, b = step * (2 * t + 2) - 1;
            int v = temp[PAD(a)];
            temp[PAD(a)] = temp[PAD(b)];
            temp[PAD(b)] += v;
        }
    }
    __syncthreads();
    y[2 * t] = temp[PAD(2 * t)];
    y[2 * t + 1] = temp[PAD(2 * t + 1)];
}

__global__ void shuffled(int *data, int *totals)
{
    __shared__ int sums[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    int v = data[i];
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
        int below = __shfl_up_sync(0xffffffffu, v, d);
        if (lane >= d)
            v += below;
    }
    if (lane == 31)
        sums[warp] = v;
    __syncthreads();
    if (warp == 0 && lane < blockDim.x / 32) {
        int s = sums[lane];
        unsigned mask = (1u << (blockDim.x / 32)) - 1;
        for (int d = 1; d < blockDim.x / 32; d *= 2) {
            int below = __shfl_up_sync(mask, s, d);
            if (lane >= d)
                s += below;
        }
        sums[lane] = s;
    }
    __syncthreads();
    if (warp > 0)
        v += sums[warp - 1];
    data[i] = v;
    if (threadIdx.x == blockDim.x - 1 && totals)
        totals[blockIdx.x] = v;
}
// LAUNCH: simple x[256]=iota y[256]=zeros n=256 --block 256 --shared 2048 --grid 1
// LAUNCH: efficient x[512]=iota y[512]=zeros n=512 --block 256 --grid 1
// OUT: y = np.cumsum(in_x) - in_x
// LAUNCH: shuffled data[768]=iota totals[3]=zeros --grid 3 --block 256
// OUT: data = np.cumsum(in_data.reshape(3, 256), 1).ravel()
// OUT: totals = in_data.reshape(3, 256).sum(1)
