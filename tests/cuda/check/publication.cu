// SPDX-License-Identifier: Apache-2.0
// TEST: a fence before a flag is raised and one behind its being seen order what is around them, whoever makes them
// REF: docs/reference/synchronization.md#fences
// check-args: --grid 2
// check fence_barrier_flag: proved
// check barrier_fence_flag: proved
// check fences_behind_the_barrier: proved
// check fences_of_all: proved
// check flag_by_volatile: proved
// check by_release: proved
// check by_relaxed: bug HD0601
// check no_fence_before: bug HD0601
// check no_fence_behind: bug HD0601
// check fence_of_a_block: bug HD0601
// check fence_of_another: bug HD0601
// check fence_of_an_earlier_part: bug HD0601
// check acquire_without_fence: bug HD0601
// sanitize fence_barrier_flag: box[64]=zeros flag[1]=zeros y[64]=zeros --grid 2
// sanitize barrier_fence_flag: box[64]=zeros flag[1]=zeros y[64]=zeros --grid 2
// sanitize fences_behind_the_barrier: box[64]=zeros flag[1]=zeros y[64]=zeros --grid 2
// sanitize fences_of_all: box[64]=zeros flag[1]=zeros y[64]=zeros --grid 2
// sanitize flag_by_volatile: box[64]=zeros flag[1]=zeros y[64]=zeros --grid 2
// sanitize by_release: box[64]=zeros flag[1]=zeros y[64]=zeros --grid 2
// sanitize by_relaxed: box[64]=zeros flag[1]=zeros y[64]=zeros --grid 2
// sanitize no_fence_before: box[64]=zeros flag[1]=zeros y[64]=zeros --grid 2
// sanitize no_fence_behind: box[64]=zeros flag[1]=zeros y[64]=zeros --grid 2
// sanitize fence_of_a_block: box[64]=zeros flag[1]=zeros y[64]=zeros --grid 2
// sanitize fence_of_another: box[64]=zeros flag[1]=zeros y[64]=zeros --grid 2
// sanitize fence_of_an_earlier_part: box[64]=zeros flag[1]=zeros y[64]=zeros --grid 2
// sanitize acquire_without_fence: box[64]=zeros flag[1]=zeros y[64]=zeros --grid 2
#include <cuda/atomic>

using Ref = cuda::atomic_ref<int, cuda::thread_scope_device>;

enum { NONE, DEVICE, BLOCK };

__device__ void fence(int kind)
{
    if (kind == DEVICE)
        __threadfence();
    if (kind == BLOCK)
        __threadfence_block();
}

// Fences of all threads before the barrier, of the one that raises the flag, of
// the one that sees it, of all behind the barrier.
template <int All, int Raiser, int Seer, int Behind>
__device__ void pass(int *box, int *flag, int *y)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        box[t] = t + 1;
        fence(All);
        __syncthreads();
        if (t == 0) {
            fence(Raiser);
            atomicExch(flag, 1);
        }
    } else {
        if (t == 0) {
            while (atomicAdd(flag, 0) == 0)
                ;
            fence(Seer);
        }
        __syncthreads();
        fence(Behind);
        y[t] = box[63 - t];
    }
}

#define FORM(name, all, raiser, seer, behind)                                  \
    __global__ void __launch_bounds__(64) name(int *box, int *flag, int *y)    \
    {                                                                          \
        __assume(64 <= len(box) && 1 <= len(flag) && 64 <= len(y));            \
        pass<all, raiser, seer, behind>(box, flag, y);                         \
    }

FORM(fence_barrier_flag, DEVICE, NONE, DEVICE, NONE)
FORM(barrier_fence_flag, NONE, DEVICE, DEVICE, NONE)
FORM(fences_behind_the_barrier, NONE, DEVICE, NONE, DEVICE)
FORM(fences_of_all, DEVICE, NONE, NONE, DEVICE)
FORM(no_fence_before, NONE, NONE, DEVICE, DEVICE)
FORM(no_fence_behind, DEVICE, DEVICE, NONE, NONE)
FORM(fence_of_a_block, BLOCK, NONE, DEVICE, NONE)

__global__ void __launch_bounds__(64) flag_by_volatile(int *box, volatile int *flag, int *y)
{
    __assume(64 <= len(box) && 1 <= len(flag) && 64 <= len(y));
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        box[t] = t + 1;
        __threadfence();
        __syncthreads();
        if (t == 0)
            *flag = 1;
    } else {
        if (t == 0)
            while (*flag == 0)
                ;
        __syncthreads();
        __threadfence();
        y[t] = box[63 - t];
    }
}

// The thread that fences isn't known to the one that raises the flag.
__global__ void __launch_bounds__(64) fence_of_another(int *box, int *flag, int *y)
{
    __assume(64 <= len(box) && 1 <= len(flag) && 64 <= len(y));
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        box[t] = t + 1;
        __syncthreads();
        if (t == 1)
            __threadfence();
        if (t == 0)
            atomicExch(flag, 1);
    } else {
        if (t == 0) {
            while (atomicAdd(flag, 0) == 0)
                ;
            __threadfence();
        }
        __syncthreads();
        y[t] = box[63 - t];
    }
}

// What is written behind the fence isn't published by it.
__global__ void __launch_bounds__(64) fence_of_an_earlier_part(int *box, int *flag, int *y)
{
    __assume(64 <= len(box) && 1 <= len(flag) && 64 <= len(y));
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        __threadfence();
        box[t] = t + 1;
        __syncthreads();
        if (t == 0)
            atomicExch(flag, 1);
    } else {
        if (t == 0) {
            while (atomicAdd(flag, 0) == 0)
                ;
            __threadfence();
        }
        __syncthreads();
        y[t] = box[63 - t];
    }
}

// An acquire takes what the thread that raised the flag published, and that is
// nothing of the others: their fences would have to meet another fence.
__global__ void __launch_bounds__(64) acquire_without_fence(int *box, int *flag, int *y)
{
    __assume(64 <= len(box) && 1 <= len(flag) && 64 <= len(y));
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        box[t] = t + 1;
        __threadfence();
        __syncthreads();
        if (t == 0)
            atomicExch(flag, 1);
    } else {
        if (t == 0)
            while (Ref(*flag).load(cuda::memory_order_acquire) == 0)
                ;
        __syncthreads();
        y[t] = box[63 - t];
    }
}

// The same with orders.
__global__ void __launch_bounds__(64) by_release(int *box, int *flag, int *y)
{
    __assume(64 <= len(box) && 1 <= len(flag) && 64 <= len(y));
    if (blockIdx.x == 0) {
        box[threadIdx.x] = threadIdx.x + 1;
        __syncthreads();
        if (threadIdx.x == 0)
            Ref(*flag).store(1, cuda::memory_order_release);
    } else {
        if (threadIdx.x == 0)
            while (Ref(*flag).load(cuda::memory_order_acquire) == 0)
                ;
        __syncthreads();
        y[threadIdx.x] = box[63 - threadIdx.x];
    }
}

__global__ void __launch_bounds__(64) by_relaxed(int *box, int *flag, int *y)
{
    __assume(64 <= len(box) && 1 <= len(flag) && 64 <= len(y));
    if (blockIdx.x == 0) {
        box[threadIdx.x] = threadIdx.x + 1;
        __syncthreads();
        if (threadIdx.x == 0)
            Ref(*flag).store(1, cuda::memory_order_relaxed);
    } else {
        if (threadIdx.x == 0)
            while (Ref(*flag).load(cuda::memory_order_acquire) == 0)
                ;
        __syncthreads();
        y[threadIdx.x] = box[63 - threadIdx.x];
    }
}
