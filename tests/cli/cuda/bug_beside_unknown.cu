// SPDX-License-Identifier: Apache-2.0
// TEST: a bug is told where something else at its place, under its code, isn't proved
// RUN: heddle check %s --block 64
// EXIT: 1
// STDOUT: chain: bug (1 bug,
// STDERR: error[HD0601]: data race on global array 'sums'
// STDERR: nothing orders threads of different blocks
// STDERR: warning[HD0601]: 'sums' may have a data race here
// RUN: heddle check %s --block 64 --json
// EXIT: 1
// STDOUT: "severity":"error"
// STDOUT: data race on global array 'sums'

// Nothing orders the read behind the loop: the fence is missing.
__global__ void chain(int *flags, float *sums, unsigned *counter)
{
    __shared__ unsigned first;
    if (threadIdx.x == 0)
        first = atomicAdd(counter, 1);
    __syncthreads();
    unsigned id = first;
    if (threadIdx.x == 0) {
        float before = 0;
        if (id > 0) {
            while (atomicAdd(&flags[id], 0) == 0) {
            }
            before = sums[id];
        }
        sums[id + 1] = before + 1;
        __threadfence();
        atomicAdd(&flags[id + 1], 1);
    }
}
