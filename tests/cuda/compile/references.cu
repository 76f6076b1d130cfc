// SPDX-License-Identifier: Apache-2.0
// MODE: compile
// TEST: references are names for places that stay the same, else pointers; results by reference stand at the call
template <class T, int N> struct Row {
    T v[N];
    __device__ T &operator[](int i) { return v[i]; }
    __device__ const T &operator[](int i) const { return v[i]; }
};
__device__ void swap(float *&a, float *&b)
{
    float *t = a;
    a = b;
    b = t;
}
__device__ void twice(float &v) { v *= 2; }
__device__ int &larger(int &a, int &b) { return a > b ? a : b; }

__global__ void references(float *x, int i)
{
    Row<float, 4> row;
    float &first = row[0];
    first = 1;
    float &slot = x[i];
    slot = row[i] + first;
    twice(slot);
    __shared__ float s[2][32];
    float *in = s[0], *out = s[1];
    swap(in, out);
    int a = 1, b = i;
    larger(a, b) = 7;
    out[a] = in[b];
}
// DUMP: references --stage ast
// STDOUT:   row.v[0] = 1;
// STDOUT:   float *slot = &x[i];
// STDOUT:   (*slot) = (row.v[i] + row.v[0]);
// STDOUT:   twice(slot);
// STDOUT:     float *t = in;
// STDOUT:     in = out;
// STDOUT:     out = t;
// STDOUT:   (*((a > b) ? (&a) : (&b))) = 7;
