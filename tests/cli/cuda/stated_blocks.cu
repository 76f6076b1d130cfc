// SPDX-License-Identifier: Apache-2.0
// TEST: conditions on blockDim choose the guessed block, and aren't said to add nothing; the run has that block, too
// RUN: heddle check %s
// STDOUT: equal: proved (3 obligations
// STDOUT: blocks of 96 threads, a guess
// STDERR-NOT: HD0691
// STDERR-NOT: HD0692
// RUN: heddle run %s equal 'x[96]=zeros' --grid 1
// STDERR: blocks of 96 x 1 x 1 threads are a guess
__global__ void equal(float *x)
{
    __requires(blockDim.x % 48 == 0 && blockDim.x < 100 && 96 <= len(x));
    x[threadIdx.x] = 1;
}
