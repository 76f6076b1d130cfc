// SPDX-License-Identifier: Apache-2.0
// TEST: variables of the file that point to a function, and arrays of such pointers at constant and other indices, in every place they may stand
// NVCC: nvcc wants tables of device functions in __device__ variables
// REF: docs/reference/cuda.md#functions-as-values
typedef float (*Unary)(float);
__device__ float square(float x) { return x * x; }
__device__ float twice(float x) { return 2 * x; }
template <class T> __device__ T less_one(T x) { return x - 1; }
__device__ Unary chosen = square;
__device__ const Unary table[3] = {square, &twice, less_one<float>};
__constant__ Unary fixed[] = {twice, square};
namespace ns {
__device__ void add(int *p, int v) { atomicAdd(p, v); }
__device__ void most(int *p, int v) { atomicMax(p, v); }
__device__ void none(int *p, int v) {}
using Effect = void (*)(int *, int);
constexpr Effect effects[] = {add, most, none};
}
struct Shapes {
    static constexpr Unary all[2] = {square, twice};
};
template <Unary F> __device__ float applied(float x) { return F(x) + 1; }
__device__ float passed(Unary f, float x) { return f(x) + 2; }

__global__ void values(const float *x, float *y, int *counts, int k)
{
    int i = threadIdx.x, calls = 0;
    y[i] = chosen(x[i]) + (*chosen)(1);
    y[32 + i] = table[0](x[i]) + 10 * table[1](x[i]) + (*table[2])(x[i]);
    y[64 + i] = table[(i + k) % 3](x[i] + calls++);
    Unary local[] = {twice, square, [](float v) { return -v; }};
    for (int j = 0; j < 3; j++)
        y[96 + 32 * j + i] = local[j](x[i]) + fixed[j % 2](1) + Shapes::all[j & 1](3);
    y[192 + i] = passed(chosen, x[i]) + calls;
    if (k > 0 && table[i % 2](x[i]) > 20)
        y[224 + i] = 1;
    ns::effects[i % 3](&counts[i % 3], i);
    ns::effects[0](&counts[3], 1);
}
// PY: i = np.arange(32)
// PY: fns = [lambda x: x * x, lambda x: 2 * x, lambda x: x - 1, lambda x: -x]
// LAUNCH: values x[32]=iota y[256]=zeros counts[4]=zeros k=2 --grid 1 --block 32
// OUT: y = np.concatenate([i * i + 1, i * i + 20 * i + i - 1, [fns[(v + 2) % 3](v) for v in i], 2 * i + 2 + 9, i * i + 1 + 6, -i + 2 + 9, i * i + 3, [fns[v % 2](v) > 20 for v in i]])
// OUT: counts = [sum(range(0, 32, 3)), 31, 0, 32]
