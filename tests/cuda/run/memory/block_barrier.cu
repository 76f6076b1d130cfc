// SPDX-License-Identifier: Apache-2.0
// TEST: cuda::barrier of a block: init, arrive, wait, arrive_and_wait, phases, and several barriers
#include <cuda/barrier>

using barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void phases(const int *x, int *y, int rounds)
{
    __shared__ barrier bar;
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    int v = x[t];
    for (int r = 0; r < rounds; r++) {
        s[t] = v + r;
        auto token = bar.arrive();
        int own = t * r;
        bar.wait(std::move(token));
        v = s[(t + 1) % 64] + own;
        bar.arrive_and_wait();
    }
    y[t] = v;
}

__global__ void producer_consumer(const int *x, int *y, int rounds)
{
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ barrier full, empty;
    __shared__ int s[32];
    int t = threadIdx.x;
    if (t == 0) {
        init(&full, 64);
        init(&empty, 64);
    }
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        if (t < 32) {
            empty.arrive_and_wait();
            s[t] = x[r * 32 + t];
            barrier::arrival_token token = full.arrive();
            (void)token;
        } else {
            auto token = empty.arrive();
            (void)token;
            full.arrive_and_wait();
            y[r * 32 + t - 32] = s[63 - t] * 2;
        }
    }
}
// PY: def phases(x, rounds):
// PY:     t = np.arange(64)
// PY:     v = x
// PY:     for r in range(rounds): v = np.roll(v + r, -1) + t * r
// PY:     return v
// LAUNCH: phases x[64]=iota y[64]=zeros rounds=5 --block 64 --grid 1
// OUT: y = phases(in_x, rounds)
// LAUNCH: producer_consumer x[128]=iota y[128]=zeros rounds=4 --block 64 --grid 1
// OUT: y = (in_x.reshape(4, 32)[:, ::-1] * 2).ravel()
