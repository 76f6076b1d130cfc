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
  const int &x;
};
struct Packed {
  unsigned a : 3; //~ error HD1150: bit-fields
};
struct Holds {
  int *p;
};
template <class D> struct Curious {
  __device__ int get() const { return static_cast<const D &>(*this).value; }
};
struct Known : Curious<Known> {
  int value;
};
template <class D> __device__ int sliced(Curious<D> c) { return c.get(); } //~ error HD1150: a base whose derived object isn't known here
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
  Refers r = {x[0] + 1}; //~ error HD1150: a member that refers to a temporary object
  x[1] = r.x;
}
__global__ void packs(Packed *p, int *x) { x[0] = p->a; }
__global__ void holds(int *x)
{
  int own[2] = {1, 2};
  Holds near = {own}, far = {x};
  x[0] = near.p[x[1]] + far.p[1];
}
__global__ void keeps_own(int *x)
{
  int own[2] = {1, 2};
  Holds all[2];
  all[0].p = own; //~ error HD0403: a pointer to a thread's own variable can't be stored
  x[0] = all[x[1]].p[0];
}
__global__ void slices(int *x)
{
  Known k;
  k.value = 1;
  x[0] = sliced(k);
}
__global__ void binds(int *x)
{
  int three[3] = {1, 2, 3};
  auto [a, b] = three; //~ error HD1150: a structured binding of this type
  x[0] = a + b;
}
__global__ void ranges(int *x)
{
  for (int v : x) //~ error HD1150: a loop over something other than an array or a class with begin() and end()
    x[0] += v;
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
