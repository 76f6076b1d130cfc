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
// LAUNCH: local_types x[100]=random:7 y[100]=zeros n=100 --grid 2 --block 64
// OUT: y = (in_x.view(np.uint32) >> 31).astype(np.int32) + np.where(np.arange(100) % 2, 2, 4) + ((in_x.view(np.uint32) & 0x7fffffff) >> 30).astype(np.int32)
