// SPDX-License-Identifier: Apache-2.0
// TEST: calls that fit no function, or several, are told at their place
// REF: docs/errors/HD1155.md
struct Vec {
  float x;
  __device__ float length() const { return x; }
};
template <class T, int N> __device__ T times(T x) { return x * N; }
template <int N, int M> struct Pair { int n[N * M]; };
__device__ float mix(float a, int b) { return a * b; }
__device__ float mix(int a, float b) { return a + b; }
__device__ float far(int i);
__device__ void filled(float *x, int i);
__device__ const float *found(int i);
float scale = 2;

__global__ void two(float *x) { x[0] = mix(1, 2); }            //~ error HD1156: (int, int) is ambiguous
__global__ void none(float *x) { x[0] = mix(x, x); }           //~ error HD1155: no 'mix' takes (float *, float *)
__global__ void kind(float *x) { x[0] = times<float, float>(x[0]); } //~ error HD1155: no 'times' takes (float)
__global__ void object(float *x) { x[0] = Vec::length(); }     //~ error HD1157: it needs an object
__global__ void body(float *x) { x[0] = far(1); }              //~ warning HD1165: 'far' is not defined in this file
__global__ void fills(float *x) { filled(x, 1); }              //~ error HD1158: 'filled' is called
__global__ void finds(float *x) { x[0] = *found(1); }          //~ error HD1158: 'found' is called
__global__ void host(float *x) { x[0] = scale; }               //~ error HD1159: 'scale' is a host variable: a kernel can't use it
__global__ void missing(int *x) { Pair<3> p; x[0] = p.n[0]; }  //~ error HD1154: 'M' can't be deduced
__global__ void wrong(int *x) { Pair<3, float> p; x[0] = 1; }  //~ error HD1153: 'M' needs a value
__global__ untyped(float *x) { x[0] = 1; } //~ error HD0201: expected the type of the result, found 'untyped'
