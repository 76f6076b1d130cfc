// SPDX-License-Identifier: Apache-2.0
// TEST: lambdas: without captures, by value, by reference, handed to templates, generic
template <class F> __device__ int apply(F f, int v) { return f(v); }
template <class F> __device__ int fold(const int *a, int n, int start, F op)
{
    for (int k = 0; k < n; k++)
        start = op(start, a[k]);
    return start;
}

__global__ void lambdas(const int *x, int *out)
{
    int i = threadIdx.x, n = blockDim.x, v = x[i], k = 0;
    auto plain = [](int a) { return a * 3; };
    auto shifted = [v](int a) { return a + v; };
    int count = 0;
    auto tick = [&count](int by) { count += by; };
    auto all = [=](int a) -> int { return a + v + n; };
    tick(2);
    tick(i);
    const int part[4] = {v, v + 1, v + 2, 5};
    out[k++ * n + i] = plain(v);
    out[k++ * n + i] = apply(shifted, 10);
    out[k++ * n + i] = count;
    out[k++ * n + i] = apply(all, 1);
    out[k++ * n + i] = fold(part, 4, 0, [](int a, int b) { return a + b; });
    out[k++ * n + i] = fold(part, 4, -100, [](auto a, auto b) { return a > b ? a : b; });
    out[k++ * n + i] = [&] { return v ? count : -1; }();
}
// PY: def reference(x):
// PY:     i, n = np.arange(len(x)), len(x)
// PY:     return np.concatenate([3 * x, x + 10, i + 2, x + n + 1, 3 * x + 8, np.maximum(x + 2, 5), np.where(x != 0, i + 2, -1)])
// LAUNCH: lambdas x[32]=iota out[224]=zeros --block 32 --grid 1
// OUT: out = reference(in_x)

// What a mutable lambda captured by value is its own, from call to call.
template <class F> __device__ int twice(F &&f) { return f() * 100 + f(); }
__global__ void keeps(int *y, int n)
{
    int base = 3;
    auto next = [base]() mutable { return base += 2; };
    y[0] = next();
    y[1] = next();
    y[2] = base;
    y[3] = twice(next);
    y[4] = twice([=, step = n * 2]() mutable { base += step; return base; });
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        auto count = [i, &sum](int by) mutable { i += by; sum += i; };
        count(1);
        count(10);
    }
    y[5] = sum;
    auto outer = [base]() mutable {
        auto inner = [base]() mutable { return ++base; };
        base += inner() + inner();
        return base;
    };
    y[6] = outer();
    y[7] = outer();
}
// LAUNCH: keeps y[8]=zeros n=4 --block 1 --grid 1
// OUT: y = np.array([5, 7, 3, 911, 1119, 42, 12, 39])
