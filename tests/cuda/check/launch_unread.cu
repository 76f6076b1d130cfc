// SPDX-License-Identifier: Apache-2.0
// TEST: arguments of a launch that nobody here understands leave the others what they are
// check tensors: proved
// check lambdas: proved
// check compared: bug HD0601
// check compared: bug HD0702
// check bytes: proved
// check sized: proved
// check small: bug HD0601
#include <somewhere/tensor.h>

// n threads, or two of them meet at one place.
#define HALVES(name) \
    __global__ void name(const int *x, int *y, int n) \
    { \
        __shared__ int s[64]; \
        s[threadIdx.x] = 1; \
        s[threadIdx.x + n] = 2; \
    }

HALVES(tensors)
HALVES(lambdas)
HALVES(compared)

void launch_tensors(Tensor x, Tensor y)
{
    const int threads = 32, n = threads;
    tensors<<<x.size(0), threads>>>(x.data_ptr<float>(), y.template data<float>(), n);
}

void launch_lambdas(Tensor x, Tensor y)
{
    const int n = 32;
    lambdas<<<x.size(0), n>>>(x.view<Tensor, 2>([&] { return n; }), new int[5], n);
}

// Three arguments, two of which are comparisons.
void launch_compared(Tensor x, Tensor y, int a, int b, int n)
{
    compared<<<x.size(0), 32>>>(x.a < a, y.b > (b), n);
}

// What bytes are computed from is a size.
__global__ void bytes(int *y, int d)
{
    __requires(64 <= len(y));
    extern __shared__ int s[];
    int *last = s + 2 * d;
    last[threadIdx.x] = y[threadIdx.x];
}

__global__ void sized(int *y, int d)
{
    __requires(d <= len(y));
    extern __shared__ int s[];
    for (int i = threadIdx.x; i < d; i += blockDim.x)
        s[2 * d - 1 - i] = y[i];
}

__global__ void small(int *y, int d)
{
    extern __shared__ int s[];
    s[threadIdx.x] = 1;
    s[threadIdx.x + d] = 2;
}

void launch_bytes(Tensor x)
{
    const int d = x.size(1);
    bytes<<<1, 64, (2 * d + 64) * sizeof(int)>>>(x.data<int>(), d);
    sized<<<1, 64, 2 * d * sizeof(int)>>>(x.data<int>(), d);
    small<<<1, 64, (d + 64) * sizeof(int)>>>(x.data<int>(), d);
}
