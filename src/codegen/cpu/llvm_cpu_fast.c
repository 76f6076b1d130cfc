// SPDX-License-Identifier: Apache-2.0
// Short code for common functions, good for vectors of any width: float exp,
// exp2, log and log2 with all special values, and the fast_ variants, which
// take subnormal numbers for zero, as GPUs do. Errors are listed in
// docs/reference/accuracy.md and held by a test.
#include "base/panic.h"
#include "codegen/cpu/llvm_cpu.h"

#include <math.h>

typedef struct {
  CpuEmit *e;
  LLVMTypeRef type, bits; // of the values, and the integers of their size
  bool is_double;
} Math;

static LLVMValueRef cpu_fast_number(const Math *m, double value) {
  return llvm_fill(m->type,
                   LLVMConstReal(m->is_double ? m->e->f64 : m->e->f32, value));
}

static LLVMValueRef whole(const Math *m, int64_t value) {
  LLVMTypeRef scalar = m->is_double ? m->e->i64 : m->e->i32;
  return llvm_fill(m->bits, LLVMConstInt(scalar, (uint64_t)value, 1));
}

static LLVMValueRef cpu_fast_fma3(const Math *m, LLVMValueRef a, LLVMValueRef b,
                                  LLVMValueRef c) {
  LLVMValueRef args[3] = {a, b, c};
  if (!m->e->target->has_fma)
    return LLVMBuildFAdd(m->e->b, LLVMBuildFMul(m->e->b, a, b, CPU_NAME), c,
                         CPU_NAME);
  return cpu_intrinsic(m->e, "llvm.fma", &m->type, 1, args, 3);
}

static LLVMValueRef cpu_fast_mul(const Math *m, LLVMValueRef a,
                                 LLVMValueRef b) {
  return LLVMBuildFMul(m->e->b, a, b, CPU_NAME);
}

static LLVMValueRef cpu_fast_unary(const Math *m, const char *name,
                                   LLVMValueRef v) {
  return cpu_intrinsic(m->e, name, &m->type, 1, &v, 1);
}

// c[0] + c[1] x + …, Horner.
static LLVMValueRef polynomial(const Math *m, LLVMValueRef x, const double *c,
                               unsigned n) {
  LLVMValueRef sum = cpu_fast_number(m, c[n - 1]);
  for (unsigned i = n - 1; i-- > 0;)
    sum = cpu_fast_fma3(m, sum, x, cpu_fast_number(m, c[i]));
  return sum;
}

// Keeps NaN: it compares false.
static LLVMValueRef at_most(const Math *m, LLVMValueRef v, double limit) {
  LLVMValueRef bound = cpu_fast_number(m, limit);
  LLVMValueRef over = LLVMBuildFCmp(m->e->b, LLVMRealOGT, v, bound, CPU_NAME);
  return LLVMBuildSelect(m->e->b, over, bound, v, CPU_NAME);
}

static LLVMValueRef cpu_fast_at_least(const Math *m, LLVMValueRef v,
                                      double limit) {
  LLVMValueRef bound = cpu_fast_number(m, limit);
  LLVMValueRef under = LLVMBuildFCmp(m->e->b, LLVMRealOLT, v, bound, CPU_NAME);
  return LLVMBuildSelect(m->e->b, under, bound, v, CPU_NAME);
}

// 2^n of whole numbers n within the exponents of normal numbers.
static LLVMValueRef cpu_fast_power_of_two(const Math *m, LLVMValueRef n) {
  unsigned shift = m->is_double ? 52 : 23;
  LLVMValueRef biased =
      LLVMBuildAdd(m->e->b, n, whole(m, m->is_double ? 1023 : 127), CPU_NAME);
  LLVMValueRef bits = LLVMBuildShl(m->e->b, biased, whole(m, shift), CPU_NAME);
  return LLVMBuildBitCast(m->e->b, bits, m->type, CPU_NAME);
}

// ------------------------------------------------------ vectors of AVX-512

// The values are a row of lanes, which two registers hold.
static bool has_registers(const Math *m) {
  return m->e->target->is_x86 && m->e->target->vector_bytes == 64 &&
         !m->is_double && LLVMGetTypeKind(m->type) == LLVMVectorTypeKind &&
         LLVMGetVectorSize(m->type) == CPU_WARP;
}

static LLVMValueRef cpu_fast_half(const Math *m, LLVMValueRef v, uint32_t h) {
  return cpu_slice(m->e, v, h * CPU_WARP / 2, CPU_WARP / 2);
}

static LLVMValueRef cpu_fast_joined(const Math *m,
                                    const LLVMValueRef halves[2]) {
  LLVMValueRef picks[CPU_WARP];
  for (uint32_t i = 0; i < CPU_WARP; i++)
    picks[i] = cpu_i32(m->e, i);
  return LLVMBuildShuffleVector(m->e->b, halves[0], halves[1],
                                LLVMConstVector(picks, CPU_WARP), CPU_NAME);
}

// ------------------------------------------------------------ exponentials

// e^r on |r| <= ln2/2: 1 + r + r^2 P(r).
static LLVMValueRef exp_core(const Math *m, LLVMValueRef r) {
  static const double single[] = {5.0000001201e-1, 1.6666665459e-1,
                                  4.1665795894e-2, 8.3334519073e-3,
                                  1.3981999507e-3, 1.9875691500e-4};
  static const double wide[] = {
      1.0 / 2,    1.0 / 6,     1.0 / 24,     1.0 / 120,     1.0 / 720,
      1.0 / 5040, 1.0 / 40320, 1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800};
  LLVMValueRef p =
      m->is_double ? polynomial(m, r, wide, 10) : polynomial(m, r, single, 6);
  LLVMValueRef square = cpu_fast_mul(m, r, r);
  LLVMValueRef tail = cpu_fast_fma3(m, square, p, r);
  return LLVMBuildFAdd(m->e->b, tail, cpu_fast_number(m, 1.0), CPU_NAME);
}

// Scales in two halves, so that results may be subnormal or overflow.
static LLVMValueRef scale_exact(const Math *m, LLVMValueRef v, LLVMValueRef n) {
  LLVMValueRef half = LLVMBuildAShr(m->e->b, n, whole(m, 1), CPU_NAME);
  LLVMValueRef rest = LLVMBuildSub(m->e->b, n, half, CPU_NAME);
  return cpu_fast_mul(m, cpu_fast_mul(m, v, cpu_fast_power_of_two(m, half)),
                      cpu_fast_power_of_two(m, rest));
}

// The same for counts that are whole floats, or NaN, in one instruction.
static LLVMValueRef scale_by_register(const Math *m, LLVMValueRef v,
                                      LLVMValueRef n) {
  LLVMValueRef halves[2];
  LLVMTypeRef type = LLVMVectorType(m->e->f32, CPU_WARP / 2);
  for (uint32_t h = 0; h < 2; h++) {
    LLVMValueRef args[5] = {
        cpu_fast_half(m, v, h), cpu_fast_half(m, n, h), LLVMConstNull(type),
        LLVMConstInt(LLVMInt16TypeInContext(m->e->cx), 0xffff, 0),
        cpu_i32(m->e, 4)}; // rounds as ever
    halves[h] = cpu_intrinsic(m->e, "llvm.x86.avx512.mask.scalef.ps.512", NULL,
                              0, args, 5);
  }
  return cpu_fast_joined(m, halves);
}

typedef struct {
  LLVMValueRef power; // e^r or 2^r with |r| at most a half turn
  LLVMValueRef turns; // what it is to be doubled, as a float
} Reduced;

static Reduced reduce_exp(const Math *m, LLVMValueRef x, bool is_base2) {
  LLVMValueRef turns =
      is_base2 ? x : cpu_fast_mul(m, x, cpu_fast_number(m, M_LOG2E));
  LLVMValueRef n = cpu_fast_unary(m, "llvm.rint", turns);
  LLVMValueRef r;
  if (is_base2) {
    r = cpu_fast_mul(m, LLVMBuildFSub(m->e->b, x, n, CPU_NAME),
                     cpu_fast_number(m, M_LN2));
  } else {
    double high = m->is_double ? 6.93147180369123816490e-01 : 0.693359375;
    double low =
        m->is_double ? 1.90821492927058770002e-10 : -2.12194440054690583e-4;
    LLVMValueRef minus = LLVMBuildFNeg(m->e->b, n, CPU_NAME);
    r = cpu_fast_fma3(m, minus, cpu_fast_number(m, high), x);
    r = cpu_fast_fma3(m, minus, cpu_fast_number(m, low), r);
  }
  return (Reduced){exp_core(m, r), n};
}

// Special values and subnormal results too.
static LLVMValueRef emit_exp(const Math *m, LLVMValueRef x, bool is_base2) {
  double per_unit = is_base2 ? 1.0 : M_LN2;
  x = at_most(m, x, (m->is_double ? 1025.0 : 129.0) * per_unit);
  x = cpu_fast_at_least(m, x, (m->is_double ? -1080.0 : -152.0) * per_unit);
  Reduced e = reduce_exp(m, x, is_base2);
  if (has_registers(m))
    return scale_by_register(m, e.power, e.turns);
  // NaN would make the conversion unspecified; the power keeps it.
  LLVMValueRef ordered =
      LLVMBuildFCmp(m->e->b, LLVMRealORD, e.turns, e.turns, CPU_NAME);
  LLVMValueRef n = LLVMBuildSelect(m->e->b, ordered, e.turns,
                                   cpu_fast_number(m, 0.0), CPU_NAME);
  return scale_exact(m, e.power,
                     LLVMBuildFPToSI(m->e->b, n, m->bits, CPU_NAME));
}

// v, or bound: where v is NaN too.
static LLVMValueRef cpu_fast_within(const Math *m, LLVMRealPredicate is,
                                    LLVMValueRef v, double limit) {
  LLVMValueRef bound = cpu_fast_number(m, limit);
  LLVMValueRef holds = LLVMBuildFCmp(m->e->b, is, v, bound, CPU_NAME);
  return LLVMBuildSelect(m->e->b, holds, v, bound, CPU_NAME);
}

// Results beyond the normal numbers are zero and infinity.
static LLVMValueRef emit_fast_exp(const Math *m, LLVMValueRef x,
                                  bool is_base2) {
  LLVMBuilderRef b = m->e->b;
  double top = m->is_double ? 1024.0 : 128.0, bottom = 2.0 - top;
  double per_unit = is_base2 ? 1.0 : M_LN2;
  Reduced e = reduce_exp(m, x, is_base2);
  LLVMValueRef n = cpu_fast_within(m, LLVMRealOGT, e.turns, bottom);
  n = LLVMBuildFPToSI(b, cpu_fast_within(m, LLVMRealOLT, n, top), m->bits,
                      CPU_NAME);
  n = LLVMBuildShl(b, n, whole(m, m->is_double ? 52 : 23), CPU_NAME);
  LLVMValueRef bits = LLVMBuildBitCast(b, e.power, m->bits, CPU_NAME);
  LLVMValueRef v = LLVMBuildBitCast(b, LLVMBuildAdd(b, bits, n, CPU_NAME),
                                    m->type, CPU_NAME);
  LLVMValueRef is_under = LLVMBuildFCmp(
      b, LLVMRealOLT, x, cpu_fast_number(m, bottom * per_unit), CPU_NAME);
  v = LLVMBuildSelect(b, is_under, cpu_fast_number(m, 0.0), v, CPU_NAME);
  LLVMValueRef is_over = LLVMBuildFCmp(
      b, LLVMRealUGE, x, cpu_fast_number(m, top * per_unit), CPU_NAME);
  LLVMValueRef beyond =
      LLVMBuildFAdd(b, x, cpu_fast_number(m, INFINITY), CPU_NAME);
  return LLVMBuildSelect(b, is_over, beyond, v, CPU_NAME);
}

// -------------------------------------------------------------- logarithms

typedef struct {
  LLVMValueRef exponent; // as a float
  LLVMValueRef f;        // x = 2^exponent * (1 + f), 1 + f in [0.707, 1.414)
} Split;

static Split split_number(const Math *m, LLVMValueRef x) {
  LLVMBuilderRef b = m->e->b;
  unsigned shift = m->is_double ? 52 : 23;
  int64_t root_half = m->is_double ? 0x3fe6a09e667f3bcd : 0x3f3504f3;
  LLVMValueRef bits = LLVMBuildBitCast(b, x, m->bits, CPU_NAME);
  LLVMValueRef above = LLVMBuildSub(b, bits, whole(m, root_half), CPU_NAME);
  LLVMValueRef n = LLVMBuildAShr(b, above, whole(m, shift), CPU_NAME);
  LLVMValueRef by = LLVMBuildShl(b, n, whole(m, shift), CPU_NAME);
  LLVMValueRef mantissa = LLVMBuildBitCast(
      b, LLVMBuildSub(b, bits, by, CPU_NAME), m->type, CPU_NAME);
  Split s;
  s.exponent = LLVMBuildSIToFP(b, n, m->type, CPU_NAME);
  s.f = LLVMBuildFSub(b, mantissa, cpu_fast_number(m, 1.0), CPU_NAME);
  return s;
}

// ln(1 + f) - f + f^2/2, a series in f^3.
static LLVMValueRef log_tail_single(const Math *m, LLVMValueRef f) {
  static const double c[] = {
      3.3333331174e-1,  -2.4999993993e-1, 2.0000714765e-1,
      -1.6668057665e-1, 1.4249322787e-1,  -1.2420140846e-1,
      1.1676998740e-1,  -1.1514610310e-1, 7.0376836292e-2};
  LLVMValueRef cube = cpu_fast_mul(m, cpu_fast_mul(m, f, f), f);
  return cpu_fast_mul(m, polynomial(m, f, c, 9), cube);
}

// The same through s = f / (2 + f), where ln(1 + f) = 2 atanh(s).
static LLVMValueRef log_tail_double(const Math *m, LLVMValueRef f) {
  static const double c[] = {2.0 / 3,  2.0 / 5,  2.0 / 7,  2.0 / 9, 2.0 / 11,
                             2.0 / 13, 2.0 / 15, 2.0 / 17, 2.0 / 19};
  LLVMBuilderRef b = m->e->b;
  LLVMValueRef s = LLVMBuildFDiv(
      b, f, LLVMBuildFAdd(b, f, cpu_fast_number(m, 2.0), CPU_NAME), CPU_NAME);
  LLVMValueRef square = cpu_fast_mul(m, s, s);
  LLVMValueRef series = cpu_fast_mul(m, square, polynomial(m, square, c, 9));
  LLVMValueRef half =
      cpu_fast_mul(m, cpu_fast_mul(m, f, f), cpu_fast_number(m, 0.5));
  return cpu_fast_mul(m, s, LLVMBuildFAdd(b, half, series, CPU_NAME));
}

static LLVMValueRef log_core(const Math *m, LLVMValueRef x, bool is_base2) {
  LLVMBuilderRef b = m->e->b;
  Split s = split_number(m, x);
  LLVMValueRef tail =
      m->is_double ? log_tail_double(m, s.f) : log_tail_single(m, s.f);
  LLVMValueRef half =
      cpu_fast_mul(m, cpu_fast_mul(m, s.f, s.f), cpu_fast_number(m, 0.5));
  if (is_base2) {
    // Multiplying f's large part last would lose it: the excess of log2(e)
    // over 1 is applied apart.
    LLVMValueRef rest = LLVMBuildFSub(b, tail, half, CPU_NAME);
    LLVMValueRef excess = cpu_fast_number(m, M_LOG2E - 1.0);
    LLVMValueRef sum =
        cpu_fast_fma3(m, rest, excess, cpu_fast_mul(m, s.f, excess));
    sum = LLVMBuildFAdd(b, sum, rest, CPU_NAME);
    sum = LLVMBuildFAdd(b, sum, s.f, CPU_NAME);
    return LLVMBuildFAdd(b, sum, s.exponent, CPU_NAME);
  }
  double high = m->is_double ? 6.93147180369123816490e-01 : 0.693359375;
  double low =
      m->is_double ? 1.90821492927058770002e-10 : -2.12194440054690583e-4;
  tail = cpu_fast_fma3(m, s.exponent, cpu_fast_number(m, low), tail);
  tail = LLVMBuildFSub(b, tail, half, CPU_NAME);
  LLVMValueRef sum = LLVMBuildFAdd(b, s.f, tail, CPU_NAME);
  return cpu_fast_fma3(m, s.exponent, cpu_fast_number(m, high), sum);
}

static LLVMValueRef emit_log(const Math *m, LLVMValueRef x, bool is_base2) {
  LLVMBuilderRef b = m->e->b;
  LLVMValueRef tiny = cpu_fast_number(m, m->is_double ? 0x1p-1022 : 0x1p-126);
  LLVMValueRef is_tiny = LLVMBuildFCmp(b, LLVMRealOLT, x, tiny, CPU_NAME);
  double lift = m->is_double ? 54 : 24;
  LLVMValueRef lifted =
      cpu_fast_mul(m, x, cpu_fast_number(m, m->is_double ? 0x1p54 : 0x1p24));
  LLVMValueRef v = LLVMBuildSelect(b, is_tiny, lifted, x, CPU_NAME);
  LLVMValueRef result = log_core(m, v, is_base2);
  LLVMValueRef lowered = LLVMBuildFSub(
      b, result, cpu_fast_number(m, is_base2 ? lift : lift * M_LN2), CPU_NAME);
  result = LLVMBuildSelect(b, is_tiny, lowered, result, CPU_NAME);
  LLVMValueRef infinity = cpu_fast_number(m, INFINITY);
  LLVMValueRef is_top = LLVMBuildFCmp(b, LLVMRealUEQ, x, infinity, CPU_NAME);
  result = LLVMBuildSelect(b, is_top, x, result, CPU_NAME); // NaN too
  LLVMValueRef zero = cpu_fast_number(m, 0.0);
  LLVMValueRef is_zero = LLVMBuildFCmp(b, LLVMRealOEQ, x, zero, CPU_NAME);
  result = LLVMBuildSelect(b, is_zero, cpu_fast_number(m, -INFINITY), result,
                           CPU_NAME);
  LLVMValueRef is_negative = LLVMBuildFCmp(b, LLVMRealOLT, x, zero, CPU_NAME);
  return LLVMBuildSelect(b, is_negative, cpu_fast_number(m, NAN), result,
                         CPU_NAME);
}

// Numbers below the least normal one are zero.
static LLVMValueRef emit_fast_log(const Math *m, LLVMValueRef x,
                                  bool is_base2) {
  LLVMBuilderRef b = m->e->b;
  LLVMValueRef tiny = cpu_fast_number(m, m->is_double ? 0x1p-1022 : 0x1p-126);
  LLVMValueRef is_top =
      LLVMBuildFCmp(b, LLVMRealOEQ, x, cpu_fast_number(m, INFINITY), CPU_NAME);
  LLVMValueRef v =
      LLVMBuildSelect(b, is_top, x, log_core(m, x, is_base2), CPU_NAME);
  LLVMValueRef is_zero = LLVMBuildFCmp(
      b, LLVMRealOLT, cpu_fast_unary(m, "llvm.fabs", x), tiny, CPU_NAME);
  LLVMValueRef special =
      LLVMBuildSelect(b, is_zero, cpu_fast_number(m, -INFINITY),
                      cpu_fast_number(m, NAN), CPU_NAME);
  LLVMValueRef is_normal = LLVMBuildFCmp(b, LLVMRealOGE, x, tiny, CPU_NAME);
  return LLVMBuildSelect(b, is_normal, v, special, CPU_NAME);
}

// ------------------------------------------------------------ sine, cosine

// pi is taken off in three parts: good up to some thousand turns.
static LLVMValueRef emit_sin(const Math *m, LLVMValueRef x, bool is_cos) {
  static const double wide[] = {-1.0 / 6,
                                1.0 / 120,
                                -1.0 / 5040,
                                1.0 / 362880,
                                -1.0 / 39916800,
                                1.0 / 6227020800.0,
                                -1.0 / 1307674368000.0,
                                1.0 / 355687428096000.0};
  static const double small[] = {
      -0.166666597127914428710938, 0.00833307858556509017944336,
      -0.0001981069071916863322258, 2.6083159809786593541503e-06};
  LLVMBuilderRef b = m->e->b;
  // n whole half turns (for cos: plus a quarter).
  LLVMValueRef turns = cpu_fast_mul(m, x, cpu_fast_number(m, M_1_PI));
  if (is_cos)
    turns = LLVMBuildFSub(b, turns, cpu_fast_number(m, 0.5), CPU_NAME);
  LLVMValueRef n = cpu_fast_unary(m, "llvm.rint", turns);
  LLVMValueRef count = n;
  if (is_cos)
    n = LLVMBuildFAdd(b, n, cpu_fast_number(m, 0.5), CPU_NAME);
  LLVMValueRef minus = LLVMBuildFNeg(b, n, CPU_NAME);
  LLVMValueRef r = cpu_fast_fma3(
      m, minus,
      cpu_fast_number(m, m->is_double ? 0x1.921fb54400000p1 : 3.140625), x);
  if (m->is_double) {
    r = cpu_fast_fma3(m, minus, cpu_fast_number(m, 0x1.0b4611a600000p-33), r);
    r = cpu_fast_fma3(m, minus, cpu_fast_number(m, 0x1.3198a2e037073p-68), r);
  } else {
    r = cpu_fast_fma3(m, minus, cpu_fast_number(m, 0.0009670257568359375), r);
    r = cpu_fast_fma3(m, minus, cpu_fast_number(m, 6.2771141529083251953e-7),
                      r);
    r = cpu_fast_fma3(m, minus, cpu_fast_number(m, 1.2154201256553420762e-10),
                      r);
  }
  // What is left of arguments that are too large for this.
  r = cpu_fast_at_least(m, at_most(m, r, 1.5708), -1.5708);
  LLVMValueRef square = cpu_fast_mul(m, r, r);
  LLVMValueRef p = m->is_double ? polynomial(m, square, wide, 8)
                                : polynomial(m, square, small, 4);
  LLVMValueRef v = cpu_fast_fma3(m, cpu_fast_mul(m, r, square), p, r);
  // sin(x - n pi) changes sign with odd n; cos(x) = sin(x + pi/2) likewise,
  // one more.
  LLVMValueRef half = cpu_fast_mul(m, count, cpu_fast_number(m, 0.5));
  LLVMValueRef odd = LLVMBuildFCmp(
      b, LLVMRealUNE, half, cpu_fast_unary(m, "llvm.floor", half), CPU_NAME);
  if (is_cos)
    odd = LLVMBuildNot(b, odd, CPU_NAME);
  return LLVMBuildSelect(b, odd, LLVMBuildFNeg(b, v, CPU_NAME), v, CPU_NAME);
}

// tanh x = 1 - 2 / (e^2x + 1), an odd polynomial near zero.
static LLVMValueRef emit_tanh(const Math *m, LLVMValueRef x) {
  static const double c[] = {-0.333333333, 0.133333333, -0.053968254,
                             0.021869489, -0.008863236};
  LLVMBuilderRef b = m->e->b;
  LLVMValueRef size = cpu_fast_unary(m, "llvm.fabs", x);
  LLVMValueRef power =
      emit_fast_exp(m, cpu_fast_mul(m, size, cpu_fast_number(m, 2.0)), false);
  LLVMValueRef one = cpu_fast_number(m, 1.0);
  LLVMValueRef q =
      LLVMBuildFDiv(b, cpu_fast_number(m, 2.0),
                    LLVMBuildFAdd(b, power, one, CPU_NAME), CPU_NAME);
  LLVMValueRef far = LLVMBuildFSub(b, one, q, CPU_NAME);
  LLVMValueRef square = cpu_fast_mul(m, size, size);
  LLVMValueRef near = cpu_fast_fma3(m, cpu_fast_mul(m, size, square),
                                    polynomial(m, square, c, 5), size);
  LLVMValueRef is_near =
      LLVMBuildFCmp(b, LLVMRealOLT, size, cpu_fast_number(m, 0.35), CPU_NAME);
  LLVMValueRef v = LLVMBuildSelect(b, is_near, near, far, CPU_NAME);
  LLVMValueRef args[2] = {v, x};
  return cpu_intrinsic(m->e, "llvm.copysign", &m->type, 1, args, 2);
}

// ------------------------------------------------------------- reciprocals

// Refining an estimate makes NaN of infinity and zero, which are right as they
// are.
static LLVMValueRef refined(const Math *m, LLVMValueRef v,
                            LLVMValueRef estimate) {
  LLVMValueRef is_nan = LLVMBuildFCmp(m->e->b, LLVMRealUNO, v, v, CPU_NAME);
  return LLVMBuildSelect(m->e->b, is_nan, estimate, v, CPU_NAME);
}

// AVX-512's estimate with 14 bits of 1/x or 1/sqrt(x).
static LLVMValueRef estimate(const Math *m, const char *name, LLVMValueRef x) {
  LLVMValueRef halves[2];
  LLVMTypeRef type = LLVMVectorType(m->e->f32, CPU_WARP / 2);
  for (uint32_t h = 0; h < 2; h++) {
    LLVMValueRef args[3] = {
        cpu_fast_half(m, x, h), LLVMConstNull(type),
        LLVMConstInt(LLVMInt16TypeInContext(m->e->cx), 0xffff, 0)};
    halves[h] = cpu_intrinsic(m->e, name, NULL, 0, args, 3);
  }
  return cpu_fast_joined(m, halves);
}

static LLVMValueRef cpu_fast_negated(const Math *m, LLVMValueRef v) {
  return LLVMBuildFNeg(m->e->b, v, CPU_NAME);
}

static LLVMValueRef reciprocal(const Math *m, LLVMValueRef x) {
  if (!has_registers(m))
    return LLVMBuildFDiv(m->e->b, cpu_fast_number(m, 1.0), x, CPU_NAME);
  LLVMValueRef r = estimate(m, "llvm.x86.avx512.rcp14.ps.512", x);
  LLVMValueRef error =
      cpu_fast_fma3(m, cpu_fast_negated(m, x), r, cpu_fast_number(m, 1.0));
  return refined(m, cpu_fast_fma3(m, r, error, r), r);
}

// The quotient's own error is taken off once more.
static LLVMValueRef cpu_fast_quotient(const Math *m, LLVMValueRef a,
                                      LLVMValueRef b) {
  if (!has_registers(m))
    return LLVMBuildFDiv(m->e->b, a, b, CPU_NAME);
  LLVMValueRef r = reciprocal(m, b), q = cpu_fast_mul(m, a, r);
  return refined(
      m, cpu_fast_fma3(m, cpu_fast_fma3(m, cpu_fast_negated(m, b), q, a), r, q),
      q);
}

static LLVMValueRef cpu_fast_reciprocal_root(const Math *m, LLVMValueRef x) {
  if (!has_registers(m))
    return LLVMBuildFDiv(m->e->b, cpu_fast_number(m, 1.0),
                         cpu_fast_unary(m, "llvm.sqrt", x), CPU_NAME);
  LLVMValueRef r = estimate(m, "llvm.x86.avx512.rsqrt14.ps.512", x);
  LLVMValueRef half = cpu_fast_mul(m, r, cpu_fast_number(m, 0.5));
  LLVMValueRef error =
      cpu_fast_fma3(m, cpu_fast_negated(m, cpu_fast_mul(m, x, r)), r,
                    cpu_fast_number(m, 1.0));
  return refined(m, cpu_fast_fma3(m, half, error, r), r);
}

// A root of float in vectors becomes an estimate too.
static LLVMValueRef cpu_fast_root(const Math *m, LLVMValueRef x) {
  LLVMValueRef v = cpu_fast_unary(m, "llvm.sqrt", x);
  if (LLVMIsAInstruction(v) && LLVMCanValueUseFastMathFlags(v))
    LLVMSetFastMathFlags(v, LLVMFastMathAllowReassoc | LLVMFastMathApproxFunc);
  LLVMValueRef is_top = LLVMBuildFCmp(m->e->b, LLVMRealOEQ, x,
                                      cpu_fast_number(m, INFINITY), CPU_NAME);
  return LLVMBuildSelect(m->e->b, is_top, x, v, CPU_NAME);
}

LLVMValueRef cpu_emit_fast(CpuEmit *e, IrOp op, LLVMValueRef x,
                           LLVMValueRef y) {
  Math m = {.e = e, .type = LLVMTypeOf(x)};
  LLVMTypeRef scalar = m.type;
  if (LLVMGetTypeKind(scalar) == LLVMVectorTypeKind)
    scalar = LLVMGetElementType(scalar);
  m.is_double = LLVMGetTypeKind(scalar) == LLVMDoubleTypeKind;
  m.bits = llvm_type_like(m.type, m.is_double ? e->i64 : e->i32);
  switch ((int)op) {
  case IR_EXP: return emit_exp(&m, x, false);
  case IR_EXP2: return emit_exp(&m, x, true);
  case IR_LOG: return emit_log(&m, x, false);
  case IR_LOG2: return emit_log(&m, x, true);
  case IR_FAST_EXP: return emit_fast_exp(&m, x, false);
  case IR_FAST_EXP2: return emit_fast_exp(&m, x, true);
  case IR_FAST_LOG: return emit_fast_log(&m, x, false);
  case IR_FAST_LOG2: return emit_fast_log(&m, x, true);
  case IR_FAST_SIN: return emit_sin(&m, x, false);
  case IR_FAST_COS: return emit_sin(&m, x, true);
  case IR_FAST_TANH: return emit_tanh(&m, x);
  case IR_FAST_RCP: return reciprocal(&m, x);
  case IR_FAST_SQRT: return cpu_fast_root(&m, x);
  case IR_FAST_RSQRT: return cpu_fast_reciprocal_root(&m, x);
  case IR_FAST_DIV: return cpu_fast_quotient(&m, x, y);
  case IR_FAST_POW:
    return emit_fast_exp(&m, cpu_fast_mul(&m, y, emit_fast_log(&m, x, true)),
                         true);
  default: HD_PANIC("operation %d has no short code", (int)op);
  }
}
