// SPDX-License-Identifier: Apache-2.0
// TEST: parameter packs: recursion over head and tail, expansions in every list, folds, packs of numbers, in the order of C++
#include <type_traits>
#include <utility>

template <typename T> __device__ T add(T x) { return x; }
template <typename T, typename... Ts> __device__ T add(T x, Ts... xs) { return x + add(xs...); }

template <typename... Ts> __device__ auto minus(Ts... xs) { return (xs - ...); }
template <typename... Ts> __device__ auto minus_left(Ts... xs) { return (... - xs); }
template <typename... Ts> __device__ int from(int a, Ts... xs) { return (a - ... - xs); }
template <typename... Ts> __device__ int upto(int a, Ts... xs) { return (xs - ... - a); }
template <typename... Ts> __device__ bool all(Ts... xs) { return (... && xs); }
template <typename... Ts> __device__ bool any(Ts... xs) { return (xs || ...); }
template <typename... Ts> __device__ void put(int *out, Ts... xs)
{
    int k = 0;
    ((out[k++] = xs), ...);
}
template <typename... Ts> __device__ void set(int v, Ts &...xs) { ((xs = v++), ...); }

template <int First, int... Rest> struct Product {
    static constexpr int value = First * Product<Rest...>::value;
};
template <int N> struct Product<N> {
    static constexpr int value = N;
};
template <int... I> struct Seq {
    static constexpr int size = sizeof...(I);
};
template <int... I> __device__ int dot(const int *a, Seq<I...>) { return ((a[I] * (I + 1)) + ...); }
template <std::size_t... I> __device__ int gather(const int *a, std::index_sequence<I...>) { return add(a[2 * I]...); }

template <typename... Ts> struct Tuple;
template <> struct Tuple<> {
    static constexpr int size = 0;
};
template <typename H, typename... T> struct Tuple<H, T...> {
    H head;
    Tuple<T...> tail;
    static constexpr int size = 1 + Tuple<T...>::size;
};
template <typename H, typename... T> __device__ Tuple<H, T...> tuple(H h, T... t)
{
    if constexpr (sizeof...(t) == 0)
        return {h};
    else
        return {h, tuple(t...)};
}

template <typename F, typename... A> __device__ auto apply(F &&f, A &&...a) -> decltype(f(a...))
{
    return std::forward<F>(f)(std::forward<A>(a)...);
}
template <typename... F> __device__ int chain(int v, F... f)
{
    ((v = f(v)), ...);
    return v;
}
template <typename... Ts> __device__ constexpr int bytes(Ts... xs) { return (int)(sizeof(xs) + ... + 0); }
template <typename T> struct Wide {
    using type = std::decay_t<typename std::decay<T>::type>;
    static constexpr bool value = sizeof(type) > 4;
};
template <typename... Ts> __device__ int wide(Ts &&...) { return std::conjunction<Wide<Ts>...>::value + 2 * std::disjunction<Wide<Ts>...>::value; }
template <typename... Ts> __device__ int number(Ts...) { return sizeof...(Ts); }

__global__ void values(const int *a, int *out)
{
    int i = threadIdx.x, v = a[i];
    int *o = out + i * 16;
    int p, q, r;
    set(v, p, q, r);
    put(o, add(v, 2, 3), minus(v, 2, 3), minus_left(v, 2, 3), from(v, 2, 3), upto(v, 2, 3), all(v > 0, v < 5) * 10 + any(v > 5, v < 1),
        Product<2, 3, 4>::value + Seq<7, 8, 9>::size, dot(a + i, Seq<0, 2, 1>{}));
    o[8] = p * 100 + q * 10 + r;
    o[9] = gather(a, std::make_index_sequence<3>{});
    auto t = tuple(v, 2.5f, (char)7);
    o[10] = t.head + t.tail.tail.head * 10 + (int)(t.tail.head * 2) + decltype(t)::size * 1000;
    o[11] = apply([&](int x, int y) { return x * y + v; }, v, 3);
    o[12] = chain(v, [](int x) { return x + 1; }, [](int x) { return x * 2; });
    o[13] = bytes(1, 2.0, 'c') + 100 * number() + 1000 * number(1, v) + 10000 * (wide(1, 2.0) * 10 + wide(2.0, 3l));
    auto sum = [&](auto... xs) { return (xs + ... + v); };
    o[14] = sum(1, 2) * 100 + sum();
    o[15] = chain(v);
}
// PY: def row(a):
// PY:     v = a[:4]
// PY:     inside, outside = (v > 0) & (v < 5), (v > 5) | (v < 1)
// PY:     return np.stack([v + 5, v - (2 - 3), v - 2 - 3, v - 2 - 3, v * 0 + 2 - (3 - v),
// PY:         inside * 10 + outside, 24 + 3 + 0 * v, a[:4] + 3 * a[2:6] + 2 * a[1:5],
// PY:         v * 100 + (v + 1) * 10 + v + 2, a[0] + a[2] + a[4] + 0 * v, v + 70 + 5 + 3000, v * 3 + v,
// PY:         (v + 1) * 2, 13 + 2000 + 230000 + 0 * v, (3 + v) * 100 + v, v], 1).ravel()
// LAUNCH: values a[8]=random:1 out[64]=zeros --grid 1 --block 4
// OUT: out = row(in_a)

// As many arrays as are given.
template <typename T, typename... P> __global__ void sum_arrays(T *out, int n, P... arrays)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        T s = 0;
        ((s += arrays[i]), ...);
        out[i] = s;
    }
}
template __global__ void sum_arrays<int, const int *, const int *, const int *>(int *, int, const int *, const int *, const int *);
// LAUNCH: 'sum_arrays<int, const int *, const int *, const int *>' out[100]=zeros n=100 arrays_0[100]=iota arrays_1[100]=random:1 arrays_2[100]=random:2 --grid 2 --block 64
// OUT: out = in_arrays_0 + in_arrays_1 + in_arrays_2

template <int... DIMS> __global__ void strides(int *out)
{
    constexpr int dims[] = {DIMS...};
    int k = threadIdx.x, s = 1;
    for (int d = 0; d < (int)sizeof...(DIMS); d++)
        s *= d > k ? dims[d] : 1;
    out[k] = s;
}
template __global__ void strides<2, 3, 5, 7>(int *);
// LAUNCH: 'strides<2, 3, 5, 7>' out[4]=zeros --grid 1 --block 4
// OUT: out = [105, 35, 7, 1]

// A class by its template.
template <typename T> struct Plus {
    __device__ T operator()(T a, T b) const { return a + b; }
};
template <typename T> struct Larger {
    __device__ T operator()(T a, T b) const { return a > b ? a : b; }
};
template <typename T, int N> struct Array {
    T d[N];
};
template <typename T, template <typename> class Op = Plus> __device__ T reduced(const T *x, int n)
{
    T r = x[0];
    for (int k = 1; k < n; k++)
        r = Op<T>()(r, x[k]);
    return r;
}
template <template <typename, int> class C, typename T, int N> __device__ int length(const C<T, N> &) { return N; }
template <template <typename> class Op, typename T> __global__ void reductions(const T *x, T *out, int n)
{
    Array<T, 5> five;
    out[0] = reduced<T, Op>(x, n);
    out[1] = reduced(x, n);
    out[2] = length(five);
}
template __global__ void reductions<Larger, int>(const int *, int *, int);
// LAUNCH: 'reductions<Larger, int>' x[9]=random:3 out[3]=zeros n=9 --grid 1 --block 1
// OUT: out = [in_x.max(), in_x.sum(), 5]
