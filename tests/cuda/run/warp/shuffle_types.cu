// SPDX-License-Identifier: Apache-2.0
// TEST: shuffles of every type that they are declared for
#include <cuda_fp16.h>

template <class T> __device__ T turned(T v)
{
    T a = __shfl_sync(0xffffffffu, v, (threadIdx.x + 1) % 32);
    T b = __shfl_xor_sync(0xffffffffu, a, 1);
    T c = __shfl_up_sync(0xffffffffu, b, 2, 16);
    return __shfl_down_sync(0xffffffffu, c, 1, 8);
}

__global__ void types(const int *x, int *ints, unsigned *words, long long *longs, unsigned long long *huge,
                      float *floats, double *doubles, long *plain, unsigned long *sizes, __half *halves)
{
    int i = threadIdx.x, v = x[i];
    ints[i] = turned(v);
    words[i] = turned((unsigned)v);
    longs[i] = turned((long long)v << 20);
    huge[i] = turned((unsigned long long)v << 30);
    floats[i] = turned(v * 0.5f);
    doubles[i] = turned(v * 0.25);
    plain[i] = turned((long)v * 3);
    sizes[i] = turned((unsigned long)(unsigned)v * 5u);
    halves[i] = turned(__float2half((float)(v & 1023)));
}
// PY: def turned(x):
// PY:     r = np.arange(32)
// PY:     a = x[(r + 1) % 32]
// PY:     b = a[r ^ 1]
// PY:     c = np.where(r % 16 >= 2, b[r - 2], b)
// PY:     return np.where(r % 8 < 7, c[np.minimum(r + 1, 31)], c)
// LAUNCH: x[32]=random:1 ints[32]=zeros words[32]=zeros longs[32]=zeros huge[32]=zeros floats[32]=zeros doubles[32]=zeros plain[32]=zeros sizes[32]=zeros halves[32]=zeros --block 32 --grid 1
// OUT: ints = turned(in_x)
// OUT: words = turned(in_x.view(np.uint32))
// OUT: longs = turned(in_x.astype(np.int64)) << 20
// OUT: huge = (turned(in_x.astype(np.int64)) << 30).view(np.uint64)
// OUT: floats = turned(in_x * np.float32(0.5))
// OUT: doubles = turned(in_x) * 0.25
// OUT: plain = turned(in_x).astype(np.int64) * 3
// OUT: sizes = turned(in_x.view(np.uint32)).astype(np.int64) * 5
// OUT: halves = turned(in_x & 1023)
