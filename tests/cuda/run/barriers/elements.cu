// SPDX-License-Identifier: Apache-2.0
// TEST: barriers of objects in arrays, at indices that change: by reference, pointer, methods and functions, arrays of barriers in them, in objects over dynamic memory
// RACECHECK: threads meet at mbarriers
// REF: docs/reference/cuda.md#mbarriers-that-are-words
#include <cstdint>
#include <cuda/barrier>
#include <cuda/ptx>
namespace ptx = cuda::ptx;
using barrier = cuda::barrier<cuda::thread_scope_block>;

struct Stage {
    int row[32];
    barrier full, empty;
};

__global__ void __launch_bounds__(64) named(const int *x, int *y, int n)
{
    __shared__ Stage stages[2];
    int t = threadIdx.x, sum = 0;
    if (t == 0)
        for (int i = 0; i < 2; i++) {
            init(&stages[i].full, 32);
            init(&stages[i].empty, 32);
        }
    __syncthreads();
    if (t < 32) {
        for (int i = 0; i < n; i++) {
            stages[i % 2].empty.wait_parity(i / 2 & 1 ^ 1);
            stages[i % 2].row[t] = x[i * 32 + t];
            (void)stages[i % 2].full.arrive();
        }
    } else {
        for (int i = 0; i < n; i++) {
            Stage &stage = stages[i % 2];
            stage.full.wait_parity(i / 2 & 1);
            sum += stage.row[63 - t];
            (void)stage.empty.arrive();
        }
        y[t - 32] = sum;
    }
}
// LAUNCH: named x[224]=iota y[32]=zeros n=7 --block 64 --grid 1
// OUT: y = 7 * (31 - np.arange(32)) + 32 * 21

struct Words {
    uint64_t bars[2];
    int row[32];

    __device__ void init(int n)
    {
        for (uint64_t &bar : bars)
            ptx::mbarrier_init(&bar, n);
    }
    __device__ void put(int x, int turn)
    {
        while (!ptx::mbarrier_try_wait_parity(&bars[1], turn & 1 ^ 1))
            ;
        row[threadIdx.x] = x;
        ptx::mbarrier_arrive(&bars[0]);
    }
};
__device__ void get(Words *stage, int turn, int &sum)
{
    while (!ptx::mbarrier_try_wait_parity(&stage->bars[0], turn & 1))
        ;
    sum += stage->row[63 - threadIdx.x];
    ptx::mbarrier_arrive(&stage->bars[1]);
}
template <int N> struct Memory {
    int first;
    Words stages[N];
};

template <int N> __global__ void __launch_bounds__(64) over(const int *x, int *y, int n)
{
    extern __shared__ __align__(16) uint8_t memory[];
    auto &all = *reinterpret_cast<Memory<N> *>(memory);
    int t = threadIdx.x, sum = 0;
    if (t == 0) {
        all.first = 5;
        for (int i = 0; i < N; i++)
            all.stages[i].init(32);
    }
    __syncthreads();
    int stage = 0, turn = 0;
    if (t < 32) {
        for (int i = 0; i < n; i++) {
            all.stages[stage].put(x[i * 32 + t], turn);
            if (++stage == N) {
                stage = 0;
                turn++;
            }
        }
    } else {
        for (int i = 0; i < n; i++) {
            Words *here = &all.stages[stage];
            if (++stage == N)
                stage = 0;
            get(here, turn, sum);
            turn += stage == 0;
        }
        y[t - 32] = sum + all.first;
    }
}
// LAUNCH: over<3> x[224]=iota y[32]=zeros n=7 --block 64 --grid 1 --shared 512
// OUT: y = 7 * (31 - np.arange(32)) + 32 * 21 + 5
