// SPDX-License-Identifier: Apache-2.0
// TEST: --launch takes the choices and the rounded quotients that host code computes grids with
// RUN: heddle run %s --launch 'k<<<ceil(n/32.0),1>>>' n=70 'p[8]=zeros' --print p
// PRINTS: p = [1 2 3 0 0 0 0 0]
// RUN: heddle run %s --launch 'k<<<std::ceil((float)n / 32),1>>>' n=64 'p[8]=zeros' --print p
// PRINTS: p = [1 2 0 0 0 0 0 0]
// RUN: heddle run %s --launch 'k<<<ceil(n/32),1>>>' n=70 'p[8]=zeros' --print p
// PRINTS: p = [1 2 0 0 0 0 0 0]
// RUN: heddle run %s --launch 'k<<<n >= 70 ? (n == 70 ? 5 : 6) : 7,1>>>' n=70 'p[8]=zeros' --print p
// PRINTS: p = [1 2 3 4 5 0 0 0]
// RUN: heddle run %s --launch 'k<<<min(n != 70 ? 5 : 4, 9),1>>>' n=70 'p[8]=zeros' --print p
// PRINTS: p = [1 2 3 4 0 0 0 0]
// RUN: heddle run %s --launch 'k<<<ceil(n/0.0),1>>>' n=70 'p[8]=zeros'
// STDERR: a division by zero
// EXIT: 2
// RUN: heddle run %s --launch 'k<<<n < 3 ? 1,1>>>' n=70 'p[8]=zeros'
// STDERR: ':' is missing
// EXIT: 2
// RUN: heddle run %s --launch 'k<<<ceil(n),1>>>' n=70 'p[8]=zeros'
// STDERR: '/' is missing
// EXIT: 2
__global__ void k(int *p)
{
    p[blockIdx.x] = blockIdx.x + 1;
}
