// SPDX-License-Identifier: Apache-2.0
// TEST: named barriers in assembler text: pairs of warps, all, producers that arrive and consumers that wait
__device__ void sync_pair(int pair)
{
    if (pair == 0)
        asm volatile("bar.sync 1, 64;" ::: "memory");
    else
        asm volatile("bar.sync 2, 64;" ::: "memory");
}

__global__ void pairs(const int *x, int *y)
{
    __shared__ int s[128];
    int t = threadIdx.x, pair = t / 64;
    s[t] = x[t];
    sync_pair(pair);
    int v = s[t ^ 63];
    asm volatile("bar.sync 0;");
    s[t] = v;
    asm volatile("barrier.sync 0;");
    y[t] = s[127 - t];
}

__global__ void pipeline(const int *x, int *y, int rounds)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t < 64) {
        for (int r = 0; r < rounds; r++) {
            asm volatile("bar.sync 3, 128;" ::: "memory");
            s[t] = x[r * 64 + t] * 2;
            asm volatile("bar.arrive 4, 128;" ::: "memory");
        }
    } else {
        for (int r = 0; r < rounds; r++) {
            asm volatile("bar.arrive 3, 128;" ::: "memory");
            asm volatile("bar.sync 4, 128;" ::: "memory");
            y[r * 64 + t - 64] = s[127 - t] + r;
        }
    }
}
// LAUNCH: pairs x[128]=random:1 y[128]=zeros --block 128 --grid 1
// OUT: y = in_x.reshape(2, 64)[:, ::-1].ravel()[::-1]
// LAUNCH: pipeline x[256]=iota y[256]=zeros rounds=4 --block 128 --grid 1
// OUT: y = (in_x.reshape(4, 64)[:, ::-1] * 2 + np.arange(4)[:, None]).ravel()
