// SPDX-License-Identifier: Apache-2.0
// MODE: compile
// TEST: a scalar whose reference only inlined functions have is a variable; one with an address that is a value stays in memory
__device__ void divide(unsigned &a, unsigned d, unsigned &rest)
{
    rest = a % d;
    a /= d;
}
__global__ void k(unsigned *y, int flag)
{
    unsigned whole = threadIdx.x, rest;
    int first = 1, second = 2;
    divide(whole, 10, rest);
    int *p = flag ? &first : &second;
    *p = 3;
    y[threadIdx.x] = whole + rest + first + second;
}
// DUMP: k --stage ir
// STDOUT: object @first local i32
// STDOUT: object @second local i32
// STDOUT: var $whole
// STDOUT: var $rest
// STDOUT: set $rest
