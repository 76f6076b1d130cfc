// SPDX-License-Identifier: Apache-2.0
// TEST: members that CUDA puts into the padding of a base are told where the size shows
struct Plain {
    int x;
    char c;
};
struct OnPlain : Plain {
    char d;
};
struct OnBoth : OnPlain {
    char e;
};
struct Filled {
    int x;
    char c = 3;
};
struct OnFilled : Filled {
    char d;
};
struct OnWord : Filled {
    int d;
};
struct Own {
    int n = 4;
    int twice = n * 2; //~ error HD1150: a member's initialiser that uses the object
};

__global__ void plain(OnPlain *p) { p[0].d = sizeof(OnPlain); }
__global__ void both(OnBoth *p) { p[0].e = 1; } //~ error HD1150: the size of a class with members in the padding of its base
__global__ void filled(OnFilled p, char *out) { out[0] = p.d; } //~ error HD1150: the size of a class with members in the padding
__global__ void inside(char *out)
{
    OnFilled here;
    here.d = out[0];
    out[1] = here.d;
}
__global__ void asked(int *out) { out[0] = sizeof(OnFilled); } //~ error HD1150: the size of a class with members in the padding
__global__ void word(OnWord *p) { p[0].d = sizeof(OnWord); }
__global__ void own(int *out)
{
    Own o{};
    out[0] = o.twice;
}

// offsetof
struct Here {
    int first, all[4];
};
__global__ void offset_of_nothing(int *y)
{
    y[0] = __builtin_offsetof(Here, second); //~ error HD0317: has no member 'second'
}
__global__ void offset_in_number(int *y)
{
    y[0] = __builtin_offsetof(Here, first.x); //~ error HD0317: has no member 'x'
}
__global__ void offset_that_varies(int *y)
{
    y[0] = __builtin_offsetof(Here, all[threadIdx.x]); //~ error HD0314: this index must be constant
}
