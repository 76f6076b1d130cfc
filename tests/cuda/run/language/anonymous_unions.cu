// SPDX-License-Identifier: Apache-2.0
// TEST: members of a union without a name are names of the block that it stands in
__device__ float2 parts(unsigned short u)
{
    union {
        signed char int8[2];
        short int16;
    };
    int16 = u;
    return make_float2(int8[0], int8[1]);
}
__global__ void bits(const float *x, float2 *y, unsigned *u)
{
    int i = threadIdx.x;
    y[i] = parts(258 + i);
    union {
        float f;
        unsigned all;
        struct {
            unsigned short low, high;
        };
    };
    f = x[i];
    u[i] = all;
    high ^= 0x8000;
    u[32 + i] = all;
    for (int k = 0; k < 2; k++) {
        union { int a; float f; };
        a = k;
        u[64 + i] = a;
    }
    low = 0;
    u[96 + i] = __float_as_uint(f);
}
// LAUNCH: bits x[32]=random:3 y[32]=zeros u[128]=zeros --grid 1 --block 32
// PY: b = lambda x: x.view(np.uint32)
// OUT: y = np.stack([2 + np.arange(32), np.ones(32)], 1)
// OUT: u = np.concatenate([b(in_x), b(-in_x), np.ones(32), b(-in_x) & 0xffff0000])
