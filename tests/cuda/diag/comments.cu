// SPDX-License-Identifier: Apache-2.0
// TEST: a mistake in a comment for Heddle is one error; a kernel of an enumeration's value is named by it
// heddle: requires n <= = 4
//~^ error HD0201: expected an expression, found '='
__global__ void told(int *x, int n)
{
    x[n] = 1;
}

enum class Mode { slow, fast = 5 };
template <Mode M> __global__ void moded(int *x)
{
    x[0] = gone; //~ error HD0301: 'gone' is not declared
}
template __global__ void moded<Mode::fast>(int *);
