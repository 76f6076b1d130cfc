// SPDX-License-Identifier: Apache-2.0
// TEST: cuda::barrier: arrive_and_drop, waits with a limit, several arrivals with bytes; __mbarrier_ by tokens
// RACECHECK: threads meet at mbarriers
// REF: docs/reference/cuda.md#cooperative-groups
#include <cuda/barrier>
#include <cuda/std/chrono>
#include <cuda_awbarrier_primitives.h>

using barrier = cuda::barrier<cuda::thread_scope_block>;

// The second half leaves in the fourth turn.
__global__ void leaving(int *y, int turns)
{
    __shared__ barrier bar;
    __shared__ int s[2][64];
    int t = threadIdx.x, sum = 0;
    if (t == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    for (int k = 0; k < turns; k++) {
        s[k % 2][t] = k + t;
        if (k == 3 && t >= 32) {
            bar.arrive_and_drop();
            y[t] = sum;
            return;
        }
        barrier::arrival_token token = bar.arrive();
        while (!bar.try_wait_for(std::move(token), cuda::std::chrono::microseconds(10)))
            ;
        sum += s[k % 2][t ^ 1];
    }
    y[t] = sum;
}
// PY: def leaving(turns):
// PY:     t = np.arange(64)
// PY:     n = np.where(t < 32, turns, min(turns, 3))
// PY:     return n * (t ^ 1) + n * (n - 1) // 2
// LAUNCH: leaving y[64]=zeros turns=2 --block 64 --grid 1
// LAUNCH: leaving y[64]=zeros turns=9 --block 64 --grid 1
// OUT: y = leaving(turns)

__global__ void limits(int *y)
{
    __shared__ barrier bar;
    __shared__ int s[64];
    using namespace cuda::std::chrono;
    int t = threadIdx.x;
    if (t == 0)
        init(&bar, 2 * blockDim.x);
    __syncthreads();
    s[t] = t;
    auto token = cuda::device::barrier_arrive_tx(bar, 2, 0);
    bar.wait(std::move(token));
    int v = s[63 - t];
    (void)bar.arrive(2);
    while (!bar.try_wait_parity_for(true, nanoseconds(20)))
        ;
    duration<seconds::rep, cuda::std::ratio<1, 4>> quarters(10);
    int n = (int)(duration_cast<microseconds>(milliseconds(3)).count() + duration_cast<seconds>(minutes(2)).count() +
                  duration_cast<minutes>(hours(1)).count() + duration_cast<milliseconds>(quarters).count());
    n += (int)(cuda::std::nano::num + cuda::std::micro::num + cuda::std::milli::num + minutes::period::num);
    s[t] = v + n;
    bar.wait(bar.arrive(2));
    y[t] = s[t ^ 1];
}
// LAUNCH: limits y[64]=zeros --block 64 --grid 1
// OUT: y = 3000 + 120 + 60 + 2500 + 63 + 63 - (np.arange(64) ^ 1)

__global__ void primitives(int *y)
{
    __shared__ __mbarrier_t bar;
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t == 0)
        __mbarrier_init(&bar, 64);
    __syncthreads();
    s[t] = 2 * t;
    __mbarrier_token_t token = __mbarrier_arrive(&bar);
    while (!__mbarrier_test_wait(&bar, token))
        ;
    int v = s[63 - t];
    if (t >= 16) {
        __mbarrier_arrive_and_drop(&bar);
        y[t] = v;
        return;
    }
    token = __mbarrier_arrive(&bar);
    while (!__mbarrier_try_wait(&bar, token, 100))
        ;
    s[t] = v;
    token = __mbarrier_arrive(&bar);
    while (!__mbarrier_try_wait(&bar, token, 100))
        ;
    y[t] = s[15 - t] + 1;
}
// LAUNCH: primitives y[64]=zeros --block 64 --grid 1
// OUT: y = np.r_[2 * np.arange(48, 64) + 1, 2 * (63 - np.arange(16, 64))]
