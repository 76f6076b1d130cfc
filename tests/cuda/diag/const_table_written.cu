// SPDX-License-Identifier: Apache-2.0
// TEST: const that is cast away from constant memory doesn't make it writable; other kernels live on
__constant__ int table[4];
__global__ void bad(int *x) { ((int *)table)[threadIdx.x] = 1; } //~ error HD0312: 'table' is in constant memory
__global__ void good(int *x) { x[threadIdx.x] = table[0]; }
