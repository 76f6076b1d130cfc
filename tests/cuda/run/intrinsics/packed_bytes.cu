// SPDX-License-Identifier: Apache-2.0
// TEST: arithmetic and comparisons of four bytes packed in a word
__global__ void packed(const unsigned *x, const unsigned *y, int n, unsigned *out)
{
    int i = threadIdx.x;
    unsigned a = x[i], b = i % 5 ? y[i] : x[i] ^ (y[i] & 0xff);
    out[0 * n + i] = __vadd4(a, b);
    out[1 * n + i] = __vsub4(a, b);
    out[2 * n + i] = __vaddss4(a, b);
    out[3 * n + i] = __vaddus4(a, b);
    out[4 * n + i] = __vsubss4(a, b);
    out[5 * n + i] = __vsubus4(a, b);
    out[6 * n + i] = __vabs4(a);
    out[7 * n + i] = __vabsss4(a);
    out[8 * n + i] = __vneg4(a);
    out[9 * n + i] = __vnegss4(a);
    out[10 * n + i] = __vabsdiffs4(a, b);
    out[11 * n + i] = __vabsdiffu4(a, b);
    out[12 * n + i] = __vavgs4(a, b);
    out[13 * n + i] = __vavgu4(a, b);
    out[14 * n + i] = __vhaddu4(a, b);
    out[15 * n + i] = __vmaxs4(a, b);
    out[16 * n + i] = __vmaxu4(a, b);
    out[17 * n + i] = __vmins4(a, b);
    out[18 * n + i] = __vminu4(a, b);
    out[19 * n + i] = __vsads4(a, b);
    out[20 * n + i] = __vsadu4(a, b);
    out[21 * n + i] = __vcmpeq4(a, b);
    out[22 * n + i] = __vcmpne4(a, b);
    out[23 * n + i] = __vcmpges4(a, b);
    out[24 * n + i] = __vcmpgeu4(a, b);
    out[25 * n + i] = __vcmpgts4(a, b);
    out[26 * n + i] = __vcmpgtu4(a, b);
    out[27 * n + i] = __vcmples4(a, b);
    out[28 * n + i] = __vcmpleu4(a, b);
    out[29 * n + i] = __vcmplts4(a, b);
    out[30 * n + i] = __vcmpltu4(a, b);
    out[31 * n + i] = __vseteq4(a, b);
    out[32 * n + i] = __vsetne4(a, b);
    out[33 * n + i] = __vsetges4(a, b);
    out[34 * n + i] = __vsetgeu4(a, b);
    out[35 * n + i] = __vsetgts4(a, b);
    out[36 * n + i] = __vsetgtu4(a, b);
    out[37 * n + i] = __vsetles4(a, b);
    out[38 * n + i] = __vsetleu4(a, b);
    out[39 * n + i] = __vsetlts4(a, b);
    out[40 * n + i] = __vsetltu4(a, b);
}
// PY: BITS = 8
// PY: def low(v): return v & (1 << BITS) - 1
// PY: def signed(v): return v - (1 << BITS) if v >> BITS - 1 else v
// PY: def clip(v): return max(-(1 << BITS - 1), min((1 << BITS - 1) - 1, v))
// PY: def part(a, b):
// PY:     s, t = signed(a), signed(b)
// PY:     v = [a + b, a - b, clip(s + t), min(a + b, (1 << BITS) - 1), clip(s - t), max(a - b, 0), abs(s), clip(abs(s)),
// PY:          -s, clip(-s), abs(s - t), abs(a - b), s + t + (s + t >= 0) >> 1, a + b + 1 >> 1,
// PY:          a + b >> 1, max(s, t), max(a, b), min(s, t), min(a, b)]
// PY:     c = [a == b, a != b, s >= t, a >= b, s > t, a > b, s <= t, a <= b, s < t, a < b]
// PY:     return [low(u) for u in v], [abs(s - t), abs(a - b)], [low(-int(u)) for u in c] + [int(u) for u in c]
// PY: def reference(x, y, n):
// PY:     out = np.zeros((41, n), np.uint64)
// PY:     for i in range(n):
// PY:         a = int(x[i])
// PY:         b = int(y[i]) if i % 5 else a ^ (int(y[i]) & 255)
// PY:         parts = [part(low(a >> k), low(b >> k)) for k in range(0, 32, BITS)]
// PY:         join = lambda w, j: sum(p[w][j] << BITS * k for k, p in enumerate(parts))
// PY:         out[:, i] = ([join(0, j) for j in range(19)] + [sum(p[1][j] for p in parts) for j in range(2)]
// PY:                      + [join(2, j) for j in range(20)])
// PY:     return out.ravel()
// LAUNCH: n=128 x[128]=random:1 y[128]=random:2 out[5248]=zeros --block 128 --grid 1
// OUT: out = reference(in_x, in_y, n)
