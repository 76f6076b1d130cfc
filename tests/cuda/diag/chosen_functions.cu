// TEST: a choice of functions that only a run knows may be called, and nothing else
// REF: docs/reference/cuda.md
typedef int (*fn)(int);
__device__ int f(int x) { return x + 1; }
__device__ int g(int x) { return x * 2; }
__device__ int call(fn p, int x) { return p(x); }
struct S {
    fn p;
};
__device__ fn give(int n)
{
    return n > 1 ? f : g;                //~ error HD1150: a choice of functions at run time
}
__global__ void passed(int *y, int n)
{
    fn p = n > 4 ? f : g;
    y[0] = call(p, 3);                   //~ error HD1150: a choice of functions as a value
    y[1] = call(n > 4 ? f : g, 3);       //~ error HD1150: a choice of functions at run time
}
__global__ void changed(int *y, int n)
{
    fn p = n > 4 ? f : g;
    p = f;                               //~ error HD1150: a choice of functions as a value
                                         //~^ error HD1150: a function as a value
    y[0] = p(1);
}
__global__ void given(int *y, int n)
{
    fn p = give(n);
    y[0] = p(1);                         //~ error HD1150: calls through function pointers
}
__global__ void kept(int *y, int n)
{
    S s = {n > 3 ? f : g};               //~ error HD1150: a choice of functions at run time
    y[0] = s.p(1);                       //~ error HD1150: calls through function pointers
    static fn r = n ? f : g;             //~ error HD1150: a choice of functions at run time
                                         //~^ error HD1150: 'static' variables in functions
    y[1] = r(1);
}
__global__ void perhaps(int *y, int n)
{
    fn p = n > 4 ? f : nullptr;          //~ error HD1150: a function as a value
    y[0] = p(1);                         //~ error HD1150: calls through function pointers
}
