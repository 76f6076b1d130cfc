// SPDX-License-Identifier: Apache-2.0
// TEST: a specialisation without the type of its result is no constructor
template <int N> __device__ int f(int x) { return f<N - 1>(x) + 1; }

template <> __device__ __noinline__ f<0>(int x) //~ error HD0201: expected the type of the result, found 'f'
{
    return x;
}

__global__ void k(int *p) { p[0] = f<3>(p[1]); }
