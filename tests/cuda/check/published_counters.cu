// SPDX-License-Identifier: Apache-2.0
// TEST: who takes the last ticket of a counter comes behind all blocks that fenced and took one
// REF: docs/internals/check.md#races
// check by_inc: proved
// check by_inc_wrap: proved
// check by_add: proved
// check by_ref: proved
// check by_one_thread: proved
// check no_fence_before: bug HD0601
// check no_fence_behind: bug HD0601
// check fence_of_block: bug HD0601
// check one_too_early: bug HD0601
// check at_least_early: bug HD0601
// check no_sync: bug HD0601
// check two_threads_add: bug HD0601
// check all_threads_add: bug HD0601
// check adds_two: bug HD0601
// check wraps_early: unknown HD0601
// check reset_by_all: unknown HD0601
// check reset_first: bug HD0601
// check written_behind: bug HD0601
// check counter_of_block: bug HD0601
// check relaxed: bug HD0601
// check other_answer: bug HD0601
// check stored_twice: unknown HD0601
// check may_leave: proved
// check writer_leaves: bug HD0601
// check again: bug HD0601
// sanitize by_inc: in[8]=random:1 part[8]=zeros out[64]=zeros count[1]=zeros --grid 8
// sanitize by_inc_wrap: in[8]=random:1 part[8]=zeros out[64]=zeros count[1]=zeros --grid 8
// sanitize by_add: in[8]=random:1 part[8]=zeros out[64]=zeros count[1]=zeros --grid 8
// sanitize by_ref: in[8]=random:1 part[8]=zeros out[64]=zeros count[1]=zeros --grid 8
// sanitize by_one_thread: in[8]=random:1 part[8]=zeros out[64]=zeros count[1]=zeros --grid 8
// sanitize may_leave: in[8]=random:1 part[8]=zeros out[64]=zeros count[1]=zeros --grid 8
#include <cuda/atomic>
using Ref = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
#define SIZES                                                                              \
    __assume(gridDim.x <= len(in) && gridDim.x <= len(part) && 64 <= len(out) &&           \
             1 <= len(count))
#define KERNEL(name)                                                                       \
    __global__ void __launch_bounds__(64)                                                  \
        name(const float *in, float *part, float *out, unsigned *count)

__device__ void finish(const float *part, float *out)
{
    float s = 0;
    for (int i = threadIdx.x; i < gridDim.x; i += blockDim.x)
        s += part[i];
    out[threadIdx.x] = s;
}

// The block that takes the last ticket adds up what all have left.
KERNEL(by_inc)
{
    SIZES;
    __shared__ bool last;
    if (threadIdx.x == 0)
        part[blockIdx.x] = in[blockIdx.x];
    __threadfence();
    if (threadIdx.x == 0)
        last = atomicInc(count, gridDim.x) == gridDim.x - 1;
    __syncthreads();
    if (last) {
        __threadfence();
        finish(part, out);
        if (threadIdx.x == 0)
            *count = 0;
    }
}

KERNEL(by_inc_wrap)
{
    SIZES;
    __shared__ bool last;
    if (threadIdx.x == 0)
        part[blockIdx.x] = in[blockIdx.x];
    __threadfence();
    if (threadIdx.x == 0)
        last = atomicInc(count, gridDim.x - 1) == gridDim.x - 1;
    __syncthreads();
    if (last) {
        __threadfence();
        finish(part, out);
    }
}

KERNEL(by_add)
{
    SIZES;
    __shared__ unsigned before;
    if (threadIdx.x == 5)
        part[blockIdx.x] = in[blockIdx.x];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        before = atomicAdd(count, 1u);
    __syncthreads();
    if (before == gridDim.x - 1) {
        __threadfence();
        finish(part, out);
    }
}

KERNEL(by_ref)
{
    SIZES;
    __shared__ bool last;
    if (threadIdx.x == 5)
        part[blockIdx.x] = in[blockIdx.x];
    __syncthreads();
    if (threadIdx.x == 0)
        last = Ref(*count).fetch_add(1u, cuda::memory_order_acq_rel) == gridDim.x - 1;
    __syncthreads();
    if (last)
        finish(part, out);
}

KERNEL(by_one_thread)
{
    SIZES;
    if (threadIdx.x == 0) {
        part[blockIdx.x] = in[blockIdx.x];
        __threadfence();
        if (atomicAdd(count, 1u) == gridDim.x - 1) {
            __threadfence();
            float s = 0;
            for (int i = 0; i < gridDim.x; i++)
                s += part[i];
            out[0] = s;
        }
    }
}

// From here on something is missing or too much, but in `may_leave`: a block
// that leaves takes no ticket, so nobody gets the last one.
KERNEL(no_fence_before)
{
    SIZES;
    __shared__ bool last;
    if (threadIdx.x == 0)
        part[blockIdx.x] = in[blockIdx.x];
    if (threadIdx.x == 0)
        last = atomicInc(count, gridDim.x) == gridDim.x - 1;
    __syncthreads();
    if (last) {
        __threadfence();
        finish(part, out);
    }
}

KERNEL(no_fence_behind)
{
    SIZES;
    __shared__ bool last;
    if (threadIdx.x == 0)
        part[blockIdx.x] = in[blockIdx.x];
    __threadfence();
    if (threadIdx.x == 0)
        last = atomicInc(count, gridDim.x) == gridDim.x - 1;
    __syncthreads();
    if (last)
        finish(part, out);
}

KERNEL(fence_of_block)
{
    SIZES;
    __shared__ bool last;
    if (threadIdx.x == 0)
        part[blockIdx.x] = in[blockIdx.x];
    __threadfence_block();
    if (threadIdx.x == 0)
        last = atomicInc(count, gridDim.x) == gridDim.x - 1;
    __syncthreads();
    if (last) {
        __threadfence();
        finish(part, out);
    }
}

KERNEL(one_too_early)
{
    SIZES;
    __shared__ bool last;
    if (threadIdx.x == 0)
        part[blockIdx.x] = in[blockIdx.x];
    __threadfence();
    if (threadIdx.x == 0)
        last = atomicInc(count, gridDim.x) == gridDim.x - 2;
    __syncthreads();
    if (last) {
        __threadfence();
        finish(part, out);
    }
}

KERNEL(at_least_early)
{
    SIZES;
    __shared__ bool last;
    if (threadIdx.x == 0)
        part[blockIdx.x] = in[blockIdx.x];
    __threadfence();
    if (threadIdx.x == 0)
        last = atomicInc(count, gridDim.x) >= gridDim.x - 2;
    __syncthreads();
    if (last) {
        __threadfence();
        finish(part, out);
    }
}

KERNEL(no_sync)
{
    SIZES;
    __shared__ bool last;
    if (threadIdx.x == 5)
        part[blockIdx.x] = in[blockIdx.x];
    __threadfence();
    if (threadIdx.x == 0)
        last = atomicInc(count, gridDim.x) == gridDim.x - 1;
    __syncthreads();
    if (last) {
        __threadfence();
        finish(part, out);
    }
}

KERNEL(two_threads_add)
{
    SIZES;
    __shared__ bool last;
    if (threadIdx.x == 0)
        part[blockIdx.x] = in[blockIdx.x];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 1)
        atomicAdd(count, 1u);
    if (threadIdx.x == 0)
        last = atomicAdd(count, 1u) == gridDim.x - 1;
    __syncthreads();
    if (last) {
        __threadfence();
        finish(part, out);
    }
}

KERNEL(all_threads_add)
{
    SIZES;
    __shared__ bool last;
    if (threadIdx.x == 0)
        part[blockIdx.x] = in[blockIdx.x];
    __threadfence();
    __syncthreads();
    if (threadIdx.x < 2) {
        bool l = atomicAdd(count, 1u) == gridDim.x - 1;
        if (threadIdx.x == 0)
            last = l;
    }
    __syncthreads();
    if (last) {
        __threadfence();
        finish(part, out);
    }
}

KERNEL(adds_two)
{
    SIZES;
    __shared__ bool last;
    if (threadIdx.x == 0)
        part[blockIdx.x] = in[blockIdx.x];
    __threadfence();
    if (threadIdx.x == 0)
        last = atomicAdd(count, 2u) >= gridDim.x - 1;
    __syncthreads();
    if (last) {
        __threadfence();
        finish(part, out);
    }
}

KERNEL(wraps_early)
{
    SIZES;
    __shared__ bool last;
    if (threadIdx.x == 0)
        part[blockIdx.x] = in[blockIdx.x];
    __threadfence();
    if (threadIdx.x == 0)
        last = atomicInc(count, 2u) == gridDim.x - 1;
    __syncthreads();
    if (last) {
        __threadfence();
        finish(part, out);
    }
}

KERNEL(reset_by_all)
{
    SIZES;
    __shared__ bool last;
    if (threadIdx.x == 0)
        part[blockIdx.x] = in[blockIdx.x];
    __threadfence();
    if (threadIdx.x == 0)
        last = atomicInc(count, gridDim.x) == gridDim.x - 1;
    __syncthreads();
    if (last) {
        __threadfence();
        finish(part, out);
    }
    if (threadIdx.x == 0 && blockIdx.x == 3)
        atomicExch(count, 0u);
}

KERNEL(reset_first)
{
    SIZES;
    __shared__ bool last;
    if (threadIdx.x == 0 && blockIdx.x == 0)
        *count = 0;
    if (threadIdx.x == 0)
        part[blockIdx.x] = in[blockIdx.x];
    __threadfence();
    if (threadIdx.x == 0)
        last = atomicInc(count, gridDim.x) == gridDim.x - 1;
    __syncthreads();
    if (last) {
        __threadfence();
        finish(part, out);
    }
}

KERNEL(written_behind)
{
    SIZES;
    __shared__ bool last;
    __threadfence();
    if (threadIdx.x == 0)
        last = atomicInc(count, gridDim.x) == gridDim.x - 1;
    if (threadIdx.x == 0)
        part[blockIdx.x] = in[blockIdx.x];
    __syncthreads();
    if (last) {
        __threadfence();
        finish(part, out);
    }
}

KERNEL(counter_of_block)
{
    SIZES;
    __shared__ bool last;
    if (threadIdx.x == 0)
        part[blockIdx.x] = in[blockIdx.x];
    __threadfence();
    if (threadIdx.x == 0)
        last = atomicInc_block(count, gridDim.x) == gridDim.x - 1;
    __syncthreads();
    if (last) {
        __threadfence();
        finish(part, out);
    }
}

KERNEL(relaxed)
{
    SIZES;
    __shared__ bool last;
    if (threadIdx.x == 5)
        part[blockIdx.x] = in[blockIdx.x];
    __syncthreads();
    if (threadIdx.x == 0)
        last = Ref(*count).fetch_add(1u, cuda::memory_order_release) == gridDim.x - 1;
    __syncthreads();
    if (last)
        finish(part, out);
}

KERNEL(other_answer)
{
    SIZES;
    __shared__ bool last;
    if (threadIdx.x == 0)
        part[blockIdx.x] = in[blockIdx.x];
    __threadfence();
    if (threadIdx.x == 0)
        last = atomicInc(count, gridDim.x) == gridDim.x - 1;
    __syncthreads();
    if (!last) {
        __threadfence();
        finish(part, out);
    }
}

KERNEL(stored_twice)
{
    SIZES;
    __shared__ bool last;
    if (threadIdx.x == 0)
        part[blockIdx.x] = in[blockIdx.x];
    __threadfence();
    if (threadIdx.x == 0)
        last = atomicInc(count, gridDim.x) == gridDim.x - 1;
    __syncthreads();
    if (threadIdx.x == 0 && in[0] > 0)
        last = true;
    __syncthreads();
    if (last) {
        __threadfence();
        finish(part, out);
    }
}

KERNEL(may_leave)
{
    SIZES;
    __shared__ bool last;
    if (threadIdx.x == 0)
        part[blockIdx.x] = in[blockIdx.x];
    if (in[blockIdx.x] > 0)
        return;
    __threadfence();
    if (threadIdx.x == 0)
        last = atomicInc(count, gridDim.x) == gridDim.x - 1;
    __syncthreads();
    if (last) {
        __threadfence();
        finish(part, out);
    }
}

KERNEL(writer_leaves)
{
    SIZES;
    __shared__ bool last;
    if (threadIdx.x == 5) {
        part[blockIdx.x] = in[blockIdx.x];
        return;
    }
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicInc(count, gridDim.x) == gridDim.x - 1;
    __syncthreads();
    if (last) {
        __threadfence();
        finish(part, out);
    }
}

KERNEL(again)
{
    SIZES;
    __shared__ bool last;
    for (int k = 0; k < 2; k++) {
        if (threadIdx.x == 0)
            part[blockIdx.x] = in[blockIdx.x];
        __threadfence();
        if (threadIdx.x == 0)
            last = atomicInc(count, gridDim.x - 1) == gridDim.x - 1;
        __syncthreads();
        if (last) {
            __threadfence();
            finish(part, out);
        }
        __syncthreads();
    }
}
