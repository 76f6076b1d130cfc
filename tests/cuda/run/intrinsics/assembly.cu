// SPDX-License-Identifier: Apache-2.0
// TEST: instructions of PTX in inline assembly: registers, bits, wide and long arithmetic, predicates, loads, stores and atomics
__global__ void bits(const unsigned *x, unsigned *out)
{
    unsigned i = threadIdx.x, a = x[i], b = x[(i + 1) % 32], r, s;
    unsigned *o = out + i * 16;
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(o[0]) : "r"(a), "r"(4), "r"(i));
    asm("bfi.b32 %0, %1, %2, %3, 8;" : "=r"(o[1]) : "r"(a), "r"(b), "r"(i));
    asm("prmt.b32 %0, %1, %2, 0x5410;" : "=r"(o[2]) : "r"(a), "r"(b));
    asm("lop3.b32 %0, %1, %2, %3, 0xE8;" : "=r"(o[3]) : "r"(a), "r"(b), "r"(0xff00ff));
    asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(o[4]) : "r"(a), "r"(b), "r"(i));
    asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(o[5]) : "r"(a), "r"(b), "r"(0));
    asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(o[6]) : "r"(a), "r"(b), "r"(7));
    asm("brev.b32 %0, %1;\n\tpopc.b32 %1, %2;" : "=r"(o[7]), "+r"(a) : "r"(b));
    o[8] = a;
    asm("mov.u32 %0, %%laneid;" : "=r"(r));
    asm("mov.u32 %0, %%ntid.x;" : "=r"(s));
    o[9] = r * 100 + s;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(o[10]));
    int e = 0;
    asm("bfe.s32 %0, %1, 8, 9;" : "=r"(e) : "r"((int)b));
    o[11] = (unsigned)e;
    float f = 1.5f, g;
    asm("mov.b32 %0, %1;" : "=r"(o[12]) : "f"(f));
    asm("fma.rn.f32 %0, %1, %2, 0f40000000;" : "=f"(g) : "f"(f), "f"(f));
    o[13] = (unsigned)(g * 100);
    asm("{\n\t"
        ".reg .pred p, q;\n\t"
        ".reg .u32 t;\n\t"
        "setp.lt.u32 p, %1, 16;   // half of them\n\t"
        "not.pred q, p;\n\t"
        "selp.u32 t, 5, 7, p;\n\t"
        "mov.u32 %0, t;\n\t"
        "@q add.u32 %0, %0, 100;\n\t"
        "}" : "=r"(o[14]) : "r"(i));
    o[15] = i;
}

// 128-bit sums and products of 64-bit numbers, as in arithmetic of many words.
__global__ void wide(const unsigned long long *x, unsigned long long *out)
{
    int i = threadIdx.x;
    unsigned long long a = x[i], b = x[i + 1], lo, hi, d;
    asm("add.cc.u64 %0, %2, %3;\n\taddc.u64 %1, %2, 0;" : "=l"(lo), "=l"(hi) : "l"(a), "l"(b));
    out[6 * i] = lo;
    out[6 * i + 1] = hi;
    asm volatile("mad.lo.cc.u64 %0, %2, %3, %2; madc.hi.u64 %1, %2, %3, 0;" : "=l"(lo), "=l"(hi) : "l"(a), "l"(b));
    out[6 * i + 2] = lo;
    out[6 * i + 3] = hi;
    asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(out[6 * i + 4]) : "r"((unsigned)a), "r"((unsigned)b), "l"(b));
    asm("sub.cc.u64 %0, %1, %2; subc.u64 %0, 0, 0;" : "=l"(d) : "l"(a), "l"(b));
    out[6 * i + 5] = d;
}

__global__ void memory(const float *x, float *out, unsigned *sum)
{
    int i = threadIdx.x;
    float a, b, c;
    unsigned old;
    asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(a) : "l"(x + i));
    asm volatile("ld.global.cg.v2.f32 {%0, %1}, [%2+8];" : "=f"(b), "=f"(c) : "l"(x) : "memory");
    asm volatile("prefetch.global.L2 [%0];" :: "l"(x));
    asm volatile("st.global.cs.f32 [%0], %1;" :: "l"(out + i), "f"(a + b * 10 + c * 100) : "memory");
    asm volatile("red.global.add.u32 [%0], %1;" :: "l"(sum), "r"(i));
    asm volatile("atom.global.max.u32 %0, [%1], %2;" : "=r"(old) : "l"(sum + 1), "r"(i));
    if (old > 31)
        out[i] = -1;
    __syncwarp();
    asm volatile("membar.gl;" ::: "memory");
}
// PY: M = 0xffffffff
// PY: def bits(x):
// PY:     out = np.zeros((32, 16), np.uint64)
// PY:     by = lambda v: [v >> k & 255 for k in (0, 8, 16, 24)]
// PY:     for i in range(32):
// PY:         a, b = int(x[i]), int(x[(i + 1) % 32])
// PY:         o = out[i]
// PY:         o[0] = a >> 4 & (1 << i) - 1
// PY:         mask = 255 << i & M
// PY:         o[1] = b & ~mask | a << i & mask
// PY:         o[2] = a & 0xffff | (b & 0xffff) << 16
// PY:         o[3] = a & b | a & 0xff00ff | b & 0xff00ff
// PY:         o[4] = ((b << 32 | a) << i) >> 32 & M
// PY:         o[5] = sum(abs(p - q) for p, q in zip(by(a), by(b)))
// PY:         o[6] = sum(p * q for p, q in zip(by(a), by(b))) + 7
// PY:         o[7] = int(f'{a:032b}'[::-1], 2)
// PY:         o[8] = bin(b).count('1')
// PY:         o[9] = i * 100 + 32
// PY:         o[10] = (1 << i) - 1
// PY:         f = b >> 8 & 511
// PY:         o[11] = (f - 512 if f & 256 else f) & M
// PY:         o[12] = 0x3fc00000
// PY:         o[13] = 425
// PY:         o[14] = 5 if i < 16 else 107
// PY:         o[15] = i
// PY:     return out.astype(np.uint32).ravel()
// PY: def wide(x):
// PY:     out, L = np.zeros((8, 6), np.uint64), (1 << 64) - 1
// PY:     for i in range(8):
// PY:         a, b = int(x[i]), int(x[i + 1])
// PY:         p = a * b + a
// PY:         out[i] = [a + b & L, a + (a + b >> 64) & L, p & L, p >> 64, (a & M) * (b & M) + b & L, L if a < b else 0]
// PY:     return out.ravel()
// LAUNCH: bits x[32]=random:1 out[512]=zeros --grid 1 --block 32
// OUT: out = bits(in_x)
// LAUNCH: wide x[9]=random:2 out[48]=zeros --grid 1 --block 8
// OUT: out = wide(in_x)
// LAUNCH: memory x[32]=iota out[32]=zeros sum[2]=zeros --grid 1 --block 32
// OUT: out = np.arange(32) + 320
// OUT: sum = [496, 31]
