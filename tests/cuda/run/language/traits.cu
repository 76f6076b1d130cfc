// SPDX-License-Identifier: Apache-2.0
// TEST: type traits choose types, overloads and branches; constexpr functions and static members are sizes; enumerators name instances
// NVCC: the functions of std::integral_constant are for the host there
#include <type_traits>

template <class T> struct is_small : std::false_type {};
template <> struct is_small<short> : std::true_type {};

template <class T, typename std::enable_if<std::is_integral<T>::value, int>::type = 0>
__device__ int kind(T)
{
    return 1;
}
template <class T, typename std::enable_if<std::is_floating_point<T>::value, int>::type = 0>
__device__ int kind(T)
{
    return 2;
}
template <class T> __device__ std::enable_if_t<std::is_same_v<T, float>, T> scaled(T a)
{
    return a * 2;
}
template <class T> __device__ typename std::enable_if<!std::is_same<T, float>::value, T>::type scaled(T a)
{
    return a * 3;
}
__device__ int tag(std::true_type) { return 10; }
__device__ int tag(std::false_type) { return 20; }
__device__ int tag_of(std::bool_constant<true>) { return 30; }

__global__ void choices(int *out, float f)
{
    typename std::conditional<sizeof(int) == 4, int, double>::type a = 3.7f;
    std::conditional_t<false, int, double> b = 3.5;
    decltype(a + b) c = a + b;
    std::remove_reference<decltype(f) &>::type d = f;
    std::integral_constant<int, 9> nine;
    static_assert(std::is_same<decltype(d), float>::value, "float");
    out[0] = (int)(c * 2) + (int)d;
    out[1] = kind(3) * 10 + kind(2.0f);
    out[2] = (int)scaled(1.5f) * 10 + scaled(2);
    out[3] = tag(std::is_same<float, float>()) + tag(is_small<int>{}) + tag(std::bool_constant<sizeof(short) == 2>());
    out[3] += tag_of(std::true_type());
    out[4] = nine + std::integral_constant<int, 3>::value + nine();
    out[5] = is_small<short>::value + std::is_unsigned<unsigned>::value + std::is_pointer<int *>::value;
}

constexpr int square(int x) { return x * x; }
constexpr __host__ __device__ int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }
constexpr int triangle(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += i;
    return sum;
}
template <class T> struct Tile {
    static constexpr int rows = 4, words = rows * (int)sizeof(T) / 4;
    enum { padding = 1 };
};

template <class T, int M> __global__ void branches(T *out)
{
    __shared__ int s[square(Tile<T>::words)];
    int b[factorial(3) + Tile<T>::padding];
    s[triangle(4)] = 7;
    b[6] = s[6];
    if constexpr (std::is_same_v<T, double>)
        out[0] = sizeof(s) / 4 + sizeof(b) / 4 * 1000;
    else if constexpr (M > 3 && sizeof(T) == 4)
        out[0] = sizeof(s) / 4;
    else
        out[0] = no_such_function(M);
    out[1] = b[6];
}
template __global__ void branches<double, 1>(double *);
template __global__ void branches<float, 4>(float *);

enum class Mode { slow, fast = 5 };
enum Side { left, right };
template <Mode M, Side S> __global__ void moded(int *out)
{
    out[0] = M == Mode::fast ? 10 + S : 20 + S;
}
template __global__ void moded<Mode::fast, right>(int *);
template __global__ void moded<Mode::slow, left>(int *);
// LAUNCH: choices out[6]=zeros f=2.5 --grid 1 --block 1
// OUT: out = [15, 12, 36, 70, 21, 3]
// LAUNCH: 'branches<double, 1>' out[2]=zeros --grid 1 --block 1
// OUT: out = [7064, 7]
// LAUNCH: 'branches<float, 4>' out[2]=zeros --grid 1 --block 1
// OUT: out = [16, 7]
// LAUNCH: 'moded<Mode::fast, right>' out[1]=zeros --grid 1 --block 1
// OUT: out = [11]
// LAUNCH: 'moded<Mode::slow, left>' out[1]=zeros --grid 1 --block 1
// OUT: out = [20]
