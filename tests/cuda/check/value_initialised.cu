// SPDX-License-Identifier: Apache-2.0
// TEST: a class whose constructor is defaulted is zeros where braces ask for them
// check-args: --block 32 --grid 1 --assume '32 <= len(out)'
struct Number {
    int x;
    Number() = default;
    __device__ Number(int v) : x(v) {}
};
// check braces: proved
__global__ void braces(int *out)
{
    Number a = {}, b{}, c = Number();
    out[threadIdx.x] = a.x + b.x + c.x;
}
