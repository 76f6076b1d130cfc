// SPDX-License-Identifier: Apache-2.0
// TEST: a statement c ? f() : g() may choose between calls that give nothing
__device__ void one(int *x)
{
    x[0] += 1;
}
__device__ void two(int *x)
{
    x[1] += 2;
}
__global__ void chosen(int n, int x[8])
{
    n > 2 ? one(x) : two(x);
    n > 3 ? (void)0 : one(x);
    n ? x[2] = 5 : x[3] = 6;
    n == 9 ? n > 3 ? one(x) : two(x) : (void)(x[4] = 3);
    (n > 4 ? one(x) : two(x));
    n ? __syncthreads() : two(x);
    for (int i = 0; i < 3; i++)
        i == 1 ? x[5] += i : x[6] += i;
}
// LAUNCH: n=1 x[8]=zeros --grid 1 --block 1
// OUT: x = np.array([1, 4, 5, 0, 3, 1, 2, 0])
// LAUNCH: n=9 x[8]=zeros --grid 1 --block 1
// OUT: x = np.array([3, 0, 5, 0, 0, 1, 2, 0])
