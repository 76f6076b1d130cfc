// SPDX-License-Identifier: Apache-2.0
// TEST: a launch in a template whose pack has arguments of unknown types is no launch, and ends nothing
// check each: unknown HD0690 a template that the file never launches with constant arguments
// check other: proved
template <class... A> __global__ void each(A... a) {}
template <class... A> void apply(A... a) { each<<<1, 32>>>(a...); }
template <class T, class... A> void second(T t, A... a) { each<<<1, 32>>>(t, a...); }
__global__ void other() {}
void go(bool b)
{
    apply(b ? nope() : nullptr);
    apply(1, nope());
    second(1, nope(), 2);
}
