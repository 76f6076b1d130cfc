// SPDX-License-Identifier: Apache-2.0
// TEST: a function that a whole block calls is proved with the sizes of a launch
// check-args: --block 96 --grid 1 --assume n<=len(x) --assume len(y)==96
// check: proved
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
