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
// Members that a default or a constructor of theirs makes, beside others.
struct Some {
    int x;
    int y = 3;
};
struct SomeDefaulted {
    int x;
    int y = 3;
    SomeDefaulted() = default;
    __device__ SomeDefaulted(int v) : x(v) {}
};
struct Made {
    int v;
    __device__ Made() : v(7) {}
};
struct Around {
    int x;
    Made made;
};
// check some_unset: bug HD0603 line @some 'd.x' is read before it has a value
__global__ void some_unset(int *out)
{
    Some d;
    out[threadIdx.x] = d.x; //@some
}
// check some_set: proved
__global__ void some_set(int *out)
{
    Some d, e{}, f{1};
    d.x = 1;
    out[threadIdx.x] = d.x + d.y + e.x + f.y;
}
// check defaulted_unset: bug HD0603 line @defaulted
__global__ void defaulted_unset(int *out)
{
    SomeDefaulted d;
    out[threadIdx.x] = d.x; //@defaulted
}
// check defaulted_set: proved
__global__ void defaulted_set(int *out)
{
    SomeDefaulted d, e{}, f(2);
    out[threadIdx.x] = d.y + e.x + f.x;
}
// check around_unset: bug HD0603 line @around
__global__ void around_unset(int *out)
{
    Around d;
    out[threadIdx.x] = d.x; //@around
}
// check around_set: proved
__global__ void around_set(int *out)
{
    Around d;
    out[threadIdx.x] = d.made.v;
}
