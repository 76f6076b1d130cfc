// SPDX-License-Identifier: Apache-2.0
// TEST: a kernel that calls a function which is only declared is checked, and refused where it is to run
// RUN: heddle check %s --block 32 --assume 'gridDim.x == 1' --assume '32 <= len(x)'
// STDOUT: k: proved
// STDOUT: 'weight' touches no memory
// STDERR: warning[HD1165]: 'weight' is not defined in this file
// RUN: heddle run %s 'x[32]=zeros' --launch 'k<<<1, 32>>>'
// EXIT: 1
// STDERR: error[HD0343]: 'weight' has no body: programs that call it can be checked, but not run
// RUN: heddle convert %s --block 32
// STDOUT: float weight(int i) reads();
// STDERR: warning[HD1165]
__device__ float weight(int i);
__global__ void k(float *x) { x[threadIdx.x] = weight(threadIdx.x); }
