// SPDX-License-Identifier: Apache-2.0
// TEST: numbers and counts of hardware barriers that PTX refuses, or that are counted together
// REF: docs/errors/HD1162.md
__global__ void __launch_bounds__(128) half_warp() { asm volatile("bar.sync 1, 48;"); } //~ error HD1162: 'bar.sync' of barrier 1: PTX counts whole warps: the number of threads is a multiple of 32, above 0
__global__ void __launch_bounds__(128) none() { asm volatile("bar.sync 1, 0;"); } //~ error HD1162: a multiple of 32, above 0
__global__ void __launch_bounds__(128) negative() { asm volatile("bar.sync 1, %0;" ::"n"(-32)); } //~ error HD1162: a multiple of 32, above 0
__global__ void __launch_bounds__(128) seventeen() { asm volatile("bar.sync 17, 64;"); } //~ error HD1162: 'bar.sync' of barrier 17: a block has the barriers 0 to 15
__global__ void __launch_bounds__(128) sixteen() { asm volatile("barrier.cta.sync 16, 64;"); } //~ error HD1162: 'barrier.cta.sync' of barrier 16: a block has the barriers 0 to 15
__global__ void __launch_bounds__(128) unaligned() { asm volatile("barrier.sync 1, 33;"); } //~ error HD1162: 'barrier.sync' of barrier 1: PTX counts whole warps
__global__ void __launch_bounds__(128) arrives() { asm volatile("bar.arrive 1, 100;"); } //~ error HD1162: 'bar.arrive' of barrier 1: PTX counts whole warps
__global__ void __launch_bounds__(128) arrives_at_none() { asm volatile("barrier.arrive -1, 64;"); } //~ error HD1162: a block has the barriers 0 to 15
__global__ void __launch_bounds__(128) uncounted() { asm volatile("bar.arrive 1;"); } //~ error HD1162: 'bar.arrive' of barrier 1: an arrival needs the number of threads
__global__ void __launch_bounds__(128) reduced(int *y) { asm volatile("{ .reg .pred p; bar.red.or.pred p, 1, 48, p; }"); } //~ error HD1150: 'bar.red.or.pred'

__global__ void __launch_bounds__(128) of_block(const int *x, int *y)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = x[t];
    if (t < 64)
        asm volatile("bar.sync 0, 64;" ::: "memory"); //~ error HD1162: 'bar.sync' of barrier 0: __syncthreads() uses it for all threads of the block, 128 here: use one of 1 to 15
    __syncthreads();
    y[t] = s[127 - t];
}
__global__ void __launch_bounds__(128) arrives_at_block()
{
    if (threadIdx.x < 64)
        asm volatile("bar.arrive 0, 128;"); //~ error HD1162: 'bar.arrive' of barrier 0: __syncthreads() uses it: arrive on one of 1 to 15
    else
        asm volatile("bar.sync 0, 128;");
}

__global__ void __launch_bounds__(128) at_once()
{
    if (threadIdx.x < 64)
        asm volatile("bar.sync 1, 64;");
    asm volatile("bar.sync 1, 128;"); //~ error HD1162: 'bar.sync' of barrier 1: it is used with another number of threads, too: then all threads must wait there, and the block must sync in the body of the kernel between the two
}
__global__ void __launch_bounds__(128) again(int n)
{
    for (int i = 0; i < n; i++) {
        if (threadIdx.x < 64)
            asm volatile("bar.sync 1, 64;");
        __syncthreads();
        asm volatile("bar.sync 1, 128;"); //~ error HD1162: it is used with another number of threads, too
    }
}
__global__ void __launch_bounds__(128) perhaps(int n)
{
    if (threadIdx.x < 64)
        asm volatile("bar.sync 1, 64;");
    if (n > 1)
        __syncthreads();
    asm volatile("bar.sync 1, 128;"); //~ error HD1162: it is used with another number of threads, too
}
__global__ void __launch_bounds__(128) left_over()
{
    if (threadIdx.x < 64)
        asm volatile("bar.arrive 1, 128;");
    __syncthreads();
    if (threadIdx.x < 64)
        asm volatile("bar.sync 1, 64;"); //~ error HD1162: it is used with another number of threads, too
}
__device__ void pair() { asm volatile("bar.sync 1, 64;"); }
__global__ void __launch_bounds__(128) called()
{
    if (threadIdx.x < 64)
        pair();
    __syncthreads();
    asm volatile("bar.sync 1, 128;"); //~ error HD1162: it is used with another number of threads, too
    if (threadIdx.x < 64)
        pair();
}
__global__ void __launch_bounds__(128) numbers(int id)
{
    if (threadIdx.x < 64)
        asm volatile("bar.sync 1, 64;");
    else
        asm volatile("bar.sync %0, 64;" ::"r"(id)); //~ error HD1162: 'bar.sync' of barrier ?: it is used with constant numbers and others, or with several counts: give each barrier a constant number
}
