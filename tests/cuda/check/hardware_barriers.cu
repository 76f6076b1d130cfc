// SPDX-License-Identifier: Apache-2.0
// TEST: one hardware barrier: barrier 0 is the block's, others may change their count once the block has met
// check-args: --block 128 --grid 1
// REF: docs/errors/HD1162.md
#define HEAD                                                                                 \
    __shared__ int s[128];                                                                   \
    int t = threadIdx.x;                                                                     \
    s[t] = x[t];

// check of_block: proved
__global__ void of_block(const int *x, int *y)
{
    __requires(len(x) == 128 && len(y) == 128);
    HEAD
    asm volatile("bar.sync 0;" ::: "memory");
    y[t] = s[127 - t];
    asm volatile("bar.sync 0, 128;" ::: "memory");
    s[t] = t;
    __syncthreads();
    y[t] += s[127 - t];
}

// check two_counts: proved
__global__ void two_counts(const int *x, int *y)
{
    __requires(len(x) == 128 && len(y) == 256);
    HEAD
    if (t < 64) {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        y[t] = s[63 - t];
    }
    __syncthreads();
    asm volatile("bar.sync 1, 128;" ::: "memory");
    y[t + 128] = s[127 - t];
}

// check two_counts_early: bug HD0601
__global__ void two_counts_early(const int *x, int *y)
{
    __requires(len(x) == 128 && len(y) == 256);
    HEAD
    if (t < 64) {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        y[t] = s[127 - t];
    }
    __syncthreads();
    asm volatile("bar.sync 1, 128;" ::: "memory");
    y[t + 128] = s[127 - t];
}

// check uncounted: proved
__global__ void uncounted(const int *x, int *y)
{
    __requires(len(x) == 128 && len(y) == 128);
    HEAD
    asm volatile("bar.sync 3;" ::: "memory");
    y[t] = s[127 - t];
    asm volatile("bar.sync 3, 128;" ::: "memory");
    s[t] = t;
    asm volatile("barrier.cta.sync.aligned 3, %0;" ::"r"(blockDim.x) : "memory");
    y[t] += s[127 - t];
}

// check numbered: proved
__global__ void numbered(const int *x, int *y)
{
    __requires(len(x) == 128 && len(y) == 128);
    HEAD
    asm volatile("bar.sync %0, 64;" ::"r"(1 + t / 64) : "memory");
    y[t] = s[t ^ 63];
}

// check numbered_0: bug HD0702
__global__ void numbered_0(const int *x, int *y)
{
    __requires(len(x) == 128 && len(y) == 128);
    HEAD
    asm volatile("bar.sync %0, 64;" ::"r"(t / 64) : "memory");
    y[t] = s[t ^ 63];
}
