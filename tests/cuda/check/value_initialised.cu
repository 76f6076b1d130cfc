// SPDX-License-Identifier: Apache-2.0
// TEST: a class whose constructor is defaulted is zeros where braces ask for them, and unset where nothing does
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
// check declared: bug HD0603
__global__ void declared(int *out)
{
    Number a;
    out[threadIdx.x] = a.x;
}
// check assigned: proved
__global__ void assigned(int *out)
{
    Number a;
    a.x = threadIdx.x;
    out[threadIdx.x] = a.x;
}
struct Holder {
    Number inside;
    __device__ Holder() {}
};
struct Zeroed {
    Number inside;
    __device__ Zeroed() : inside() {}
};
// check of_member: bug HD0603
__global__ void of_member(int *out)
{
    Holder h;
    out[threadIdx.x] = h.inside.x;
}
// check of_named_member: proved
__global__ void of_named_member(int *out)
{
    Zeroed z;
    out[threadIdx.x] = z.inside.x;
}
