// SPDX-License-Identifier: Apache-2.0
// TEST: flags that an object of C++ updates begin with zeros, as others do, and publish
// check-args: --grid 2 --block 1
// check by_ref: proved
// check by_atomics: proved
// check by_volatile: proved
// check by_counter: proved
#include <cuda/atomic>
using ref = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
__global__ void by_ref(int *box, unsigned *flag, int *y)
{
    __assume(2 <= len(box) && 2 <= len(flag) && 2 <= len(y));
    int b = blockIdx.x;
    box[b] = 7 + b;
    ref(flag[b]).store(1u, cuda::memory_order_release);
    while (ref(flag[1 - b]).load(cuda::memory_order_acquire) == 0)
        ;
    y[b] = box[1 - b];
}
__global__ void by_atomics(int *box, unsigned *flag, int *y)
{
    __assume(2 <= len(box) && 2 <= len(flag) && 2 <= len(y));
    int b = blockIdx.x;
    box[b] = 7 + b;
    __threadfence();
    atomicExch(&flag[b], 1u);
    while (atomicAdd(&flag[1 - b], 0u) == 0)
        ;
    __threadfence();
    y[b] = box[1 - b];
}
__global__ void by_volatile(int *box, volatile unsigned *flag, int *y)
{
    __assume(2 <= len(box) && 2 <= len(flag) && 2 <= len(y));
    int b = blockIdx.x;
    box[b] = 7 + b;
    __threadfence();
    flag[b] = 1;
    while (flag[1 - b] == 0)
        ;
    __threadfence();
    y[b] = box[1 - b];
}
__global__ void by_counter(int *box, unsigned *count, int *y)
{
    __assume(2 <= len(box) && 2 <= len(count) && 2 <= len(y));
    int b = blockIdx.x;
    box[b] = 7 + b;
    ref(*count).fetch_add(1u, cuda::memory_order_release);
    while (ref(*count).load(cuda::memory_order_acquire) != 2)
        ;
    y[b] = box[1 - b];
}
