// SPDX-License-Identifier: Apache-2.0
// TEST: calls that double at each level are told once they are inlined; a barrier is looked for once in each function, not in each call
template <int N> __device__ __noinline__ int twice(int x)
{
    int first = twice<N - 1>(x); //~ error HD0390: call 'twice_16' grows beyond 1000000 operations when its calls are inlined
    return first + twice<N - 1>(x + 1);
}

template <> __device__ __noinline__ int twice<0>(int x)
{
    int sum = 0;
    for (int i = 0; i < x; i++)
        sum += i;
    return sum;
}

__global__ void waits(int *p, int n)
{
    int i = threadIdx.x;
    if (i >= n)
        return;
    __syncthreads();
    p[i] = twice<40>(i);
}
