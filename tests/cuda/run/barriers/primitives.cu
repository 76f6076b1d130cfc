// SPDX-License-Identifier: Apache-2.0
// TEST: __mbarrier_init, _arrive, _test_wait_parity, _try_wait_parity; a barrier of a function, initialised there
// RACECHECK: threads meet at mbarriers
#include <cuda/barrier>
#include <cuda_awbarrier_primitives.h>

__global__ void phases(const int *x, int *y, int rounds)
{
    __shared__ __mbarrier_t bar;
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t == 0)
        __mbarrier_init(&bar, 64);
    __syncthreads();
    int v = x[t];
    for (int r = 0; r < rounds; r++) {
        s[t] = v + r;
        __mbarrier_arrive(&bar);
        while (!__mbarrier_test_wait_parity(&bar, 0))
            ;
        v = s[(t + 1) % 64];
        __mbarrier_arrive(&bar);
        while (!__mbarrier_try_wait_parity(&bar, 1, 1000))
            ;
    }
    y[t] = v;
}

__device__ int turned(int v)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ int s[64];
    if (threadIdx.x == 0)
        init(&bar, 64);
    __syncthreads();
    s[threadIdx.x] = v;
    bar.arrive_and_wait();
    return s[63 - threadIdx.x];
}

__global__ void of_function(const int *x, int *y)
{
    y[threadIdx.x] = turned(x[threadIdx.x]);
}
// PY: def phases(x, rounds):
// PY:     v = x
// PY:     for r in range(rounds): v = np.roll(v + r, -1)
// PY:     return v
// LAUNCH: phases x[64]=iota y[64]=zeros rounds=5 --block 64 --grid 1
// OUT: y = phases(in_x, rounds)
// LAUNCH: of_function x[64]=iota y[64]=zeros --block 64 --grid 1
// OUT: y = in_x[::-1]
