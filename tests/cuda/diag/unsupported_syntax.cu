// SPDX-License-Identifier: Apache-2.0
// TEST: C++ that isn't supported is told by its name, once, and leaves other kernels alone
// REF: docs/reference/cuda.md#unsupported-features
#include <complex>
#include <functional>
#include <vector>

template <class T> concept Small = sizeof(T) == 4;
template <Small T> __device__ T same(T x) { return x; } //~ error HD1150: concepts and constraints
template <class T> requires(sizeof(T) == 4) __device__ T twice(T x) { return x + x; } //~ error HD1150: concepts
template <class T> __device__ T thrice(T x) requires(sizeof(T) == 4) { return x + x + x; } //~ error HD1150: concepts
__device__ int next(Small auto x) { return x + 1; } //~ error HD1150: concepts
struct Pair
{
    int a, b;
    __device__ int sum() { return a + b; }
};
struct Task {};

__global__ void constrained(int *y) { y[0] = same(3); }
__global__ void constrained_by(int *y) { y[0] = twice(3); }
__global__ void constrained_behind(int *y) { y[0] = thrice(3); }
__global__ void constrained_auto(int *y) { y[0] = next(3); }
__global__ void required(int *y)
{
    if constexpr (requires { y[0]; y + 1; }) //~ error HD1150: concepts
        y[0] = 1;
}
__global__ void awaits(int *y) { co_await Task{}; }     //~ error HD1150: coroutines
__global__ void yields(int *y) { co_yield y[0] + 1; }   //~ error HD1150: coroutines
__global__ void returns(int *y) { co_return; }          //~ error HD1150: coroutines
__global__ void awaited(int *y) { y[0] = (co_await Task{}) + 1; } //~ error HD1150: coroutines
__global__ void jumps(int *y)
{
    asm volatile goto("bra %l0;" : : : : out); //~ error HD1150: 'asm goto'
out:
    y[0] = 1;
}
__global__ void label(int *y)
{
    void *place = &&out; //~ error HD1150: addresses of labels
out:
    y[0] = 1;
}
__global__ void member(int *y)
{
    int (Pair::*f)() = &Pair::sum; //~ error HD1150: pointers to members
    Pair p{1, 2};
    y[0] = (p.*f)();
}
__global__ void generic(int *y)
{
    auto f = []<class T>(T x) { return x; }; //~ error HD1150: templates of lambdas
    y[0] = f(1);
}
__global__ void own(int *y)
{
    thread_local int n = 3; //~ error HD1150: 'thread_local' variables
    y[0] = n;
}
__global__ void container(int *y)
{
    std::vector<int> v(3); //~ error HD1150: the library std in a kernel
    y[0] = v[0];
}
__global__ void number(int *y)
{
    std::complex<float> c(1, 2); //~ error HD1150: the library std in a kernel
    y[0] = (int)c.real();
}
__global__ void called(int *y)
{
    std::function<int(int)> f = [](int x) { return x; }; //~ error HD1150: the library std in a kernel
    y[0] = f(1);
}
__global__ void tuple(int *y)
{
    cuda::std::bitset<8> b; //~ error HD1150: the library cuda::std in a kernel
    y[0] = b.count();
}

// Names, where they are no words of the language.
__device__ int concept_of(int concept) { return concept + 1; }
__global__ void right(int *y)
{
    int requires = concept_of(threadIdx.x);
    y[threadIdx.x] = requires;
}
