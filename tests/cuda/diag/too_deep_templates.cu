// SPDX-License-Identifier: Apache-2.0
// TEST: templates that need each other without end, or ever larger classes, are one message each, however often each level is needed
// TIMEOUT: 30
template <int N> struct Sum {
    static const int value = Sum<N - 1>::value + Sum<N - 2>::value; //~ error HD0205: nested more than 256 levels deep
};
template <> struct Sum<0> { static const int value = 0; };
template <> struct Sum<1> { static const int value = 1; };

__global__ void sums(int *p)
{
    p[0] = Sum<900>::value;
}

template <int N> __device__ int sum(int x)
{
    return sum<N - 1>(x) + sum<N - 2>(x + 1); //~ error HD0205: nested more than 256 levels deep
}

__global__ void calls(int *p)
{
    p[0] = sum<1000>(p[1]);
}

template <typename T> struct Pair {
    T a;
    T b; //~ error HD1150: a class with more than 10000 members in all
};
template <typename T> __device__ int pairs(T x)
{
    Pair<T> next;
    return pairs(next);
}

__global__ void grows(int *p)
{
    p[0] = pairs(p[0]);
}
