// SPDX-License-Identifier: Apache-2.0
// TEST: who has seen a flag comes behind what was published with it, if nothing else can have raised it
// REF: docs/internals/check.md#races
// check-args: --grid 4
// check asked: proved
// check neighbours: proved
// check second_value: proved
// check lowered: proved
// check by_exchange: proved
// check raised_twice: unknown HD0601
// check raised_before: bug HD0601
// check raised_by_all: unknown HD0601
// check first_value: unknown HD0601
// check other_flag: bug HD0601
// check own_flag: bug HD0601
// check asked_wrongly: unknown HD0601
// check not_met: bug HD0601
// check asked_by_another: bug HD0601
// check by_plain_store: bug HD0601
// check written_again: bug HD0601
// check added: unknown HD0601
// check in_loop: unknown HD0601
// check flags_of_block: bug HD0601
// check beside: unknown HD0601
// check through_pointer: unknown HD0601
// check gives_up: unknown HD0601
// check read_before: bug HD0601
// check begun_with_one: unknown HD0601
// check begun_with_zero: proved
// sanitize asked: box[256]=zeros flag[4]=zeros y[256]=zeros --grid 4
// sanitize neighbours: box[256]=zeros flag[4]=zeros y[256]=zeros --grid 4
// sanitize second_value: box[256]=zeros flag[4]=zeros y[256]=zeros --grid 4

#define SIZES                                                                  \
    __assume(256 <= len(box) && 4 <= len(flag) && 256 <= len(y))
#define KERNEL(name)                                                           \
    __global__ void __launch_bounds__(64)                                      \
        name(int *box, unsigned *flag, int *y)

__device__ bool has(unsigned *flag, unsigned value)
{
    return atomicAdd(flag, 0u) == value;
}

__device__ void take(const int *box, int *y)
{
    y[64 * blockIdx.x + threadIdx.x] = box[63 - threadIdx.x];
}

// Block 0 writes, the others take what is there if it is.
KERNEL(asked)
{
    SIZES;
    __shared__ bool is_there;
    if (blockIdx.x == 0) {
        box[threadIdx.x] = 1;
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0)
            atomicExch(flag, 1u);
    } else {
        if (threadIdx.x == 32)
            is_there = atomicAdd(flag, 0u) != 0;
        __syncthreads();
        __threadfence();
        if (is_there)
            take(box, y);
    }
}

// Each block waits for the one before it.
KERNEL(neighbours)
{
    SIZES;
    int b = blockIdx.x;
    box[64 * b + threadIdx.x] = 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicExch(&flag[b], 1u);
        if (b > 0)
            while (atomicAdd(&flag[b - 1], 0u) == 0)
                ;
        __threadfence();
    }
    __syncthreads();
    if (b > 0)
        y[64 * b + threadIdx.x] = box[64 * (b - 1) + 63 - threadIdx.x];
}

// 1: begun, 2: done.
KERNEL(second_value)
{
    SIZES;
    if (blockIdx.x == 0) {
        if (threadIdx.x == 0)
            atomicExch(flag, 1u);
        box[threadIdx.x] = 1;
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0)
            atomicExch(flag, 2u);
    } else {
        if (threadIdx.x == 0) {
            while (!has(flag, 2))
                ;
            __threadfence();
        }
        __syncthreads();
        take(box, y);
    }
}

KERNEL(lowered)
{
    SIZES;
    if (blockIdx.x == 0) {
        box[threadIdx.x] = 1;
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0)
            atomicExch(flag, 1u);
    } else if (blockIdx.x == 1) {
        if (threadIdx.x == 0) {
            while (!has(flag, 1))
                ;
            __threadfence();
            atomicExch(flag, 0u);
        }
        __syncthreads();
        take(box, y);
    }
}

// The taker's exchange is a load, too.
KERNEL(by_exchange)
{
    SIZES;
    if (blockIdx.x == 0) {
        box[threadIdx.x] = 1;
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0)
            atomicExch(flag, 1u);
    } else {
        if (threadIdx.x == 0) {
            while (atomicExch(flag, 0u) != 1)
                ;
            __threadfence();
        }
        __syncthreads();
        take(box, y);
    }
}

// Right, but the flag's value is what another block has left.
KERNEL(raised_twice)
{
    SIZES;
    if (blockIdx.x == 0) {
        box[threadIdx.x] = 1;
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0)
            atomicExch(flag, 1u);
    } else {
        if (threadIdx.x == 0) {
            while (atomicAdd(flag, 0u) == 0)
                ;
            __threadfence();
            atomicExch(flag, blockIdx.x + 1);
        }
        __syncthreads();
        take(box, y);
    }
}

KERNEL(raised_before)
{
    SIZES;
    if (blockIdx.x == 0) {
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0)
            atomicExch(flag, 1u);
        box[threadIdx.x] = 1;
    } else {
        if (threadIdx.x == 0) {
            while (has(flag, 0))
                ;
            __threadfence();
        }
        __syncthreads();
        take(box, y);
    }
}

// Block 3 raises the flag that is block 0's.
KERNEL(raised_by_all)
{
    SIZES;
    if (blockIdx.x == 0)
        box[threadIdx.x] = 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0 && (blockIdx.x == 0 || blockIdx.x == 3))
        atomicExch(flag, 1u);
    if (blockIdx.x == 1) {
        if (threadIdx.x == 0) {
            while (has(flag, 0))
                ;
            __threadfence();
        }
        __syncthreads();
        take(box, y);
    }
}

KERNEL(first_value)
{
    SIZES;
    if (blockIdx.x == 0) {
        if (threadIdx.x == 0)
            atomicExch(flag, 1u);
        box[threadIdx.x] = 1;
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0)
            atomicExch(flag, 2u);
    } else {
        if (threadIdx.x == 0) {
            while (has(flag, 0))
                ;
            __threadfence();
        }
        __syncthreads();
        take(box, y);
    }
}

KERNEL(other_flag)
{
    SIZES;
    if (blockIdx.x == 0)
        box[threadIdx.x] = 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0 && blockIdx.x < 2)
        atomicExch(&flag[blockIdx.x], 1u);
    if (blockIdx.x == 2) {
        if (threadIdx.x == 0) {
            while (has(&flag[1], 0))
                ;
            __threadfence();
        }
        __syncthreads();
        take(box, y);
    }
}

KERNEL(own_flag)
{
    SIZES;
    int b = blockIdx.x;
    box[64 * b + threadIdx.x] = 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicExch(&flag[b], 1u);
        while (atomicAdd(&flag[b], 0u) == 0)
            ;
        __threadfence();
    }
    __syncthreads();
    if (b > 0)
        y[64 * b + threadIdx.x] = box[64 * (b - 1) + 63 - threadIdx.x];
}

KERNEL(asked_wrongly)
{
    SIZES;
    __shared__ bool is_there;
    if (blockIdx.x == 0) {
        box[threadIdx.x] = 1;
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0)
            atomicExch(flag, 1u);
    } else {
        if (threadIdx.x == 0)
            is_there = atomicAdd(flag, 0u) < 2;
        __syncthreads();
        __threadfence();
        if (is_there)
            take(box, y);
    }
}

// Nobody but thread 0 knows that the flag is up.
KERNEL(not_met)
{
    SIZES;
    if (blockIdx.x == 0) {
        box[threadIdx.x] = 1;
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0)
            atomicExch(flag, 1u);
    } else {
        if (threadIdx.x == 0)
            while (has(flag, 0))
                ;
        __threadfence();
        take(box, y);
    }
}

// Block 2 asks, block 1 takes.
KERNEL(asked_by_another)
{
    SIZES;
    if (blockIdx.x == 0) {
        box[threadIdx.x] = 1;
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0)
            atomicExch(flag, 1u);
    } else {
        if (threadIdx.x == 0 && blockIdx.x == 2)
            while (has(flag, 0))
                ;
        __syncthreads();
        __threadfence();
        if (blockIdx.x == 1)
            take(box, y);
    }
}

KERNEL(by_plain_store)
{
    SIZES;
    if (blockIdx.x == 0) {
        box[threadIdx.x] = 1;
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0)
            *flag = 1;
    } else {
        if (threadIdx.x == 0) {
            while (has(flag, 0))
                ;
            __threadfence();
        }
        __syncthreads();
        take(box, y);
    }
}

KERNEL(written_again)
{
    SIZES;
    if (blockIdx.x == 0) {
        box[threadIdx.x] = 1;
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0)
            atomicExch(flag, 1u);
        box[threadIdx.x] = 2;
    } else {
        if (threadIdx.x == 0) {
            while (has(flag, 0))
                ;
            __threadfence();
        }
        __syncthreads();
        take(box, y);
    }
}

// Any of the blocks may have added.
KERNEL(added)
{
    SIZES;
    box[64 * blockIdx.x + threadIdx.x] = 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(flag, 1u);
        while (atomicAdd(flag, 0u) < gridDim.x - 1)
            ;
        __threadfence();
    }
    __syncthreads();
    if (blockIdx.x > 0)
        y[64 * blockIdx.x + threadIdx.x] = box[64 * (blockIdx.x - 1) + 63 - threadIdx.x];
}

KERNEL(in_loop)
{
    SIZES;
    for (int k = 0; k < 2; k++) {
        if (blockIdx.x == 0) {
            box[threadIdx.x] = k;
            __threadfence();
            __syncthreads();
            if (threadIdx.x == 0)
                atomicExch(flag, 1u);
        } else {
            if (threadIdx.x == 0) {
                while (has(flag, 0))
                    ;
                __threadfence();
            }
            __syncthreads();
            take(box, y);
        }
    }
}

KERNEL(flags_of_block)
{
    SIZES;
    if (blockIdx.x == 0) {
        box[threadIdx.x] = 1;
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0)
            atomicExch_block(flag, 1u);
    } else {
        if (threadIdx.x == 0) {
            while (has(flag, 0))
                ;
            __threadfence();
        }
        __syncthreads();
        take(box, y);
    }
}

// The flag is seen in one branch, and what is read stands in another.
KERNEL(beside)
{
    SIZES;
    if (blockIdx.x == 0) {
        box[threadIdx.x] = 1;
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0)
            atomicExch(flag, 1u);
    } else {
        bool is_up = atomicAdd(flag, 0u) != 0;
        if (is_up)
            __threadfence();
        else
            take(box, y);
    }
}

// Something else may raise the flag.
KERNEL(through_pointer)
{
    SIZES;
    __shared__ unsigned *places[1];
    if (threadIdx.x == 0)
        places[0] = &flag[blockIdx.x % 4];
    __syncthreads();
    if (blockIdx.x == 0) {
        box[threadIdx.x] = 1;
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0)
            atomicExch(flag, 1u);
    } else {
        if (threadIdx.x == 0) {
            if (blockIdx.x == 3)
                atomicExch(places[0], 1u);
            while (has(flag, 0))
                ;
            __threadfence();
        }
        __syncthreads();
        take(box, y);
    }
}

// The taker waits no longer than 100 turns.
KERNEL(gives_up)
{
    SIZES;
    if (blockIdx.x == 0) {
        box[threadIdx.x] = 1;
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0)
            atomicExch(flag, 1u);
    } else {
        if (threadIdx.x == 0) {
            for (int k = 0; k < 100; k++)
                if (!has(flag, 0))
                    break;
            __threadfence();
        }
        __syncthreads();
        take(box, y);
    }
}

// The read stands in the loop that asks, before it asks.
KERNEL(read_before)
{
    SIZES;
    if (blockIdx.x == 0) {
        box[threadIdx.x] = 1;
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0)
            atomicExch(flag, 1u);
    } else if (threadIdx.x == 0) {
        int got;
        do
            got = box[5];
        while (has(flag, 0));
        __threadfence();
        y[blockIdx.x] = got;
    }
}

// The flag is up when the kernel begins.
__device__ unsigned raised = 1, not_raised = 0;

__device__ void by_flag(unsigned *flag, int *box, int *y)
{
    if (blockIdx.x == 0) {
        box[threadIdx.x] = 1;
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0)
            atomicExch(flag, 1u);
    } else {
        if (threadIdx.x == 0) {
            while (has(flag, 0))
                ;
            __threadfence();
        }
        __syncthreads();
        take(box, y);
    }
}

KERNEL(begun_with_one)
{
    SIZES;
    by_flag(&raised, box, y);
}

KERNEL(begun_with_zero)
{
    SIZES;
    by_flag(&not_raised, box, y);
}
