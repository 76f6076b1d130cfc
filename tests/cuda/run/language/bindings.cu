// SPDX-License-Identifier: Apache-2.0
// TEST: structured bindings of classes, vectors and arrays, by value and by reference; decltype(auto)
struct Pair {
    int a;
    float b;
};
__device__ Pair make(int i) { return {i, i * 0.5f}; }

__global__ void bindings(float4 *x, float *out)
{
    int i = threadIdx.x;
    auto [n, half] = make(i);
    float arr[3] = {float(i), 2, 3};
    auto [a, b, c] = arr;
    auto &[d, e, f] = arr;
    d = 7;
    b += 1;
    auto [p, q, r, s] = x[i];
    auto &[px, py, pz, pw] = x[i];
    px = s;
    py = r;
    pz = q;
    pw = p;
    const auto &[last, behind] = make(9);
    out[i] = n + half + 10 * (a + b + c) + 1000 * (d + e + f + arr[0]) + last + behind;
}
// LAUNCH: bindings x[8]=iota out[8]=zeros --block 8 --grid 1
// OUT: out = 1.5 * np.arange(8) + 10 * (np.arange(8) + 6) + 1000 * 19 + 13.5
// OUT: x = np.arange(32).reshape(8, 4)[:, ::-1]

template <class T> __device__ decltype(auto) same(T &x) { return (x); }
__device__ decltype(auto) next(int x) { return x + 1; }
template <class F, class... A> __device__ decltype(auto) call(F f, A... args) { return f(args...); }
__device__ decltype(auto) sign(int x)
{
    if (x < 0)
        return -1;
    return x > 0 ? 1 : 0;
}
__global__ void types(int *x, int *y)
{
    int i = threadIdx.x;
    same(x[i]) += next(2);
    decltype(auto) copy = next(i);
    copy += 5;
    decltype(auto) place = (y[i]);
    place = copy + call([](int a, int b) { return a * b; }, i, 100) + 1000 * sign(i - 4);
}
// LAUNCH: types x[8]=iota y[8]=zeros --block 8 --grid 1
// OUT: x = in_x + 3
// OUT: y = np.arange(8) + 6 + 100 * np.arange(8) + 1000 * np.sign(np.arange(8) - 4)
