// SPDX-License-Identifier: Apache-2.0
// TEST: barriers that casts make of memory whose place or number isn't known are refused
#include <cstdint>
#include <cuda/barrier>
#include <cuda/ptx>
using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace ptx = cuda::ptx;

__global__ void of_the_launch(int n)
{
    extern __shared__ uint8_t memory[];
    auto *bars = reinterpret_cast<barrier *>(memory + 4 * n); //~ error HD1150: this way to an mbarrier; cast an address that is a constant number of bytes into a shared array, and initialise all barriers in the kernel
    if (threadIdx.x == 0)
        init(bars, 64);
}
__global__ void as_many_as_n(int n)
{
    extern __shared__ uint8_t memory[];
    auto *bars = reinterpret_cast<barrier *>(memory + 128); //~ error HD1150: an unknown number of mbarriers; initialise them in a loop up to a constant
    if (threadIdx.x == 0)
        for (int i = 0; i < n; i++)
            init(&bars[i], 64);
}
__global__ void words_of_the_launch(int n)
{
    extern __shared__ uint8_t memory[];
    auto *bar = reinterpret_cast<uint64_t *>(memory + 8 * n);
    if (threadIdx.x == 0)
        ptx::mbarrier_init(bar, 64); //~ error HD1150: an mbarrier that isn't a variable
}
__global__ void moves(int n)
{
    extern __shared__ uint8_t memory[];
    uint8_t *place = memory;
    if (n)
        place += 8;
    auto *bar = reinterpret_cast<barrier *>(place); //~ error HD1150: a barrier whose count or place depends on a variable that changes
    if (threadIdx.x == 0)
        init(bar, 64);
}
__global__ void between_words()
{
    extern __shared__ uint8_t memory[];
    auto *bar = reinterpret_cast<barrier *>(memory + 4); //~ error HD1150: this way to an mbarrier
    if (threadIdx.x == 0)
        init(bar, 64);
}
__global__ void never_begun()
{
    extern __shared__ uint8_t memory[];
    auto *bar = reinterpret_cast<barrier *>(memory + 8); //~ error HD1150: this way to an mbarrier
    bar->arrive_and_wait();
}
struct Storage {
    int row[64];
    barrier full;
};
__global__ void in_a_member()
{
    extern __shared__ uint8_t memory[];
    auto *storage = reinterpret_cast<Storage *>(memory);
    auto *bars = reinterpret_cast<barrier *>(memory + 248);
    if (threadIdx.x == 0) {
        init(&storage->full, 64); //~ error HD1150: an mbarrier that is accessed in two ways; use one class, or one pointer, for this memory
        for (int i = 0; i < 2; i++)
            init(&bars[i], 64);
    }
}
