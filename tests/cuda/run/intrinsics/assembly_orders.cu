// SPDX-License-Identifier: Apache-2.0
// TEST: loads, stores, reductions and atomics of inline assembly have the order and scope that their names say, for every type
__global__ void types(unsigned char *b, unsigned short *h, unsigned *u, long long *w, float *f, double *d)
{
    int i = threadIdx.x;
    unsigned byte, word;
    int narrow;
    unsigned short half;
    unsigned long long wide;
    float real;
    double large;
    asm volatile("ld.acquire.sys.global.u8 %0, [%1];" : "=r"(byte) : "l"(b + i) : "memory");
    asm volatile("st.release.sys.global.u8 [%0], %1;" ::"l"(b + i), "r"(byte * 3) : "memory");
    asm volatile("ld.relaxed.gpu.s8 %0, [%1 + 4];" : "=r"(narrow) : "l"(b + i));
    asm volatile("ld.relaxed.gpu.global.b16 %0, [%1];" : "=h"(half) : "l"(h + i));
    asm volatile("st.relaxed.cta.global.u16 [%0], %1;" ::"l"(h + i), "h"((unsigned short)(half + 300)));
    asm volatile("ld.acquire.gpu.global.L1::no_allocate.b32 %0, [%1];" : "=r"(word) : "l"(u + i));
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(u + i), "r"(word + narrow));
    asm volatile("ld.global.acquire.sys.u64 %0, [%1];" : "=l"(wide) : "l"(w + i));
    asm volatile("st.mmio.relaxed.sys.global.b64 [%0], %1;" ::"l"(w + i), "l"(wide + 1));
    asm volatile("ld.weak.global.f32 %0, [%1];" : "=f"(real) : "l"(f + i));
    asm volatile("st.relaxed.cluster.f32 [%0], %1;" ::"l"(f + i), "f"(real + 0.5f));
    asm volatile("ld.acquire.cta.f64 %0, [%1];" : "=d"(large) : "l"(d + i));
    asm volatile("st.release.cta.f64 [%0], %1;" ::"l"(d + i), "d"(large * 2));
}
// LAUNCH: types b[8]=iota h[4]=iota u[4]=iota w[4]=full:1099511627776 f[4]=iota d[4]=iota --grid 1 --block 4
// OUT: b = np.concatenate([in_b[:4] * 3, in_b[4:]])
// OUT: h = in_h + 300
// OUT: u = in_u + in_b[4:]
// OUT: w = in_w + 1
// OUT: f = in_f + np.float32(0.5)
// OUT: d = in_d * 2

__global__ void turned(const float *in, float *f, unsigned *u, unsigned long long *w)
{
    float a, b, c, d;
    unsigned p, q;
    unsigned long long x, y;
    asm volatile("ld.relaxed.sys.global.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(in));
    asm volatile("st.relaxed.sys.global.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(f), "f"(d), "f"(c), "f"(b), "f"(a));
    asm volatile("ld.volatile.global.v2.u32 {%0, %1}, [%2];" : "=r"(p), "=r"(q) : "l"(u));
    asm volatile("st.volatile.global.v2.u32 [%0], {%1, %2};" ::"l"(u), "r"(q), "r"(p));
    asm volatile("ld.acquire.gpu.v2.b64 {%0, %1}, [%2];" : "=l"(x), "=l"(y) : "l"(w));
    asm volatile("st.release.gpu.v2.b64 [%0], {%1, %2};" ::"l"(w), "l"(y), "l"(x));
}
// LAUNCH: turned in[4]=iota f[4]=zeros u[2]=iota w[2]=iota --grid 1 --block 1
// OUT: f = [3, 2, 1, 0]
// OUT: u = [1, 0]
// OUT: w = [1, 0]

__global__ void updates(int *s, unsigned *u, unsigned long long *w, float *f, double *d, unsigned *old)
{
    int i = threadIdx.x;
    unsigned a;
    unsigned long long x;
    asm volatile("red.release.gpu.global.add.s32 [%0], %1;" ::"l"(s), "r"(i) : "memory");
    asm volatile("red.relaxed.cta.global.min.s32 [%0], %1;" ::"l"(s + 1), "r"(-i) : "memory");
    asm volatile("red.gpu.max.s32 [%0], %1;" ::"l"(s + 2), "r"(i) : "memory");
    asm volatile("atom.add.acq_rel.gpu.global.u32 %0, [%1], %2;" : "=r"(a) : "l"(u), "r"(1) : "memory");
    old[a] = 1;
    asm volatile("atom.acquire.gpu.global.inc.u32 %0, [%1], %2;" : "=r"(a) : "l"(u + 1), "r"(9) : "memory");
    old[32 + a] += 1;
    asm volatile("red.relaxed.sys.dec.u32 [%0], %1;" ::"l"(u + 2), "r"(100));
    asm volatile("red.relaxed.gpu.or.b32 [%0], %1;" ::"l"(u + 3), "r"(1 << i));
    asm volatile("atom.release.sys.add.u64 %0, [%1], %2;" : "=l"(x) : "l"(w), "l"(1ull << 40));
    asm volatile("red.relaxed.gpu.global.xor.b64 [%0], %1;" ::"l"(w + 1), "l"(1ull << (i + 20)));
    asm volatile("red.relaxed.gpu.global.add.f32 [%0], %1;" ::"l"(f), "f"(0.5f));
    asm volatile("red.release.gpu.global.add.f64 [%0], %1;" ::"l"(d), "d"(0.25));
    asm volatile("atom.cas.acq_rel.gpu.b32 %0, [%1], %2, %3;" : "=r"(a) : "l"(u + 4), "r"(0), "r"(i + 1));
    old[64 + i] = a == 0;
    asm volatile("atom.acq_rel.cta.cas.b64 %0, [%1], %2, %3;" : "=l"(x) : "l"(w + 2), "l"(0ull), "l"(7ull));
    asm volatile("atom.exch.release.gpu.b32 %0, [%1], %2;" : "=r"(a) : "l"(u + 5), "r"(6));
}
// LAUNCH: updates s[3]=zeros u[6]=zeros w[3]=zeros f[1]=zeros d[1]=zeros old[96]=zeros --grid 1 --block 10
// OUT: s = [45, -9, 9]
// OUT: u = [10, 0, 91, 1023, 1 + np.argmax(out_old[64:]), 6]
// OUT: w = [10 << 40, 1023 << 20, 7]
// OUT: f = 5
// OUT: d = 2.5
// OUT: old = np.concatenate([np.arange(32) < 10, np.arange(32) < 10, np.arange(32) == out_u[4] - 1])
