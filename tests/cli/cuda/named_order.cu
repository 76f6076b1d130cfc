// TEST: two named barriers in opposite order: the chain goes from one to the other and back
// REF: docs/errors/HD1033.md
// RUN: heddle check %s --block 64
// EXIT: 1
// STDERR: named_order.cu:13:9: threads 0 to 31 wait for phase 0 of
// STDERR: named_order.cu:17:9: <- needs 'arrive' by threads 32 to 63
// STDERR: named_order.cu:16:9: <- only after the wait for phase 0 of
// STDERR: named_order.cu:14:9: <- needs 'arrive' by threads 0 to 31
// STDERR: a cycle
__global__ void crossed(int *y)
{
    if (threadIdx.x < 32) {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        asm volatile("bar.sync 2, 64;" ::: "memory");
    } else {
        asm volatile("bar.sync 2, 64;" ::: "memory");
        asm volatile("bar.sync 1, 64;" ::: "memory");
    }
    y[threadIdx.x] = 1;
}
