// SPDX-License-Identifier: Apache-2.0
// TEST: instructions that make masks, extend fields of bits, multiply 24 bits, look for set bits and compare with 0
__global__ void fields(const unsigned *x, const unsigned *n, unsigned *out)
{
    int i = threadIdx.x;
    asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(out[i]) : "r"(n[i]), "r"(n[31 - i]));
    asm("bmsk.wrap.b32 %0, %1, %2;" : "=r"(out[32 + i]) : "r"(n[i]), "r"(n[31 - i]));
    asm("szext.clamp.u32 %0, %1, %2;" : "=r"(out[64 + i]) : "r"(x[i]), "r"(n[i]));
    asm("szext.wrap.u32 %0, %1, %2;" : "=r"(out[96 + i]) : "r"(x[i]), "r"(n[i]));
    asm("szext.clamp.s32 %0, %1, %2;" : "=r"(out[128 + i]) : "r"(x[i]), "r"(n[i]));
    asm("szext.wrap.s32 %0, %1, %2;" : "=r"(out[160 + i]) : "r"(x[i]), "r"(n[i]));
    asm("cnot.b32 %0, %1;" : "=r"(out[192 + i]) : "r"(n[i]));
    unsigned short narrow;
    asm("cnot.b16 %0, %1;" : "=h"(narrow) : "h"((unsigned short)(n[i] << 12)));
    out[224 + i] = narrow;
    unsigned long long wide;
    asm("cnot.b64 %0, %1;" : "=l"(wide) : "l"((unsigned long long)n[i] << 32));
    out[256 + i] = (unsigned)wide;
    asm("fns.b32 %0, %1, %2, %3;" : "=r"(out[288 + i]) : "r"(x[i]), "r"(i), "r"(i % 5 - 2));
}
__global__ void products(const int *x, const int *y, int *out, unsigned *rest)
{
    int i = threadIdx.x;
    asm("mul24.lo.s32 %0, %1, %2;" : "=r"(out[i]) : "r"(x[i]), "r"(y[i]));
    asm("mul24.hi.s32 %0, %1, %2;" : "=r"(out[32 + i]) : "r"(x[i]), "r"(y[i]));
    asm("mad24.lo.s32 %0, %1, %2, %3;" : "=r"(out[64 + i]) : "r"(x[i]), "r"(y[i]), "r"(i));
    asm("mad24.hi.s32 %0, %1, %2, %3;" : "=r"(out[96 + i]) : "r"(x[i]), "r"(y[i]), "r"(i));
    asm("dp2a.lo.s32.s32 %0, %1, %2, %3;" : "=r"(out[128 + i]) : "r"(x[i]), "r"(y[i]), "r"(i));
    asm("dp2a.hi.s32.s32 %0, %1, %2, %3;" : "=r"(out[160 + i]) : "r"(x[i]), "r"(y[i]), "r"(i));
    asm("mul24.lo.u32 %0, %1, %2;" : "=r"(rest[i]) : "r"(x[i]), "r"(y[i]));
    asm("mul24.hi.u32 %0, %1, %2;" : "=r"(rest[32 + i]) : "r"(x[i]), "r"(y[i]));
    asm("mad24.lo.u32 %0, %1, %2, %3;" : "=r"(rest[64 + i]) : "r"(x[i]), "r"(y[i]), "r"(i));
    asm("mad24.hi.u32 %0, %1, %2, %3;" : "=r"(rest[96 + i]) : "r"(x[i]), "r"(y[i]), "r"(i));
    asm("dp2a.lo.u32.u32 %0, %1, %2, %3;" : "=r"(rest[128 + i]) : "r"(x[i]), "r"(y[i]), "r"(i));
    asm("dp2a.hi.u32.u32 %0, %1, %2, %3;" : "=r"(rest[160 + i]) : "r"(x[i]), "r"(y[i]), "r"(i));
}
__global__ void matches(const unsigned *x, unsigned *out)
{
    int i = threadIdx.x;
    asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(out[i]) : "r"(x[i] % 3));
    asm volatile("match.any.sync.b64 %0, %1, 0xffffffff;" : "=r"(out[32 + i]) : "l"((unsigned long long)(x[i] % 5) << 33));
}
// PY: I = np.arange(32)
// PY: N = np.array([0, 1, 5, 31, 32, 33, 64, 255] * 4, np.int64)
// PY: def ones(n): return (1 << n) - 1
// PY: def mask(at, n, wraps): return ones(n & 31) << (at & 31) & ones(32) if wraps else (ones(min(n, 32)) << at & ones(32) if at < 32 else 0)
// PY: def field(x, n, wraps): return x & ones(n & 31 if wraps else min(n, 32))
// PY: def signed(x, n, wraps):
// PY:     n = n & 31 if wraps else min(n, 32)
// PY:     return (x & ones(n)) - (1 << n) * (n > 0 and x >> (n - 1) & 1) & ones(32)
// PY: def nth(x, base, k):
// PY:     if k == 0:
// PY:         return base if x >> base & 1 else ones(32)
// PY:     found = [b for b in (range(base, 32) if k > 0 else range(base, -1, -1)) if x >> b & 1]
// PY:     return found[abs(k) - 1] if abs(k) <= len(found) else ones(32)
// PY: def low(x): return ((x.astype(np.int64) & ones(24)) ^ 1 << 23) - (1 << 23)
// PY: def part(x, bits, k, is_signed): v = x.astype(np.int64) >> bits * k & ones(bits); return v - (v >> bits - 1 << bits) * is_signed
// PY: def dot(x, y, k, is_signed): return part(x, 16, 0, is_signed) * part(y, 8, k, is_signed) + part(x, 16, 1, is_signed) * part(y, 8, k + 1, is_signed) + I
// PY: def each(f, *a): return [f(*map(int, row)) for row in zip(*a)]
// PY: def alike(v): return [sum(1 << k for k in range(32) if v[k] == v[i]) for i in range(32)]
// LAUNCH: fields x[32]=random:3 n[32]=list:0,1,5,31,32,33,64,255,0,1,5,31,32,33,64,255,0,1,5,31,32,33,64,255,0,1,5,31,32,33,64,255 out[320]=zeros --grid 1 --block 32
// OUT: out = np.concatenate([each(lambda a, b: mask(a, b, False), N, N[::-1]), each(lambda a, b: mask(a, b, True), N, N[::-1]), each(lambda x, n: field(x, n, False), in_x, N), each(lambda x, n: field(x, n, True), in_x, N), each(lambda x, n: signed(x, n, False), in_x, N), each(lambda x, n: signed(x, n, True), in_x, N), N == 0, N % 16 == 0, N == 0, each(lambda x, i: nth(x, i, i % 5 - 2), in_x, I)])
// LAUNCH: products x[32]=random:4 y[32]=random:5 out[192]=zeros rest[192]=zeros --grid 1 --block 32
// OUT: out = np.concatenate([low(in_x) * low(in_y), low(in_x) * low(in_y) >> 16, low(in_x) * low(in_y) + I, (low(in_x) * low(in_y) >> 16) + I, dot(in_x, in_y, 0, True), dot(in_x, in_y, 2, True)]).astype(np.int32)
// OUT: rest = np.concatenate([part(in_x, 24, 0, False) * part(in_y, 24, 0, False), part(in_x, 24, 0, False) * part(in_y, 24, 0, False) >> 16, part(in_x, 24, 0, False) * part(in_y, 24, 0, False) + I, (part(in_x, 24, 0, False) * part(in_y, 24, 0, False) >> 16) + I, dot(in_x, in_y, 0, False), dot(in_x, in_y, 2, False)]) & ones(32)
// LAUNCH: matches x[32]=random:6 out[64]=zeros --grid 1 --block 32
// OUT: out = np.concatenate([alike(in_x % 3), alike(in_x % 5)])
