// SPDX-License-Identifier: Apache-2.0
// TEST: offsetof is a constant of members, of those of bases and anonymous unions, and of elements
// REF: docs/reference/cuda.md
// LAUNCH: show --grid 1 --block 1 y[16]=zeros
// OUT: y = [0, 8, 16, 4, 24, 26, 0, 8, 12, 3, 8, 12, 24, 0, 0, 8]
// LAUNCH: through --grid 1 --block 32 --shared 512 x[64]=iota y[32]=zeros
// OUT: y = 2 * np.arange(32) + 1
#include <cstddef>
#include <cuda_runtime.h>

struct Inner {
    char tag;
    short parts[4];
};
struct Outer {
    int first;
    double wide;
    Inner inner;
    short rows[2][3];
    union {
        float real;
        int whole;
    };
};
struct Base {
    int a, b;
};
struct Derived : Base {
    float c;
    char d[3], last;
};
template <class T> struct Pair {
    char key;
    T value;
    static constexpr size_t at = offsetof(Pair<int>, key);
};
static_assert(offsetof(Outer, wide) == 8, "constant");
static_assert(__builtin_offsetof(Derived, d[2]) == 14, "constant");

template <size_t N> struct Number {
    static constexpr int value = (int)N;
};
template <class T> __device__ int value_at() { return offsetof(Pair<T>, value); }

__global__ void show(int *y)
{
    int k = 0;
    y[k++] = offsetof(Outer, first);
    y[k++] = offsetof(Outer, wide);
    y[k++] = offsetof(Outer, inner);
    y[k++] = offsetof(Inner, parts[1]);
    y[k++] = Number<offsetof(Outer, inner.parts[3])>::value;
    y[k++] = offsetof(Outer, rows) + 0 * sizeof(int);
    y[k++] = offsetof(Derived, a);
    y[k++] = offsetof(Derived, c);
    y[k++] = offsetof(Derived, d);
    y[k++] = (int)(offsetof(Derived, last) - offsetof(Derived, d));
    y[k++] = value_at<double>();
    y[k++] = offsetof(float4, w);
    char bytes[offsetof(Outer, inner.parts[3])];
    y[k++] = sizeof bytes;
    y[k++] = (int)Pair<int>::at;
    y[k++] = offsetof(Pair<char>, key);
    y[k++] = offsetof(Outer, real) - offsetof(Outer, whole) + offsetof(Pair<long long>, value);
}

// Members of a struct in bytes of shared memory.
struct Parts {
    int even[32];
    int odd[32];
};
__global__ void through(const int *x, int *y)
{
    extern __shared__ char bytes[];
    int *even = (int *)(bytes + offsetof(Parts, even));
    int *odd = (int *)(bytes + offsetof(Parts, odd));
    int t = threadIdx.x;
    even[t] = x[2 * t];
    odd[t] = x[2 * t + 1];
    __syncthreads();
    y[t] = odd[t];
}
