// SPDX-License-Identifier: Apache-2.0
// TEST: an instance of a host function doesn't make the launches of an `if constexpr` that is false for it
// check sized<float>: unknown HD0702
// check sized<short>: unknown HD0702
// check short_sized<float>: bug HD0702 line @short_sized
// convert leaves out short_sized<float>: the size of its memory is the launch's
#include <type_traits>

template <typename T> __global__ void sized(T *x, int n)
{
    extern __shared__ char raw[];
    T *s = (T *)raw;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        s[i] = x[0];
}

template <typename T> __global__ void short_sized(T *x, int n)
{
    extern __shared__ char raw[];
    T *s = (T *)raw;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        s[i] = x[0]; //@short_sized
}

template <typename T> void run(T *x, int n)
{
    int bytes = n * sizeof(T);
    if constexpr (std::is_same_v<T, float>) {
        sized<float><<<1, 64, bytes>>>((float *)x, n);
    } else if constexpr (std::is_same_v<T, short>) {
        sized<short><<<1, 64, bytes>>>((short *)x, n);
        short_sized<float><<<1, 64, bytes>>>((float *)x, n);
    }
}

void all(float *x, short *y, int n)
{
    run<float>(x, n);
    run<short>(y, n);
}
