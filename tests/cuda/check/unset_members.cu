// TEST: members, bases and elements of arrays that no default and no constructor gives values stay unset
// REF: docs/errors/HD0603.md
// check-args: --block 64 --grid 1 --assume '64 <= len(out)'
struct some {
    int a = 1;
    int b;
};
struct defaulted {
    int a;
    defaulted() = default;
    int b = 2;
};
struct derived : some {
    int x;
};
struct holder {
    some s;
    int x;
};
struct outer {
    holder h;
    int x = 4;
};
struct of_array {
    some s[3];
    int n = 0;
};
struct made {
    some s;
    int x;
    __device__ made() : x(3) {}
};
struct made_derived : some {
    int x;
    __device__ made_derived() : x(3) {}
};
struct made_whole {
    some s;
    int x;
    __device__ made_whole() : s(), x(3) {}
};
struct own {
    int a, b;
    __device__ own() : a(1) {}
};
struct of_own {
    own o[2];
    int x = 1;
};

// check array: bug HD0603 line @array 's' is read before it has a value
__global__ void array(int *out)
{
    some s[3];
    out[threadIdx.x] = s[threadIdx.x % 3].b; //@array
}
// check array_set: proved
__global__ void array_set(int *out)
{
    some s[3];
    out[threadIdx.x] = s[threadIdx.x % 3].a;
}
// check array_defaulted: bug HD0603 line @array_defaulted
__global__ void array_defaulted(int *out)
{
    defaulted s[2][2];
    out[threadIdx.x] = s[1][threadIdx.x % 2].a; //@array_defaulted
}
// check long_array: bug HD0603 line @long_array
__global__ void long_array(int *out)
{
    some s[40];
    out[threadIdx.x] = s[threadIdx.x % 40].b; //@long_array
}
// check long_array_set: proved
__global__ void long_array_set(int *out)
{
    some s[40];
    out[threadIdx.x] = s[threadIdx.x % 40].a;
}
// check base: bug HD0603 line @base 's.base.b' is read before it has a value
__global__ void base(int *out)
{
    derived s;
    out[threadIdx.x] = s.b; //@base
}
// check base_set: proved
__global__ void base_set(int *out)
{
    derived s;
    out[threadIdx.x] = s.a;
}
// check member: bug HD0603 line @member 's.s.b' is read before it has a value
__global__ void member(int *out)
{
    holder s;
    out[threadIdx.x] = s.s.b; //@member
}
// check member_set: proved
__global__ void member_set(int *out)
{
    holder s;
    out[threadIdx.x] = s.s.a;
}
// check deeper: bug HD0603 line @deeper 's.h.s.b' is read before it has a value
__global__ void deeper(int *out)
{
    outer s;
    out[threadIdx.x] = s.h.s.b; //@deeper
}
// check deeper_beside: bug HD0603 line @deeper_beside 's.h.x' is read before it has a value
__global__ void deeper_beside(int *out)
{
    outer s;
    out[threadIdx.x] = s.h.x; //@deeper_beside
}
// check deeper_set: proved
__global__ void deeper_set(int *out)
{
    outer s;
    out[threadIdx.x] = s.h.s.a + s.x;
}
// check array_in_member: bug HD0603 line @array_in_member
__global__ void array_in_member(int *out)
{
    of_array s;
    out[threadIdx.x] = s.s[threadIdx.x % 3].b; //@array_in_member
}
// check array_in_member_set: proved
__global__ void array_in_member_set(int *out)
{
    of_array s;
    out[threadIdx.x] = s.s[threadIdx.x % 3].a + s.n;
}
// check constructed: bug HD0603 line @constructed
__global__ void constructed(int *out)
{
    made s;
    out[threadIdx.x] = s.s.b; //@constructed
}
// check constructed_set: proved
__global__ void constructed_set(int *out)
{
    made s;
    out[threadIdx.x] = s.s.a + s.x;
}
// check constructed_base: bug HD0603 line @constructed_base
__global__ void constructed_base(int *out)
{
    made_derived s;
    out[threadIdx.x] = s.b; //@constructed_base
}
// `s()` makes zeros first.
// check constructed_whole: proved
__global__ void constructed_whole(int *out)
{
    made_whole s;
    out[threadIdx.x] = s.s.b + s.x;
}
// check constructor_in_array: bug HD0603 line @constructor_in_array
__global__ void constructor_in_array(int *out)
{
    of_own s;
    out[threadIdx.x] = s.o[1].b; //@constructor_in_array
}
// check constructor_in_array_set: proved
__global__ void constructor_in_array_set(int *out)
{
    of_own s;
    out[threadIdx.x] = s.o[1].a + s.x;
}
// So do empty braces.
// check braces: proved
__global__ void braces(int *out)
{
    some s[3] = {}, t{}, u = some();
    holder h = {};
    outer o{};
    of_array a{};
    out[threadIdx.x] =
        s[2].b + t.b + u.b + h.s.b + h.x + o.h.s.b + o.h.x + a.s[1].b;
}
