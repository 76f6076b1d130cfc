// SPDX-License-Identifier: Apache-2.0
// TEST: make_ functions of all vector types, one to four elements
#define ALL(name)                                    \
    {                                                \
        auto a = make_##name##1(i);                  \
        auto b = make_##name##2(i, 2);               \
        auto c = make_##name##3(i, 2, 3);            \
        auto d = make_##name##4(i, 2, 3, 4);         \
        out[k++ * n + i] = (int)(a.x + b.x + b.y * 10 + c.z * 100 + c.y + d.w * 1000 + d.x + d.y + d.z); \
        sizes[k - 1] = (int)(sizeof(a) + 100 * sizeof(b) + 10000 * sizeof(c) + 1000000 * sizeof(d)); \
    }

__global__ void all(int *out, int *sizes)
{
    int i = threadIdx.x, n = blockDim.x, k = 0;
    ALL(char)
    ALL(uchar)
    ALL(short)
    ALL(ushort)
    ALL(int)
    ALL(uint)
    ALL(long)
    ALL(ulong)
    ALL(longlong)
    ALL(ulonglong)
    ALL(float)
    ALL(double)
}
// LAUNCH: out[384]=zeros sizes[12]=zeros --block 32 --grid 1
// OUT: out = np.tile(3 * np.arange(32) + 20 + 300 + 2 + 4000 + 2 + 3, 12)
// OUT: sizes = np.repeat([1, 2, 4, 8, 8, 4, 8], [2, 2, 2, 2, 2, 1, 1]) * 4030201
