// SPDX-License-Identifier: Apache-2.0
// Conversions of PTX: ptx_arithmetic.h has the rules.
namespace __ptx {
__device__ unsigned cvt_u32_u64(unsigned long long a) { return (unsigned)a; }
__device__ unsigned long long cvt_u64_u32(unsigned a) { return (unsigned long long)a; }
__device__ long long cvt_s64_s32(int a) { return (long long)a; }
__device__ int cvt_s32_s64(long long a) { return (int)a; }
__device__ unsigned cvt_u32_u16(unsigned short a) { return (unsigned)a; }
__device__ unsigned short cvt_u16_u32(unsigned a) { return (unsigned short)a; }
__device__ int cvt_s32_s16(short a) { return (int)a; }
__device__ unsigned long long cvt_u64_s32(int a) { return (unsigned long long)a; }
__device__ long long cvt_s64_u32(unsigned a) { return (long long)a; }
__device__ float cvt_rn_f32_s32(int a) { return (float)a; }
__device__ float cvt_rn_f32_u32(unsigned a) { return (float)a; }
__device__ float cvt_rn_f32_s64(long long a) { return (float)a; }
__device__ float cvt_rn_f32_u64(unsigned long long a) { return (float)a; }
__device__ double cvt_rn_f64_s32(int a) { return (double)a; }
__device__ double cvt_rn_f64_u32(unsigned a) { return (double)a; }
__device__ double cvt_rn_f64_s64(long long a) { return (double)a; }
__device__ double cvt_rn_f64_u64(unsigned long long a) { return (double)a; }
__device__ int cvt_rzi_s32_f32(float a) { return __float2int_rz(a); }
__device__ unsigned cvt_rzi_u32_f32(float a) { return __float2uint_rz(a); }
__device__ int cvt_rzi_s32_f64(double a) { return __double2int_rz(a); }
__device__ int cvt_rni_s32_f32(float a) { return __float2int_rn(a); }
__device__ unsigned cvt_rni_u32_f32(float a) { return __float2uint_rn(a); }
__device__ int cvt_rni_s32_f64(double a) { return __double2int_rn(a); }
// Numbers beyond the type become its ends, and NaN 0.
__device__ int cvt_rni_sat_s8_f32(float a) { int v = __float2int_rn(a); return v < -128 ? -128 : v > 127 ? 127 : v; }
__device__ int cvt_rni_s8_f32(float a) { int v = __float2int_rn(a); return v < -128 ? -128 : v > 127 ? 127 : v; }
__device__ unsigned cvt_rni_sat_u8_f32(float a) { int v = __float2int_rn(a); return v < 0 ? 0 : v > 255 ? 255 : v; }
__device__ unsigned cvt_rni_u8_f32(float a) { int v = __float2int_rn(a); return v < 0 ? 0 : v > 255 ? 255 : v; }
__device__ int cvt_rni_sat_s16_f32(float a) { int v = __float2int_rn(a); return v < -32768 ? -32768 : v > 32767 ? 32767 : v; }
__device__ int cvt_rni_s16_f32(float a) { int v = __float2int_rn(a); return v < -32768 ? -32768 : v > 32767 ? 32767 : v; }
__device__ unsigned cvt_rni_sat_u16_f32(float a) { int v = __float2int_rn(a); return v < 0 ? 0 : v > 65535 ? 65535 : v; }
__device__ unsigned cvt_rni_u16_f32(float a) { int v = __float2int_rn(a); return v < 0 ? 0 : v > 65535 ? 65535 : v; }
__device__ int cvt_rni_sat_s32_f32(float a) { return __float2int_rn(a); }
__device__ unsigned cvt_rni_sat_u32_f32(float a) { return __float2uint_rn(a); }
__device__ int cvt_rzi_sat_s8_f32(float a) { int v = __float2int_rz(a); return v < -128 ? -128 : v > 127 ? 127 : v; }
__device__ int cvt_rzi_s8_f32(float a) { int v = __float2int_rz(a); return v < -128 ? -128 : v > 127 ? 127 : v; }
__device__ unsigned cvt_rzi_sat_u8_f32(float a) { int v = __float2int_rz(a); return v < 0 ? 0 : v > 255 ? 255 : v; }
__device__ unsigned cvt_rzi_u8_f32(float a) { int v = __float2int_rz(a); return v < 0 ? 0 : v > 255 ? 255 : v; }
__device__ int cvt_rzi_sat_s16_f32(float a) { int v = __float2int_rz(a); return v < -32768 ? -32768 : v > 32767 ? 32767 : v; }
__device__ int cvt_rzi_s16_f32(float a) { int v = __float2int_rz(a); return v < -32768 ? -32768 : v > 32767 ? 32767 : v; }
__device__ unsigned cvt_rzi_sat_u16_f32(float a) { int v = __float2int_rz(a); return v < 0 ? 0 : v > 65535 ? 65535 : v; }
__device__ unsigned cvt_rzi_u16_f32(float a) { int v = __float2int_rz(a); return v < 0 ? 0 : v > 65535 ? 65535 : v; }
__device__ int cvt_rzi_sat_s32_f32(float a) { return __float2int_rz(a); }
__device__ unsigned cvt_rzi_sat_u32_f32(float a) { return __float2uint_rz(a); }
__device__ int cvt_rmi_sat_s8_f32(float a) { int v = __float2int_rd(a); return v < -128 ? -128 : v > 127 ? 127 : v; }
__device__ int cvt_rmi_s8_f32(float a) { int v = __float2int_rd(a); return v < -128 ? -128 : v > 127 ? 127 : v; }
__device__ unsigned cvt_rmi_sat_u8_f32(float a) { int v = __float2int_rd(a); return v < 0 ? 0 : v > 255 ? 255 : v; }
__device__ unsigned cvt_rmi_u8_f32(float a) { int v = __float2int_rd(a); return v < 0 ? 0 : v > 255 ? 255 : v; }
__device__ int cvt_rmi_sat_s16_f32(float a) { int v = __float2int_rd(a); return v < -32768 ? -32768 : v > 32767 ? 32767 : v; }
__device__ int cvt_rmi_s16_f32(float a) { int v = __float2int_rd(a); return v < -32768 ? -32768 : v > 32767 ? 32767 : v; }
__device__ unsigned cvt_rmi_sat_u16_f32(float a) { int v = __float2int_rd(a); return v < 0 ? 0 : v > 65535 ? 65535 : v; }
__device__ unsigned cvt_rmi_u16_f32(float a) { int v = __float2int_rd(a); return v < 0 ? 0 : v > 65535 ? 65535 : v; }
__device__ int cvt_rmi_sat_s32_f32(float a) { return __float2int_rd(a); }
__device__ int cvt_rmi_s32_f32(float a) { return __float2int_rd(a); }
__device__ unsigned cvt_rmi_sat_u32_f32(float a) { return __float2uint_rd(a); }
__device__ unsigned cvt_rmi_u32_f32(float a) { return __float2uint_rd(a); }
__device__ int cvt_rpi_sat_s8_f32(float a) { int v = __float2int_ru(a); return v < -128 ? -128 : v > 127 ? 127 : v; }
__device__ int cvt_rpi_s8_f32(float a) { int v = __float2int_ru(a); return v < -128 ? -128 : v > 127 ? 127 : v; }
__device__ unsigned cvt_rpi_sat_u8_f32(float a) { int v = __float2int_ru(a); return v < 0 ? 0 : v > 255 ? 255 : v; }
__device__ unsigned cvt_rpi_u8_f32(float a) { int v = __float2int_ru(a); return v < 0 ? 0 : v > 255 ? 255 : v; }
__device__ int cvt_rpi_sat_s16_f32(float a) { int v = __float2int_ru(a); return v < -32768 ? -32768 : v > 32767 ? 32767 : v; }
__device__ int cvt_rpi_s16_f32(float a) { int v = __float2int_ru(a); return v < -32768 ? -32768 : v > 32767 ? 32767 : v; }
__device__ unsigned cvt_rpi_sat_u16_f32(float a) { int v = __float2int_ru(a); return v < 0 ? 0 : v > 65535 ? 65535 : v; }
__device__ unsigned cvt_rpi_u16_f32(float a) { int v = __float2int_ru(a); return v < 0 ? 0 : v > 65535 ? 65535 : v; }
__device__ int cvt_rpi_sat_s32_f32(float a) { return __float2int_ru(a); }
__device__ int cvt_rpi_s32_f32(float a) { return __float2int_ru(a); }
__device__ unsigned cvt_rpi_sat_u32_f32(float a) { return __float2uint_ru(a); }
__device__ unsigned cvt_rpi_u32_f32(float a) { return __float2uint_ru(a); }
__device__ int cvt_sat_s8_s32(int a) { return a < -128 ? -128 : a > 127 ? 127 : a; }
__device__ int cvt_sat_s8_u32(unsigned a) { return a > 127u ? 127 : a; }
__device__ unsigned cvt_sat_u8_s32(int a) { return a < 0 ? 0 : a > 255 ? 255 : a; }
__device__ unsigned cvt_sat_u8_u32(unsigned a) { return a > 255u ? 255 : a; }
__device__ int cvt_sat_s16_s32(int a) { return a < -32768 ? -32768 : a > 32767 ? 32767 : a; }
__device__ int cvt_sat_s16_u32(unsigned a) { return a > 32767u ? 32767 : a; }
__device__ unsigned cvt_sat_u16_s32(int a) { return a < 0 ? 0 : a > 65535 ? 65535 : a; }
__device__ unsigned cvt_sat_u16_u32(unsigned a) { return a > 65535u ? 65535 : a; }
__device__ unsigned cvt_sat_u32_s32(int a) { return a < 0 ? 0 : a; }
__device__ int cvt_sat_s32_u32(unsigned a) { return a > 0x7fffffffu ? 0x7fffffff : (int)a; }
__device__ int cvt_sat_s32_s64(long long a) { return a < -2147483648ll ? (int)0x80000000u : a > 2147483647ll ? 0x7fffffff : (int)a; }
__device__ float cvt_sat_f32_f32(float a) { return __saturatef(a); }
__device__ double cvt_f64_f32(float a) { return a; }
__device__ float cvt_rn_f32_f64(double a) { return (float)a; }
}
