// SPDX-License-Identifier: Apache-2.0
// TEST: mov takes registers apart, instructions on floats take and give bits in integer registers, cvt makes halves in registers of 16 bits
__global__ void apart(const unsigned *x, const unsigned long long *w, unsigned *out, float *f)
{
    int i = threadIdx.x;
    unsigned short low, high, p, q, r, s;
    unsigned a, b;
    asm("mov.b32 {%0, %1}, %2;" : "=h"(low), "=h"(high) : "r"(x[i]));
    out[i] = high * 65536u + low;
    asm("mov.b64 {%0, %1}, %2;" : "=r"(a), "=r"(b) : "l"(w[i]));
    out[4 + i] = b;
    out[8 + i] = a;
    asm("mov.b64 {%0, %1, %2, %3}, %4;" : "=h"(p), "=h"(q), "=h"(r), "=h"(s) : "l"(w[i]));
    out[12 + i] = p + q + r + s;
    asm("mov.b64 {%0, %1}, %2;" : "=f"(f[2 * i]), "=f"(f[2 * i + 1]) : "d"(1.5));
}
// LAUNCH: apart x[4]=random:1 w[4]=random:2 out[16]=zeros f[8]=zeros --grid 1 --block 4
// PY: w = lambda k: (in_w >> np.uint64(k)).astype(np.uint64)
// OUT: out = np.concatenate([in_x, in_w >> np.uint64(32), in_w & np.uint64(0xffffffff), sum((in_w >> np.uint64(k)) & np.uint64(65535) for k in (0, 16, 32, 48))])
// OUT: f = np.tile(np.array([1.5]).view(np.float32), 4)

__global__ void reals(const float *x, const double *d, unsigned *u, unsigned long long *w)
{
    int i = threadIdx.x;
    unsigned sum, product, one = __float_as_uint(1.0f), as_bits = __float_as_uint(x[i]);
    asm("add.f32 %0, %1, %2;" : "=r"(sum) : "r"(as_bits), "r"(one));
    asm("mul.rn.f32 %0, %1, %2;" : "=r"(product) : "f"(x[i]), "r"(0x40000000));
    u[i] = sum;
    u[8 + i] = product;
    asm("fma.rn.f64 %0, %1, %2, %1;" : "=l"(w[i]) : "l"(__double_as_longlong(d[i])), "d"(2.0));
    unsigned short h, g;
    float back, again;
    unsigned pair, other;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(x[i] / 3));
    asm("cvt.f32.f16 %0, %1;" : "=f"(back) : "h"(h));
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(g) : "f"(x[i] / 3));
    asm("cvt.f32.bf16 %0, %1;" : "=f"(again) : "h"(g));
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(x[i]), "f"(1.0f));
    asm("cvt.rz.bf16x2.f32 %0, %1, %2;" : "=r"(other) : "f"(x[i] / 3), "f"(x[i]));
    u[16 + i] = __float_as_uint(back);
    u[24 + i] = __float_as_uint(again);
    u[32 + i] = pair;
    u[40 + i] = other;
}
// PY: bits = lambda a: np.asarray(a, np.float32).view(np.uint32)
// PY: def brain(a):
// PY:     b = bits(a).astype(np.uint64)
// PY:     return ((b + 0x7fff + ((b >> 16) & 1)) >> 16).astype(np.uint32)
// LAUNCH: reals x[8]=iota d[8]=iota u[48]=zeros w[8]=zeros --grid 1 --block 8
// OUT: w = (in_d * 3).view(np.uint64)
// PY: half = lambda a: np.asarray(a, np.float16).view(np.uint16).astype(np.uint32)
// OUT: u = np.concatenate([bits(in_x + 1), bits(in_x * 2), bits((in_x / np.float32(3)).astype(np.float16).astype(np.float32)), brain(in_x / np.float32(3)) << 16, half(in_x) << 16 | half(1.0), (bits(in_x / np.float32(3)) & 0xffff0000) | bits(in_x) >> 16])
