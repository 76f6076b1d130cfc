// SPDX-License-Identifier: Apache-2.0
// TEST: static shared memory beyond 48 KB is refused as by ptxas, that of functions counted in
// REF: docs/errors/HD1164.md
__global__ void all_of_it(int *y)
{
    __shared__ char s[49152];
    s[threadIdx.x] = 1;
}
__global__ void one_more(int *y)
{
    __shared__ char s[49153]; //~ error HD1164: with 's' the kernel has 49153 bytes of static shared memory: the limit is 49152; declare it 'extern __shared__' and give its size at the launch
    s[threadIdx.x] = 1;
}
__global__ void beyond_all(int *y)
{
    __shared__ char s[1ull << 32]; //~ error HD1164: with 's' the kernel has 4294967296 bytes
    s[threadIdx.x] = 1;
}
__global__ void in_parts(int *y)
{
    __shared__ double a[4096];
    __shared__ double b[2048];
    __shared__ char c; //~ error HD1164: with 'c' the kernel has 49153 bytes
    __shared__ double d[4096];
    a[threadIdx.x] = b[threadIdx.x] = d[threadIdx.x] = c = 1;
}
struct tile {
    float v[64][64];
};
template <int N> __device__ void fill(int k)
{
    __shared__ tile t[N]; //~ error HD1164: with 't' the kernel has 65536 bytes
    t[k].v[0][threadIdx.x] = k;
}
__global__ void of_functions(int *y)
{
    fill<2>(1);
    fill<2>(0); // the same array
    fill<1>(0);
    __syncthreads();
    fill<1>(0);
}
__global__ void of_more_functions(int *y)
{
    fill<1>(0);
    fill<3>(0);
}
__global__ void sized_by_launch(int *y)
{
    extern __shared__ char s[];
    s[threadIdx.x + 65536] = 1;
}
