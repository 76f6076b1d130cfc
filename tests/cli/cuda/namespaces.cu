// SPDX-License-Identifier: Apache-2.0
// TEST: a kernel is found by as many of its namespaces as tell it from others
// REF: docs/reference/command.md#the-command
// RUN: heddle run %s 'b::fill<int, 3>' 'o[2]=zeros' --grid 1 --block 2 --print o
// PRINTS: o = [3 3]
// RUN: heddle run %s --launch 'a::b::fill<int,3><<<1,2>>>' 'o[2]=zeros' --print o
// PRINTS: o = [3 3]
// RUN: heddle run %s 'fill<int, 3>' 'o[2]=zeros' --grid 1 --block 2
// EXIT: 2
// STDERR-END: kernel 'fill<int, 3>' could be one of: a::b::fill, c::fill
// RUN: heddle run %s 'a::fill<int, 3>' 'o[2]=zeros' --grid 1 --block 2
// EXIT: 2
// STDERR-END: no kernel 'a::fill<int, 3>'; there is: a::b::fill, c::fill, a::b::one, one
// RUN: heddle run %s b::one 'o[1]=zeros' --grid 1 --block 1 --print o
// PRINTS: o = [1]
// RUN: heddle run %s one 'o[1]=zeros' --grid 1 --block 1 --print o
// PRINTS: o = [2]
namespace a
{
namespace b
{
template <typename T, int N> __global__ void fill(T *o)
{
    o[threadIdx.x] = N;
}
} // namespace b
} // namespace a

namespace c
{
template <typename T, int N> __global__ void fill(T *o)
{
    o[threadIdx.x] = -N;
}
} // namespace c

namespace a::b
{
__global__ void one(int *o)
{
    o[0] = 1;
}
} // namespace a::b

__global__ void one(int *o)
{
    o[0] = 2;
}
