// SPDX-License-Identifier: Apache-2.0
// TEST: a name that nobody declares is an error wherever it stands, and the kernel isn't judged without it
__global__ void a(int *x) { x[0] = sizeof(nope); }              //~ error HD0301: 'nope' is not declared
__global__ void b(int *x) { decltype(nope) y = 3; x[0] = y; }   //~ error HD0301: 'nope' is not declared
__global__ void c(int *x) { if (sizeof(nope) == 4) x[threadIdx.x + 100000] = 1; } //~ error HD0301: 'nope' is not declared
__global__ void d(int *x) { x[0] = sizeof(nope[1]); }            //~ error HD0301: 'nope' is not declared
__global__ void e(int *x) { return nope; x[0] = 1; }            //~ error HD0301: 'nope' is not declared
__global__ void f(int *x) { int y[sizeof(nope)]; x[0] = 1; }    //~ error HD0301: 'nope' is not declared
__global__ void g(int *x) { using T = decltype(nope); T t; x[0] = 1; } //~ error HD0301: 'nope' is not declared
__global__ void h(int *x) { (void)sizeof(nope); x[0] = 1; }     //~ error HD0301: 'nope' is not declared
__global__ void i(int *x) { x[0] = sizeof(a); }                 //~ error HD1150: a function as a value

__device__ int same(int a) { return a; }

__global__ void passed(int *x)
{
    printf("%d\n", passed_name);      //~ error HD0301: 'passed_name' is not declared
    atomicAdd(&x[0], added_name);     //~ error HD0301: 'added_name' is not declared
    x[1] = same(called_name);         //~ error HD0301: 'called_name' is not declared
}
