// SPDX-License-Identifier: Apache-2.0
// TEST: an instance of a template reads the enumerator of the same name in another one
template <int N> struct Bits { enum { VALUE = Bits<N / 2>::VALUE + 1 }; };
template <> struct Bits<0> { enum { VALUE = 0 }; };
__global__ void of_instances(int *y)
{
    y[threadIdx.x] = threadIdx.x ? Bits<255>::VALUE : Bits<64>::VALUE;
}
// LAUNCH: y[2]=zeros --block 2 --grid 1
// OUT: y = [7, 8]
