// SPDX-License-Identifier: Apache-2.0
// TEST: specialisations that only their result tells apart, patterns with volatile, conversions by what follows them, references beside values, min and max as constants
#include <algorithm>
#include <cuda_fp16.h>
#include <type_traits>

template <class T> __device__ T made(int v) { return v + 100; }
template <> __device__ int made(int v) { return v; }
template <> __device__ int2 made(int v) { return make_int2(v, v + 1); }
template <> __device__ __half2 made(int v) { return __float2half2_rn(v); }
template <class T> __device__ T only(float v);
template <> __device__ float2 only(float v) { return make_float2(v, v + 1); }
template <> __device__ double only(float v) { return v + 2; }

template <class T> struct Kind { enum { N = sizeof(T) }; };
template <class T> struct Kind<volatile T> { enum { N = 100 + sizeof(T) }; };
template <class T> struct Kind<const T> { enum { N = 200 + sizeof(T) }; };
template <class T> struct Kind<const volatile T> { enum { N = 300 + sizeof(T) }; };
template <class T> struct Of { enum { N = Kind<T>::N }; };

template <class D> struct Ref {
    D *p;
    __device__ operator D &() { return *p; }
    __device__ operator const D &() const { return *p; }
};
struct To {
    static __device__ float to(float v) { return v; }
    static __device__ float to(__half v) { return 100; }
    static __device__ float to(double v) { return 200; }
};
__device__ unsigned add(const unsigned &a, const unsigned &b) { return a + b; }
template <class T> __device__ T add(T a, T b) { return a - b; }
__device__ int kind(const int &a) { return 1; }
__device__ int kind(int &a) { return 2; }

struct Most {
    template <class T, class U>
    __device__ typename std::common_type<T, U>::type operator()(T &&t, U &&u) const { return t > u ? t : u; }
};
template <class T, class F> __device__ T combine(T a, T b, F f) { return f(a, b); }

struct Sizes {
    static constexpr int n = std::min(64, 3 * 4), most = std::max(2L, 7L);
};

__global__ void values(float *x, int *o, unsigned *u)
{
    o[0] = made<int>(3);
    o[1] = (int)made<double>(3);
    o[2] = made<int2>(5).y;
    x[0] = __low2float(made<__half2>(6));
    x[1] = only<float2>(1).y + only<double>(1);
    o[3] = Of<int>::N + 1000 * Of<const int>::N;
    o[4] = Of<volatile int>::N + 1000 * Of<const volatile int>::N;
    Ref<float> r{x + 2};
    const Ref<float> c{x + 3};
    x[4] = To::to(r) + 10 * To::to(c) + 100 * To::to(Ref<float>{x + 2});
    u[0] = add(u[1], u[2]);
    int i = 0;
    o[5] = kind(i) + 10 * kind(3);
    x[5] = combine(x[2], x[3], Most()) + Most()(i, 2.5f);
    int sized[Sizes::n];
    static_assert(std::is_same<std::common_type_t<short, const long &, int>, long>::value, "");
    sized[1] = Sizes::most;
    o[6] = sizeof(sized) + sized[1];
}
// LAUNCH: values x[6]=list:0,0,3,4,0,0 o[7]=zeros u[3]=list:0,7,8 --grid 1 --block 1
// OUT: x = [6, 5, 3, 4, 343, 6.5]
// OUT: o = [3, 103, 6, 204004, 304104, 12, 55]
// OUT: u = [15, 7, 8]
