// SPDX-License-Identifier: Apache-2.0
// TEST: functions as arguments of templates, of pointers to functions, and as what such variables begin with
// REF: docs/reference/cuda.md#functions-as-values
__device__ float square(float x) { return x * x; }
__device__ float step(float x) { return x + 1; }
__device__ double step(double x) { return x + 100; }
template <class T> __device__ T half_of(T x) { return x / 2; }
__device__ int add(int a, int b) { return a + b; }
__device__ int mul(int a, int b) { return a * b; }

template <float (*F)(float)> __device__ float apply(float x) { return F(x) + 1; }
template <float (*F)(float), float (*G)(float)> __device__ float both(float x) { return apply<F>(G(x)); }
template <auto F> __device__ int fold(const int *p, int n)
{
    int r = p[0];
    for (int i = 1; i < n; i++)
        r = F(r, p[i]);
    return r;
}
template <class T, T (*Op)(T, T)> struct Twice {
    __device__ T operator()(T a, T b) const { return Op(a, (*Op)(a, b)); }
};

using Binary = int (*)(int, int);
typedef float (*Unary)(float);
__device__ int called(Binary f, int a, int b) { return f(a, b) * 2; }
__device__ int passed_on(int (*f)(int, int), int a) { return called(f, a, 3) + f(a, 1); }
template <class T> __device__ T repeated(T (*f)(T), T x) { return f(f(x)); }
template <class R, class A> __device__ R deduced(R (*f)(A), float x) { return f(x); }
template <Binary... Fs> __device__ int sum_of(int a, int b) { return (Fs(a, b) + ...); }

template <float (*F)(float), int N> __global__ void map(float *y, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = F(x[i]) + N;
}
// LAUNCH: 'map<square, 3>' y[64]=zeros x[64]=iota n=64 --block 32 --grid 2
// OUT: y = in_x ** 2 + 3
// LAUNCH: 'map<half_of<float>, 1>' y[64]=zeros x[64]=iota n=64 --block 32 --grid 2
// OUT: y = in_x / 2 + 1

__global__ void functions(float *out, const int *p)
{
    int i = threadIdx.x, k = 0;
    out[k++ * 32 + i] = apply<square>(i) + 10000 * apply<half_of<float>>(4);
    out[k++ * 32 + i] = both<square, step>(i);
    out[k++ * 32 + i] = fold<add>(p, 4) + 100 * fold<&mul>(p, 4);
    Twice<int, mul> twice;
    out[k++ * 32 + i] = twice(i, 2);
    out[k++ * 32 + i] = called(add, i, 3) + 1000 * passed_on(mul, 2);
    out[k++ * 32 + i] = repeated(square, (float)i) + deduced(&square, 3);
    Unary f = step;
    auto g = &add;
    Binary h = mul;
    out[k++ * 32 + i] = f(1.5f) + g(i, 1) + called(h, 2, 3) + (*h)(i, 2);
    out[k++ * 32 + i] = called([](int a, int b) { return a - b; }, i, 1) + sum_of<add, mul>(i, 3);
}
// PY: i = np.arange(32)
// LAUNCH: functions out[256]=zeros p[4]=iota --block 32 --grid 1
// OUT: out = np.concatenate([i * i + 1 + 30000, (i + 1) ** 2 + 1, 0 * i + 6, 2 * i * i, 2 * i + 6 + 14000, i ** 4 + 9, 2.5 + i + 1 + 12 + 2 * i, 2 * i - 2 + i + 3 + 3 * i])
void host(float *y, float *x, int n) { map<square, 3><<<n / 32, 32>>>(y, x, n); }
