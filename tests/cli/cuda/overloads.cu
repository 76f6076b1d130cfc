// SPDX-License-Identifier: Apache-2.0
// TEST: kernels of one name are told apart by their parameters, templates by what their arguments fit
__device__ void unused(int) {}

__global__ void put(int *x) { (void)unused; x[0] = 1; }
__global__ void put(float *x, int n) { x[0] = n; }

namespace ns {
__global__ void only(double *x) { x[0] = 3; }
}

template <class T, int N> __global__ void fill(T *x) { x[0] = N; }
template <int N> __global__ void fill(float *x) { x[0] = -N; }
template __global__ void fill<int, 4>(int *);
template __global__ void fill<5>(float *);
// RUN: heddle check %s --rules-only
// STDOUT: put(int *): ok
// STDOUT: put(float *, int): ok
// STDOUT: ns::only: ok
// STDOUT: fill<int, 4>: ok
// STDOUT: fill<5>: ok
// RUN: heddle run %s 'put(int*)' 'x[1]=zeros' --grid 1 --block 1 --print x
// STDOUT: x = [1]
// RUN: heddle run %s 'put( float *,int )' 'x[1]=zeros' n=2 --grid 1 --block 1 --print x
// STDOUT: x = [2]
// RUN: heddle run %s 'fill<int, 4>' 'x[1]=zeros' --grid 1 --block 1 --print x
// STDOUT: x = [4]
// RUN: heddle run %s 'fill<5>' 'x[1]=zeros' --grid 1 --block 1 --print x
// STDOUT: x = [-5]
// RUN: heddle run %s put 'x[1]=zeros' --grid 1
// EXIT: 2
// STDERR-END: kernel 'put' could be one of: put(int *), put(float *, int)
