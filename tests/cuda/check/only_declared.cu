// SPDX-License-Identifier: Apache-2.0
// TEST: functions that are only declared give any value and touch nothing: told, trusted, and no verdict hangs on what they give
// check-args: --block 32 --assume 'gridDim.x == 1'
// check values: proved
// check methods: proved
// check racy: bug HD0601 line @racy
// check index: remark HD0693
// check index: unknown HD0702 line @index the result of 'weight'
// check barrier: unknown HD0405 line @barrier the result of 'weight'
// check large: unknown HD0601 line @large
struct Pair { float x; int i; };
struct Large { int v[400]; };
struct Rule {
    int n;
    __device__ bool allows(int i) const;
};
__device__ float weight(int i);
__device__ Pair pair_of(const float *p, const Pair &q, int i);
template <class T> __device__ T twice(T v);
__device__ void hint(int);
__device__ Large large_one();

// heddle: requires len(x) == 32
__global__ void values(float *x, const float *y, int n)
{
    int i = threadIdx.x;
    hint(i);
    if (i < n)
        x[i] = weight(i) + pair_of(y, Pair{1, 2}, i).x + twice(3.0f);
}
// heddle: requires len(x) == 32
__global__ void methods(float *x, Rule r)
{
    if (r.allows(threadIdx.x))
        x[threadIdx.x] = 1;
}
// heddle: requires len(x) == 32
__global__ void racy(float *x)
{
    x[threadIdx.x / 2] = weight(1) + threadIdx.x;   //@racy
}
__global__ void index(float *x)
{
    x[(int)weight(threadIdx.x)] = 1;                //@index
}
__global__ void barrier(float *x)
{
    if (weight(1) > 3)                              //@barrier
        __syncthreads();
}
// heddle: requires len(x) == 32
__global__ void large(float *x)
{
    Large l = large_one();
    if (l.v[threadIdx.x] == 1)
        x[0] = threadIdx.x;                         //@large
}
