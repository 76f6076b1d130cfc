// SPDX-License-Identifier: Apache-2.0
// TEST: what can't be done with numbers of addresses and with words that are mbarriers
#include <cstdint>
#include <cuda/barrier>
#include <cuda/ptx>

__device__ inline void mbar_init(uint64_t *bar, int n) { asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"((uint32_t)__cvta_generic_to_shared(bar)), "r"(n)); } //~ error HD1150: an mbarrier that isn't a variable; let it be a `__shared__ uint64_t b[N];`, a class around one, such a member of a shared object, or a constant number of bytes into a shared array, and initialise it in the kernel or in a function without 'return' that gets its address
__global__ void masked(uint32_t *y)
{
    __shared__ float s[64];
    y[0] = (uint32_t)__cvta_generic_to_shared(s) & 127; //~ error HD1150: the number of an address here
}
__global__ void stored(uint32_t *y)
{
    __shared__ float s[64];
    y[0] = (uint32_t)__cvta_generic_to_shared(s); //~ error HD1150: the number of an address here
}
__global__ void of_the_launch(int *y)
{
    extern __shared__ char memory[];
    uint64_t *bar = (uint64_t *)(memory + 8 * y[0]);
    if (threadIdx.x == 0)
        mbar_init(bar, 64);
    __syncthreads();
    y[0] = 1;
}
__global__ void in_between(int *y)
{
    __shared__ uint64_t bars[2];
    uint32_t bar = (uint32_t)__cvta_generic_to_shared(bars);
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(bar), "r"(32));
    y[0] = 1;
    asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(bar + 4 * y[1])); //~ error HD1150: this way to an mbarrier
}
__global__ void jumps(int *y)
{
    asm volatile("L: bra L;"); //~ error HD1150: 'L:' in inline assembly
}
__global__ void begun_each_turn(int *y, int n)
{
    __shared__ uint64_t bar;
    for (int i = 0; i < n; i++) {
        if (threadIdx.x == 0)
            cuda::ptx::mbarrier_init(&bar, 64); //~ error HD1150: initialising a barrier more than once
        __syncthreads();
        while (!cuda::ptx::mbarrier_try_wait_parity(&bar, (cuda::ptx::mbarrier_arrive(&bar), 0)))
            ;
        __syncthreads();
    }
    y[0] = 1;
}
__global__ void begun_again(int *y)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> bars[2];
    if (threadIdx.x == 0) {
        init(&bars[1], 64);
        init(&bars[1], 64); //~ error HD1150: initialising a barrier more than once
    }
    __syncthreads();
    y[0] = 1;
}
// Which barrier it is must be known.
__global__ void swapped(int *y)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> a, b;
    auto front = &a, back = &b;
    if (threadIdx.x == 0) {
        init(&a, 64);
        init(&b, 64);
    }
    __syncthreads();
    front->arrive_and_wait();
    auto kept = front;
    front = back; //~ error HD1150: assigning a pointer to a barrier
    back = kept;  //~ error HD1150: assigning a pointer to a barrier
    y[0] = 1;
}
struct Barrier {
    uint64_t word;
    __device__ void init(int n) { mbar_init(&word, n); }
};
__global__ void behind_this(int *y)
{
    __shared__ Barrier bar;
    if (threadIdx.x == 0)
        bar.init(64);
    __syncthreads();
    y[0] = 1;
}
