// SPDX-License-Identifier: Apache-2.0
// TEST: a file without launches: host code elsewhere may have overwritten its constant tables, so their initial values prove nothing; those that are const, static or of an unnamed namespace keep them
// check-args: --block 8 --assume gridDim.x*8<=len(p)
// check of_others: unknown HD0601 line @others
// check indexed: unknown HD0601 line @indexed
// check initial_race: bug HD0601 line @initial
// check unused_values: proved
// check by_const: proved
// check by_static: proved
// check by_unnamed: proved
// check by_name: unknown HD0601 line @named
// convert leaves out of_others, indexed, initial_race, unused_values, by_name: what is initialised is constant in Heddle C, for the host too
#define VALUES = {0, 1, 2, 3, 4, 5, 6, 7}
__constant__ int table[8] VALUES;
__constant__ int zeros[8] = {0};
const __constant__ int fixed[8] VALUES;
static __constant__ int own[8] VALUES;
namespace {
__constant__ int hidden[8] VALUES;
}
namespace named {
__constant__ int shown[8] VALUES;
}
__global__ void of_others(float *p)
{
    if (table[threadIdx.x] != threadIdx.x)
        p[0] = threadIdx.x;             //@others
}
__global__ void indexed(float *p)
{
    p[8 * blockIdx.x + table[threadIdx.x]] = threadIdx.x; //@indexed
}
__global__ void initial_race(float *p)
{
    if (zeros[threadIdx.x] != threadIdx.x)
        p[0] = threadIdx.x;             //@initial
}
__global__ void unused_values(float *p)
{
    p[blockIdx.x * 8 + threadIdx.x] = table[threadIdx.x] * 2.0f;
}
__global__ void by_const(float *p)
{
    if (fixed[threadIdx.x] != threadIdx.x)
        p[0] = threadIdx.x;
}
__global__ void by_static(float *p)
{
    if (own[threadIdx.x] != threadIdx.x)
        p[0] = threadIdx.x;
}
__global__ void by_unnamed(float *p)
{
    if (hidden[threadIdx.x] != threadIdx.x)
        p[0] = threadIdx.x;
}
__global__ void by_name(float *p)
{
    if (named::shown[threadIdx.x] != threadIdx.x)
        p[0] = threadIdx.x;             //@named
}
