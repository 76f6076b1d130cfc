// SPDX-License-Identifier: Apache-2.0
// TEST: instances whose template arguments are declared in namespaces and classes are found by their names
// check ns::mapped<float, ns::twice<float>>: proved
// check ns::mapped<float, ns::inner::thrice>: proved
// check ns::applied<ns::Half>: proved
// check ns::applied<ns::Of<float>::Inner>: proved
// check ns::applied<ns::Quarter<int>>: proved
// check ns::moded<1>: proved
// check ns::opened<ns::Quarter>: proved
// check ns::raced<ns::Of<float>::Inner>: bug HD0601
#include <cuda_runtime.h>

namespace ns {

template <typename T> __device__ T twice(T x) { return 2 * x; }

namespace inner {
__device__ float thrice(float x) { return 3 * x; }
}

struct Half {
    template <typename T> __device__ T operator()(T x) const { return x / 2; }
};

template <typename T> struct Quarter {
    __device__ T operator()(T x) const { return x / 4; }
};

template <typename T> struct Of {
    struct Inner {
        __device__ T operator()(T x) const { return x; }
    };
};

enum Mode { first, second };

template <typename T, T (*F)(T)> __global__ void mapped() { __shared__ T s[32]; s[threadIdx.x] = F(1); }
template <typename F> __global__ void applied(F f) { __shared__ float s[32]; s[threadIdx.x] = f(1); }
template <Mode M> __global__ void moded() { __shared__ int s[32]; s[threadIdx.x] = M; }
template <template <typename> class F> __global__ void opened() { __shared__ int s[32]; s[threadIdx.x] = F<int>()(3); }
template <typename F> __global__ void raced() { __shared__ float s[32]; s[threadIdx.x / 2] = F()(threadIdx.x); }

}

void launch()
{
    ns::mapped<float, ns::twice<float>><<<1, 32>>>();
    ns::mapped<float, ns::inner::thrice><<<1, 32>>>();
    ns::applied<<<1, 32>>>(ns::Half());
    ns::applied<ns::Of<float>::Inner><<<1, 32>>>(ns::Of<float>::Inner());
    ns::applied<ns::Quarter<int>><<<1, 32>>>({});
    ns::moded<ns::second><<<1, 32>>>();
    ns::opened<ns::Quarter><<<1, 32>>>();
    ns::raced<ns::Of<float>::Inner><<<1, 32>>>();
}
