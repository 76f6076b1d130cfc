// SPDX-License-Identifier: Apache-2.0
// What instructions of PTX in inline assembly are: `bfe.u32 d, a, b, c;` is
// d = __ptx::bfe_u32(a, b, c). The name of an instruction is that of its function,
// with _ for the dots; spaces and words with :: of loads, stores and atomics are
// left out. The first operand is the result, or the first ones are its elements. What
// adds or takes the carry has it as the last parameter.
// A file is read with the parts ptx_*.h if it has inline assembly.
//
// Here: moves, arithmetic, comparisons.
namespace __ptx {
__device__ unsigned mov_u32(unsigned a) { return a; }
__device__ int mov_s32(int a) { return a; }
__device__ unsigned long long mov_u64(unsigned long long a) { return a; }
__device__ long long mov_s64(long long a) { return a; }
__device__ float mov_f32(float a) { return a; }
__device__ double mov_f64(double a) { return a; }
__device__ unsigned short mov_u16(unsigned short a) { return a; }
__device__ unsigned mov_b32(unsigned a) { return a; }
__device__ unsigned mov_b32(unsigned short a, unsigned short b) { return a | (unsigned)b << 16; }
__device__ unsigned long long mov_b64(unsigned long long a) { return a; }
__device__ unsigned long long mov_b64(unsigned a, unsigned b) { return a | (unsigned long long)b << 32; }
__device__ unsigned long long mov_b64(unsigned short a, unsigned short b, unsigned short c, unsigned short d) { return mov_b64(mov_b32(a, b), mov_b32(c, d)); }
// mov.b64 {a, b}, v;
__device__ ushort2 unpack2_b32(unsigned v) { return make_ushort2((unsigned short)v, (unsigned short)(v >> 16)); }
__device__ uint2 unpack2_b64(unsigned long long v) { return make_uint2((unsigned)v, (unsigned)(v >> 32)); }
__device__ ushort4 unpack4_b64(unsigned long long v) { return make_ushort4((unsigned short)v, (unsigned short)(v >> 16), (unsigned short)(v >> 32), (unsigned short)(v >> 48)); }
// Where bits are asked for, floating-point operands are their bits.
__device__ unsigned bits_of(float a) { return __float_as_uint(a); }
__device__ unsigned long long bits_of(double a) { return (unsigned long long)__double_as_longlong(a); }
__device__ float float_of(unsigned a) { return __uint_as_float(a); }
__device__ double double_of(unsigned long long a) { return __longlong_as_double((long long)a); }
__device__ bool mov_pred(bool a) { return a; }
__device__ unsigned add_u32(unsigned a, unsigned b) { return (unsigned)((unsigned)a + (unsigned)b); }
__device__ unsigned sub_u32(unsigned a, unsigned b) { return (unsigned)((unsigned)a - (unsigned)b); }
__device__ unsigned mul_lo_u32(unsigned a, unsigned b) { return (unsigned)((unsigned)a * (unsigned)b); }
__device__ unsigned mad_lo_u32(unsigned a, unsigned b, unsigned c) { return (unsigned)((unsigned)a * (unsigned)b + (unsigned)c); }
__device__ unsigned div_u32(unsigned a, unsigned b) { return a / b; }
__device__ unsigned rem_u32(unsigned a, unsigned b) { return a % b; }
__device__ unsigned min_u32(unsigned a, unsigned b) { return a < b ? a : b; }
__device__ unsigned max_u32(unsigned a, unsigned b) { return a > b ? a : b; }
__device__ bool setp_lt_u32(unsigned a, unsigned b) { return a < b; }
__device__ bool setp_le_u32(unsigned a, unsigned b) { return a <= b; }
__device__ bool setp_gt_u32(unsigned a, unsigned b) { return a > b; }
__device__ bool setp_ge_u32(unsigned a, unsigned b) { return a >= b; }
__device__ bool setp_eq_u32(unsigned a, unsigned b) { return a == b; }
__device__ bool setp_ne_u32(unsigned a, unsigned b) { return a != b; }
__device__ int add_s32(int a, int b) { return (int)((unsigned)a + (unsigned)b); }
__device__ int sub_s32(int a, int b) { return (int)((unsigned)a - (unsigned)b); }
__device__ int mul_lo_s32(int a, int b) { return (int)((unsigned)a * (unsigned)b); }
__device__ int mad_lo_s32(int a, int b, int c) { return (int)((unsigned)a * (unsigned)b + (unsigned)c); }
__device__ int div_s32(int a, int b) { return a / b; }
__device__ int rem_s32(int a, int b) { return a % b; }
__device__ int min_s32(int a, int b) { return a < b ? a : b; }
__device__ int max_s32(int a, int b) { return a > b ? a : b; }
__device__ bool setp_lt_s32(int a, int b) { return a < b; }
__device__ bool setp_le_s32(int a, int b) { return a <= b; }
__device__ bool setp_gt_s32(int a, int b) { return a > b; }
__device__ bool setp_ge_s32(int a, int b) { return a >= b; }
__device__ bool setp_eq_s32(int a, int b) { return a == b; }
__device__ bool setp_ne_s32(int a, int b) { return a != b; }
__device__ unsigned long long add_u64(unsigned long long a, unsigned long long b) { return (unsigned long long)((unsigned long long)a + (unsigned long long)b); }
__device__ unsigned long long sub_u64(unsigned long long a, unsigned long long b) { return (unsigned long long)((unsigned long long)a - (unsigned long long)b); }
__device__ unsigned long long mul_lo_u64(unsigned long long a, unsigned long long b) { return (unsigned long long)((unsigned long long)a * (unsigned long long)b); }
__device__ unsigned long long mad_lo_u64(unsigned long long a, unsigned long long b, unsigned long long c) { return (unsigned long long)((unsigned long long)a * (unsigned long long)b + (unsigned long long)c); }
__device__ unsigned long long div_u64(unsigned long long a, unsigned long long b) { return a / b; }
__device__ unsigned long long rem_u64(unsigned long long a, unsigned long long b) { return a % b; }
__device__ unsigned long long min_u64(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
__device__ unsigned long long max_u64(unsigned long long a, unsigned long long b) { return a > b ? a : b; }
__device__ bool setp_lt_u64(unsigned long long a, unsigned long long b) { return a < b; }
__device__ bool setp_le_u64(unsigned long long a, unsigned long long b) { return a <= b; }
__device__ bool setp_gt_u64(unsigned long long a, unsigned long long b) { return a > b; }
__device__ bool setp_ge_u64(unsigned long long a, unsigned long long b) { return a >= b; }
__device__ bool setp_eq_u64(unsigned long long a, unsigned long long b) { return a == b; }
__device__ bool setp_ne_u64(unsigned long long a, unsigned long long b) { return a != b; }
__device__ long long add_s64(long long a, long long b) { return (long long)((unsigned long long)a + (unsigned long long)b); }
__device__ long long sub_s64(long long a, long long b) { return (long long)((unsigned long long)a - (unsigned long long)b); }
__device__ long long mul_lo_s64(long long a, long long b) { return (long long)((unsigned long long)a * (unsigned long long)b); }
__device__ long long mad_lo_s64(long long a, long long b, long long c) { return (long long)((unsigned long long)a * (unsigned long long)b + (unsigned long long)c); }
__device__ long long div_s64(long long a, long long b) { return a / b; }
__device__ long long rem_s64(long long a, long long b) { return a % b; }
__device__ long long min_s64(long long a, long long b) { return a < b ? a : b; }
__device__ long long max_s64(long long a, long long b) { return a > b ? a : b; }
__device__ bool setp_lt_s64(long long a, long long b) { return a < b; }
__device__ bool setp_le_s64(long long a, long long b) { return a <= b; }
__device__ bool setp_gt_s64(long long a, long long b) { return a > b; }
__device__ bool setp_ge_s64(long long a, long long b) { return a >= b; }
__device__ bool setp_eq_s64(long long a, long long b) { return a == b; }
__device__ bool setp_ne_s64(long long a, long long b) { return a != b; }
__device__ bool setp_eq_b32(unsigned a, unsigned b) { return a == b; }
__device__ bool setp_ne_b32(unsigned a, unsigned b) { return a != b; }
__device__ bool setp_eq_b64(unsigned long long a, unsigned long long b) { return a == b; }
__device__ bool setp_ne_b64(unsigned long long a, unsigned long long b) { return a != b; }
__device__ unsigned mul_hi_u32(unsigned a, unsigned b) { return __umulhi(a, b); }
__device__ unsigned mad_hi_u32(unsigned a, unsigned b, unsigned c) { return (unsigned)(__umulhi(a, b) + c); }
__device__ int mul_hi_s32(int a, int b) { return __mulhi(a, b); }
__device__ int mad_hi_s32(int a, int b, int c) { return (int)((unsigned)__mulhi(a, b) + (unsigned)c); }
__device__ unsigned long long mul_hi_u64(unsigned long long a, unsigned long long b) { return __umul64hi(a, b); }
__device__ unsigned long long mad_hi_u64(unsigned long long a, unsigned long long b, unsigned long long c) { return (unsigned long long)(__umul64hi(a, b) + c); }
__device__ long long mul_hi_s64(long long a, long long b) { return __mul64hi(a, b); }
__device__ long long mad_hi_s64(long long a, long long b, long long c) { return (long long)((unsigned long long)__mul64hi(a, b) + (unsigned long long)c); }
__device__ unsigned long long mul_wide_u32(unsigned a, unsigned b) { return (unsigned long long)a * b; }
__device__ long long mul_wide_s32(int a, int b) { return (long long)a * b; }
__device__ unsigned long long mad_wide_u32(unsigned a, unsigned b, unsigned long long c) { return (unsigned long long)a * b + c; }
__device__ long long mad_wide_s32(int a, int b, long long c) { return (long long)((unsigned long long)((long long)a * b) + (unsigned long long)c); }
__device__ unsigned mul_wide_u16(unsigned short a, unsigned short b) { return (unsigned)a * b; }
__device__ unsigned add_cc_u32(unsigned a, unsigned b, unsigned &cc) { unsigned d = a + b; cc = d < a; return d; }
__device__ unsigned addc_cc_u32(unsigned a, unsigned b, unsigned &cc) { unsigned d = a + b; unsigned over = d < a; d += cc; cc = over | (d < cc); return d; }
__device__ unsigned addc_u32(unsigned a, unsigned b, unsigned &cc) { return a + b + cc; }
__device__ unsigned sub_cc_u32(unsigned a, unsigned b, unsigned &cc) { cc = a < b; return a - b; }
__device__ unsigned subc_cc_u32(unsigned a, unsigned b, unsigned &cc) { unsigned d = a - b; unsigned under = a < b; unsigned more = d < cc; d -= cc; cc = under | more; return d; }
__device__ unsigned subc_u32(unsigned a, unsigned b, unsigned &cc) { return a - b - cc; }
__device__ unsigned mad_lo_cc_u32(unsigned a, unsigned b, unsigned c, unsigned &cc) { return add_cc_u32(a * b, c, cc); }
__device__ unsigned madc_lo_cc_u32(unsigned a, unsigned b, unsigned c, unsigned &cc) { return addc_cc_u32(a * b, c, cc); }
__device__ unsigned madc_lo_u32(unsigned a, unsigned b, unsigned c, unsigned &cc) { return a * b + c + cc; }
__device__ unsigned mad_hi_cc_u32(unsigned a, unsigned b, unsigned c, unsigned &cc) { return add_cc_u32(__umulhi(a, b), c, cc); }
__device__ unsigned madc_hi_cc_u32(unsigned a, unsigned b, unsigned c, unsigned &cc) { return addc_cc_u32(__umulhi(a, b), c, cc); }
__device__ unsigned madc_hi_u32(unsigned a, unsigned b, unsigned c, unsigned &cc) { return __umulhi(a, b) + c + cc; }
__device__ unsigned long long add_cc_u64(unsigned long long a, unsigned long long b, unsigned &cc) { unsigned long long d = a + b; cc = d < a; return d; }
__device__ unsigned long long addc_cc_u64(unsigned long long a, unsigned long long b, unsigned &cc) { unsigned long long d = a + b; unsigned over = d < a; d += cc; cc = over | (d < cc); return d; }
__device__ unsigned long long addc_u64(unsigned long long a, unsigned long long b, unsigned &cc) { return a + b + cc; }
__device__ unsigned long long sub_cc_u64(unsigned long long a, unsigned long long b, unsigned &cc) { cc = a < b; return a - b; }
__device__ unsigned long long subc_cc_u64(unsigned long long a, unsigned long long b, unsigned &cc) { unsigned long long d = a - b; unsigned under = a < b; unsigned more = d < cc; d -= cc; cc = under | more; return d; }
__device__ unsigned long long subc_u64(unsigned long long a, unsigned long long b, unsigned &cc) { return a - b - cc; }
__device__ unsigned long long mad_lo_cc_u64(unsigned long long a, unsigned long long b, unsigned long long c, unsigned &cc) { return add_cc_u64(a * b, c, cc); }
__device__ unsigned long long madc_lo_cc_u64(unsigned long long a, unsigned long long b, unsigned long long c, unsigned &cc) { return addc_cc_u64(a * b, c, cc); }
__device__ unsigned long long madc_lo_u64(unsigned long long a, unsigned long long b, unsigned long long c, unsigned &cc) { return a * b + c + cc; }
__device__ unsigned long long mad_hi_cc_u64(unsigned long long a, unsigned long long b, unsigned long long c, unsigned &cc) { return add_cc_u64(__umul64hi(a, b), c, cc); }
__device__ unsigned long long madc_hi_cc_u64(unsigned long long a, unsigned long long b, unsigned long long c, unsigned &cc) { return addc_cc_u64(__umul64hi(a, b), c, cc); }
__device__ unsigned long long madc_hi_u64(unsigned long long a, unsigned long long b, unsigned long long c, unsigned &cc) { return __umul64hi(a, b) + c + cc; }
__device__ int abs_s32(int a) { return a < 0 ? (int)(0u - (unsigned)a) : a; }
__device__ int neg_s32(int a) { return (int)(0u - (unsigned)a); }
__device__ unsigned sad_u32(unsigned a, unsigned b, unsigned c) { return __usad(a, b, c); }
__device__ unsigned sad_s32(int a, int b, unsigned c) { return __sad(a, b, c); }
__device__ unsigned and_b32(unsigned a, unsigned b) { return a & b; }
__device__ unsigned or_b32(unsigned a, unsigned b) { return a | b; }
__device__ unsigned xor_b32(unsigned a, unsigned b) { return a ^ b; }
__device__ unsigned not_b32(unsigned a) { return ~a; }
__device__ unsigned shl_b32(unsigned a, unsigned n) { return n >= 32 ? 0 : a << n; }
__device__ unsigned shr_b32(unsigned a, unsigned n) { return n >= 32 ? 0 : a >> n; }
__device__ unsigned shr_u32(unsigned a, unsigned n) { return n >= 32 ? 0 : a >> n; }
__device__ int shr_s32(int a, unsigned n) { return a >> (n >= 32 ? 31 : n); }
__device__ unsigned selp_b32(unsigned a, unsigned b, bool p) { return p ? a : b; }
__device__ unsigned long long and_b64(unsigned long long a, unsigned long long b) { return a & b; }
__device__ unsigned long long or_b64(unsigned long long a, unsigned long long b) { return a | b; }
__device__ unsigned long long xor_b64(unsigned long long a, unsigned long long b) { return a ^ b; }
__device__ unsigned long long not_b64(unsigned long long a) { return ~a; }
__device__ unsigned long long shl_b64(unsigned long long a, unsigned n) { return n >= 64 ? 0 : a << n; }
__device__ unsigned long long shr_b64(unsigned long long a, unsigned n) { return n >= 64 ? 0 : a >> n; }
__device__ unsigned long long shr_u64(unsigned long long a, unsigned n) { return n >= 64 ? 0 : a >> n; }
__device__ long long shr_s64(long long a, unsigned n) { return a >> (n >= 64 ? 63 : n); }
__device__ unsigned long long selp_b64(unsigned long long a, unsigned long long b, bool p) { return p ? a : b; }
__device__ unsigned selp_u32(unsigned a, unsigned b, bool p) { return p ? a : b; }
__device__ int selp_s32(int a, int b, bool p) { return p ? a : b; }
__device__ unsigned long long selp_u64(unsigned long long a, unsigned long long b, bool p) { return p ? a : b; }
__device__ long long selp_s64(long long a, long long b, bool p) { return p ? a : b; }
__device__ float selp_f32(float a, float b, bool p) { return p ? a : b; }
__device__ double selp_f64(double a, double b, bool p) { return p ? a : b; }
__device__ bool and_pred(bool a, bool b) { return a && b; }
__device__ bool or_pred(bool a, bool b) { return a || b; }
__device__ bool not_pred(bool a) { return !a; }
__device__ bool xor_pred(bool a, bool b) { return a != b; }
__device__ unsigned popc_b32(unsigned a) { return (unsigned)__popc(a); }
__device__ unsigned popc_b64(unsigned long long a) { return (unsigned)__popcll(a); }
__device__ unsigned clz_b32(unsigned a) { return (unsigned)__clz((int)a); }
__device__ unsigned clz_b64(unsigned long long a) { return (unsigned)__clzll((long long)a); }
__device__ unsigned brev_b32(unsigned a) { return __brev(a); }
__device__ unsigned long long brev_b64(unsigned long long a) { return __brevll(a); }
__device__ unsigned bfind_u32(unsigned a) { return (unsigned)(31 - __clz((int)a)); }
__device__ unsigned bfind_shiftamt_u32(unsigned a) { return a ? (unsigned)__clz((int)a) : 0xffffffffu; }
__device__ unsigned bfe_u32(unsigned a, unsigned at, unsigned n) { at &= 255; n &= 255; unsigned moved = at >= 32 ? 0 : a >> at; return n >= 32 ? moved : moved & (((unsigned)1 << n) - 1); }
__device__ unsigned bfi_b32(unsigned a, unsigned b, unsigned at, unsigned n) { at &= 255; n &= 255; if (at >= 32) return b; unsigned mask = (n >= 32 ? ~(unsigned)0 : ((unsigned)1 << n) - 1) << at; return (b & ~mask) | (a << at & mask); }
__device__ unsigned long long bfe_u64(unsigned long long a, unsigned at, unsigned n) { at &= 255; n &= 255; unsigned long long moved = at >= 64 ? 0 : a >> at; return n >= 64 ? moved : moved & (((unsigned long long)1 << n) - 1); }
__device__ unsigned long long bfi_b64(unsigned long long a, unsigned long long b, unsigned at, unsigned n) { at &= 255; n &= 255; if (at >= 64) return b; unsigned long long mask = (n >= 64 ? ~(unsigned long long)0 : ((unsigned long long)1 << n) - 1) << at; return (b & ~mask) | (a << at & mask); }
__device__ int bfe_s32(int a, unsigned at, unsigned n) { at &= 255; n &= 255; if (n == 0) return 0; unsigned top = at + n - 1 > 31 ? 31 : at + n - 1; int sign = a >> top & 1; int moved = at > 31 ? (sign ? -1 : 0) : a >> at; unsigned left = top - at + 1; return at > top || left >= 32 ? moved : (sign ? moved | ~(((int)1 << left) - 1) : moved & (((int)1 << left) - 1)); }
__device__ long long bfe_s64(long long a, unsigned at, unsigned n) { at &= 255; n &= 255; if (n == 0) return 0; unsigned top = at + n - 1 > 63 ? 63 : at + n - 1; long long sign = a >> top & 1; long long moved = at > 63 ? (sign ? -1 : 0) : a >> at; unsigned left = top - at + 1; return at > top || left >= 64 ? moved : (sign ? moved | ~(((long long)1 << left) - 1) : moved & (((long long)1 << left) - 1)); }
__device__ unsigned prmt_b32(unsigned a, unsigned b, unsigned s) { return __byte_perm(a, b, s); }
__device__ unsigned lop3_b32(unsigned a, unsigned b, unsigned c, unsigned table) { return (table & 1 ? ~a & ~b & ~c : 0) | (table & 2 ? ~a & ~b & c : 0) | (table & 4 ? ~a & b & ~c : 0) | (table & 8 ? ~a & b & c : 0) | (table & 16 ? a & ~b & ~c : 0) | (table & 32 ? a & ~b & c : 0) | (table & 64 ? a & b & ~c : 0) | (table & 128 ? a & b & c : 0); }
__device__ unsigned shf_l_wrap_b32(unsigned a, unsigned b, unsigned n) { return __funnelshift_l(a, b, n); }
__device__ unsigned shf_l_clamp_b32(unsigned a, unsigned b, unsigned n) { return __funnelshift_lc(a, b, n); }
__device__ unsigned shf_r_wrap_b32(unsigned a, unsigned b, unsigned n) { return __funnelshift_r(a, b, n); }
__device__ unsigned shf_r_clamp_b32(unsigned a, unsigned b, unsigned n) { return __funnelshift_rc(a, b, n); }
__device__ int dp4a_s32_s32(int a, int b, int c) { return __dp4a(a, b, c); }
__device__ unsigned dp4a_u32_u32(unsigned a, unsigned b, unsigned c) { return __dp4a(a, b, c); }
__device__ int dp2a_lo_s32_s32(int a, int b, int c) { return __dp2a_lo(a, b, c); }
__device__ int dp2a_hi_s32_s32(int a, int b, int c) { return __dp2a_hi(a, b, c); }
__device__ unsigned dp2a_lo_u32_u32(unsigned a, unsigned b, unsigned c) { return __dp2a_lo(a, b, c); }
__device__ unsigned dp2a_hi_u32_u32(unsigned a, unsigned b, unsigned c) { return __dp2a_hi(a, b, c); }
// Products of 24 bits, of which .hi takes the bits 16 to 47.
__device__ unsigned mul24_lo_u32(unsigned a, unsigned b) { return __umul24(a, b); }
__device__ int mul24_lo_s32(int a, int b) { return __mul24(a, b); }
__device__ unsigned mul24_hi_u32(unsigned a, unsigned b) { return (unsigned)((unsigned long long)(a & 0xffffffu) * (b & 0xffffffu) >> 16); }
__device__ int mul24_hi_s32(int a, int b) { return (int)((long long)((int)((unsigned)a << 8) >> 8) * ((int)((unsigned)b << 8) >> 8) >> 16); }
__device__ unsigned mad24_lo_u32(unsigned a, unsigned b, unsigned c) { return __umul24(a, b) + c; }
__device__ int mad24_lo_s32(int a, int b, int c) { return (int)((unsigned)__mul24(a, b) + (unsigned)c); }
__device__ unsigned mad24_hi_u32(unsigned a, unsigned b, unsigned c) { return mul24_hi_u32(a, b) + c; }
__device__ int mad24_hi_s32(int a, int b, int c) { return (int)((unsigned)mul24_hi_s32(a, b) + (unsigned)c); }
__device__ unsigned short cnot_b16(unsigned short a) { return a == 0; }
__device__ unsigned cnot_b32(unsigned a) { return a == 0; }
__device__ unsigned long long cnot_b64(unsigned long long a) { return a == 0; }
__device__ unsigned fns_b32(unsigned mask, unsigned base, int offset) { return __fns(mask, base, offset); }
// n ones from bit `at` on.
__device__ unsigned bmsk_wrap_b32(unsigned at, unsigned n) { at &= 31; n &= 31; return (((unsigned)1 << n) - 1) << at; }
__device__ unsigned bmsk_clamp_b32(unsigned at, unsigned n) { if (at >= 32) return 0; return (n >= 32 ? ~(unsigned)0 : ((unsigned)1 << n) - 1) << at; }
// The lowest n bits as a number.
__device__ unsigned szext_wrap_u32(unsigned a, unsigned n) { return a & (((unsigned)1 << (n & 31)) - 1); }
__device__ unsigned szext_clamp_u32(unsigned a, unsigned n) { return n >= 32 ? a : szext_wrap_u32(a, n); }
__device__ int szext_wrap_s32(int a, unsigned n) { n &= 31; return n == 0 ? 0 : (int)((unsigned)a << (32 - n)) >> (32 - n); }
__device__ int szext_clamp_s32(int a, unsigned n) { return n >= 32 ? a : szext_wrap_s32(a, n); }
__device__ unsigned vabsdiff4_u32_u32_u32_add(unsigned a, unsigned b, unsigned c) { return __vsadu4(a, b) + c; }
__device__ unsigned vabsdiff4_u32_u32_u32(unsigned a, unsigned b, unsigned c) { return __vabsdiffu4(a, b); }
__device__ unsigned vadd4_u32_u32_u32(unsigned a, unsigned b, unsigned c) { return __vadd4(a, b); }
__device__ __half half_of(unsigned bits) { unsigned short x = (unsigned short)bits; return *(__half *)&x; }
__device__ unsigned two_halves(__half x, __half y) { return *(unsigned short *)&x | (unsigned)*(unsigned short *)&y << 16; }
__half fused_halves(__half a, __half b, __half c) __heddle("fma(a, b, c)");
// Halves in registers of 16 bits, two of them in one of 32: the first operand is the high one.
float of_half(__half a) __heddle("(float)a");
__half to_half(float a) __heddle("(half)a");
__nv_bfloat16 to_brain(float a) __heddle("(__nv_bfloat16)a");
__device__ unsigned short cvt_rn_f16_f32(float a) { __half x = to_half(a); return *(unsigned short *)&x; }
__device__ unsigned short cvt_rn_bf16_f32(float a) { __nv_bfloat16 x = to_brain(a); return *(unsigned short *)&x; }
__device__ unsigned short cvt_rz_bf16_f32(float a) { return a != a ? 0x7fff : (unsigned short)(__float_as_uint(a) >> 16); }
__device__ float cvt_f32_f16(unsigned short a) { return of_half(half_of(a)); }
__device__ float cvt_f32_bf16(unsigned short a) { return __uint_as_float((unsigned)a << 16); }
__device__ unsigned cvt_rn_f16x2_f32(float a, float b) { return mov_b32(cvt_rn_f16_f32(b), cvt_rn_f16_f32(a)); }
__device__ unsigned cvt_rn_bf16x2_f32(float a, float b) { return mov_b32(cvt_rn_bf16_f32(b), cvt_rn_bf16_f32(a)); }
__device__ unsigned cvt_rz_bf16x2_f32(float a, float b) { return mov_b32(cvt_rz_bf16_f32(b), cvt_rz_bf16_f32(a)); }
__half larger_half(__half a, __half b) __heddle("fmax(a, b)");
__half lesser_half(__half a, __half b) __heddle("fmin(a, b)");
__device__ unsigned max_f16x2(unsigned a, unsigned b) { return two_halves(larger_half(half_of(a), half_of(b)), larger_half(half_of(a >> 16), half_of(b >> 16))); }
__device__ unsigned min_f16x2(unsigned a, unsigned b) { return two_halves(lesser_half(half_of(a), half_of(b)), lesser_half(half_of(a >> 16), half_of(b >> 16))); }
__device__ unsigned neg_f16x2(unsigned a) { return a ^ 0x80008000u; }
__device__ unsigned abs_f16x2(unsigned a) { return a & 0x7fff7fffu; }
__device__ unsigned add_f16x2(unsigned a, unsigned b) { return two_halves(half_of(a) + half_of(b), half_of(a >> 16) + half_of(b >> 16)); }
__device__ unsigned add_rn_f16x2(unsigned a, unsigned b) { return two_halves(half_of(a) + half_of(b), half_of(a >> 16) + half_of(b >> 16)); }
__device__ unsigned sub_f16x2(unsigned a, unsigned b) { return two_halves(half_of(a) - half_of(b), half_of(a >> 16) - half_of(b >> 16)); }
__device__ unsigned sub_rn_f16x2(unsigned a, unsigned b) { return two_halves(half_of(a) - half_of(b), half_of(a >> 16) - half_of(b >> 16)); }
__device__ unsigned mul_f16x2(unsigned a, unsigned b) { return two_halves(half_of(a) * half_of(b), half_of(a >> 16) * half_of(b >> 16)); }
__device__ unsigned mul_rn_f16x2(unsigned a, unsigned b) { return two_halves(half_of(a) * half_of(b), half_of(a >> 16) * half_of(b >> 16)); }
__device__ unsigned fma_rn_f16x2(unsigned a, unsigned b, unsigned c) { return two_halves(fused_halves(half_of(a), half_of(b), half_of(c)), fused_halves(half_of(a >> 16), half_of(b >> 16), half_of(c >> 16))); }
__device__ float add_f32(float a, float b) { return __fadd_rn(a, b); }
__device__ float sub_f32(float a, float b) { return __fsub_rn(a, b); }
__device__ float mul_f32(float a, float b) { return __fmul_rn(a, b); }
__device__ float add_rn_f32(float a, float b) { return __fadd_rn(a, b); }
__device__ float sub_rn_f32(float a, float b) { return __fsub_rn(a, b); }
__device__ float mul_rn_f32(float a, float b) { return __fmul_rn(a, b); }
__device__ float fma_rn_f32(float a, float b, float c) { return __fmaf_rn(a, b, c); }
__device__ float mad_rn_f32(float a, float b, float c) { return __fmaf_rn(a, b, c); }
__device__ float div_rn_f32(float a, float b) { return a / b; }
__device__ float sqrt_rn_f32(float a) { return sqrt(a); }
__device__ float rcp_rn_f32(float a) { return 1 / a; }
__device__ float min_f32(float a, float b) { return fmin(a, b); }
__device__ float max_f32(float a, float b) { return fmax(a, b); }
__device__ float abs_f32(float a) { return fabs(a); }
__device__ float neg_f32(float a) { return -a; }
// .sat: from 0 to 1, of NaN 0.
__device__ float add_sat_f32(float a, float b) { return __saturatef(__fadd_rn(a, b)); }
__device__ float add_rn_sat_f32(float a, float b) { return __saturatef(__fadd_rn(a, b)); }
__device__ float sub_sat_f32(float a, float b) { return __saturatef(__fsub_rn(a, b)); }
__device__ float sub_rn_sat_f32(float a, float b) { return __saturatef(__fsub_rn(a, b)); }
__device__ float mul_sat_f32(float a, float b) { return __saturatef(__fmul_rn(a, b)); }
__device__ float mul_rn_sat_f32(float a, float b) { return __saturatef(__fmul_rn(a, b)); }
__device__ float fma_rn_sat_f32(float a, float b, float c) { return __saturatef(__fmaf_rn(a, b, c)); }
__device__ int within_s32(long long v) { return v > 2147483647 ? 2147483647 : v < -2147483648ll ? -2147483647 - 1 : (int)v; }
__device__ int add_sat_s32(int a, int b) { return within_s32((long long)a + b); }
__device__ int sub_sat_s32(int a, int b) { return within_s32((long long)a - b); }
__device__ float copysign_f32(float a, float b) { return copysignf(b, a); }
__device__ double copysign_f64(double a, double b) { return copysign(b, a); }
__device__ unsigned slct_b32_s32(unsigned a, unsigned b, int c) { return c >= 0 ? a : b; }
__device__ unsigned slct_b32_f32(unsigned a, unsigned b, float c) { return c >= 0 ? a : b; }
__device__ unsigned slct_u32_s32(unsigned a, unsigned b, int c) { return c >= 0 ? a : b; }
__device__ unsigned slct_u32_f32(unsigned a, unsigned b, float c) { return c >= 0 ? a : b; }
__device__ int slct_s32_s32(int a, int b, int c) { return c >= 0 ? a : b; }
__device__ int slct_s32_f32(int a, int b, float c) { return c >= 0 ? a : b; }
__device__ float slct_f32_s32(float a, float b, int c) { return c >= 0 ? a : b; }
__device__ float slct_f32_f32(float a, float b, float c) { return c >= 0 ? a : b; }
__device__ unsigned long long slct_b64_s32(unsigned long long a, unsigned long long b, int c) { return c >= 0 ? a : b; }
__device__ unsigned long long slct_b64_f32(unsigned long long a, unsigned long long b, float c) { return c >= 0 ? a : b; }
__device__ unsigned long long slct_u64_s32(unsigned long long a, unsigned long long b, int c) { return c >= 0 ? a : b; }
__device__ unsigned long long slct_u64_f32(unsigned long long a, unsigned long long b, float c) { return c >= 0 ? a : b; }
__device__ long long slct_s64_s32(long long a, long long b, int c) { return c >= 0 ? a : b; }
__device__ long long slct_s64_f32(long long a, long long b, float c) { return c >= 0 ? a : b; }
__device__ double slct_f64_s32(double a, double b, int c) { return c >= 0 ? a : b; }
__device__ double slct_f64_f32(double a, double b, float c) { return c >= 0 ? a : b; }
__device__ bool setp_equ_f32(float a, float b) { return !(a < b || a > b); }
__device__ bool setp_neu_f32(float a, float b) { return !(a == b); }
__device__ bool setp_ltu_f32(float a, float b) { return !(a >= b); }
__device__ bool setp_leu_f32(float a, float b) { return !(a > b); }
__device__ bool setp_gtu_f32(float a, float b) { return !(a <= b); }
__device__ bool setp_geu_f32(float a, float b) { return !(a < b); }
__device__ bool setp_num_f32(float a, float b) { return a == a && b == b; }
__device__ bool setp_nan_f32(float a, float b) { return a != a || b != b; }
__device__ bool setp_equ_f64(double a, double b) { return !(a < b || a > b); }
__device__ bool setp_neu_f64(double a, double b) { return !(a == b); }
__device__ bool setp_ltu_f64(double a, double b) { return !(a >= b); }
__device__ bool setp_leu_f64(double a, double b) { return !(a > b); }
__device__ bool setp_gtu_f64(double a, double b) { return !(a <= b); }
__device__ bool setp_geu_f64(double a, double b) { return !(a < b); }
__device__ bool setp_num_f64(double a, double b) { return a == a && b == b; }
__device__ bool setp_nan_f64(double a, double b) { return a != a || b != b; }
__device__ bool setp_lt_f32(float a, float b) { return a < b; }
__device__ bool setp_le_f32(float a, float b) { return a <= b; }
__device__ bool setp_gt_f32(float a, float b) { return a > b; }
__device__ bool setp_ge_f32(float a, float b) { return a >= b; }
__device__ bool setp_eq_f32(float a, float b) { return a == b; }
__device__ bool setp_ne_f32(float a, float b) { return a != b && a == a && b == b; }
__device__ double add_f64(double a, double b) { return __dadd_rn(a, b); }
__device__ double sub_f64(double a, double b) { return __dsub_rn(a, b); }
__device__ double mul_f64(double a, double b) { return __dmul_rn(a, b); }
__device__ double add_rn_f64(double a, double b) { return __dadd_rn(a, b); }
__device__ double sub_rn_f64(double a, double b) { return __dsub_rn(a, b); }
__device__ double mul_rn_f64(double a, double b) { return __dmul_rn(a, b); }
__device__ double fma_rn_f64(double a, double b, double c) { return __fma_rn(a, b, c); }
__device__ double mad_rn_f64(double a, double b, double c) { return __fma_rn(a, b, c); }
__device__ double div_rn_f64(double a, double b) { return a / b; }
__device__ double sqrt_rn_f64(double a) { return sqrt(a); }
__device__ double rcp_rn_f64(double a) { return 1 / a; }
__device__ double min_f64(double a, double b) { return fmin(a, b); }
__device__ double max_f64(double a, double b) { return fmax(a, b); }
__device__ double abs_f64(double a) { return fabs(a); }
__device__ double neg_f64(double a) { return -a; }
__device__ bool setp_lt_f64(double a, double b) { return a < b; }
__device__ bool setp_le_f64(double a, double b) { return a <= b; }
__device__ bool setp_gt_f64(double a, double b) { return a > b; }
__device__ bool setp_ge_f64(double a, double b) { return a >= b; }
__device__ bool setp_eq_f64(double a, double b) { return a == b; }
__device__ bool setp_ne_f64(double a, double b) { return a != b && a == a && b == b; }
__device__ float ex2_approx_f32(float a) { return exp2f(a); }
__device__ float lg2_approx_f32(float a) { return __log2f(a); }
__device__ float sin_approx_f32(float a) { return __sinf(a); }
__device__ float cos_approx_f32(float a) { return __cosf(a); }
__device__ float rcp_approx_f32(float a) { return 1 / a; }
__device__ float rsqrt_approx_f32(float a) { return rsqrtf(a); }
__device__ float sqrt_approx_f32(float a) { return sqrtf(a); }
__device__ float div_approx_f32(float a, float b) { return __fdividef(a, b); }
__device__ float ex2_approx_ftz_f32(float a) { return exp2f(a); }
__device__ float lg2_approx_ftz_f32(float a) { return __log2f(a); }
__device__ float sin_approx_ftz_f32(float a) { return __sinf(a); }
__device__ float cos_approx_ftz_f32(float a) { return __cosf(a); }
__device__ float rcp_approx_ftz_f32(float a) { return 1 / a; }
__device__ float rsqrt_approx_ftz_f32(float a) { return rsqrtf(a); }
__device__ float sqrt_approx_ftz_f32(float a) { return sqrtf(a); }
__device__ float div_approx_ftz_f32(float a, float b) { return __fdividef(a, b); }
__device__ float tanh_approx_f32(float a) { return tanhf(a); }
}
