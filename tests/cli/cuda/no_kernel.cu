// SPDX-License-Identifier: Apache-2.0
// TEST: a file without kernels is told as such by each command
int main() { return 0; }
// SETUP: : > empty.cu
// RUN: heddle check %s
// EXIT: 0
// STDERR: no_kernel.cu has no kernel, so there is nothing to check (a kernel begins with '__global__ void')
// RUN: heddle check empty.cu
// EXIT: 0
// STDERR: empty.cu has no kernel
// RUN: heddle run %s
// EXIT: 2
// STDERR: no_kernel.cu has no kernel
// RUN: heddle convert empty.cu
// EXIT: 2
// STDERR: empty.cu has no kernel
