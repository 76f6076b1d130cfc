// SPDX-License-Identifier: Apache-2.0
// TEST: macros that are numbers and constants keep their names, where they mean the same
// REF: docs/guide/cuda.md#to-heddle-c
// RUN: heddle convert %s -o all.hd; sed '/^\/\//d' all.hd
// STDOUT: #define TILE 16
// STDOUT: #define N 1024 // elements
// STDOUT: #define HALF (TILE / 2)
// STDOUT: #define OPEN TILE / 2
// STDOUT: #define EPS 1e-5f
// STDOUT-NOT: #define SCALE
// STDOUT-NOT: #define UNUSED
// STDOUT-NOT: #define TWICE
// STDOUT-NOT: #define threads
// STDOUT-NOT: #define WORD
// STDOUT:     shared float s[TILE][TILE + 1];
// STDOUT:     shared float v[N];
// STDOUT:     shared float w[K * 2];
// STDOUT:     shared float u[COUNT];
// STDOUT:     int i = block_index().x * TILE + rank();
// STDOUT:     for (int k = 0; k < TILE; k += HALF)
// STDOUT:         s[rank() % TILE][k] = EPS;
// STDOUT:         x[k * STEP] = k * 2 + N + COUNT + s[1][k % HALF];
// STDOUT:     if (i < N)
// STDOUT:         v[i] = w[K] + u[1] + 16;
// STDOUT:     x[i] = v[i % N] + i / 16 / 2 + OPEN + 7 + 32 + 5;
// STDOUT:     x[i + 1] = 16 + TILE;
// STDOUT: elements of TILE and of threads
// RUN: heddle convert %s -D TILE=8 | grep -v '^//'
// STDOUT:     int i = block_index().x * 8 + rank();
// STDOUT-NOT: #define TILE
// RUN: heddle convert %s -o all.hd && heddle check all.hd --rules-only
// EXIT: 0
#ifndef TILE
#define TILE 16
#endif
#define N 1024 // elements
#define HALF (TILE / 2)
#define OPEN TILE / 2
#define EPS 1e-5f
#define UNUSED 12
#define SCALE(x) ((x) * 2)
#define TWICE 3
#undef TWICE
#define TWICE 7
#define threads 32
#define WORD blockDim.x + 5
constexpr int K = 4;
static const int STEP = 32;
enum { COUNT = 8 };

__global__ void names(float *x, int n)
{
    __shared__ float s[TILE][TILE + 1];
    __shared__ float v[N], w[K * 2], u[COUNT];
    // elements of TILE and of threads
    int i = blockIdx.x * TILE + threadIdx.x;
    for (int k = 0; k < TILE; k += HALF)
        s[threadIdx.x % TILE][k] = EPS;
    for (int k = 0; k < K; k++)
        x[k * STEP] = SCALE(k) + N + COUNT + s[1][k % HALF];
    if (i < N)
        v[i] = w[K] + u[1] + 16;
    x[i] = v[i % N] + i / OPEN + (OPEN) + TWICE + threads + 5;
    x[i + 1] = 16 + TILE;
}
