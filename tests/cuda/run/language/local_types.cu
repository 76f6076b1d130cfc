// SPDX-License-Identifier: Apache-2.0
// TEST: types that are declared inside of functions, named or not, with and without variables
__global__ void local_types(const float *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    union {
        float f;
        unsigned u;
    } bits;
    struct {
        int sign, rest;
    } parts;
    struct Pair {
        int a, b;
        __device__ int sum() const { return a + b; }
    };
    enum { SHIFT = 31 };
    enum Kind { EVEN, ODD } kind = i % 2 ? ODD : EVEN;
    bits.f = x[i];
    parts.sign = bits.u >> SHIFT;
    parts.rest = bits.u & 0x7fffffff;
    Pair pair = {parts.sign, kind == ODD ? 2 : 4};
    y[i] = pair.sum() + (parts.rest >> 30);
}
// Each instance of a template has types of its own.
template <class T> __device__ void flip(T *x)
{
    __shared__ struct {
        T low[2], high;
    } kept;
    struct Pair {
        T a, b;
    } pair;
    union {
        T number;
        unsigned char bytes[sizeof(T)];
    } parts;
    pair.a = x[0];
    pair.b = x[1];
    T *second = &pair.b;
    kept.low[0] = *second;
    T *low = kept.low;
    parts.number = low[0];
    x[0] = parts.number;
    x[1] = pair.a + parts.bytes[0];
}
__global__ void instances(int *x, double *y, short *z)
{
    flip(x);
    flip(y);
    flip(z);
    flip(x + 2);
}
// LAUNCH: instances x[4]=iota y[2]=iota z[2]=iota --grid 1 --block 1
// OUT: x = [1, 1, 3, 5]
// OUT: y = [1, 0]
// OUT: z = [1, 1]
// LAUNCH: local_types x[100]=random:7 y[100]=zeros n=100 --grid 2 --block 64
// OUT: y = (in_x.view(np.uint32) >> 31).astype(np.int32) + np.where(np.arange(100) % 2, 2, 4) + ((in_x.view(np.uint32) & 0x7fffffff) >> 30).astype(np.int32)
