// SPDX-License-Identifier: Apache-2.0
// TEST: a quotient and a remainder by a size are two digits, also where the base is larger than the size
// REF: docs/internals/check.md#races
// check-args: --block 64
// check next_size: proved
// check two_more: proved
// check of_groups: proved
// check smaller: bug HD0601
// check same_place: bug HD0601
// check two_rests: bug HD0601

// Rows are padded by one element.
__global__ void next_size(float *dst, unsigned w)
{
    __assume(w > 0 && w < 1 << 20 && gridDim.x * 128 <= len(dst));
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    dst[(i / w) * (w + 1) + i % w] = i;
}

__global__ void two_more(float *dst, unsigned w)
{
    __assume(w > 0 && w < 1 << 20 && gridDim.x * 192 <= len(dst));
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    dst[(i / w) * (w + 2) + i % w] = i;
}

// Of threads of one block.
__global__ void of_groups(float *dst, unsigned w)
{
    __assume(w > 0 && w < 1 << 20 && gridDim.x == 1 && 192 <= len(dst));
    unsigned i = threadIdx.x;
    dst[(i / w) * (w + 1) + i % w + 2] = i;
}

// A base below the size: rows overlap.
__global__ void smaller(float *dst, unsigned w)
{
    __assume(w > 1 && w < 1 << 20 && gridDim.x * 128 <= len(dst));
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    dst[(i / w) * (w - 1) + i % w] = i;
}

__global__ void same_place(float *dst, unsigned w)
{
    __assume(w > 0 && w < 1 << 20 && gridDim.x * 128 <= len(dst));
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    dst[(i / w) * (w + 1) + i % w / 2] = i;
}

__global__ void two_rests(float *dst, unsigned w)
{
    __assume(w > 0 && w < 1 << 20 && gridDim.x * 192 <= len(dst));
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    dst[(i / w) * (w + 1) + 2 * (i % w)] = i;
}
