// SPDX-License-Identifier: Apache-2.0
// TEST: instructions on bits take and give floating-point registers, pack halves of registers, and cvt stays inside of the result's type
__global__ void bits(const unsigned *x, const float *f, float *out, unsigned *packed)
{
    int i = threadIdx.x;
    asm("mov.b32 %0, %1;" : "=f"(out[i]) : "r"(0));
    asm("shl.b32 %0, %1, 16;" : "=f"(out[32 + i]) : "r"(x[i]));
    asm("xor.b32 %0, %1, %2;" : "=f"(out[64 + i]) : "f"(f[i]), "r"(0x80000000u));
    asm("and.b32 %0, %1, %2;" : "=r"(packed[i]) : "f"(f[i]), "r"(0x7f800000));
    unsigned short low = (unsigned short)x[i], high = 7;
    asm("mov.b32 %0, {%1, %2};" : "=r"(packed[32 + i]) : "h"(low), "h"(high));
    double d;
    asm("mov.b64 %0, {%1, %2};" : "=d"(d) : "r"(0), "r"(0x40080000));
    out[96 + i] = (float)d;
    asm("ld.global.cs.u8 {%0}, [%1 + 0];" : "=r"(packed[64 + i]) : "l"((unsigned char *)(x + i)));
    asm("ld.global.u8 %0, [%1 + 1];" : "=r"(packed[96 + i]) : "l"((unsigned char *)(x + i)));
}
__global__ void clamped(const float *f, const int *v, int *out)
{
    int i = threadIdx.x;
    asm volatile("cvt.rni.sat.s8.f32 %0, %1;" : "=r"(out[i]) : "f"(f[i]));
    asm volatile("cvt.rzi.sat.u8.f32 %0, %1;" : "=r"(out[8 + i]) : "f"(f[i]));
    asm volatile("cvt.rmi.s16.f32 %0, %1;" : "=r"(out[16 + i]) : "f"(f[i]));
    asm volatile("cvt.rpi.sat.u32.f32 %0, %1;" : "=r"(out[24 + i]) : "f"(f[i]));
    asm volatile("cvt.sat.s8.s32 %0, %1;" : "=r"(out[32 + i]) : "r"(v[i]));
    asm volatile("cvt.sat.u16.s32 %0, %1;" : "=r"(out[40 + i]) : "r"(v[i]));
}
// PY: F = np.array([-1e9, -129.5, -1.5, 0.5, 2.5, 254.25, 40000, float('nan')], np.float32)
// PY: V = np.array([-70000, -129, -128, -1, 0, 127, 128, 70000], np.int32)
// PY: def clamp(v, lo, hi): return np.clip(np.nan_to_num(v.astype(np.float64)), lo, hi)
// LAUNCH: bits x[32]=iota f[32]=full:1.5 out[128]=zeros packed[128]=zeros --grid 1 --block 32
// OUT: out = np.concatenate([np.zeros(32, np.float32), (in_x << 16).astype(np.uint32).view(np.float32), -in_f, np.full(32, 3, np.float32)])
// OUT: packed = np.concatenate([np.full(32, 0x3f800000), in_x + (7 << 16), in_x & 255, in_x >> 8])
// LAUNCH: clamped f[8]=list:-1e9,-129.5,-1.5,0.5,2.5,254.25,40000,nan v[8]=list:-70000,-129,-128,-1,0,127,128,70000 out[48]=zeros --grid 1 --block 8
// OUT: out = np.concatenate([clamp(np.rint(F), -128, 127), clamp(np.trunc(F), 0, 255), clamp(np.floor(F), -32768, 32767), clamp(np.ceil(F), 0, 2**31), clamp(V, -128, 127), clamp(V, 0, 65535)])
