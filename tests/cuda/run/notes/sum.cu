// SPDX-License-Identifier: Apache-2.0
// TEST: a function that a whole block calls, its group handed over by reference
#include <cooperative_groups.h>
using namespace cooperative_groups;

__device__ int sum(const thread_block& g, int *x, int n) {
    __shared__ int total;
    if (g.thread_rank() == 0)
        total = 0;
    g.sync();
    for (int i = g.thread_rank(); i < n; i += g.num_threads())
        atomicAdd(&total, x[i]);
    g.sync();
    return total;
}

__global__ void parallel_kernel(int *x, int n, int *y) {
    // Entire thread block must call sum
    thread_block tb = this_thread_block();
    int all = sum(tb, x, n);
    y[tb.thread_rank()] = all - (int)tb.thread_rank();
}
// LAUNCH: x[1000]=iota n=1000 y[96]=zeros --block 96 --grid 1
// OUT: y = in_x.sum() - np.arange(96)
// LAUNCH: x[1]=full:7 n=1 y[64]=zeros --block 64 --grid 1
// OUT: y = 7 - np.arange(64)
