// SPDX-License-Identifier: Apache-2.0
// TEST: annotations of verification tools: requirements and assumptions count, assertions are checked, invariants are read
// check-args: --block 64
// check pairs: proved
// check pairs_free: bug HD0601
// check loop: proved
// check asserted: proved
// check asserted_wrong: bug HD0705
// check strided: proved
// check implied: proved
// check powers: proved
// check powers_of_any: bug HD0601
// check recorded: proved
// check enabled: bug HD0705 line @enabled
__global__ void pairs(int *p, int a)
{
    __requires(a >= 64);
    __requires(gridDim.x == 1);
    __assume(2 * a < len(p));
    p[threadIdx.x] = p[threadIdx.x + a];
}

__global__ void pairs_free(int *p, int a)
{
    __requires(a >= 0);
    __requires(gridDim.x == 1);
    __assume(2 * a + 64 < len(p));
    p[threadIdx.x] = p[threadIdx.x + a];
}

__global__ void loop(float *x, unsigned n)
{
    __requires(gridDim.x == 1);
    __requires(n <= len(x));
    for (unsigned i = threadIdx.x; __invariant(i % blockDim.x == threadIdx.x), __global_invariant(__write_implies(x, true)),
                  i < n; i += blockDim.x) {
        x[i] = 2.0f * x[i];
    }
}

__global__ void asserted(int *x, int k)
{
    __requires(k >= 0 && k < 64);
    __requires(gridDim.x == 1 && 64 <= len(x));
    int i = (threadIdx.x + k) % 64;
    __assert(i < 64);
    x[threadIdx.x] = i;
}

__global__ void asserted_wrong(int *x, int k)
{
    __requires(k >= 0 && k < 64);
    __requires(gridDim.x == 1 && 64 <= len(x));
    int i = threadIdx.x + k;
    __assert(i < 64);
    x[threadIdx.x] = i;
}

__global__ void strided(float *x, int stride)
{
    __requires(stride >= 64 && stride < 100000);
    __requires(gridDim.x == 4);
    __assume(4 * stride <= len(x));
    x[blockIdx.x * stride + threadIdx.x] = 0.0f;
}

__global__ void implied(int *x, bool even)
{
    __requires(gridDim.x == 1 && 128 <= len(x));
    __requires(__implies(even, blockDim.x == 64));
    int t = threadIdx.x;
    if (even)
        x[2 * t] = x[2 * t + 1];
}

__global__ void powers(int *x, unsigned n)
{
    __requires(__is_pow2(n) && 2 <= n && n <= 1024);
    __requires(gridDim.x == 1 && 2048 <= len(x));
    unsigned i = threadIdx.x & (n - 1), j = threadIdx.x & ~(n - 1);
    x[i | j] = threadIdx.x;
}

__global__ void powers_of_any(int *x, unsigned n)
{
    __requires(2 <= n && n <= 1024);
    __requires(gridDim.x == 1 && 2048 <= len(x));
    unsigned i = threadIdx.x & (n - 1);
    x[i + (threadIdx.x - threadIdx.x % n)] = threadIdx.x;
}

// Of what a tool has recorded nothing is known here.
__global__ void recorded(int *x, int *y)
{
    __requires(!__write(x) & __no_read(x));
    __requires(gridDim.x == 1 && 64 <= len(x) && 64 <= len(y));
    __requires_fresh_array(y);
    __assert(__no_read(x));
    __assert(__implies(threadIdx.x == 4, __other_int(threadIdx.x) != 4));
    for (int i = 0; __invariant(__uniform_int(i)), __barrier_invariant(i >= 0, i), i < 1; i++)
        x[threadIdx.x] = y[threadIdx.x];
    __assert(__all(threadIdx.x < blockDim.x));
}

__device__ void third(int *x)
{
    __assert(__implies(__enabled(), threadIdx.x != 3)); //@enabled
    x[threadIdx.x] = 0;
}

__global__ void enabled(int *x)
{
    __requires(gridDim.x == 1 && 64 <= len(x));
    if (threadIdx.x < 4)
        third(x);
}
