// SPDX-License-Identifier: Apache-2.0
// TEST: names of headers that were not found are told with what may help
#include "their_macros.cuh"
#include <vector>

__global__ void loops(float *x, int n)
{
    THEIR_LOOP(i, n) //~ error HD0301: 'THEIR_LOOP' is not declared
    { //~^ note: not found, so treated as empty: 'their_macros.cuh'; -I DIR names a folder of headers, -D NAME=VALUE defines a macro
        x[i] = 1;
    }
}
__global__ void calls(float *x) { x[0] = their_function(x[1]); } //~ error HD0301: 'their_function' is not declared
//~^ note: not found, so treated as empty: 'their_macros.cuh'
__global__ void converts(float *x) { x[0] = __float2half(x[1]); } //~ error HD0301: '__float2half' is not declared
//~^ note: #include <cuda_fp16.h> declares it
__global__ void counts(int *x)
{
    typedef cub::BlockReduce<int, 128> Reduce; //~ error HD1150: the library CUB in a kernel; #include <cub/cub.cuh> declares what is
    __shared__ typename Reduce::TempStorage storage;
    x[0] = Reduce(storage).Sum(x[1]);
}
template <int N> constexpr int endless = endless<N - 1> + 1;
__global__ void never(int *x) { x[0] = endless<3>; } //~ error HD1150: more than 64 variables that need each other
__global__ void sized(int *x)
{
    __shared__ int tile[THEIR_SIZE]; //~ error HD0301: 'THEIR_SIZE' is not declared
    x[0] = tile[1];
}
// A class whose base isn't known: what it declares is known, what it may have is no more news.
template <class T> struct Scaled : their::Traits<T> { //~ error HD0301: 'their::Traits<T>' is not declared
    static const int width = 4;
    typedef T value_type;
    T m;
    static __device__ T twice(T x) { return x * FACTOR + helper(x); }
    __device__ T half() const { return m / 2 + this->other; }
};
struct Config : Scaled<float> {
    static constexpr int more = 8;
    enum { least = 3 };
    __device__ float get() const { return m + more + offset; }
};
template <class C> __device__ typename C::value_type sum(const float *x)
{
    typename C::value_type s = C::least;
    for (int i = 0; i < C::width; i++)
        s += C::twice(x[i]);
    return s;
}
__global__ void of_unknown_base(const float *x, float *y)
{
    __shared__ float s[Config::more];
    __shared__ float t[Config::depth];
    Config c;
    c.m = 3;
    Config::vector v;
    s[threadIdx.x] = Config::more + v.x;
    y[0] = sum<Config>(x) + c.get() + c.half() + Config::limit;
}
__global__ void of_known_names(int *y)
{
    y[0] = Config::more + Config::least + Config::nothing;
}
// Macros of missing headers stand before types; they are no types.
THEIR_API __forceinline__
cudaError_t launches(THEIR_TYPE t) { return cudaSuccess; }
template <class T> THEIR_INLINE dim3 of_three(T x) { return dim3(x, x, x); }
THEIR_API const Config *points(int a);
__global__ void behind_macros(cudaError_t *e, int *y)
{
    e[0] = cudaSuccess;
    y[0] = of_three(3).z + their_function(1); //~ error HD0301: 'their_function' is not declared
}
// An unknown type among template arguments is told at its place.
template <class T> struct Span { T *p; };
__global__ void of_unknown(Span<their_type const> s) { s.p[0]; } //~ error HD0301: 'their_type' is not declared
__global__ void of_unknown_pointer(Span<their_type *> s) { s.p[0]; } //~ error HD0301: 'their_type' is not declared
THEIR_API their_index first_of(const int *x) { return x[0]; }
struct Counted {
    int n;
    THEIR_API Counted(int n) : n(n) {}
    THEIR_API explicit Counted(float x) : n(x) {}
    THEIR_API ~Counted() {}
    THEIR_API static int twice(int a) { return 2 * a; }
};
__global__ void of_counted(Span<int> s, their_index n) { s.p[0] = Counted::twice(Counted(3).n); } //~ error HD0301: 'their_index' is not declared
// Their macros with arguments stand there, too.
template <class T> THEIR_BOUNDS(64, 2) __global__ void of_bounds(T *y) { y[0] = their_bound; } //~ error HD0301: 'their_bound' is not declared
THEIR_TABLE(int) __device__ int of_table(int x) { return x; }
__global__ void by_table(int *y) { y[0] = of_table(1) + their_entry; } //~ error HD0301: 'their_entry' is not declared
template __global__ void of_bounds<float>(float *y);
