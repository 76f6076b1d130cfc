// SPDX-License-Identifier: Apache-2.0
// TEST: an argument that a function of CUDA's doesn't use is evaluated, and what it reads races
// check-args: --block 32 --grid 1 --assume '33 <= len(x)'
// check sleeps: bug HD0601 line @sleeps other @after_sleep
__global__ void sleeps(unsigned *x)
{
    __nanosleep(x[threadIdx.x + 1]); //@sleeps
    x[threadIdx.x] = 1; //@after_sleep
}
// check expected: bug HD0601 line @expected other @after_expected
__global__ void expected(unsigned *x)
{
    unsigned v = __builtin_expect(threadIdx.x > 3, x[threadIdx.x + 1]); //@expected
    x[threadIdx.x] = v; //@after_expected
}
// check own: proved
__global__ void own(unsigned *x)
{
    __nanosleep(x[threadIdx.x]);
    x[threadIdx.x] = 1;
}
