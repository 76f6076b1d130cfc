// SPDX-License-Identifier: Apache-2.0
// What instructions of PTX in inline assembly are: `bfe.u32 d, a, b, c;` is
// d = __ptx::bfe_u32(a, b, c). The name of an instruction is that of its function,
// with _ for the dots; spaces and words with :: of loads, stores and atomics are
// left out. The first operand is the result, or the first ones are its elements. What
// adds or takes the carry has it as the last parameter.
// A file is read with this header if it has inline assembly.
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
__device__ unsigned ld_u32(const void *p) { return *(const unsigned *)p; }
__device__ int ld_s32(const void *p) { return *(const int *)p; }
__device__ unsigned ld_b32(const void *p) { return *(const unsigned *)p; }
__device__ float ld_f32(const void *p) { return *(const float *)p; }
__device__ unsigned long long ld_u64(const void *p) { return *(const unsigned long long *)p; }
__device__ long long ld_s64(const void *p) { return *(const long long *)p; }
__device__ unsigned long long ld_b64(const void *p) { return *(const unsigned long long *)p; }
__device__ double ld_f64(const void *p) { return *(const double *)p; }
__device__ unsigned short ld_u16(const void *p) { return *(const unsigned short *)p; }
__device__ unsigned short ld_b16(const void *p) { return *(const unsigned short *)p; }
__device__ short ld_s16(const void *p) { return *(const short *)p; }
__device__ unsigned ld_u8(const void *p) { return *(const unsigned char *)p; }
__device__ int ld_s8(const void *p) { return *(const signed char *)p; }
__device__ unsigned ld_b8(const void *p) { return *(const unsigned char *)p; }
__device__ uint2 ld_v2_u32(const void *p) { return *(const uint2 *)p; }
__device__ uint4 ld_v4_u32(const void *p) { return *(const uint4 *)p; }
__device__ int2 ld_v2_s32(const void *p) { return *(const int2 *)p; }
__device__ int4 ld_v4_s32(const void *p) { return *(const int4 *)p; }
__device__ uint2 ld_v2_b32(const void *p) { return *(const uint2 *)p; }
__device__ uint4 ld_v4_b32(const void *p) { return *(const uint4 *)p; }
__device__ float2 ld_v2_f32(const void *p) { return *(const float2 *)p; }
__device__ float4 ld_v4_f32(const void *p) { return *(const float4 *)p; }
__device__ double2 ld_v2_f64(const void *p) { return *(const double2 *)p; }
__device__ ulonglong2 ld_v2_u64(const void *p) { return *(const ulonglong2 *)p; }
__device__ ulonglong2 ld_v2_b64(const void *p) { return *(const ulonglong2 *)p; }
__device__ longlong2 ld_v2_s64(const void *p) { return *(const longlong2 *)p; }
__device__ ushort2 ld_v2_u16(const void *p) { return *(const ushort2 *)p; }
__device__ ushort4 ld_v4_u16(const void *p) { return *(const ushort4 *)p; }
__device__ ushort2 ld_v2_b16(const void *p) { return *(const ushort2 *)p; }
__device__ ushort4 ld_v4_b16(const void *p) { return *(const ushort4 *)p; }
__device__ short2 ld_v2_s16(const void *p) { return *(const short2 *)p; }
__device__ short4 ld_v4_s16(const void *p) { return *(const short4 *)p; }
__device__ uchar2 ld_v2_u8(const void *p) { return *(const uchar2 *)p; }
__device__ uchar4 ld_v4_u8(const void *p) { return *(const uchar4 *)p; }
__device__ char2 ld_v2_s8(const void *p) { return *(const char2 *)p; }
__device__ char4 ld_v4_s8(const void *p) { return *(const char4 *)p; }
__device__ uchar2 ld_v2_b8(const void *p) { return *(const uchar2 *)p; }
__device__ uchar4 ld_v4_b8(const void *p) { return *(const uchar4 *)p; }
__device__ unsigned ld_ca_u32(const void *p) { return __ldca((const unsigned *)p); }
__device__ int ld_ca_s32(const void *p) { return __ldca((const int *)p); }
__device__ unsigned ld_ca_b32(const void *p) { return __ldca((const unsigned *)p); }
__device__ float ld_ca_f32(const void *p) { return __ldca((const float *)p); }
__device__ unsigned long long ld_ca_u64(const void *p) { return __ldca((const unsigned long long *)p); }
__device__ long long ld_ca_s64(const void *p) { return __ldca((const long long *)p); }
__device__ unsigned long long ld_ca_b64(const void *p) { return __ldca((const unsigned long long *)p); }
__device__ double ld_ca_f64(const void *p) { return __ldca((const double *)p); }
__device__ unsigned short ld_ca_u16(const void *p) { return __ldca((const unsigned short *)p); }
__device__ unsigned short ld_ca_b16(const void *p) { return __ldca((const unsigned short *)p); }
__device__ short ld_ca_s16(const void *p) { return __ldca((const short *)p); }
__device__ unsigned ld_ca_u8(const void *p) { return __ldca((const unsigned char *)p); }
__device__ int ld_ca_s8(const void *p) { return __ldca((const signed char *)p); }
__device__ unsigned ld_ca_b8(const void *p) { return __ldca((const unsigned char *)p); }
__device__ uint2 ld_ca_v2_u32(const void *p) { return __ldca((const uint2 *)p); }
__device__ uint4 ld_ca_v4_u32(const void *p) { return __ldca((const uint4 *)p); }
__device__ int2 ld_ca_v2_s32(const void *p) { return __ldca((const int2 *)p); }
__device__ int4 ld_ca_v4_s32(const void *p) { return __ldca((const int4 *)p); }
__device__ uint2 ld_ca_v2_b32(const void *p) { return __ldca((const uint2 *)p); }
__device__ uint4 ld_ca_v4_b32(const void *p) { return __ldca((const uint4 *)p); }
__device__ float2 ld_ca_v2_f32(const void *p) { return __ldca((const float2 *)p); }
__device__ float4 ld_ca_v4_f32(const void *p) { return __ldca((const float4 *)p); }
__device__ double2 ld_ca_v2_f64(const void *p) { return __ldca((const double2 *)p); }
__device__ ulonglong2 ld_ca_v2_u64(const void *p) { return __ldca((const ulonglong2 *)p); }
__device__ unsigned ld_cg_u32(const void *p) { return __ldcg((const unsigned *)p); }
__device__ int ld_cg_s32(const void *p) { return __ldcg((const int *)p); }
__device__ unsigned ld_cg_b32(const void *p) { return __ldcg((const unsigned *)p); }
__device__ float ld_cg_f32(const void *p) { return __ldcg((const float *)p); }
__device__ unsigned long long ld_cg_u64(const void *p) { return __ldcg((const unsigned long long *)p); }
__device__ long long ld_cg_s64(const void *p) { return __ldcg((const long long *)p); }
__device__ unsigned long long ld_cg_b64(const void *p) { return __ldcg((const unsigned long long *)p); }
__device__ double ld_cg_f64(const void *p) { return __ldcg((const double *)p); }
__device__ unsigned short ld_cg_u16(const void *p) { return __ldcg((const unsigned short *)p); }
__device__ unsigned short ld_cg_b16(const void *p) { return __ldcg((const unsigned short *)p); }
__device__ short ld_cg_s16(const void *p) { return __ldcg((const short *)p); }
__device__ unsigned ld_cg_u8(const void *p) { return __ldcg((const unsigned char *)p); }
__device__ int ld_cg_s8(const void *p) { return __ldcg((const signed char *)p); }
__device__ unsigned ld_cg_b8(const void *p) { return __ldcg((const unsigned char *)p); }
__device__ uint2 ld_cg_v2_u32(const void *p) { return __ldcg((const uint2 *)p); }
__device__ uint4 ld_cg_v4_u32(const void *p) { return __ldcg((const uint4 *)p); }
__device__ int2 ld_cg_v2_s32(const void *p) { return __ldcg((const int2 *)p); }
__device__ int4 ld_cg_v4_s32(const void *p) { return __ldcg((const int4 *)p); }
__device__ uint2 ld_cg_v2_b32(const void *p) { return __ldcg((const uint2 *)p); }
__device__ uint4 ld_cg_v4_b32(const void *p) { return __ldcg((const uint4 *)p); }
__device__ float2 ld_cg_v2_f32(const void *p) { return __ldcg((const float2 *)p); }
__device__ float4 ld_cg_v4_f32(const void *p) { return __ldcg((const float4 *)p); }
__device__ double2 ld_cg_v2_f64(const void *p) { return __ldcg((const double2 *)p); }
__device__ ulonglong2 ld_cg_v2_u64(const void *p) { return __ldcg((const ulonglong2 *)p); }
__device__ unsigned ld_cs_u32(const void *p) { return __ldcs((const unsigned *)p); }
__device__ int ld_cs_s32(const void *p) { return __ldcs((const int *)p); }
__device__ unsigned ld_cs_b32(const void *p) { return __ldcs((const unsigned *)p); }
__device__ float ld_cs_f32(const void *p) { return __ldcs((const float *)p); }
__device__ unsigned long long ld_cs_u64(const void *p) { return __ldcs((const unsigned long long *)p); }
__device__ long long ld_cs_s64(const void *p) { return __ldcs((const long long *)p); }
__device__ unsigned long long ld_cs_b64(const void *p) { return __ldcs((const unsigned long long *)p); }
__device__ double ld_cs_f64(const void *p) { return __ldcs((const double *)p); }
__device__ unsigned short ld_cs_u16(const void *p) { return __ldcs((const unsigned short *)p); }
__device__ unsigned short ld_cs_b16(const void *p) { return __ldcs((const unsigned short *)p); }
__device__ short ld_cs_s16(const void *p) { return __ldcs((const short *)p); }
__device__ unsigned ld_cs_u8(const void *p) { return __ldcs((const unsigned char *)p); }
__device__ int ld_cs_s8(const void *p) { return __ldcs((const signed char *)p); }
__device__ unsigned ld_cs_b8(const void *p) { return __ldcs((const unsigned char *)p); }
__device__ uint2 ld_cs_v2_u32(const void *p) { return __ldcs((const uint2 *)p); }
__device__ uint4 ld_cs_v4_u32(const void *p) { return __ldcs((const uint4 *)p); }
__device__ int2 ld_cs_v2_s32(const void *p) { return __ldcs((const int2 *)p); }
__device__ int4 ld_cs_v4_s32(const void *p) { return __ldcs((const int4 *)p); }
__device__ uint2 ld_cs_v2_b32(const void *p) { return __ldcs((const uint2 *)p); }
__device__ uint4 ld_cs_v4_b32(const void *p) { return __ldcs((const uint4 *)p); }
__device__ float2 ld_cs_v2_f32(const void *p) { return __ldcs((const float2 *)p); }
__device__ float4 ld_cs_v4_f32(const void *p) { return __ldcs((const float4 *)p); }
__device__ double2 ld_cs_v2_f64(const void *p) { return __ldcs((const double2 *)p); }
__device__ ulonglong2 ld_cs_v2_u64(const void *p) { return __ldcs((const ulonglong2 *)p); }
__device__ unsigned ld_cv_u32(const void *p) { return __ldcv((const unsigned *)p); }
__device__ int ld_cv_s32(const void *p) { return __ldcv((const int *)p); }
__device__ unsigned ld_cv_b32(const void *p) { return __ldcv((const unsigned *)p); }
__device__ float ld_cv_f32(const void *p) { return __ldcv((const float *)p); }
__device__ unsigned long long ld_cv_u64(const void *p) { return __ldcv((const unsigned long long *)p); }
__device__ long long ld_cv_s64(const void *p) { return __ldcv((const long long *)p); }
__device__ unsigned long long ld_cv_b64(const void *p) { return __ldcv((const unsigned long long *)p); }
__device__ double ld_cv_f64(const void *p) { return __ldcv((const double *)p); }
__device__ unsigned short ld_cv_u16(const void *p) { return __ldcv((const unsigned short *)p); }
__device__ unsigned short ld_cv_b16(const void *p) { return __ldcv((const unsigned short *)p); }
__device__ short ld_cv_s16(const void *p) { return __ldcv((const short *)p); }
__device__ unsigned ld_cv_u8(const void *p) { return __ldcv((const unsigned char *)p); }
__device__ int ld_cv_s8(const void *p) { return __ldcv((const signed char *)p); }
__device__ unsigned ld_cv_b8(const void *p) { return __ldcv((const unsigned char *)p); }
__device__ unsigned ld_lu_u32(const void *p) { return __ldlu((const unsigned *)p); }
__device__ int ld_lu_s32(const void *p) { return __ldlu((const int *)p); }
__device__ unsigned ld_lu_b32(const void *p) { return __ldlu((const unsigned *)p); }
__device__ float ld_lu_f32(const void *p) { return __ldlu((const float *)p); }
__device__ unsigned long long ld_lu_u64(const void *p) { return __ldlu((const unsigned long long *)p); }
__device__ long long ld_lu_s64(const void *p) { return __ldlu((const long long *)p); }
__device__ unsigned long long ld_lu_b64(const void *p) { return __ldlu((const unsigned long long *)p); }
__device__ double ld_lu_f64(const void *p) { return __ldlu((const double *)p); }
__device__ unsigned short ld_lu_u16(const void *p) { return __ldlu((const unsigned short *)p); }
__device__ unsigned short ld_lu_b16(const void *p) { return __ldlu((const unsigned short *)p); }
__device__ short ld_lu_s16(const void *p) { return __ldlu((const short *)p); }
__device__ unsigned ld_lu_u8(const void *p) { return __ldlu((const unsigned char *)p); }
__device__ int ld_lu_s8(const void *p) { return __ldlu((const signed char *)p); }
__device__ unsigned ld_lu_b8(const void *p) { return __ldlu((const unsigned char *)p); }
__device__ unsigned ld_nc_u32(const void *p) { return __ldg((const unsigned *)p); }
__device__ int ld_nc_s32(const void *p) { return __ldg((const int *)p); }
__device__ unsigned ld_nc_b32(const void *p) { return __ldg((const unsigned *)p); }
__device__ float ld_nc_f32(const void *p) { return __ldg((const float *)p); }
__device__ unsigned long long ld_nc_u64(const void *p) { return __ldg((const unsigned long long *)p); }
__device__ long long ld_nc_s64(const void *p) { return __ldg((const long long *)p); }
__device__ unsigned long long ld_nc_b64(const void *p) { return __ldg((const unsigned long long *)p); }
__device__ double ld_nc_f64(const void *p) { return __ldg((const double *)p); }
__device__ unsigned short ld_nc_u16(const void *p) { return __ldg((const unsigned short *)p); }
__device__ unsigned short ld_nc_b16(const void *p) { return __ldg((const unsigned short *)p); }
__device__ short ld_nc_s16(const void *p) { return __ldg((const short *)p); }
__device__ unsigned ld_nc_u8(const void *p) { return __ldg((const unsigned char *)p); }
__device__ int ld_nc_s8(const void *p) { return __ldg((const signed char *)p); }
__device__ unsigned ld_nc_b8(const void *p) { return __ldg((const unsigned char *)p); }
__device__ uint2 ld_nc_v2_u32(const void *p) { return __ldg((const uint2 *)p); }
__device__ uint4 ld_nc_v4_u32(const void *p) { return __ldg((const uint4 *)p); }
__device__ int2 ld_nc_v2_s32(const void *p) { return __ldg((const int2 *)p); }
__device__ int4 ld_nc_v4_s32(const void *p) { return __ldg((const int4 *)p); }
__device__ uint2 ld_nc_v2_b32(const void *p) { return __ldg((const uint2 *)p); }
__device__ uint4 ld_nc_v4_b32(const void *p) { return __ldg((const uint4 *)p); }
__device__ float2 ld_nc_v2_f32(const void *p) { return __ldg((const float2 *)p); }
__device__ float4 ld_nc_v4_f32(const void *p) { return __ldg((const float4 *)p); }
__device__ double2 ld_nc_v2_f64(const void *p) { return __ldg((const double2 *)p); }
__device__ ulonglong2 ld_nc_v2_u64(const void *p) { return __ldg((const ulonglong2 *)p); }
__device__ ulonglong2 ld_nc_v2_b64(const void *p) { return __ldg((const ulonglong2 *)p); }
__device__ longlong2 ld_nc_v2_s64(const void *p) { return __ldg((const longlong2 *)p); }
__device__ ushort2 ld_nc_v2_u16(const void *p) { return __ldg((const ushort2 *)p); }
__device__ ushort4 ld_nc_v4_u16(const void *p) { return __ldg((const ushort4 *)p); }
__device__ ushort2 ld_nc_v2_b16(const void *p) { return __ldg((const ushort2 *)p); }
__device__ ushort4 ld_nc_v4_b16(const void *p) { return __ldg((const ushort4 *)p); }
__device__ short2 ld_nc_v2_s16(const void *p) { return __ldg((const short2 *)p); }
__device__ short4 ld_nc_v4_s16(const void *p) { return __ldg((const short4 *)p); }
__device__ uchar2 ld_nc_v2_u8(const void *p) { return __ldg((const uchar2 *)p); }
__device__ uchar4 ld_nc_v4_u8(const void *p) { return __ldg((const uchar4 *)p); }
__device__ char2 ld_nc_v2_s8(const void *p) { return __ldg((const char2 *)p); }
__device__ char4 ld_nc_v4_s8(const void *p) { return __ldg((const char4 *)p); }
__device__ uchar2 ld_nc_v2_b8(const void *p) { return __ldg((const uchar2 *)p); }
__device__ uchar4 ld_nc_v4_b8(const void *p) { return __ldg((const uchar4 *)p); }
__device__ unsigned ld_volatile_u32(const void *p) { return __ldcv((const unsigned *)p); }
__device__ int ld_volatile_s32(const void *p) { return __ldcv((const int *)p); }
__device__ unsigned ld_volatile_b32(const void *p) { return __ldcv((const unsigned *)p); }
__device__ float ld_volatile_f32(const void *p) { return __ldcv((const float *)p); }
__device__ unsigned long long ld_volatile_u64(const void *p) { return __ldcv((const unsigned long long *)p); }
__device__ long long ld_volatile_s64(const void *p) { return __ldcv((const long long *)p); }
__device__ unsigned long long ld_volatile_b64(const void *p) { return __ldcv((const unsigned long long *)p); }
__device__ double ld_volatile_f64(const void *p) { return __ldcv((const double *)p); }
__device__ unsigned short ld_volatile_u16(const void *p) { return __ldcv((const unsigned short *)p); }
__device__ unsigned short ld_volatile_b16(const void *p) { return __ldcv((const unsigned short *)p); }
__device__ short ld_volatile_s16(const void *p) { return __ldcv((const short *)p); }
__device__ unsigned ld_volatile_u8(const void *p) { return __ldcv((const unsigned char *)p); }
__device__ int ld_volatile_s8(const void *p) { return __ldcv((const signed char *)p); }
__device__ unsigned ld_volatile_b8(const void *p) { return __ldcv((const unsigned char *)p); }
__device__ void st_u32(void *p, unsigned v) { *(unsigned *)p = v; }
__device__ void st_s32(void *p, int v) { *(int *)p = v; }
__device__ void st_b32(void *p, unsigned v) { *(unsigned *)p = v; }
__device__ void st_f32(void *p, float v) { *(float *)p = v; }
__device__ void st_u64(void *p, unsigned long long v) { *(unsigned long long *)p = v; }
__device__ void st_s64(void *p, long long v) { *(long long *)p = v; }
__device__ void st_b64(void *p, unsigned long long v) { *(unsigned long long *)p = v; }
__device__ void st_f64(void *p, double v) { *(double *)p = v; }
__device__ void st_u16(void *p, unsigned short v) { *(unsigned short *)p = v; }
__device__ void st_b16(void *p, unsigned short v) { *(unsigned short *)p = v; }
__device__ void st_s16(void *p, short v) { *(short *)p = v; }
__device__ void st_u8(void *p, unsigned v) { *(unsigned char *)p = (unsigned char)v; }
__device__ void st_s8(void *p, int v) { *(signed char *)p = (signed char)v; }
__device__ void st_b8(void *p, unsigned v) { *(unsigned char *)p = (unsigned char)v; }
__device__ void st_v2_u32(void *p, unsigned a, unsigned b) { uint2 v = make_uint2(a, b); *(uint2 *)p = v; }
__device__ void st_v4_u32(void *p, unsigned a, unsigned b, unsigned c, unsigned d) { uint4 v = make_uint4(a, b, c, d); *(uint4 *)p = v; }
__device__ void st_v2_s32(void *p, int a, int b) { int2 v = make_int2(a, b); *(int2 *)p = v; }
__device__ void st_v4_s32(void *p, int a, int b, int c, int d) { int4 v = make_int4(a, b, c, d); *(int4 *)p = v; }
__device__ void st_v2_b32(void *p, unsigned a, unsigned b) { uint2 v = make_uint2(a, b); *(uint2 *)p = v; }
__device__ void st_v4_b32(void *p, unsigned a, unsigned b, unsigned c, unsigned d) { uint4 v = make_uint4(a, b, c, d); *(uint4 *)p = v; }
__device__ void st_v2_f32(void *p, float a, float b) { float2 v = make_float2(a, b); *(float2 *)p = v; }
__device__ void st_v4_f32(void *p, float a, float b, float c, float d) { float4 v = make_float4(a, b, c, d); *(float4 *)p = v; }
__device__ void st_v2_f64(void *p, double a, double b) { double2 v = make_double2(a, b); *(double2 *)p = v; }
__device__ void st_v2_u64(void *p, unsigned long long a, unsigned long long b) { *(ulonglong2 *)p = make_ulonglong2(a, b); }
__device__ void st_v2_b64(void *p, unsigned long long a, unsigned long long b) { *(ulonglong2 *)p = make_ulonglong2(a, b); }
__device__ void st_v2_s64(void *p, long long a, long long b) { *(longlong2 *)p = make_longlong2(a, b); }
__device__ void st_v2_u16(void *p, unsigned short a, unsigned short b) { *(ushort2 *)p = make_ushort2(a, b); }
__device__ void st_v2_b16(void *p, unsigned short a, unsigned short b) { *(ushort2 *)p = make_ushort2(a, b); }
__device__ void st_v4_u16(void *p, unsigned short a, unsigned short b, unsigned short c, unsigned short d) { *(ushort4 *)p = make_ushort4(a, b, c, d); }
__device__ void st_v4_b16(void *p, unsigned short a, unsigned short b, unsigned short c, unsigned short d) { *(ushort4 *)p = make_ushort4(a, b, c, d); }
__device__ void st_wb_u32(void *p, unsigned v) { __stwb((unsigned *)p, v); }
__device__ void st_wb_s32(void *p, int v) { __stwb((int *)p, v); }
__device__ void st_wb_b32(void *p, unsigned v) { __stwb((unsigned *)p, v); }
__device__ void st_wb_f32(void *p, float v) { __stwb((float *)p, v); }
__device__ void st_wb_u64(void *p, unsigned long long v) { __stwb((unsigned long long *)p, v); }
__device__ void st_wb_s64(void *p, long long v) { __stwb((long long *)p, v); }
__device__ void st_wb_b64(void *p, unsigned long long v) { __stwb((unsigned long long *)p, v); }
__device__ void st_wb_f64(void *p, double v) { __stwb((double *)p, v); }
__device__ void st_wb_u16(void *p, unsigned short v) { __stwb((unsigned short *)p, v); }
__device__ void st_wb_b16(void *p, unsigned short v) { __stwb((unsigned short *)p, v); }
__device__ void st_wb_s16(void *p, short v) { __stwb((short *)p, v); }
__device__ void st_wb_u8(void *p, unsigned v) { __stwb((unsigned char *)p, (unsigned char)v); }
__device__ void st_wb_s8(void *p, int v) { __stwb((signed char *)p, (signed char)v); }
__device__ void st_wb_b8(void *p, unsigned v) { __stwb((unsigned char *)p, (unsigned char)v); }
__device__ void st_wb_v2_u32(void *p, unsigned a, unsigned b) { uint2 v = make_uint2(a, b); __stwb((uint2 *)p, v); }
__device__ void st_wb_v4_u32(void *p, unsigned a, unsigned b, unsigned c, unsigned d) { uint4 v = make_uint4(a, b, c, d); __stwb((uint4 *)p, v); }
__device__ void st_wb_v2_s32(void *p, int a, int b) { int2 v = make_int2(a, b); __stwb((int2 *)p, v); }
__device__ void st_wb_v4_s32(void *p, int a, int b, int c, int d) { int4 v = make_int4(a, b, c, d); __stwb((int4 *)p, v); }
__device__ void st_wb_v2_b32(void *p, unsigned a, unsigned b) { uint2 v = make_uint2(a, b); __stwb((uint2 *)p, v); }
__device__ void st_wb_v4_b32(void *p, unsigned a, unsigned b, unsigned c, unsigned d) { uint4 v = make_uint4(a, b, c, d); __stwb((uint4 *)p, v); }
__device__ void st_wb_v2_f32(void *p, float a, float b) { float2 v = make_float2(a, b); __stwb((float2 *)p, v); }
__device__ void st_wb_v4_f32(void *p, float a, float b, float c, float d) { float4 v = make_float4(a, b, c, d); __stwb((float4 *)p, v); }
__device__ void st_wb_v2_f64(void *p, double a, double b) { double2 v = make_double2(a, b); __stwb((double2 *)p, v); }
__device__ void st_cg_u32(void *p, unsigned v) { __stcg((unsigned *)p, v); }
__device__ void st_cg_s32(void *p, int v) { __stcg((int *)p, v); }
__device__ void st_cg_b32(void *p, unsigned v) { __stcg((unsigned *)p, v); }
__device__ void st_cg_f32(void *p, float v) { __stcg((float *)p, v); }
__device__ void st_cg_u64(void *p, unsigned long long v) { __stcg((unsigned long long *)p, v); }
__device__ void st_cg_s64(void *p, long long v) { __stcg((long long *)p, v); }
__device__ void st_cg_b64(void *p, unsigned long long v) { __stcg((unsigned long long *)p, v); }
__device__ void st_cg_f64(void *p, double v) { __stcg((double *)p, v); }
__device__ void st_cg_u16(void *p, unsigned short v) { __stcg((unsigned short *)p, v); }
__device__ void st_cg_b16(void *p, unsigned short v) { __stcg((unsigned short *)p, v); }
__device__ void st_cg_s16(void *p, short v) { __stcg((short *)p, v); }
__device__ void st_cg_u8(void *p, unsigned v) { __stcg((unsigned char *)p, (unsigned char)v); }
__device__ void st_cg_s8(void *p, int v) { __stcg((signed char *)p, (signed char)v); }
__device__ void st_cg_b8(void *p, unsigned v) { __stcg((unsigned char *)p, (unsigned char)v); }
__device__ void st_cg_v2_u32(void *p, unsigned a, unsigned b) { uint2 v = make_uint2(a, b); __stcg((uint2 *)p, v); }
__device__ void st_cg_v4_u32(void *p, unsigned a, unsigned b, unsigned c, unsigned d) { uint4 v = make_uint4(a, b, c, d); __stcg((uint4 *)p, v); }
__device__ void st_cg_v2_s32(void *p, int a, int b) { int2 v = make_int2(a, b); __stcg((int2 *)p, v); }
__device__ void st_cg_v4_s32(void *p, int a, int b, int c, int d) { int4 v = make_int4(a, b, c, d); __stcg((int4 *)p, v); }
__device__ void st_cg_v2_b32(void *p, unsigned a, unsigned b) { uint2 v = make_uint2(a, b); __stcg((uint2 *)p, v); }
__device__ void st_cg_v4_b32(void *p, unsigned a, unsigned b, unsigned c, unsigned d) { uint4 v = make_uint4(a, b, c, d); __stcg((uint4 *)p, v); }
__device__ void st_cg_v2_f32(void *p, float a, float b) { float2 v = make_float2(a, b); __stcg((float2 *)p, v); }
__device__ void st_cg_v4_f32(void *p, float a, float b, float c, float d) { float4 v = make_float4(a, b, c, d); __stcg((float4 *)p, v); }
__device__ void st_cg_v2_f64(void *p, double a, double b) { double2 v = make_double2(a, b); __stcg((double2 *)p, v); }
__device__ void st_cs_u32(void *p, unsigned v) { __stcs((unsigned *)p, v); }
__device__ void st_cs_s32(void *p, int v) { __stcs((int *)p, v); }
__device__ void st_cs_b32(void *p, unsigned v) { __stcs((unsigned *)p, v); }
__device__ void st_cs_f32(void *p, float v) { __stcs((float *)p, v); }
__device__ void st_cs_u64(void *p, unsigned long long v) { __stcs((unsigned long long *)p, v); }
__device__ void st_cs_s64(void *p, long long v) { __stcs((long long *)p, v); }
__device__ void st_cs_b64(void *p, unsigned long long v) { __stcs((unsigned long long *)p, v); }
__device__ void st_cs_f64(void *p, double v) { __stcs((double *)p, v); }
__device__ void st_cs_u16(void *p, unsigned short v) { __stcs((unsigned short *)p, v); }
__device__ void st_cs_b16(void *p, unsigned short v) { __stcs((unsigned short *)p, v); }
__device__ void st_cs_s16(void *p, short v) { __stcs((short *)p, v); }
__device__ void st_cs_u8(void *p, unsigned v) { __stcs((unsigned char *)p, (unsigned char)v); }
__device__ void st_cs_s8(void *p, int v) { __stcs((signed char *)p, (signed char)v); }
__device__ void st_cs_b8(void *p, unsigned v) { __stcs((unsigned char *)p, (unsigned char)v); }
__device__ void st_cs_v2_u32(void *p, unsigned a, unsigned b) { uint2 v = make_uint2(a, b); __stcs((uint2 *)p, v); }
__device__ void st_cs_v4_u32(void *p, unsigned a, unsigned b, unsigned c, unsigned d) { uint4 v = make_uint4(a, b, c, d); __stcs((uint4 *)p, v); }
__device__ void st_cs_v2_s32(void *p, int a, int b) { int2 v = make_int2(a, b); __stcs((int2 *)p, v); }
__device__ void st_cs_v4_s32(void *p, int a, int b, int c, int d) { int4 v = make_int4(a, b, c, d); __stcs((int4 *)p, v); }
__device__ void st_cs_v2_b32(void *p, unsigned a, unsigned b) { uint2 v = make_uint2(a, b); __stcs((uint2 *)p, v); }
__device__ void st_cs_v4_b32(void *p, unsigned a, unsigned b, unsigned c, unsigned d) { uint4 v = make_uint4(a, b, c, d); __stcs((uint4 *)p, v); }
__device__ void st_cs_v2_f32(void *p, float a, float b) { float2 v = make_float2(a, b); __stcs((float2 *)p, v); }
__device__ void st_cs_v4_f32(void *p, float a, float b, float c, float d) { float4 v = make_float4(a, b, c, d); __stcs((float4 *)p, v); }
__device__ void st_cs_v2_f64(void *p, double a, double b) { double2 v = make_double2(a, b); __stcs((double2 *)p, v); }
__device__ void st_wt_u32(void *p, unsigned v) { __stwt((unsigned *)p, v); }
__device__ void st_wt_s32(void *p, int v) { __stwt((int *)p, v); }
__device__ void st_wt_b32(void *p, unsigned v) { __stwt((unsigned *)p, v); }
__device__ void st_wt_f32(void *p, float v) { __stwt((float *)p, v); }
__device__ void st_wt_u64(void *p, unsigned long long v) { __stwt((unsigned long long *)p, v); }
__device__ void st_wt_s64(void *p, long long v) { __stwt((long long *)p, v); }
__device__ void st_wt_b64(void *p, unsigned long long v) { __stwt((unsigned long long *)p, v); }
__device__ void st_wt_f64(void *p, double v) { __stwt((double *)p, v); }
__device__ void st_wt_u16(void *p, unsigned short v) { __stwt((unsigned short *)p, v); }
__device__ void st_wt_b16(void *p, unsigned short v) { __stwt((unsigned short *)p, v); }
__device__ void st_wt_s16(void *p, short v) { __stwt((short *)p, v); }
__device__ void st_wt_u8(void *p, unsigned v) { __stwt((unsigned char *)p, (unsigned char)v); }
__device__ void st_wt_s8(void *p, int v) { __stwt((signed char *)p, (signed char)v); }
__device__ void st_wt_b8(void *p, unsigned v) { __stwt((unsigned char *)p, (unsigned char)v); }
__device__ void st_volatile_u32(void *p, unsigned v) { *(volatile unsigned *)p = v; }
__device__ void st_volatile_s32(void *p, int v) { *(volatile int *)p = v; }
__device__ void st_volatile_b32(void *p, unsigned v) { *(volatile unsigned *)p = v; }
__device__ void st_volatile_f32(void *p, float v) { *(volatile float *)p = v; }
__device__ void st_volatile_u64(void *p, unsigned long long v) { *(volatile unsigned long long *)p = v; }
__device__ void st_volatile_s64(void *p, long long v) { *(volatile long long *)p = v; }
__device__ void st_volatile_b64(void *p, unsigned long long v) { *(volatile unsigned long long *)p = v; }
__device__ void st_volatile_f64(void *p, double v) { *(volatile double *)p = v; }
__device__ void st_volatile_u16(void *p, unsigned short v) { *(volatile unsigned short *)p = v; }
__device__ void st_volatile_b16(void *p, unsigned short v) { *(volatile unsigned short *)p = v; }
__device__ void st_volatile_s16(void *p, short v) { *(volatile short *)p = v; }
__device__ void st_volatile_u8(void *p, unsigned v) { *(volatile unsigned char *)p = (unsigned char)v; }
__device__ void st_volatile_s8(void *p, int v) { *(volatile signed char *)p = (signed char)v; }
__device__ void st_volatile_b8(void *p, unsigned v) { *(volatile unsigned char *)p = (unsigned char)v; }
__device__ uint2 ld_volatile_v2_u32(const void *p) { const volatile unsigned *at = (const volatile unsigned *)p; uint2 v; v.x = at[0]; v.y = at[1]; return v; }
__device__ void st_volatile_v2_u32(void *p, unsigned x, unsigned y) { volatile unsigned *at = (volatile unsigned *)p; at[0] = x; at[1] = y; }
__device__ uint4 ld_volatile_v4_u32(const void *p) { const volatile unsigned *at = (const volatile unsigned *)p; uint4 v; v.x = at[0]; v.y = at[1]; v.z = at[2]; v.w = at[3]; return v; }
__device__ void st_volatile_v4_u32(void *p, unsigned x, unsigned y, unsigned z, unsigned w) { volatile unsigned *at = (volatile unsigned *)p; at[0] = x; at[1] = y; at[2] = z; at[3] = w; }
__device__ uint2 ld_volatile_v2_b32(const void *p) { const volatile unsigned *at = (const volatile unsigned *)p; uint2 v; v.x = at[0]; v.y = at[1]; return v; }
__device__ void st_volatile_v2_b32(void *p, unsigned x, unsigned y) { volatile unsigned *at = (volatile unsigned *)p; at[0] = x; at[1] = y; }
__device__ uint4 ld_volatile_v4_b32(const void *p) { const volatile unsigned *at = (const volatile unsigned *)p; uint4 v; v.x = at[0]; v.y = at[1]; v.z = at[2]; v.w = at[3]; return v; }
__device__ void st_volatile_v4_b32(void *p, unsigned x, unsigned y, unsigned z, unsigned w) { volatile unsigned *at = (volatile unsigned *)p; at[0] = x; at[1] = y; at[2] = z; at[3] = w; }
__device__ int2 ld_volatile_v2_s32(const void *p) { const volatile int *at = (const volatile int *)p; int2 v; v.x = at[0]; v.y = at[1]; return v; }
__device__ void st_volatile_v2_s32(void *p, int x, int y) { volatile int *at = (volatile int *)p; at[0] = x; at[1] = y; }
__device__ int4 ld_volatile_v4_s32(const void *p) { const volatile int *at = (const volatile int *)p; int4 v; v.x = at[0]; v.y = at[1]; v.z = at[2]; v.w = at[3]; return v; }
__device__ void st_volatile_v4_s32(void *p, int x, int y, int z, int w) { volatile int *at = (volatile int *)p; at[0] = x; at[1] = y; at[2] = z; at[3] = w; }
__device__ float2 ld_volatile_v2_f32(const void *p) { const volatile float *at = (const volatile float *)p; float2 v; v.x = at[0]; v.y = at[1]; return v; }
__device__ void st_volatile_v2_f32(void *p, float x, float y) { volatile float *at = (volatile float *)p; at[0] = x; at[1] = y; }
__device__ float4 ld_volatile_v4_f32(const void *p) { const volatile float *at = (const volatile float *)p; float4 v; v.x = at[0]; v.y = at[1]; v.z = at[2]; v.w = at[3]; return v; }
__device__ void st_volatile_v4_f32(void *p, float x, float y, float z, float w) { volatile float *at = (volatile float *)p; at[0] = x; at[1] = y; at[2] = z; at[3] = w; }
__device__ void prefetch_L1(const void *p) {  }
__device__ void prefetch_L2(const void *p) {  }
__device__ unsigned atom_add_u32(void *p, unsigned v) { return atomicAdd((unsigned *)p, v); }
// Elements of a vector one by one, each of them atomic.
__device__ void red_add_v2_f32(void *p, float a, float b) { atomicAdd((float *)p, a); atomicAdd((float *)p + 1, b); }
__device__ void red_add_v4_f32(void *p, float a, float b, float c, float d) { red_add_v2_f32(p, a, b); red_add_v2_f32((float *)p + 2, c, d); }
__device__ void red_add_f16x2(void *p, unsigned v) { atomicAdd((__half2 *)p, __halves2half2(half_of(v), half_of(v >> 16))); }
__device__ void red_add_u32(void *p, unsigned v) { atomicAdd((unsigned *)p, v); }
__device__ int atom_add_s32(void *p, int v) { return atomicAdd((int *)p, v); }
__device__ void red_add_s32(void *p, int v) { atomicAdd((int *)p, v); }
__device__ unsigned long long atom_add_u64(void *p, unsigned long long v) { return atomicAdd((unsigned long long *)p, v); }
__device__ void red_add_u64(void *p, unsigned long long v) { atomicAdd((unsigned long long *)p, v); }
__device__ float atom_add_f32(void *p, float v) { return atomicAdd((float *)p, v); }
__device__ void red_add_f32(void *p, float v) { atomicAdd((float *)p, v); }
__device__ double atom_add_f64(void *p, double v) { return atomicAdd((double *)p, v); }
__device__ void red_add_f64(void *p, double v) { atomicAdd((double *)p, v); }
__device__ unsigned atom_min_u32(void *p, unsigned v) { return atomicMin((unsigned *)p, v); }
__device__ void red_min_u32(void *p, unsigned v) { atomicMin((unsigned *)p, v); }
__device__ int atom_min_s32(void *p, int v) { return atomicMin((int *)p, v); }
__device__ void red_min_s32(void *p, int v) { atomicMin((int *)p, v); }
__device__ unsigned long long atom_min_u64(void *p, unsigned long long v) { return atomicMin((unsigned long long *)p, v); }
__device__ void red_min_u64(void *p, unsigned long long v) { atomicMin((unsigned long long *)p, v); }
__device__ long long atom_min_s64(void *p, long long v) { return atomicMin((long long *)p, v); }
__device__ void red_min_s64(void *p, long long v) { atomicMin((long long *)p, v); }
__device__ unsigned atom_max_u32(void *p, unsigned v) { return atomicMax((unsigned *)p, v); }
__device__ void red_max_u32(void *p, unsigned v) { atomicMax((unsigned *)p, v); }
__device__ int atom_max_s32(void *p, int v) { return atomicMax((int *)p, v); }
__device__ void red_max_s32(void *p, int v) { atomicMax((int *)p, v); }
__device__ unsigned long long atom_max_u64(void *p, unsigned long long v) { return atomicMax((unsigned long long *)p, v); }
__device__ void red_max_u64(void *p, unsigned long long v) { atomicMax((unsigned long long *)p, v); }
__device__ long long atom_max_s64(void *p, long long v) { return atomicMax((long long *)p, v); }
__device__ void red_max_s64(void *p, long long v) { atomicMax((long long *)p, v); }
__device__ unsigned atom_and_b32(void *p, unsigned v) { return atomicAnd((unsigned *)p, v); }
__device__ void red_and_b32(void *p, unsigned v) { atomicAnd((unsigned *)p, v); }
__device__ unsigned long long atom_and_b64(void *p, unsigned long long v) { return atomicAnd((unsigned long long *)p, v); }
__device__ void red_and_b64(void *p, unsigned long long v) { atomicAnd((unsigned long long *)p, v); }
__device__ unsigned atom_or_b32(void *p, unsigned v) { return atomicOr((unsigned *)p, v); }
__device__ void red_or_b32(void *p, unsigned v) { atomicOr((unsigned *)p, v); }
__device__ unsigned long long atom_or_b64(void *p, unsigned long long v) { return atomicOr((unsigned long long *)p, v); }
__device__ void red_or_b64(void *p, unsigned long long v) { atomicOr((unsigned long long *)p, v); }
__device__ unsigned atom_xor_b32(void *p, unsigned v) { return atomicXor((unsigned *)p, v); }
__device__ void red_xor_b32(void *p, unsigned v) { atomicXor((unsigned *)p, v); }
__device__ unsigned long long atom_xor_b64(void *p, unsigned long long v) { return atomicXor((unsigned long long *)p, v); }
__device__ void red_xor_b64(void *p, unsigned long long v) { atomicXor((unsigned long long *)p, v); }
__device__ unsigned atom_exch_b32(void *p, unsigned v) { return atomicExch((unsigned *)p, v); }
__device__ unsigned long long atom_exch_b64(void *p, unsigned long long v) { return atomicExch((unsigned long long *)p, v); }
__device__ unsigned atom_inc_u32(void *p, unsigned v) { return atomicInc((unsigned *)p, v); }
__device__ void red_inc_u32(void *p, unsigned v) { atomicInc((unsigned *)p, v); }
__device__ unsigned atom_dec_u32(void *p, unsigned v) { return atomicDec((unsigned *)p, v); }
__device__ void red_dec_u32(void *p, unsigned v) { atomicDec((unsigned *)p, v); }
__device__ unsigned atom_cas_b32(void *p, unsigned a, unsigned b) { return atomicCAS((unsigned *)p, a, b); }
__device__ unsigned long long atom_cas_b64(void *p, unsigned long long a, unsigned long long b) { return atomicCAS((unsigned long long *)p, a, b); }
__device__ unsigned short atom_cas_b16(void *p, unsigned short a, unsigned short b) { return atomicCAS((unsigned short *)p, a, b); }
// With an order and a scope, which are numbers as for __nv_atomic_…: `ld.acquire.gpu.u32` is
// ld_ordered_u32<2, 1>. Elements of vectors are ordered one by one.
template <int O, int S> __device__ unsigned ld_ordered_u32(const void *p) { return __nv_atomic_load_n((unsigned *)p, O, S); }
template <int O, int S> __device__ void st_ordered_u32(void *p, unsigned v) { __nv_atomic_store_n((unsigned *)p, v, O, S); }
template <int O, int S> __device__ int ld_ordered_s32(const void *p) { return __nv_atomic_load_n((int *)p, O, S); }
template <int O, int S> __device__ void st_ordered_s32(void *p, int v) { __nv_atomic_store_n((int *)p, v, O, S); }
template <int O, int S> __device__ unsigned ld_ordered_b32(const void *p) { return __nv_atomic_load_n((unsigned *)p, O, S); }
template <int O, int S> __device__ void st_ordered_b32(void *p, unsigned v) { __nv_atomic_store_n((unsigned *)p, v, O, S); }
template <int O, int S> __device__ float ld_ordered_f32(const void *p) { return __nv_atomic_load_n((float *)p, O, S); }
template <int O, int S> __device__ void st_ordered_f32(void *p, float v) { __nv_atomic_store_n((float *)p, v, O, S); }
template <int O, int S> __device__ unsigned long long ld_ordered_u64(const void *p) { return __nv_atomic_load_n((unsigned long long *)p, O, S); }
template <int O, int S> __device__ void st_ordered_u64(void *p, unsigned long long v) { __nv_atomic_store_n((unsigned long long *)p, v, O, S); }
template <int O, int S> __device__ long long ld_ordered_s64(const void *p) { return __nv_atomic_load_n((long long *)p, O, S); }
template <int O, int S> __device__ void st_ordered_s64(void *p, long long v) { __nv_atomic_store_n((long long *)p, v, O, S); }
template <int O, int S> __device__ unsigned long long ld_ordered_b64(const void *p) { return __nv_atomic_load_n((unsigned long long *)p, O, S); }
template <int O, int S> __device__ void st_ordered_b64(void *p, unsigned long long v) { __nv_atomic_store_n((unsigned long long *)p, v, O, S); }
template <int O, int S> __device__ double ld_ordered_f64(const void *p) { return __nv_atomic_load_n((double *)p, O, S); }
template <int O, int S> __device__ void st_ordered_f64(void *p, double v) { __nv_atomic_store_n((double *)p, v, O, S); }
template <int O, int S> __device__ unsigned short ld_ordered_u16(const void *p) { return __nv_atomic_load_n((unsigned short *)p, O, S); }
template <int O, int S> __device__ void st_ordered_u16(void *p, unsigned short v) { __nv_atomic_store_n((unsigned short *)p, v, O, S); }
template <int O, int S> __device__ unsigned short ld_ordered_b16(const void *p) { return __nv_atomic_load_n((unsigned short *)p, O, S); }
template <int O, int S> __device__ void st_ordered_b16(void *p, unsigned short v) { __nv_atomic_store_n((unsigned short *)p, v, O, S); }
template <int O, int S> __device__ short ld_ordered_s16(const void *p) { return __nv_atomic_load_n((short *)p, O, S); }
template <int O, int S> __device__ void st_ordered_s16(void *p, short v) { __nv_atomic_store_n((short *)p, v, O, S); }
template <int O, int S> __device__ unsigned ld_ordered_u8(const void *p) { return (unsigned)__nv_atomic_load_n((unsigned char *)p, O, S); }
template <int O, int S> __device__ void st_ordered_u8(void *p, unsigned v) { __nv_atomic_store_n((unsigned char *)p, (unsigned char)v, O, S); }
template <int O, int S> __device__ int ld_ordered_s8(const void *p) { return (int)__nv_atomic_load_n((signed char *)p, O, S); }
template <int O, int S> __device__ void st_ordered_s8(void *p, int v) { __nv_atomic_store_n((signed char *)p, (signed char)v, O, S); }
template <int O, int S> __device__ unsigned ld_ordered_b8(const void *p) { return (unsigned)__nv_atomic_load_n((unsigned char *)p, O, S); }
template <int O, int S> __device__ void st_ordered_b8(void *p, unsigned v) { __nv_atomic_store_n((unsigned char *)p, (unsigned char)v, O, S); }
template <int O, int S> __device__ uint2 ld_ordered_v2_u32(const void *p) { uint2 v; v.x = __nv_atomic_load_n((unsigned *)p + 0, O, S); v.y = __nv_atomic_load_n((unsigned *)p + 1, O, S); return v; }
template <int O, int S> __device__ void st_ordered_v2_u32(void *p, unsigned x, unsigned y) { __nv_atomic_store_n((unsigned *)p + 0, x, O, S); __nv_atomic_store_n((unsigned *)p + 1, y, O, S); }
template <int O, int S> __device__ uint4 ld_ordered_v4_u32(const void *p) { uint4 v; v.x = __nv_atomic_load_n((unsigned *)p + 0, O, S); v.y = __nv_atomic_load_n((unsigned *)p + 1, O, S); v.z = __nv_atomic_load_n((unsigned *)p + 2, O, S); v.w = __nv_atomic_load_n((unsigned *)p + 3, O, S); return v; }
template <int O, int S> __device__ void st_ordered_v4_u32(void *p, unsigned x, unsigned y, unsigned z, unsigned w) { __nv_atomic_store_n((unsigned *)p + 0, x, O, S); __nv_atomic_store_n((unsigned *)p + 1, y, O, S); __nv_atomic_store_n((unsigned *)p + 2, z, O, S); __nv_atomic_store_n((unsigned *)p + 3, w, O, S); }
template <int O, int S> __device__ int2 ld_ordered_v2_s32(const void *p) { int2 v; v.x = __nv_atomic_load_n((int *)p + 0, O, S); v.y = __nv_atomic_load_n((int *)p + 1, O, S); return v; }
template <int O, int S> __device__ void st_ordered_v2_s32(void *p, int x, int y) { __nv_atomic_store_n((int *)p + 0, x, O, S); __nv_atomic_store_n((int *)p + 1, y, O, S); }
template <int O, int S> __device__ int4 ld_ordered_v4_s32(const void *p) { int4 v; v.x = __nv_atomic_load_n((int *)p + 0, O, S); v.y = __nv_atomic_load_n((int *)p + 1, O, S); v.z = __nv_atomic_load_n((int *)p + 2, O, S); v.w = __nv_atomic_load_n((int *)p + 3, O, S); return v; }
template <int O, int S> __device__ void st_ordered_v4_s32(void *p, int x, int y, int z, int w) { __nv_atomic_store_n((int *)p + 0, x, O, S); __nv_atomic_store_n((int *)p + 1, y, O, S); __nv_atomic_store_n((int *)p + 2, z, O, S); __nv_atomic_store_n((int *)p + 3, w, O, S); }
template <int O, int S> __device__ uint2 ld_ordered_v2_b32(const void *p) { uint2 v; v.x = __nv_atomic_load_n((unsigned *)p + 0, O, S); v.y = __nv_atomic_load_n((unsigned *)p + 1, O, S); return v; }
template <int O, int S> __device__ void st_ordered_v2_b32(void *p, unsigned x, unsigned y) { __nv_atomic_store_n((unsigned *)p + 0, x, O, S); __nv_atomic_store_n((unsigned *)p + 1, y, O, S); }
template <int O, int S> __device__ uint4 ld_ordered_v4_b32(const void *p) { uint4 v; v.x = __nv_atomic_load_n((unsigned *)p + 0, O, S); v.y = __nv_atomic_load_n((unsigned *)p + 1, O, S); v.z = __nv_atomic_load_n((unsigned *)p + 2, O, S); v.w = __nv_atomic_load_n((unsigned *)p + 3, O, S); return v; }
template <int O, int S> __device__ void st_ordered_v4_b32(void *p, unsigned x, unsigned y, unsigned z, unsigned w) { __nv_atomic_store_n((unsigned *)p + 0, x, O, S); __nv_atomic_store_n((unsigned *)p + 1, y, O, S); __nv_atomic_store_n((unsigned *)p + 2, z, O, S); __nv_atomic_store_n((unsigned *)p + 3, w, O, S); }
template <int O, int S> __device__ float2 ld_ordered_v2_f32(const void *p) { float2 v; v.x = __nv_atomic_load_n((float *)p + 0, O, S); v.y = __nv_atomic_load_n((float *)p + 1, O, S); return v; }
template <int O, int S> __device__ void st_ordered_v2_f32(void *p, float x, float y) { __nv_atomic_store_n((float *)p + 0, x, O, S); __nv_atomic_store_n((float *)p + 1, y, O, S); }
template <int O, int S> __device__ float4 ld_ordered_v4_f32(const void *p) { float4 v; v.x = __nv_atomic_load_n((float *)p + 0, O, S); v.y = __nv_atomic_load_n((float *)p + 1, O, S); v.z = __nv_atomic_load_n((float *)p + 2, O, S); v.w = __nv_atomic_load_n((float *)p + 3, O, S); return v; }
template <int O, int S> __device__ void st_ordered_v4_f32(void *p, float x, float y, float z, float w) { __nv_atomic_store_n((float *)p + 0, x, O, S); __nv_atomic_store_n((float *)p + 1, y, O, S); __nv_atomic_store_n((float *)p + 2, z, O, S); __nv_atomic_store_n((float *)p + 3, w, O, S); }
template <int O, int S> __device__ ulonglong2 ld_ordered_v2_u64(const void *p) { ulonglong2 v; v.x = __nv_atomic_load_n((unsigned long long *)p + 0, O, S); v.y = __nv_atomic_load_n((unsigned long long *)p + 1, O, S); return v; }
template <int O, int S> __device__ void st_ordered_v2_u64(void *p, unsigned long long x, unsigned long long y) { __nv_atomic_store_n((unsigned long long *)p + 0, x, O, S); __nv_atomic_store_n((unsigned long long *)p + 1, y, O, S); }
template <int O, int S> __device__ longlong2 ld_ordered_v2_s64(const void *p) { longlong2 v; v.x = __nv_atomic_load_n((long long *)p + 0, O, S); v.y = __nv_atomic_load_n((long long *)p + 1, O, S); return v; }
template <int O, int S> __device__ void st_ordered_v2_s64(void *p, long long x, long long y) { __nv_atomic_store_n((long long *)p + 0, x, O, S); __nv_atomic_store_n((long long *)p + 1, y, O, S); }
template <int O, int S> __device__ ulonglong2 ld_ordered_v2_b64(const void *p) { ulonglong2 v; v.x = __nv_atomic_load_n((unsigned long long *)p + 0, O, S); v.y = __nv_atomic_load_n((unsigned long long *)p + 1, O, S); return v; }
template <int O, int S> __device__ void st_ordered_v2_b64(void *p, unsigned long long x, unsigned long long y) { __nv_atomic_store_n((unsigned long long *)p + 0, x, O, S); __nv_atomic_store_n((unsigned long long *)p + 1, y, O, S); }
template <int O, int S> __device__ double2 ld_ordered_v2_f64(const void *p) { double2 v; v.x = __nv_atomic_load_n((double *)p + 0, O, S); v.y = __nv_atomic_load_n((double *)p + 1, O, S); return v; }
template <int O, int S> __device__ void st_ordered_v2_f64(void *p, double x, double y) { __nv_atomic_store_n((double *)p + 0, x, O, S); __nv_atomic_store_n((double *)p + 1, y, O, S); }
template <int O, int S> __device__ unsigned atom_ordered_add_u32(void *p, unsigned v) { return __nv_atomic_fetch_add((unsigned *)p, v, O, S); }
template <int O, int S> __device__ void red_ordered_add_u32(void *p, unsigned v) { __nv_atomic_add((unsigned *)p, v, O, S); }
template <int O, int S> __device__ int atom_ordered_add_s32(void *p, int v) { return __nv_atomic_fetch_add((int *)p, v, O, S); }
template <int O, int S> __device__ void red_ordered_add_s32(void *p, int v) { __nv_atomic_add((int *)p, v, O, S); }
template <int O, int S> __device__ unsigned long long atom_ordered_add_u64(void *p, unsigned long long v) { return __nv_atomic_fetch_add((unsigned long long *)p, v, O, S); }
template <int O, int S> __device__ void red_ordered_add_u64(void *p, unsigned long long v) { __nv_atomic_add((unsigned long long *)p, v, O, S); }
template <int O, int S> __device__ float atom_ordered_add_f32(void *p, float v) { return __nv_atomic_fetch_add((float *)p, v, O, S); }
template <int O, int S> __device__ void red_ordered_add_f32(void *p, float v) { __nv_atomic_add((float *)p, v, O, S); }
template <int O, int S> __device__ double atom_ordered_add_f64(void *p, double v) { return __nv_atomic_fetch_add((double *)p, v, O, S); }
template <int O, int S> __device__ void red_ordered_add_f64(void *p, double v) { __nv_atomic_add((double *)p, v, O, S); }
template <int O, int S> __device__ unsigned atom_ordered_min_u32(void *p, unsigned v) { return __nv_atomic_fetch_min((unsigned *)p, v, O, S); }
template <int O, int S> __device__ void red_ordered_min_u32(void *p, unsigned v) { __nv_atomic_min((unsigned *)p, v, O, S); }
template <int O, int S> __device__ int atom_ordered_min_s32(void *p, int v) { return __nv_atomic_fetch_min((int *)p, v, O, S); }
template <int O, int S> __device__ void red_ordered_min_s32(void *p, int v) { __nv_atomic_min((int *)p, v, O, S); }
template <int O, int S> __device__ unsigned long long atom_ordered_min_u64(void *p, unsigned long long v) { return __nv_atomic_fetch_min((unsigned long long *)p, v, O, S); }
template <int O, int S> __device__ void red_ordered_min_u64(void *p, unsigned long long v) { __nv_atomic_min((unsigned long long *)p, v, O, S); }
template <int O, int S> __device__ long long atom_ordered_min_s64(void *p, long long v) { return __nv_atomic_fetch_min((long long *)p, v, O, S); }
template <int O, int S> __device__ void red_ordered_min_s64(void *p, long long v) { __nv_atomic_min((long long *)p, v, O, S); }
template <int O, int S> __device__ unsigned atom_ordered_max_u32(void *p, unsigned v) { return __nv_atomic_fetch_max((unsigned *)p, v, O, S); }
template <int O, int S> __device__ void red_ordered_max_u32(void *p, unsigned v) { __nv_atomic_max((unsigned *)p, v, O, S); }
template <int O, int S> __device__ int atom_ordered_max_s32(void *p, int v) { return __nv_atomic_fetch_max((int *)p, v, O, S); }
template <int O, int S> __device__ void red_ordered_max_s32(void *p, int v) { __nv_atomic_max((int *)p, v, O, S); }
template <int O, int S> __device__ unsigned long long atom_ordered_max_u64(void *p, unsigned long long v) { return __nv_atomic_fetch_max((unsigned long long *)p, v, O, S); }
template <int O, int S> __device__ void red_ordered_max_u64(void *p, unsigned long long v) { __nv_atomic_max((unsigned long long *)p, v, O, S); }
template <int O, int S> __device__ long long atom_ordered_max_s64(void *p, long long v) { return __nv_atomic_fetch_max((long long *)p, v, O, S); }
template <int O, int S> __device__ void red_ordered_max_s64(void *p, long long v) { __nv_atomic_max((long long *)p, v, O, S); }
template <int O, int S> __device__ unsigned atom_ordered_and_b32(void *p, unsigned v) { return __nv_atomic_fetch_and((unsigned *)p, v, O, S); }
template <int O, int S> __device__ void red_ordered_and_b32(void *p, unsigned v) { __nv_atomic_and((unsigned *)p, v, O, S); }
template <int O, int S> __device__ unsigned long long atom_ordered_and_b64(void *p, unsigned long long v) { return __nv_atomic_fetch_and((unsigned long long *)p, v, O, S); }
template <int O, int S> __device__ void red_ordered_and_b64(void *p, unsigned long long v) { __nv_atomic_and((unsigned long long *)p, v, O, S); }
template <int O, int S> __device__ unsigned atom_ordered_or_b32(void *p, unsigned v) { return __nv_atomic_fetch_or((unsigned *)p, v, O, S); }
template <int O, int S> __device__ void red_ordered_or_b32(void *p, unsigned v) { __nv_atomic_or((unsigned *)p, v, O, S); }
template <int O, int S> __device__ unsigned long long atom_ordered_or_b64(void *p, unsigned long long v) { return __nv_atomic_fetch_or((unsigned long long *)p, v, O, S); }
template <int O, int S> __device__ void red_ordered_or_b64(void *p, unsigned long long v) { __nv_atomic_or((unsigned long long *)p, v, O, S); }
template <int O, int S> __device__ unsigned atom_ordered_xor_b32(void *p, unsigned v) { return __nv_atomic_fetch_xor((unsigned *)p, v, O, S); }
template <int O, int S> __device__ void red_ordered_xor_b32(void *p, unsigned v) { __nv_atomic_xor((unsigned *)p, v, O, S); }
template <int O, int S> __device__ unsigned long long atom_ordered_xor_b64(void *p, unsigned long long v) { return __nv_atomic_fetch_xor((unsigned long long *)p, v, O, S); }
template <int O, int S> __device__ void red_ordered_xor_b64(void *p, unsigned long long v) { __nv_atomic_xor((unsigned long long *)p, v, O, S); }
template <int O, int S> __device__ unsigned atom_ordered_exch_b32(void *p, unsigned v) { return __nv_atomic_exchange_n((unsigned *)p, v, O, S); }
template <int O, int S> __device__ unsigned long long atom_ordered_exch_b64(void *p, unsigned long long v) { return __nv_atomic_exchange_n((unsigned long long *)p, v, O, S); }
template <int O, int S> unsigned counted_up(unsigned *p, unsigned v) __heddle("atomic_inc(p, v, __heddle_order(O), __heddle_scope(S))");
template <int O, int S> unsigned counted_down(unsigned *p, unsigned v) __heddle("atomic_dec(p, v, __heddle_order(O), __heddle_scope(S))");
template <int O, int S> __device__ unsigned atom_ordered_inc_u32(void *p, unsigned v) { return counted_up<O, S>((unsigned *)p, v); }
template <int O, int S> __device__ void red_ordered_inc_u32(void *p, unsigned v) { counted_up<O, S>((unsigned *)p, v); }
template <int O, int S> __device__ unsigned atom_ordered_dec_u32(void *p, unsigned v) { return counted_down<O, S>((unsigned *)p, v); }
template <int O, int S> __device__ void red_ordered_dec_u32(void *p, unsigned v) { counted_down<O, S>((unsigned *)p, v); }
template <int O, int S> __device__ unsigned short atom_ordered_cas_b16(void *p, unsigned short a, unsigned short b) { return __nv_atomic_cas_value((unsigned short *)p, a, b, O, S); }
template <int O, int S> __device__ unsigned atom_ordered_cas_b32(void *p, unsigned a, unsigned b) { return __nv_atomic_cas_value((unsigned *)p, a, b, O, S); }
template <int O, int S> __device__ unsigned long long atom_ordered_cas_b64(void *p, unsigned long long a, unsigned long long b) { return __nv_atomic_cas_value((unsigned long long *)p, a, b, O, S); }
__device__ void nanosleep_u32(unsigned n) {  }
__device__ void fence_acq_rel_gpu() { __threadfence(); }
__device__ void fence_sc_gpu() { __threadfence(); }
__device__ void fence_acq_rel_cta() { __threadfence_block(); }
__device__ void fence_sc_cta() { __threadfence_block(); }
__device__ void fence_acq_rel_sys() { __threadfence_system(); }
__device__ void fence_sc_sys() { __threadfence_system(); }
__device__ void bar_warp_sync(unsigned mask) { __syncwarp(mask); }
__device__ unsigned shfl_sync_up_b32(unsigned v, unsigned n, unsigned c, unsigned mask) { __hd::confirm(c == 0); return __shfl_up_sync(mask, v, n); }
__device__ unsigned shfl_sync_down_b32(unsigned v, unsigned n, unsigned c, unsigned mask) { __hd::confirm(c == 31); return __shfl_down_sync(mask, v, n); }
__device__ unsigned shfl_sync_bfly_b32(unsigned v, unsigned n, unsigned c, unsigned mask) { __hd::confirm(c == 31); return __shfl_xor_sync(mask, v, n); }
__device__ unsigned shfl_sync_idx_b32(unsigned v, unsigned n, unsigned c, unsigned mask) { __hd::confirm(c == 31); return __shfl_sync(mask, v, n); }
__device__ unsigned vote_sync_ballot_b32(bool p, unsigned mask) { return __ballot_sync(mask, p); }
__device__ bool vote_sync_any_pred(bool p, unsigned mask) { return __any_sync(mask, p); }
__device__ bool vote_sync_all_pred(bool p, unsigned mask) { return __all_sync(mask, p); }
// redux.sync
__device__ unsigned redux_sync_add_u32(unsigned v, unsigned mask) __heddle_when("mask == 0xffffffffu", "reduce(whole_warp(), v, plus)") { return __reduce_add_sync(mask, v); }
__device__ int redux_sync_add_s32(int v, unsigned mask) __heddle_when("mask == 0xffffffffu", "reduce(whole_warp(), v, plus)") { return __reduce_add_sync(mask, v); }
__device__ unsigned redux_sync_min_u32(unsigned v, unsigned mask) __heddle_when("mask == 0xffffffffu", "reduce(whole_warp(), v, min)") { return __reduce_min_sync(mask, v); }
__device__ int redux_sync_min_s32(int v, unsigned mask) __heddle_when("mask == 0xffffffffu", "reduce(whole_warp(), v, min)") { return __reduce_min_sync(mask, v); }
__device__ unsigned redux_sync_max_u32(unsigned v, unsigned mask) __heddle_when("mask == 0xffffffffu", "reduce(whole_warp(), v, max)") { return __reduce_max_sync(mask, v); }
__device__ int redux_sync_max_s32(int v, unsigned mask) __heddle_when("mask == 0xffffffffu", "reduce(whole_warp(), v, max)") { return __reduce_max_sync(mask, v); }
__device__ unsigned redux_sync_and_b32(unsigned v, unsigned mask) __heddle_when("mask == 0xffffffffu", "reduce(whole_warp(), v, bit_and)") { return __reduce_and_sync(mask, v); }
__device__ unsigned redux_sync_or_b32(unsigned v, unsigned mask) __heddle_when("mask == 0xffffffffu", "reduce(whole_warp(), v, bit_or)") { return __reduce_or_sync(mask, v); }
__device__ unsigned redux_sync_xor_b32(unsigned v, unsigned mask) __heddle_when("mask == 0xffffffffu", "reduce(whole_warp(), v, bit_xor)") { return __reduce_xor_sync(mask, v); }

// elect.sync: the lowest lane of the mask
__device__ unsigned elect_lane(unsigned mask) { return __ffs((int)mask) - 1; }
__device__ bool elect_chosen(unsigned mask) __heddle_when("mask == 0xffffffffu", "(any(whole_warp(), true), rank(this_warp()) == 0)") {
  __any_sync(mask, true);
  return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32 == __ffs((int)mask) - 1;
}
__device__ unsigned activemask_b32() { return __activemask(); }
template <class T> __device__ T *at(T *p, long long bytes) { return (T *)((const char *)p + bytes); }
size_t cvta_to_global_u64(const void *p) __heddle_address;
// mbarriers: cu_asm_barrier.c has what is more than a call
template <class B> void mbarrier_init_b64(B *b, unsigned n) __heddle_barrier_init;
template <class B> void mbarrier_inval_b64(B *b) __heddle("(void)0");
template <class B> __hd::word_token mbarrier_arrive_b64(B *b) __heddle("arrive(b)");
template <class B> __hd::word_token mbarrier_arrive_b64(B *b, unsigned n) __heddle_when("n == 1", "arrive(b)") __heddle("arrive(b, (int)n)");
template <class B> __hd::word_token mbarrier_arrive_drop_b64(B *b) __heddle("arrive_drop(b)");
template <class B> __hd::word_token mbarrier_arrive_drop_b64(B *b, unsigned n) __heddle("arrive_drop(b, (int)n)");
template <class B> __hd::word_token mbarrier_arrive_expect_tx_b64(B *b, unsigned bytes) __heddle("arrive_expect(b, (int)bytes)");
template <class B> void mbarrier_expect_tx_b64(B *b, unsigned bytes) __heddle("expect(b, (int)bytes)");
template <class B> bool mbarrier_test_wait_parity_b64(B *b, unsigned parity) __heddle("test_wait(b, (int)parity)");
template <class B> bool mbarrier_try_wait_parity_b64(B *b, unsigned parity) __heddle("test_wait(b, (int)parity)");
template <class B> bool mbarrier_try_wait_parity_b64(B *b, unsigned parity, unsigned) __heddle("test_wait(b, (int)parity)");
template <class B> bool mbarrier_test_wait_b64(B *b, const __hd::word_token &state) __heddle("test_wait(b, state)");
template <class B> bool mbarrier_try_wait_b64(B *b, const __hd::word_token &state) __heddle("test_wait(b, state)");
template <class B> bool mbarrier_try_wait_b64(B *b, const __hd::word_token &state, unsigned) __heddle("test_wait(b, state)");
template <class B> void mbarrier_wait_parity(B *b, unsigned parity) __heddle("wait(b, (int)parity)");
template <class B> void mbarrier_wait_parity(B *b, unsigned parity, unsigned) __heddle("wait(b, (int)parity)");
template <class B> void mbarrier_wait(B *b, const __hd::word_token &state) __heddle("wait(b, state)");
template <class B> void mbarrier_wait(B *b, const __hd::word_token &state, unsigned) __heddle("wait(b, state)");
// barrier.cluster
void barrier_cluster_arrive() __heddle_phase_arrive;
void barrier_cluster_arrive_aligned() __heddle_phase_arrive;
void barrier_cluster_arrive_release() __heddle_phase_arrive;
void barrier_cluster_arrive_release_aligned() __heddle_phase_arrive;
void barrier_cluster_wait() __heddle_phase_wait;
void barrier_cluster_wait_aligned() __heddle_phase_wait;
void barrier_cluster_wait_acquire() __heddle_phase_wait;
void barrier_cluster_wait_acquire_aligned() __heddle_phase_wait;
void griddepcontrol_wait() __heddle("(void)0");
void griddepcontrol_launch_dependents() __heddle("(void)0");
void fence_mbarrier_init_release_cluster() __heddle("(void)0");
void fence_proxy_async() __heddle("fence_async()");
void fence_acq_rel_cluster() __heddle("fence(cluster)");
void fence_sc_cluster() __heddle("fence(cluster)");
// copies
void cp_async_ca(void *to, const void *from, int size) __heddle("copy_bytes(this_thread(), to, from, (long)size)");
void cp_async_cg(void *to, const void *from, int size) __heddle("copy_bytes(this_thread(), to, from, (long)size)");
// What is filled with zeros is stored at once.
__device__ void cp_async_ca(void *to, const void *from, int size, int given) {
  if (given >= size) {
    cp_async_ca(to, from, size);
  } else {
    if (given > 0)
      cp_async_ca(to, from, given);
    if (given <= 0 && size == 16)
      *(uint4 *)to = make_uint4(0, 0, 0, 0);
    else
      for (int i = given; i < size; i++)
        ((unsigned char *)to)[i] = 0;
  }
}
__device__ void cp_async_cg(void *to, const void *from, int size, int given) { cp_async_ca(to, from, size, given); }
// Hints for caches have no effect.
__device__ void cp_async_ca(void *to, const void *from, int size, unsigned long long policy) { cp_async_ca(to, from, size); }
__device__ void cp_async_ca(void *to, const void *from, int size, unsigned long policy) { cp_async_ca(to, from, size); }
__device__ void cp_async_cg(void *to, const void *from, int size, unsigned long long policy) { cp_async_cg(to, from, size); }
__device__ void cp_async_cg(void *to, const void *from, int size, unsigned long policy) { cp_async_cg(to, from, size); }
__device__ void cp_async_ca(void *to, const void *from, int size, int given, unsigned long long policy) { cp_async_ca(to, from, size, given); }
__device__ void cp_async_cg(void *to, const void *from, int size, int given, unsigned long long policy) { cp_async_cg(to, from, size, given); }
__device__ void cp_async_ca(void *to, const void *from, int size, bool ignores) { cp_async_ca(to, from, size, ignores ? 0 : size); }
__device__ void cp_async_cg(void *to, const void *from, int size, bool ignores) { cp_async_ca(to, from, size, ignores ? 0 : size); }
void cp_async_commit_group() __heddle("copy_commit()");
void cp_async_wait_all() __heddle("copy_wait(0)");
__device__ void cp_async_wait_group(int n) __heddle_when("n == 0", "copy_wait(0)") __heddle_when("n == 1", "copy_wait(1)") __heddle_when("n == 2", "copy_wait(2)") __heddle_when("n == 3", "copy_wait(3)") __heddle_when("n == 4", "copy_wait(4)") __heddle_when("n == 5", "copy_wait(5)") __heddle_when("n == 6", "copy_wait(6)") __heddle_when("n == 7", "copy_wait(7)") __heddle_when("n >= 8", "copy_wait(8)");
template <class B> void cp_async_mbarrier_arrive_b64(B *b) __heddle("copy_commit(), copy_wait(0)");
template <class B> void cp_async_mbarrier_arrive_noinc_b64(B *b) __heddle("copy_commit(), copy_wait(0), arrive(b)");
void cp_async_bulk_bulk_group(void *to, const void *from, unsigned bytes) __heddle("copy_bulk(to, from, (long)bytes)");
void cp_async_bulk_commit_group() __heddle("tma_commit()");
__device__ void cp_async_bulk_wait_group(int n) __heddle_when("n == 0", "tma_wait(0)") __heddle_when("n == 1", "tma_wait(1)") __heddle_when("n == 2", "tma_wait(2)") __heddle_when("n == 3", "tma_wait(3)") __heddle_when("n == 4", "tma_wait(4)") __heddle_when("n == 5", "tma_wait(5)") __heddle_when("n == 6", "tma_wait(6)") __heddle_when("n == 7", "tma_wait(7)") __heddle_when("n >= 8", "tma_wait(8)");
__device__ void cp_async_bulk_wait_group_read(int n) __heddle_when("n == 0", "tma_wait_read(0)") __heddle_when("n == 1", "tma_wait_read(1)") __heddle_when("n == 2", "tma_wait_read(2)") __heddle_when("n == 3", "tma_wait_read(3)") __heddle_when("n == 4", "tma_wait_read(4)") __heddle_when("n == 5", "tma_wait_read(5)") __heddle_when("n == 6", "tma_wait_read(6)") __heddle_when("n == 7", "tma_wait_read(7)") __heddle_when("n >= 8", "tma_wait_read(8)");
void cp_async_bulk_bulk_group(void *to, const void *from, unsigned bytes, unsigned long long) __heddle("copy_bulk(to, from, (long)bytes)");
unsigned long long createpolicy_fractional_b64(float) __heddle("0ul");
template <class B> void cp_async_bulk_mbarrier_complete_tx_bytes(void *to, const void *from, unsigned bytes, B *b, unsigned long long) __heddle("copy_bulk(to, from, (long)bytes, b)");
template <class B> void cp_async_bulk_mbarrier_complete_tx_bytes(void *to, const void *from, unsigned bytes, B *b) __heddle("copy_bulk(to, from, (long)bytes, b)");
void setmaxnreg_inc_sync_aligned_u32(unsigned) __heddle("(void)0");
void setmaxnreg_dec_sync_aligned_u32(unsigned) __heddle("(void)0");
// addresses
size_t cvta_to_shared_u64(const void *p) __heddle_address;
}
