// SPDX-License-Identifier: Apache-2.0
// TEST: numbers that atomic additions give are each thread's own, if nothing else writes the counter
// check-args: --block 64 --assume 2<=len(next)
// check claim: unknown HD0702
// check claim_in_loop: unknown HD0702
// check claim_below: proved
// check two_counters: proved
// check halves: bug HD0601
// check of_zero: bug HD0601
// check reset: bug HD0601
// check down: bug HD0601
// check two_places: bug HD0601
// check of_lane: bug HD0601
// check of_block: bug HD0601
// check of_blocks_memory: bug HD0601
// check exchanged: bug HD0601
// check beyond: bug HD0601
// check both_counters: bug HD0601

__global__ void claim(unsigned *next, int *slot)
{
    unsigned s = atomicAdd(next, 1u);
    slot[s] = threadIdx.x;
}

__global__ void claim_in_loop(unsigned *next, int *slot)
{
    for (int i = 0; i < 5; i++) {
        unsigned s = atomicAdd(next, 1u);
        slot[s] = threadIdx.x;
    }
}

// heddle: requires n <= len(slot)
__global__ void claim_below(unsigned *next, int *slot, int n)
{
    if (threadIdx.x % 3 == 0) {
        unsigned s = atomicAdd(next, 1u);
        if (s < n)
            slot[s] = threadIdx.x;
    }
}

// heddle: requires 2 * n <= len(slot)
__global__ void two_counters(unsigned *next, int *slot, int n)
{
    unsigned s = atomicAdd(&next[0], 1u), r = atomicAdd(&next[1], 3u);
    if (s < n)
        slot[s] = threadIdx.x;
    if (r < n)
        slot[n + r] = threadIdx.x;
}

__global__ void halves(unsigned *next, int *slot)
{
    unsigned s = atomicAdd(next, 1u);
    slot[s / 2] = threadIdx.x;
}

__global__ void of_zero(unsigned *next, int *slot)
{
    unsigned s = atomicAdd(next, 0u);
    slot[s] = threadIdx.x;
}

__global__ void reset(unsigned *next, int *slot)
{
    if (threadIdx.x == 0)
        atomicExch(next, 0u);
    unsigned s = atomicAdd(next, 1u);
    slot[s] = threadIdx.x;
}

__global__ void down(int *next, int *slot)
{
    int s = atomicAdd(next, threadIdx.x % 2 ? 1 : -1);
    slot[s + 1000] = threadIdx.x;
}

__global__ void two_places(unsigned *next, int *slot)
{
    unsigned s = atomicAdd(&next[threadIdx.x % 2], 1u);
    slot[s] = threadIdx.x;
}

__global__ void of_lane(unsigned *next, int *slot)
{
    unsigned s = 0;
    if (threadIdx.x % 32 == 0)
        s = atomicAdd(next, 1u);
    s = __shfl_sync(0xffffffffu, s, 0);
    slot[s] = threadIdx.x;
}

__global__ void of_block(unsigned *next, int *slot)
{
    unsigned s = atomicAdd_block(next, 1u);
    slot[s] = threadIdx.x + blockIdx.x;
}

// Each block has a counter of its own.
__global__ void of_blocks_memory(unsigned *next, int *slot)
{
    __shared__ unsigned own;
    unsigned s = atomicAdd(&own, 1u);
    slot[s % 64] = threadIdx.x + blockIdx.x;
}

__global__ void exchanged(unsigned *next, int *slot)
{
    unsigned s = atomicAdd(next, 1u);
    slot[s] = threadIdx.x;
    atomicExch(next, 5u);
}

__global__ void beyond(unsigned *next, int *slot)
{
    unsigned s = atomicAdd(next, 2u);
    for (int k = 0; k <= 2; k++)
        slot[s + k] = threadIdx.x;
}

// Numbers of two counters meet.
__global__ void both_counters(unsigned *next, int *slot)
{
    unsigned s = atomicAdd(&next[0], 1u), r = atomicAdd(&next[1], 1u);
    slot[s] = threadIdx.x;
    slot[r] = -1;
}
