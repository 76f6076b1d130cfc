// SPDX-License-Identifier: Apache-2.0
// TEST: a count of bits of a number that the kernel requires is that count: shifts by it are quotients
// check-args: --block 64 --assume len(out)==4096
// check rows: proved
// check rows_less: bug HD0601
// check counts: proved
// check counts_zero: bug HD0601
// check other_way: proved
// check both: proved
// check one_way: bug HD0601
// check negative: proved
// check none: unknown HD0691
__device__ void split(unsigned &i, unsigned width, unsigned &rest)
{
    rest = i & (width - 1);
    i >>= __ffs(width) - 1;
}

#define ROWS(NAME, FACTS, WIDTH)                                \
    __global__ void NAME(unsigned *out, unsigned w, unsigned n) \
    {                                                           \
        FACTS;                                                  \
        unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x;  \
        if (i >= n)                                             \
            return;                                             \
        split(i, w, x);                                         \
        out[i * (WIDTH) + x] = x;                               \
    }

ROWS(rows, __requires(w == 64); __requires(n == 2048), w)
ROWS(rows_less, __requires(w == 64); __requires(n == 2048), w - 1)
ROWS(other_way, __requires(64 == w); __requires(n <= 2048), w)
ROWS(both, __requires(w == 64 && n == 2048), 64)
// For other n it says nothing.
__global__ void one_way(unsigned *out, unsigned w, unsigned n)
{
    if (n == 7) {
        __requires(w == 2);
    }
    out[threadIdx.x * 2 >> (__ffs(w) - 1)] = threadIdx.x;
}

__global__ void counts(unsigned *out, unsigned w, unsigned long long far)
{
    __requires(w == 40);
    __requires(far == 40);
    unsigned a = __popc(w), b = __clz(w), c = __clzll(far), d = __ffs(w);   // 2, 26, 58, 4
    out[a * b * threadIdx.x / 52 + (c + d - 62) * (threadIdx.x & 1)] = 1;
}
__global__ void counts_zero(unsigned *out, unsigned w)
{
    __requires(w == 0);
    out[threadIdx.x / (__clz(w) / 16 + __ffs(w) + __popc(w))] = threadIdx.x;
}
// A signed one: -1 is 0xffffffff, and both are left to the path.
__global__ void negative(unsigned *out, int w)
{
    __requires(w == -1);
    out[threadIdx.x + w + 1] = 1;
}
__global__ void none(unsigned *out, unsigned w)
{
    __requires(w == 64);
    __requires(w == 32);
    out[0] = threadIdx.x;
}
