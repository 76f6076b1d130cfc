// SPDX-License-Identifier: Apache-2.0
// TEST: launches of templates count: deduced arguments, launches in templates, classes and namespaces
// check rev<float>: proved
// check rev<double>: proved
// check by_call<int>: proved
// check by_call<short>: proved
// check through<float, 64>: proved
// check by_instantiation<float>: proved
// check by_parameters<double>: proved
// check by_special<float>: proved
// check of_class<true, double>: proved
// check of_class<false, double>: proved
// check of_member: proved
// check of_object<float>: proved
// check inner: proved
// check sized<64>: proved
// check twice(float *): proved
// check twice(int *): proved
// check short_block<float>: bug HD0702
// check wrong<float>: bug HD0601
// check wrong<int>: proved
#include <cuda_runtime.h>

// Right for blocks of 64 threads alone.
#define MIRROR(T, first, threads) \
    __shared__ T s[64]; \
    s[threadIdx.x] = first; \
    __syncthreads(); \
    T seen = s[threads - 1 - threadIdx.x]; \
    __syncthreads(); \
    s[threadIdx.x] = seen;

// Right for blocks of n threads alone.
#define ROW(T) \
    __shared__ T s[1024]; \
    int i = threadIdx.x; \
    s[i < n ? i : 0] = i;

template <typename T> __global__ void rev(T *x)
{
    MIRROR(T, 1, blockDim.x)
}

template <typename T> __global__ void by_call(T *x, int n) { ROW(T) }

template <typename T, int N> __global__ void through(T *x)
{
    MIRROR(T, N, N)
}

template <typename T> __global__ void by_instantiation(int n) { ROW(T) }
template <typename T> __global__ void by_parameters(int n) { ROW(T) }
template <typename T> __global__ void by_special(int n) { ROW(T) }
template <bool UP, typename T> __global__ void of_class(T *x, int n) { ROW(T) }
__global__ void of_member(int n) { ROW(int) }
template <typename T> __global__ void of_object(T *x, int n) { ROW(T) }

__global__ void twice(float *x) { MIRROR(float, 1, blockDim.x) }
__global__ void twice(int *x) { MIRROR(int, 1, 32) }

template <typename T> __global__ void short_block(T *x)
{
    MIRROR(T, 1, 32)
}

template <typename T> __global__ void wrong(T *x, int n) { ROW(T) }

namespace {
constexpr int threads = 64;

__global__ void inner(int n) { ROW(int) }

template <int N> __global__ void sized(int n) { MIRROR(int, n, N) }

void launch(int n)
{
    inner<<<1, n>>>(n);
    sized<threads><<<1, threads>>>(n);
}
} // namespace

template <typename T> void launch_call(T *x, int n)
{
    dim3 block(n);
    by_call<<<1, block>>>(x, n);
}

template <typename T> void launch_outer(T *x, int n)
{
    launch_call(x, n);
}

template <typename T, int N> void launch_through(T *x)
{
    through<T, N><<<1, N>>>(x);
}

template <typename T> void launch_instantiation(int n)
{
    by_instantiation<T><<<1, n>>>(n);
}
template void launch_instantiation<float>(int);

template <typename T> void launch_parameters(const T *, int n)
{
    by_parameters<T><<<1, n>>>(n);
}
template void launch_parameters(const double *, int);

template <typename T> void launch_special(int n);
template <> void launch_special<float>(int n)
{
    by_special<float><<<1, n>>>(n);
}

template <typename T> struct Runner {
    static constexpr int threads = 32;
    T *data;
    void up(int n) { of_class<true><<<1, n>>>(this->data, n); }
    void down(T *other, int n);
};

template <typename U> void Runner<U>::down(U *other, int n)
{
    of_class<false><<<1, n>>>(other, n);
}
template class Runner<double>;

struct Plain {
    static constexpr int threads = 32;
    float *data;
    void run();
    void each(int n) { of_object<<<1, n>>>(data, n); }
};

void Plain::run()
{
    of_member<<<1, threads>>>(threads);
}

template <typename T> void launch_wrong(T *x, int n)
{
    wrong<<<1, sizeof(T) == sizeof(short) ? 1 : 2 * n>>>(x, n);
}
template <> void launch_wrong<int>(int *x, int n)
{
    wrong<<<1, n>>>(x, n);
}

int main()
{
    float *a;
    auto *b = static_cast<double *>(nullptr);
    int *c;
    short *d;
    cudaMalloc(&a, 4096);
    rev<<<1, 64>>>(a);
    rev<<<1, 64>>>(b + 4);
    short_block<<<1, 64>>>(a);
    launch_outer(c, 32);
    launch_call<short>(d, 32);
    launch_through<float, 64>(a);
    twice<<<1, 64>>>(a);
    twice<<<1, 32>>>(c);
    wrong<<<1, 64>>>(a, 32);
}
