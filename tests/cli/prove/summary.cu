// TEST: check ends with how many kernels are proved, wrong and unknown, and what would decide these
// REF: docs/reference/command.md#heddle-check
// SETUP: printf '__global__ void one(float *x, int n) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) x[i] = 1; }\n__global__ void two(float *x, const float *y, int n) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) x[i] = y[i]; }\n__global__ void bad(float *x) { __requires(1 <= len(x)); x[0] = threadIdx.x; }\n' > a.cu
// SETUP: printf 'kernel void k(const int at[64], float x[64]) grid(1) threads(64) { x[at[rank()] & 63] = 1; }\n' > b.hd
// SETUP: printf 'kernel void k(int n, float x[n]) grid(1) threads(64) { if (rank() < n) x[rank()] = 1; }\n' > c.hd
// SETUP: printf 'int square(int x) { return x * x; }\n' > none.hd
// RUN: heddle check a.cu --block 64 2>/dev/null | sed 's/ ([0-9.]* s)$//' | tail -4
// PRINTS: 3 kernels: 0 proved, 1 with bugs, 2 unknown
// PRINTS: what would decide the unknown verdicts:
// PRINTS:   one: --assume 'n <= len(x)'
// PRINTS:   two: --assume 'n <= len(x)', --assume 'n <= len(y)'
// RUN: heddle check a.cu one --block 64 2>/dev/null | tail -2
// PRINTS: what would decide the unknown verdicts:
// PRINTS:   one: --assume 'n <= len(x)'
// RUN: heddle check a.cu two --block 64 --assume 'n <= len(x)' --assume 'n <= len(y)' 2>/dev/null | cut -d' ' -f1,2
// PRINTS: two: proved
// RUN: heddle check b.hd c.hd --no-search 2>/dev/null | tail -3 | sed 's/ ([0-9.]* s)$//'
// PRINTS: 2 kernels in 2 files: 1 proved, 0 with bugs, 1 unknown
// PRINTS: what would decide the unknown verdicts:
// PRINTS:   b.hd: k: requires(injective(at))
// RUN: heddle check c.hd | cut -d' ' -f1,2
// PRINTS: k: proved
// RUN: heddle check none.hd
// STDERR: none.hd has no kernel, so there is nothing to check (a kernel begins with 'kernel void')
// RUN: heddle check c.hd none.hd | tail -1 | sed 's/ ([0-9.]* s)$//'
// PRINTS: 1 kernel in 2 files: 1 proved, 0 with bugs, 0 unknown
