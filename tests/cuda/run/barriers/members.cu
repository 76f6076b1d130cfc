// SPDX-License-Identifier: Apache-2.0
// TEST: barriers are members of objects in shared memory, also of dynamic memory, and are passed to functions
#include <cooperative_groups.h>
#include <cuda/barrier>
using barrier = cuda::barrier<cuda::thread_scope_block>;

template <int STAGES> struct Storage {
    int rows[STAGES][64];
    barrier full[STAGES], empty[STAGES];
    barrier last;
};

__device__ int take(barrier &full, barrier &empty, int parity, const int *row)
{
    full.wait_parity(parity);
    int value = row[63 - threadIdx.x % 64];
    empty.arrive();
    return value;
}

// The second half of the threads reads what the first half writes.
template <int STAGES> __device__ int sum(Storage<STAGES> &storage, barrier (&full)[STAGES], barrier (&empty)[STAGES], const int *x, int n)
{
    int t = threadIdx.x, sum = 0;
    for (int k = 0; k < n; k++) {
        int s = k % STAGES, parity = k / STAGES & 1;
        if (t < 64) {
            empty[s].wait_parity(parity ^ 1);
            storage.rows[s][t] = x[k * 64 + t];
            full[s].arrive();
        } else {
            sum += take(full[s], empty[s], parity, storage.rows[s]) * (k + 1);
        }
    }
    return sum;
}

__global__ void fixed(const int *x, int *y, int n)
{
    __shared__ Storage<3> storage;
    int t = threadIdx.x;
    if (t == 0) {
        for (int i = 0; i < 3; i++) {
            init(&storage.full[i], 64);
            init(storage.empty + i, 64);
        }
        init(&storage.last, blockDim.x);
    }
    __syncthreads();
    y[t] = sum(storage, storage.full, storage.empty, x, n);
    storage.last.arrive_and_wait();
    y[t] += storage.rows[(n - 1) % 3][t % 64];
}

// Two objects of one class, one behind the other.
__global__ void dynamic(const int *x, int *y, int n)
{
    extern __shared__ __align__(16) unsigned char memory[];
    auto &first = *reinterpret_cast<Storage<2> *>(memory);
    auto *second = reinterpret_cast<Storage<2> *>(memory + sizeof(Storage<2>));
    int t = threadIdx.x;
    if (t == 0)
        for (int i = 0; i < 2; i++) {
            init(&first.full[i], 64);
            init(&first.empty[i], 64);
            init(&second->full[i], 64);
            init(&second->empty[i], 64);
        }
    __syncthreads();
    int one = sum(first, first.full, first.empty, x, n);
    y[t] = one + 10 * sum(*second, second->full, second->empty, x + 64, n - 1);
}

// A function finds the object for itself.
__device__ void meet(bool is_later)
{
    extern __shared__ __align__(16) unsigned char memory[];
    auto *storage = reinterpret_cast<Storage<2> *>(memory);
    if (is_later)
        storage->last.arrive_and_wait();
    else if (threadIdx.x == 0)
        init(&storage->last, blockDim.x);
}

__global__ void in_functions(const int *x, int *y, int n)
{
    extern __shared__ __align__(16) unsigned char memory[];
    auto &storage = *reinterpret_cast<Storage<2> *>(memory);
    int t = threadIdx.x;
    meet(false);
    __syncthreads();
    for (int k = 0; k < n; k++) {
        if (t < 64)
            storage.rows[k % 2][t] = x[k * 64 + t];
        meet(true);
        y[t] += storage.rows[k % 2][63 - t % 64] * (k + 1);
        storage.last.arrive_and_wait();
    }
}

// PY: def weighted(x, n): return (x.reshape(-1, 64)[:n, ::-1].astype(np.int64) * np.arange(1, n + 1)[:, None]).sum(0)
// PY: def halves(a): return np.concatenate([np.zeros(64, np.int64), a])
// LAUNCH: fixed x[640]=random:1 y[128]=zeros n=10 --block 128 --grid 1
// OUT: y = halves(weighted(in_x, 10)) + np.tile(in_x[-64:], 2)
// LAUNCH: dynamic x[640]=random:1 y[128]=zeros n=10 --block 128 --grid 1 --shared 1184
// OUT: y = halves(weighted(in_x, 10) + 10 * weighted(in_x[64:], 9))
// LAUNCH: in_functions x[640]=random:1 y[128]=zeros n=10 --block 128 --grid 1 --shared 592
// OUT: y = np.tile(weighted(in_x, 10), 2)

struct Sized {
    barrier one;
    int row[64];
    barrier more[3];
};
static_assert(sizeof(Sized) == 288, "as CUDA has it");
