// SPDX-License-Identifier: Apache-2.0
// TEST: barriers of objects that aren't known are refused where they are used
#include <cstdint>
#include <cuda/barrier>
#include <cuda/ptx>
using barrier = cuda::barrier<cuda::thread_scope_block>;

struct Storage {
    int row[64];
    barrier full;
};

__device__ int arrive(Storage &storage)
{
    storage.full.arrive_and_wait(); //~ error HD1150: an mbarrier of an unknown object; name the object in the kernel by a shared variable, or a reference to one place of shared memory, and pass the barriers to functions
    return storage.row[threadIdx.x];
}

__global__ void of_a_parameter(int *y)
{
    __shared__ Storage storage;
    if (threadIdx.x == 0)
        init(&storage.full, 64);
    __syncthreads();
    y[threadIdx.x] = arrive(storage);
}

__global__ void of_a_warp(int *y)
{
    extern __shared__ char memory[];
    auto *storage = reinterpret_cast<Storage *>(memory + threadIdx.x / 32 * sizeof(Storage));
    if (threadIdx.x % 32 == 0)
        init(&storage->full, 32); //~ error HD1150: an mbarrier of an unknown object
    __syncthreads();
}

__global__ void of_a_turn(int *y, int n)
{
    extern __shared__ char memory[];
    for (int i = 0; i < n; i++) {
        auto *storage = reinterpret_cast<Storage *>(memory + i * sizeof(Storage));
        if (threadIdx.x == 0)
            init(&storage->full, 64); //~ error HD1150: an mbarrier of an unknown object
    }
}

__global__ void of_an_array(int *y, int n)
{
    extern __shared__ Storage storage[];
    if (threadIdx.x == 0)
        init(&storage[n].full, 64); //~ error HD1150: an mbarrier of an unknown object
}

__global__ void of_a_count(int *y)
{
    __shared__ Storage storage[2];
    int k = 0;
    if (threadIdx.x == 0)
        init(&storage[k++].full, 64); //~ error HD1150: an mbarrier of an unknown object
}

__global__ void unready(int *y)
{
    __shared__ Storage storage;
    storage.full.arrive_and_wait(); //~ error HD1018: mbarrier 'storage_full' is never initialised
}

struct Others {
    barrier all[64];
};

__global__ void two_classes(int *y)
{
    extern __shared__ char memory[];
    auto *storage = reinterpret_cast<Storage *>(memory);
    auto *others = reinterpret_cast<Others *>(memory + 0);
    if (threadIdx.x == 0)
        init(&storage->full, 64);
    __syncthreads();
    others->all[32].arrive_and_wait(); //~ error HD1150: an mbarrier that is accessed in two ways; use one class, or one pointer, for this memory
}

struct Barrier {
    uint64_t word;
    __device__ void init(int n) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"((uint32_t)__cvta_generic_to_shared(&word)), "r"(n)); }
};

__global__ void of_a_copy(int *y)
{
    __shared__ Barrier one;
    if (threadIdx.x == 0)
        one.init(64);
    Barrier other = one; //~ error HD1150: a copy of an mbarrier; name it by a reference or a pointer
}

struct State {
    uint64_t state;
};
__global__ void of_a_state(int *y)
{
    __shared__ barrier one;
    if (threadIdx.x == 0)
        init(&one, 64);
    State s;
    s.state = cuda::ptx::mbarrier_arrive(cuda::device::barrier_native_handle(one)); //~ error HD1150: the state of an mbarrier here; keep it in a variable of its own or pass it to a function
}

__global__ void as_a_number(unsigned long long *y)
{
    __shared__ Barrier one;
    if (threadIdx.x == 0)
        one.init(64);
    y[threadIdx.x] = one.word; //~ error HD0310: 'mbarrier' can't be converted to 'unsigned long long'
}
