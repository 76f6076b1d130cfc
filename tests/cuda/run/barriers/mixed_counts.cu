// SPDX-License-Identifier: Apache-2.0
// TEST: barriers of one array get several counts, and counts that only the launch or a loop knows
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/ptx>
using barrier = cuda::barrier<cuda::thread_scope_block>;

// One thread writes, all others read.
__global__ void constants(const int *x, int *y, int n)
{
    __shared__ barrier bars[2];
    __shared__ int s;
    int t = threadIdx.x, sum = 0;
    if (t == 0) {
        init(&bars[0], 1);
        init(&bars[1], 63);
    }
    __syncthreads();
    for (int k = 0; k < n; k++)
        if (t == 0) {
            bars[1].wait_parity((k & 1) ^ 1);
            s = x[k];
            bars[0].arrive();
        } else {
            bars[0].wait_parity(k & 1);
            sum += s * (k + 1);
            bars[1].arrive();
        }
    y[t] = sum;
}

// The first m threads write.
__global__ void launched(const int *x, int *y, int n, int m)
{
    __shared__ barrier full, empty;
    __shared__ int s[64];
    int t = threadIdx.x, sum = 0;
    if (t == 0) {
        init(&full, m);
        init(&empty, blockDim.x - m);
    }
    __syncthreads();
    for (int k = 0; k < n; k++)
        if (t < m) {
            empty.wait_parity((k & 1) ^ 1);
            s[t] = x[k * 64 + t];
            full.arrive();
        } else {
            full.wait_parity(k & 1);
            for (int i = 0; i < m; i++)
                sum += s[i] * (k + 1);
            empty.arrive();
        }
    y[t] = sum;
}

// Barrier i is for the first i + 1 warps.
__global__ void in_a_loop(int *y)
{
    __shared__ barrier bars[4];
    __shared__ int s[4];
    int t = threadIdx.x, sum = 0;
    if (t == 0)
        for (int i = 0; i < 4; i++) {
            init(bars + i, 32 * (i + 1));
            s[i] = 0;
        }
    __syncthreads();
    for (int turn = 0; turn < 3; turn++)
        for (int i = t / 32; i < 4; i++) {
            atomicAdd(&s[i], t);
            bars[i].arrive_and_wait();
            sum += s[i];
            bars[i].arrive_and_wait();
        }
    y[t] = sum;
}

__global__ void words(int *y, int n)
{
    __shared__ uint64_t bars[2];
    __shared__ int s[2];
    int t = threadIdx.x;
    if (t == 0) {
        cuda::ptx::mbarrier_init(&bars[0], n);
        cuda::ptx::mbarrier_init(&bars[1], 64 - n);
        s[0] = s[1] = 0;
    }
    __syncthreads();
    int which = t < n ? 0 : 1;
    atomicAdd(&s[which], t);
    uint64_t state = cuda::ptx::mbarrier_arrive(&bars[which]);
    while (!cuda::ptx::mbarrier_try_wait(&bars[which], state))
        ;
    y[t] = s[which];
}

// PY: def turns():
// PY:     t, y = np.arange(128), np.zeros(128, int)
// PY:     for turn in range(1, 4):
// PY:         for i in range(4):
// PY:             y += np.where(t // 32 <= i, turn * t[:32 * (i + 1)].sum(), 0)
// PY:     return y
// PY: t = np.arange(64)
// LAUNCH: constants x[10]=random:1 y[64]=zeros n=10 --block 64 --grid 1
// OUT: y = np.where(t == 0, 0, (in_x.astype(np.int64) * np.arange(1, 11)).sum())
// LAUNCH: launched x[640]=random:1 y[64]=zeros n=10 m=1 --block 64 --grid 1
// LAUNCH: launched x[640]=random:1 y[64]=zeros n=10 m=40 --block 64 --grid 1
// LAUNCH: launched x[640]=random:1 y[64]=zeros n=7 m=63 --block 64 --grid 1
// OUT: y = np.where(t < m, 0, (in_x.reshape(10, 64)[:n, :m].astype(np.int64).sum(1) * np.arange(1, n + 1)).sum())
// LAUNCH: in_a_loop y[128]=zeros --block 128 --grid 1
// OUT: y = turns()
// LAUNCH: words y[64]=zeros n=20 --block 64 --grid 1
// OUT: y = np.where(t < 20, t[:20].sum(), t[20:].sum())
