// SPDX-License-Identifier: Apache-2.0
// TEST: every vector type: its elements, size and alignment
template <class V> __device__ int shape() { return (int)(sizeof(V) * 100 + alignof(V)); }

__global__ void kinds(long *out)
{
    int n = 0;
#define ROW(T, ...)                                                          \
    {                                                                        \
        T##1 a = make_##T##1(3);                                             \
        T##2 b = make_##T##2(3, 4);                                          \
        T##3 c = make_##T##3(3, 4, 5);                                       \
        T##4 d = make_##T##4(3, 4, 5, 6);                                    \
        b.y += a.x;                                                          \
        c.z -= b.x;                                                          \
        d.w *= c.y;                                                          \
        out[n++] = (long)(a.x + b.x * 10 + b.y * 100 + c.z * 1000 + d.z * 10000 + d.w * 100000); \
        out[n++] = shape<T##1>();                                            \
        out[n++] = shape<T##2>();                                            \
        out[n++] = shape<T##3>();                                            \
        out[n++] = shape<T##4>();                                            \
    }
    ROW(char) ROW(uchar) ROW(short) ROW(ushort) ROW(int) ROW(uint) ROW(long) ROW(ulong) ROW(longlong) ROW(ulonglong) ROW(float) ROW(double)
#define WIDE(T) { T##4_16a v = make_##T##4_16a(1, 2, 3, 4); out[n++] = (long)(v.x + v.y * 10 + v.z * 100 + v.w * 1000); }
    WIDE(long) WIDE(ulong) WIDE(longlong) WIDE(ulonglong) WIDE(double)
    cudaExtent e = {1, 2, 3};
    cudaPos p = {4, 5, 6};
    out[n++] = (long)(e.width + e.height * 10 + e.depth * 100 + p.x * 1000 + p.y * 10000 + p.z * 100000);
}
// PY: def kinds():
// PY:     rows = []
// PY:     for size in (1, 1, 2, 2, 4, 4, 8, 8, 8, 8, 4, 8):
// PY:         value = 3 + 30 + 700 + 2000 + 50000 + (24 if size > 0 else 0) * 100000
// PY:         rows += [value, size * 101, size * 200 + min(2 * size, 16), size * 301, size * 400 + min(4 * size, 16)]
// PY:     return np.array(rows + [4321] * 5 + [654321])
// LAUNCH: kinds out[66]=zeros --block 1 --grid 1
// OUT: out = kinds()
