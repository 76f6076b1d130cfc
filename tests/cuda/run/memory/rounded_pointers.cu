// SPDX-License-Identifier: Apache-2.0
// TEST: the bits of a pointer, rounded up or down, are a pointer again
#include <cstdint>

template <class T>
__device__ T *align_up(T *p, size_t n)
{
    return (T *)((reinterpret_cast<size_t>(p) + n - 1) & ~(n - 1));
}

__global__ void up(const float *x, float *y)
{
    extern __shared__ uint8_t raw[];
    int t = threadIdx.x;
    uint8_t *bytes = (uint8_t *)(((uintptr_t)(raw + 1) + 127) & ~127);
    uintptr_t at = reinterpret_cast<uintptr_t>(raw) + 1024;
    at = (at + 5) / 64 * 64;
    float *a = (float *)bytes, *b = reinterpret_cast<float *>(at), *c = (float *)align_up(raw + 2049, 64);
    a[t] = x[t];
    b[t] = 2 * x[t];
    c[t] = 3 * x[t];
    __syncthreads();
    int other = blockDim.x - 1 - t;
    y[t] = a[other] + b[other] + c[other] + (((uintptr_t)c & 63) != 0);
}
// LAUNCH: up x[64]=random:1 y[64]=zeros --block 64 --grid 1 --shared 4096
// OUT: y = (in_x + 2 * in_x + 3 * in_x)[::-1]

__global__ void down(const float *x, float *y, int from)
{
    const float *p = x + from;
    int behind = ((uint64_t)p) % 16;
    const float4 *v = (const float4 *)((uint64_t)p - behind);
    y[threadIdx.x] = v[threadIdx.x].x + v[threadIdx.x].w;
}
// LAUNCH: down x[64]=iota y[8]=zeros from=7 --block 8 --grid 1
// OUT: y = 2.0 * 4 * np.arange(1, 9) + 3

__device__ void add(unsigned short *p, unsigned short v)
{
    uintptr_t bits = reinterpret_cast<uintptr_t>(p);
    unsigned *word = reinterpret_cast<unsigned *>(bits & ~uintptr_t(3));
    atomicAdd(word, bits & 3 ? (unsigned)v << 16 : (unsigned)v);
}

__global__ void halves_of_words(unsigned short *x, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        add(&x[i % 7], i);
}
// LAUNCH: halves_of_words x[8]=zeros n=70 --block 32 --grid 1
// OUT: x = np.array([sum(range(i, 70, 7)) for i in range(7)] + [0])

__global__ void own(int *y)
{
    int v[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    size_t bits = (size_t)&v[threadIdx.x % 8];
    int *first = (int *)(bits - threadIdx.x % 8 * sizeof(int));
    *(int *)bits = 9;
    y[threadIdx.x] = first[0] + first[7];
}
// LAUNCH: own y[8]=zeros --block 8 --grid 1
// OUT: y = np.array([16, 7, 7, 7, 7, 7, 7, 9])
