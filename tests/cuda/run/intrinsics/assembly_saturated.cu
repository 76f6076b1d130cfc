// SPDX-License-Identifier: Apache-2.0
// TEST: .sat of arithmetic, slct, copysign, comparisons joined with a predicate and those of unordered numbers, vectors of red, %warpid
#include <cuda_fp16.h>
#include <stdint.h>

__global__ void reals(const float *x, const float *y, float *out)
{
    int i = threadIdx.x;
    float a = x[i], b = y[i];
    asm("add.sat.f32 %0, %1, %2;" : "=f"(out[i]) : "f"(a), "f"(b));
    asm("sub.rn.sat.f32 %0, %1, %2;" : "=f"(out[32 + i]) : "f"(a), "f"(b));
    asm("mul.sat.f32 %0, %1, %2;" : "=f"(out[64 + i]) : "f"(a), "f"(b));
    asm("fma.rn.sat.f32 %0, %1, %2, %3;" : "=f"(out[96 + i]) : "f"(a), "f"(b), "f"(0.5f));
    asm("copysign.f32 %0, %1, %2;" : "=f"(out[128 + i]) : "f"(a), "f"(b));
    asm("slct.f32.s32 %0, %1, %2, %3;" : "=f"(out[160 + i]) : "f"(a), "f"(b), "r"(i - 16));
    asm("slct.f32.f32 %0, %1, %2, %3;" : "=f"(out[192 + i]) : "f"(1.f), "f"(2.f), "f"(a));
}
// LAUNCH: reals x=@assembly_saturated.npy y[32]=random:2 out[224]=zeros --grid 1 --block 32
// PY: def sat(v): return (np.where(np.isnan(v), 0, np.clip(v, 0, 1)) + 0.0).astype(np.float32)
// PY: def fused(a, b, c): return (a.astype(np.float64) * b + c).astype(np.float32)
// OUT: out = np.concatenate([sat(in_x + in_y), sat(in_x - in_y), sat(in_x * in_y), sat(fused(in_x, in_y, 0.5)), np.copysign(in_y, in_x), np.where(np.arange(32) >= 16, in_x, in_y), np.where(in_x >= 0, 1, 2)])

__global__ void whole(const int *x, int *out)
{
    int i = threadIdx.x, a = x[i], b = x[31 - i], v;
    asm("add.sat.s32 %0, %1, %2;" : "=r"(out[i]) : "r"(a), "r"(b));
    asm("sub.sat.s32 %0, %1, %2;" : "=r"(out[32 + i]) : "r"(a), "r"(b));
    asm("slct.u32.s32 %0, 7, 8, %1;" : "=r"(v) : "r"(a));
    out[64 + i] = v;
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(v));
    out[96 + i] = (unsigned)v < 64; // which one is up to the device
}
// LAUNCH: whole x[32]=list:2147483647,-2147483648,5,-7,2147483000,1000 out[128]=zeros --grid 1 --block 32
// PY: def two(v): return np.clip(v, -2**31, 2**31 - 1)
// OUT: out = np.concatenate([two(in_x.astype(np.int64) + in_x[::-1]), two(in_x.astype(np.int64) - in_x[::-1]), np.where(in_x >= 0, 7, 8), 0 * in_x + 1])

// p is read and written by one instruction; a predicate may be negated.
__global__ void joined(const float *x, int *out)
{
    int i = threadIdx.x, a, b, c, d;
    asm("{\n\t"
        ".reg .pred p, q;\n\t"
        "setp.lt.s32 p, %4, 20;\n\t"
        "setp.gt.and.s32 p, %4, 5, p;\n\t"
        "setp.eq.or.s32 q, %4, 30, !p;\n\t"
        "selp.s32 %0, 1, 0, p;\n\t"
        "selp.s32 %1, 1, 0, q;\n\t"
        "setp.lt.xor.f32 q, %5, 0f3f000000, p;\n\t"
        "selp.s32 %2, 1, 0, q;\n\t"
        "setp.ltu.f32 q, %5, 0f3f000000;\n\t"
        "setp.nan.or.f32 p, %5, %5, !q;\n\t"
        "selp.s32 %3, 1, 0, p;\n\t"
        "}" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(i), "f"(x[i]));
    out[i] = a;
    out[32 + i] = b;
    out[64 + i] = c;
    out[96 + i] = d;
    asm("{ .reg .pred p; setp.neu.f32 p, %1, %2; selp.s32 %0, 1, 0, p; }" : "=r"(out[128 + i]) : "f"(x[i]), "f"(x[i]));
    asm("{ .reg .pred p; setp.num.f64 p, %1, %1; selp.s32 %0, 1, 0, p; }" : "=r"(out[160 + i]) : "d"((double)x[i]));
}
// PY: def between(i): return (i > 5) & (i < 20)
// PY: def less(x): return x < np.float32(0.5)
// LAUNCH: joined x=@assembly_saturated.npy out[192]=zeros --grid 1 --block 32
// OUT: out = np.concatenate([between(np.arange(32)), ~between(np.arange(32)), less(in_x) ^ between(np.arange(32)), np.isnan(in_x) | ~less(in_x), np.isnan(in_x), ~np.isnan(in_x)])

__global__ void added(float *f, __half2 *h)
{
    asm volatile("red.global.add.v2.f32 [%0], {%1, %2};" ::"l"(f), "f"(1.f), "f"((float)threadIdx.x) : "memory");
    asm volatile("red.relaxed.gpu.global.add.f32 [%0], %1;" ::"l"(f + 6), "f"(0.5f) : "memory");
    asm volatile("red.global.add.v4.f32 [%0], {%1, %2, %1, %2};" ::"l"(f + 8), "f"(2.f), "f"(3.f) : "memory");
    __half2 one = __floats2half2_rn(1.f, 0.25f);
    asm volatile("red.global.add.noftz.f16x2 [%0], %1;" ::"l"(h), "r"(*(uint32_t *)&one) : "memory");
}
// LAUNCH: added f[12]=zeros h[1]=zeros --grid 2 --block 32
// OUT: f = [64, 992, 0, 0, 0, 0, 32, 0, 128, 192, 128, 192]
// OUT: h = [[64, 16]]
