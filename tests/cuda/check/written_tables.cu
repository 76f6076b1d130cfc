// SPDX-License-Identifier: Apache-2.0
// TEST: constant memory that host code of the file may write holds anything, whatever initialises it
// check-args: --block 8
// check copied: bug HD0601 line @copied
// check addressed: bug HD0601 line @addressed
// check passed: bug HD0601 line @passed
// check kept_address: bug HD0601 line @kept
// check number: unknown HD0601 line @number
// check both_sides: bug HD0601 line @both
// check left: proved
// check read_by_both: proved
// check constants: proved
// convert leaves out copied, addressed, passed, kept_address, number, both_sides: what is initialised is constant in Heddle C, for the host too
#include <cuda_runtime.h>
#define TABLE(NAME) __constant__ int NAME[8] = {0, 1, 2, 3, 4, 5, 6, 7}
#define IS_OTHER(TABLE) (TABLE[threadIdx.x] != threadIdx.x)

TABLE(by_copy);
TABLE(by_address);
TABLE(by_reference);
TABLE(by_pointer);
TABLE(on_both);
TABLE(never);
TABLE(only_read);
__constant__ const int fixed[8] = {0, 1, 2, 3, 4, 5, 6, 7};
__constant__ int width = 1;
int *kept = &by_pointer[0], (*whole)[8] = &by_pointer;

template <class T> void fill(T &table)
{
    int zeros[8] = {};
    cudaMemcpyToSymbol(table, zeros, sizeof zeros);
}
__host__ __device__ int last(int i)
{
    return i < 8 ? only_read[i] : 0;
}
__host__ __device__ void renew(const int *from)
{
    cudaMemcpyToSymbol(on_both, from, 32);
}

__global__ void copied(float *p)
{
    if (IS_OTHER(by_copy))
        p[0] = threadIdx.x;             //@copied
}
__global__ void addressed(float *p)
{
    if (IS_OTHER(by_address))
        p[0] = threadIdx.x;             //@addressed
}
__global__ void passed(float *p)
{
    if (IS_OTHER(by_reference))
        p[0] = threadIdx.x;             //@passed
}
__global__ void kept_address(float *p)
{
    if (IS_OTHER(by_pointer))
        p[0] = threadIdx.x;             //@kept
}
__global__ void number(float *p)
{
    p[(long)threadIdx.x * width] = threadIdx.x; //@number
}
__global__ void both_sides(float *p)
{
    if (IS_OTHER(on_both))
        p[0] = threadIdx.x;             //@both
}
__global__ void left(float *p)
{
    if (IS_OTHER(never))
        p[0] = threadIdx.x;
}
__global__ void read_by_both(float *p)
{
    if (last(threadIdx.x) != threadIdx.x)
        p[0] = threadIdx.x;
}
__global__ void constants(float *p)
{
    if (IS_OTHER(fixed))
        p[0] = threadIdx.x;
}

void prepare(const int *from)
{
    void *to;
    cudaMemcpyToSymbolAsync(by_copy, from, 32, 0, cudaMemcpyHostToDevice, 0);
    cudaGetSymbolAddress(&to, by_address);
    cudaMemset(to, 0, 32);
    fill(by_reference);
    cudaMemcpyToSymbol(width, from, sizeof width);
    cudaMemcpyFromSymbol(to, fixed, sizeof fixed);
    left<<<1, 8>>>((float *)to);
    read_by_both<<<1, 8>>>((float *)to);
}
