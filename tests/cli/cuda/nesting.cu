// SPDX-License-Identifier: Apache-2.0
// TEST: a kernel that lies too deep is told, not left out; no other command finds it either
// SETUP: %python -c "print('namespace a { ' * 100000 + '__global__ void k(int *x) { x[0] = 1; }' + '}' * 100000)" > spaces.cu
// SETUP: %python -c "print('__global__ void k(int ' + '*' * 100000 + 'x) {}')" > stars.cu
// RUN: heddle check spaces.cu
// EXIT: 1
// STDERR: error[HD0205]: nested more than 256 levels deep
// STDERR-NOT: has no kernel
// RUN: heddle check stars.cu
// EXIT: 1
// STDERR: error[HD0205]: nested more than 256 levels deep
// STDERR-NOT: has no kernel
// RUN: heddle run stars.cu k
// EXIT: 1
// STDERR: error[HD0205]: nested more than 256 levels deep
