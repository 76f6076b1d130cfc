// SPDX-License-Identifier: Apache-2.0
// TEST: kernels beside one whose declaration isn't understood are run, judged and converted
// REF: docs/reference/cuda.md#unsupported-features
// RUN: heddle run %s right y[4]=zeros --block 4 --grid 1 --print y
// PRINTS: y = [0 3 6 9]
// RUN: heddle check %s right --grid 1 --block 64
// STDOUT: right: proved
// RUN: heddle check %s --grid 1 --block 64
// EXIT: 1
// STDOUT: lost: unknown
// STDOUT: right: proved
// STDOUT: wrong: bug
// STDOUT: inner::lost: unknown
// STDERR: beside_lost.cu:25:29
// STDERR: beside_lost.cu:41:46
// RUN: heddle convert %s
// EXIT: 1
// STDOUT: kernel void right(
// STDOUT: kernel void wrong(
// STDERR: kernels with errors are left out
// RUN: heddle run %s lost y[4]=zeros
// EXIT: 1
// STDERR: error[HD0201]: expected the type of a parameter, found '1444'
// STDERR-NOT: beside_lost.cu:41
__global__ void lost(int x, 1444 *y) { y[0] = x; }

__global__ void right(int *y)
{
    __requires(len(y) == blockDim.x);
    y[threadIdx.x] = 3 * threadIdx.x;
}

__global__ void wrong(int *y)
{
    __requires(len(y) == blockDim.x);
    y[threadIdx.x / 2] = threadIdx.x;
}

namespace inner {
// not the file's first
template <int N> __global__ void lost(int x, 1444 *y) { y[0] = N; }
}
