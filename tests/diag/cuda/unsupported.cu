// SPDX-License-Identifier: Apache-2.0
// TEST: what kernels can't have is told at its place; other kernels are right
// REF: docs/errors/HD1150.md
__global__ void jumps(float *x)
{
again:
  x[0] += 1;
  if (x[0] < 10)
    goto again; //~ error HD1150: 'goto'
}
__global__ void keeps(int *x)
{
  static int n = 0; //~ error HD1150: 'static' variables
  x[0] = n++;
}
__global__ void right(int *x) { x[threadIdx.x] = 1; }

struct Guard {
  int *p;
  __device__ Guard(int *p) : p(p) {}
  __device__ ~Guard() { *p = 1; }
};
struct Fine {
  int x;
  __device__ ~Fine() {}
};
struct Refers {
  int &x; //~ error HD1150: members that are references
};
__device__ int (*pick)(int);
__device__ int fib(int n)
{
  return n < 2 ? n : fib(n - 1) + fib(n - 2); //~ error HD0337: 'fib' calls itself
}

__global__ void ends(int *x)
{
  Guard guard(x); //~ error HD1150: objects whose destructor does something
  Fine fine;
  fine.x = 1;
  x[1] = fine.x;
}
__global__ void refers(int *x)
{
  Refers r = {x[0]};
  x[1] = r.x;
}
__global__ void captures(int *x)
{
  int t[3] = {1, 2, 3};
  auto f = [=]() { return t[1]; }; //~ error HD1150: capturing an array by value
  x[0] = f();
}
__global__ void points(int *x) { x[0] = pick(x[1]); } //~ error HD1150: calls through function pointers
__global__ void recurs(int *x) { x[0] = fib(x[1]); } //~ label: 'fib' is called here
__global__ void makes(int *x)
{
  int *p = new int; //~ error HD1150: 'new'
  x[0] = *p;
}
template <int N> struct Endless {
  static const int value = Endless<N>::value + 1; //~ error HD0358: 'value' has no value yet
};
__global__ void endless(int *x) { x[0] = Endless<3>::value; }
