// SPDX-License-Identifier: Apache-2.0
// MODE: compile
// TEST: constexpr functions are run, sides of if constexpr that aren't meant are left out, static members are their values
template <int N> struct Log {
    static const int value = 1 + Log<N / 2>::value;
};
template <> struct Log<1> {
    static const int value = 0;
};
constexpr int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
constexpr int ones(unsigned v)
{
    int n = 0;
    for (; v; v &= v - 1)
        n++;
    return n;
}
template <class T> __device__ T zero()
{
    if constexpr (sizeof(T) == 4)
        return T(0);
    else
        return missing();
}
__global__ void constants(int *x)
{
    __shared__ int s[factorial(4)];
    static_assert(ones(0xf0f) == 8, "bits");
    s[0] = Log<64>::value + factorial(5);
    x[0] = s[0] + zero<int>();
}
// DUMP: constants --stage ast
// STDOUT:   shared int s[24];
// STDOUT:   s[0] = (6 + 120);
// STDOUT-NOT: factorial
// STDOUT-NOT: missing
