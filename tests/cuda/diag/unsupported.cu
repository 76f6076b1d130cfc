// SPDX-License-Identifier: Apache-2.0
// TEST: what isn't supported is one error at its place, for each kernel that needs it
#include <cuda_runtime.h>

__device__ int (*table[2])(int);
typedef int (*Function)(int);


__global__ void child(int *out) { out[0] = 1; }
__global__ void parent(int *out) { child<<<1, 32>>>(out); } //~ error HD1150: launching a kernel from a kernel
__global__ void allocates(int *out) { out[0] = *(int *)malloc(4); } //~ error HD1150: memory allocated in a kernel
__global__ void news(int *out)
{
    int *p = new int(3); //~ error HD1150: 'new'; use a variable, or an array that is a parameter
    out[0] = *p;
}
__global__ void calls(int *out) { out[0] = table[0](1); } //~ error HD1150: calls through function pointers

template <int (*F)(int)> __device__ int applied(int v) { return F(v); }
__device__ int apply(int (*f)(int), int v) { return f(v); }
__device__ int next(int v) { return v + 1; }
__device__ float next_real(float v) { return v + 1; }
__global__ void applies(int *out) { out[0] = applied<next_real>(1); } //~ error HD1150: a function as a template argument
__global__ void passes(int *out) { out[0] = apply(next_real, 1); } //~ error HD0310: argument 1 of 'apply': '<function>' can't be converted to 'int (*)(int)'
__global__ void alternates(int *out, int n)
{
    int (*f)(int) = next;
    if (n)
        f = apply; //~ error HD1150: a function as a value
    out[0] = f(n);
}

struct Shape {
    __device__ virtual int area() const { return 0; } //~ error HD1150: virtual functions
};
__global__ void dispatches(int *out)
{
    Shape s;
    out[0] = s.area();
}
__global__ void throws(int *out)
{
    if (out[0])
        throw 1; //~ error HD1150: exceptions
}
__device__ int down(int n) { return n < 2 ? 1 : n * down(n - 1); } //~ error HD0337: 'down' calls itself
__global__ void recurses(int *out) { out[0] = down(out[1]); }
__global__ void jumps(int *out)
{
again:
    if (out[0])
        goto again; //~ error HD1150: 'goto' but forwards
    out[0] = 1;
}
__global__ void jumps_into(int *out)
{
    if (out[0])
        goto inside; //~ error HD1150: 'goto' but forwards
    while (out[1]) {
        out[0] = 1;
inside:
        out[1]--;
    }
}
__global__ void jumps_over_case(int *out)
{
    switch (out[0]) {
    case 1:
        if (out[1])
            goto last; //~ error HD1150: 'goto' but forwards
        out[2] = 1;
        break;
    case 2: out[2] = 2;
last:
        out[3] = 1;
    }
}
__global__ void assembles(int *out)
{
    asm volatile("mov.u32 %0, %%smid;" : "=r"(out[0])); //~ error HD1150: '%smid' in inline assembly
}
struct Packed {
    int low : 4, high : 4; //~ error HD1150: bit-fields
};
__global__ void packs(int *out)
{
    Packed p;
    p.low = out[0];
    out[0] = p.low;
}
__global__ void loops(int *out)
{
    for (float v : {1.0f, 2}) //~ error HD1150: a list of several types
        out[threadIdx.x] += v;
    for (int v : {}) //~ error HD1150: an empty list
        out[threadIdx.x] += v;
}
__global__ void works(int *out) { out[threadIdx.x] = 1; }

__global__ void instruction(unsigned *out)
{
    unsigned r;
    asm("{ .reg .u32 t; tex.1d.v4.f32.f32 t, %0; add.cc.u32 t, t, t; }" : "=r"(r)); //~ error HD1150: 'tex.1d.v4.f32.f32' in inline assembly
    out[0] = r;
}

__global__ void carry(unsigned *out)
{
    asm("addc.u32 %0, %0, %0;" : "+r"(out[0])); //~ error HD1150: 'addc.u32' in inline assembly
}

__global__ void registers(unsigned *out)
{
    asm("{ .reg .u32 t<4>; mov.u32 t0, 1; }" ::: "memory"); //~ error HD1150: '.reg .u32 t<4>' in inline assembly
}

__global__ void kinds(float *out)
{
    asm("bfe.u32 %0, %0, 1, 2;" : "+f"(out[0])); //~ error HD1150: 'bfe.u32' in inline assembly
}

template <class... A> struct All : A... {}; //~ error HD1150: base classes of a parameter pack

__global__ void many(int *out)
{
    out[0] = sizeof(All<dim3>);
}
template <class F> __device__ int by_value(F f) { return f() + f(); }
__global__ void copied_lambdas(int *y)
{
    int n = 1;
    auto next = [n]() mutable { return n++; };
    y[0] = by_value(next); //~ error HD1150: a copy of a 'mutable' lambda; pass it by reference
    auto again = next;     //~ error HD1150: a copy of a 'mutable' lambda
    auto inner = [next]() mutable { return next(); }; //~ error HD1150: a copy of a 'mutable' lambda
    y[1] = again() + inner();
}
