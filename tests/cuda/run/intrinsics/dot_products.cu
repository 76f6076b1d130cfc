// SPDX-License-Identifier: Apache-2.0
// TEST: dot products of packed bytes and halves, signed and unsigned, scalars and vectors
__global__ void dots(const int *x, const int *y, const int *z, int n, int *out)
{
    int i = threadIdx.x;
    unsigned a = x[i], b = y[i], c = z[i];
    out[0 * n + i] = __dp4a(x[i], y[i], z[i]);
    out[1 * n + i] = (int)__dp4a(a, b, c);
    out[2 * n + i] = __dp2a_lo(x[i], y[i], z[i]);
    out[3 * n + i] = (int)__dp2a_lo(a, b, c);
    out[4 * n + i] = __dp2a_hi(x[i], y[i], z[i]);
    out[5 * n + i] = (int)__dp2a_hi(a, b, c);
    char4 p = make_char4(x[i] & 127, -(y[i] & 127), 3, -4);
    char4 q = make_char4(-5, 6, y[i] & 63, z[i] & 63);
    out[6 * n + i] = __dp4a(p, q, i);
    out[7 * n + i] = (int)__dp4a(make_uchar4(200, 1, 2, a & 255), make_uchar4(3, b & 255, 250, 7), c);
    out[8 * n + i] = __dp2a_lo(make_short2(-300, (short)i), p, 9);
    out[9 * n + i] = (int)__dp2a_hi(make_ushort2(65535, (unsigned short)i), make_uchar4(1, 2, 255, 4), 0u);
}
// PY: def part(v, size, k, is_signed):
// PY:     f = v >> size * k & (1 << size) - 1
// PY:     return f - (1 << size) if is_signed and f >> size - 1 else f
// PY: def dot4(a, b, c, s): return c + sum(part(a, 8, k, s) * part(b, 8, k, s) for k in range(4))
// PY: def dot2(a, b, c, s, h): return c + sum(part(a, 16, k, s) * part(b, 8, k + 2 * h, s) for k in range(2))
// PY: def reference(x, y, z, n):
// PY:     out = np.zeros((10, n), object)
// PY:     for i in range(n):
// PY:         a, b, c = (int(t[i]) & 0xffffffff for t in (x, y, z))
// PY:         out[:, i] = [dot4(a, b, c, 1), dot4(a, b, c, 0), dot2(a, b, c, 1, 0), dot2(a, b, c, 0, 0),
// PY:                      dot2(a, b, c, 1, 1), dot2(a, b, c, 0, 1),
// PY:                      i - 5 * (a & 127) - 6 * (b & 127) + 3 * (b & 63) - 4 * (c & 63),
// PY:                      c + 600 + (b & 255) + 500 + 7 * (a & 255),
// PY:                      9 - 300 * (a & 127) - i * (b & 127), 65535 * 255 + 4 * i]
// PY:     return (out.ravel() & 0xffffffff).astype(np.uint32).view(np.int32)
// LAUNCH: n=128 x[128]=random:1 y[128]=random:2 z[128]=random:3 out[1280]=zeros --block 128 --grid 1
// OUT: out = reference(in_x, in_y, in_z, n)
