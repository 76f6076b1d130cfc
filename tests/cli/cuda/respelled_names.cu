// SPDX-License-Identifier: Apache-2.0
// TEST: a parameter keeps its own name where that is one that the translation calls; conditions may have the other, too
// RUN: heddle check %s --block 64
// STDOUT: fill: unknown (
// STDERR: --assume 'size <= len(data)'
// STDERR-NOT: not declared
// RUN: heddle check %s --block 64 --assume 'size_ % 64 == 0' --assume 'size_ <= len(data)'
// STDOUT: fill: proved
// RUN: heddle check %s --block 64 --assume 'size % 64 == 0 && size <= len(data)'
// STDOUT: fill: proved
// RUN: heddle check %s --block 64 --assume 'data_ > 0'
// STDOUT-NOT: fill: proved
#include <cooperative_groups.h>

const int data_ = 3; // hides no other name

__global__ void fill(int *data, int size)
{
    auto block = cooperative_groups::this_thread_block();
    int i = blockIdx.x * block.size() + threadIdx.x;
    assert(size % block.size() == 0);
    if (i < size)
        data[i] = i;
}
