// SPDX-License-Identifier: Apache-2.0
// TEST: a variable that is also used through a pointer to it is followed like any other
// REF: docs/internals/passes.md
// check-args: --block 64 --grid 1 --assume '128 <= len(x)'
// check assigned_later: proved
// check of_member: proved
// check of_float: proved
// check in_turns: proved
// check two: bug HD0601 line @two
// check same_place: bug HD0601 line @same_place
struct Pair { int first, second; };

__global__ void assigned_later(int *x)
{
    int a;
    int *p;
    a = 0;
    p = &a;
    *p = threadIdx.x;
    x[*p] = threadIdx.x;
}

__global__ void of_member(int *x)
{
    Pair a;
    int *p;
    a.first = 0;
    a.second = 0;
    p = &a.second;
    *p = threadIdx.x;
    x[a.second + a.first] = threadIdx.x;
}

__global__ void of_float(int *x)
{
    float a;
    float *p;
    a = 0;
    p = &a;
    *p = 1;
    x[threadIdx.x] = a;
}

__global__ void in_turns(int *x)
{
    int a;
    int *p;
    p = &a;
    *p = threadIdx.x;
    for (int i = 0; i < 2; i++) {
        x[*p] = i;
        *p += 64;
    }
}

// Which of them it is depends on the launch.
__global__ void two(int *x, int n)
{
    int a = threadIdx.x, b = threadIdx.x;
    int *p;
    p = n > 3 ? &a : &b;
    *p = n;
    x[a & 127] = threadIdx.x; //@two
}

__global__ void same_place(int *x)
{
    int a;
    int *p;
    a = threadIdx.x;
    p = &a;
    *p = a / 2;
    x[*p] = threadIdx.x; //@same_place
}
