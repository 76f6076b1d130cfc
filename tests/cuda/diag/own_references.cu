// SPDX-License-Identifier: Apache-2.0
// TEST: a reference that begins as itself, or as one that comes later, ends the search for what a function gives
struct S {
    int v;
    __device__ S &own()
    {
        S &d = d; //~ error HD0358: 'd' has no value yet
        return d;
    }
    __device__ S &later()
    {
        S &a = b; //~ error HD0310: reference
        S &b = a;
        return b;
    }
};
__global__ void owns(int *out)
{
    S s;
    out[0] = s.own().v;
}
__global__ void waits(int *out)
{
    S s;
    out[0] = s.later().v;
}
