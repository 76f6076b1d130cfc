// SPDX-License-Identifier: Apache-2.0
// TEST: thousands of kernels, bases, launches and tokens that end nowhere take time and memory in proportion
// TIMEOUT: 60
// SIZE: large
// SETUP: %python -c "print(''.join('__global__ void k%d(int *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] = i + %d; }\n' % (i, i) for i in range(3000)))" > kernels.cu
// SETUP: %python -c "print('struct A0 { int x; };\n' + ''.join('struct A%d : A%d {};\n' % (i + 1, i) for i in range(20000)) + '__global__ void k(A20000 *p) { p->x = 1; }')" > bases.cu
// SETUP: %python -c "print('__global__ void k(int *p) { p[0] = 1; }\nint main() {' + 'k<<<' * 100000 + '}')" > launches.cu
// SETUP: %python -c "print('__device__ int f() { return 0; }\ntemplate <class A, class... T> __device__ int f(A a, T... t) { return a + f(t...); }\n__global__ void k(int *p) { p[0] = f(' + ', '.join(['1'] * 2000) + '); }')" > pack.cu
// RUN: heddle check --rules-only kernels.cu | wc -l
// STDOUT: 3000
// RUN: heddle run kernels.cu k2999 'p[3]=zeros' n=3 --block 32 --grid 1 --print p
// PRINTS: p = [2999 3000 3001]
// RUN: heddle check --rules-only bases.cu
// STDERR: error[HD0205]: nested more than 256 levels deep
// EXIT: 1
// RUN: heddle check --rules-only launches.cu
// PRINTS: k: ok
// RUN: heddle check --rules-only pack.cu 2>&1 | head -c 3000 | grep -c -E 'error.HD(0205|1161)'
// PRINTS: 1
