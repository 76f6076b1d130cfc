// SPDX-License-Identifier: Apache-2.0
// TEST: classes that hold themselves, members that need each other without an end: one error each
struct Own
{
    Own inside; //~ error HD0305: 'Own' is incomplete here
};
struct Second;
struct First
{
    Second second[2]; //~ error HD0305: 'Second' is incomplete here
};
struct Second
{
    First first;
};
template <int N> struct Endless
{
    static const int value = Endless<N - 1>::value + 1; //~ error HD0205: nested more than 256 levels deep
};
struct List
{
    List *next;
    static int n(List *x) { return x->next ? 1 : 0; }
};

__global__ void own(int *x)
{
    Own a;
    x[0] = sizeof(a);
}

__global__ void both(int *x)
{
    Second a;
    x[0] = sizeof(a);
}

__global__ void endless(int *x) { x[0] = Endless<3>::value; }

__global__ void list(int *x) { x[threadIdx.x] = sizeof(List); }
