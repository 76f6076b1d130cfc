// SPDX-License-Identifier: Apache-2.0
// Integer operations. All arithmetic is unsigned, so nothing here overflows.
#include "base/panic.h"
#include "interp/eval.h"

// -------------------------------------------------------------- division
// Never traps: x/0 is all ones, x%0 is x, MIN/-1 is MIN, MIN%-1 is 0.

static uint64_t signed_division(IrOp op, uint32_t bits, uint64_t a,
                                uint64_t b) {
  bool wants_quotient = op == IR_SDIV;
  if (b == 0)
    return wants_quotient ? UINT64_MAX : a;
  int64_t x = eval_signed(a, bits), y = eval_signed(b, bits);
  if (y == -1)
    return wants_quotient ? (uint64_t)0 - a : 0;
  return (uint64_t)(wants_quotient ? x / y : x % y);
}

static uint64_t unsigned_division(IrOp op, uint64_t a, uint64_t b) {
  if (b == 0)
    return op == IR_UDIV ? UINT64_MAX : a;
  return op == IR_UDIV ? a / b : a % b;
}

static uint64_t eval_int_high_product(IrOp op, uint32_t bits, uint64_t a,
                                      uint64_t b) {
  if (op == IR_UMULH)
    return (uint64_t)((__extension__(unsigned __int128) a * b) >> bits);
  __extension__ typedef __int128 Wide;
  Wide product = (Wide)eval_signed(a, bits) * eval_signed(b, bits);
  return (uint64_t)(product >> bits);
}

// ------------------------------------------------------------------ bits

static uint64_t rotate_left(uint32_t bits, uint64_t a, uint64_t count) {
  count %= bits;
  return count ? a << count | a >> (bits - count) : a;
}

static uint64_t count_leading(uint32_t bits, uint64_t a) {
  return a ? (uint64_t)(__builtin_clzll(a) - (int)(64 - bits)) : bits;
}

static uint64_t reverse_bits(uint32_t bits, uint64_t a) {
  uint64_t result = 0;
  for (uint32_t i = 0; i < bits; i++)
    result |= (a >> i & 1) << (bits - 1 - i);
  return result;
}

static uint64_t eval_int_shift(IrOp op, uint32_t bits, uint64_t a, uint64_t b) {
  uint64_t count = b % bits;
  if (op == IR_SHL)
    return a << count;
  if (op == IR_LSHR)
    return a >> count;
  return (uint64_t)(eval_signed(a, bits) >> count);
}

// ---------------------------------------------------------------- choice

static uint64_t eval_int_choose(IrOp op, uint32_t bits, uint64_t a,
                                uint64_t b) {
  int64_t x = eval_signed(a, bits), y = eval_signed(b, bits);
  if (op == IR_SMIN)
    return x < y ? a : b;
  if (op == IR_SMAX)
    return x > y ? a : b;
  return (op == IR_UMIN) == (a < b) ? a : b;
}

static uint64_t eval_int_compare(IrOp op, uint32_t bits, uint64_t a,
                                 uint64_t b) {
  int64_t x = eval_signed(a, bits), y = eval_signed(b, bits);
  switch (ir_compare_op(op)) {
  case IR_EQ: return a == b;
  case IR_NE: return a != b;
  case IR_SLT: return x < y;
  case IR_SLE: return x <= y;
  case IR_ULT: return a < b;
  case IR_ULE: return a <= b;
  case IR_FEQ:
  case IR_FNE:
  case IR_FLT:
  case IR_FLE:
  case IR_ISNAN:
  case IR_ISINF:
  case IR_ISFINITE:
  case IR_SIGNBIT: break;
  }
  HD_PANIC("%s compares no integers", ir_op_table[op].text);
}

static uint64_t unmasked(IrOp op, uint32_t bits, uint64_t a, uint64_t b) {
  switch (ir_arithmetic_op(op)) {
  case IR_ADD: return a + b;
  case IR_SUB: return a - b;
  case IR_MUL: return a * b;
  case IR_SDIV:
  case IR_SREM: return signed_division(op, bits, a, b);
  case IR_UDIV:
  case IR_UREM: return unsigned_division(op, a, b);
  case IR_AND: return a & b;
  case IR_OR: return a | b;
  case IR_XOR: return a ^ b;
  case IR_SHL:
  case IR_LSHR:
  case IR_ASHR: return eval_int_shift(op, bits, a, b);
  case IR_ROTL: return rotate_left(bits, a, b);
  case IR_ROTR: return rotate_left(bits, a, bits - b % bits);
  case IR_SMIN:
  case IR_SMAX:
  case IR_UMIN:
  case IR_UMAX: return eval_int_choose(op, bits, a, b);
  case IR_SMULH:
  case IR_UMULH: return eval_int_high_product(op, bits, a, b);
  case IR_NEG: return (uint64_t)0 - a;
  case IR_NOT: return ~a;
  case IR_SABS: return eval_signed(a, bits) < 0 ? (uint64_t)0 - a : a;
  case IR_CLZ: return count_leading(bits, a);
  case IR_CTZ: return a ? (uint64_t)__builtin_ctzll(a) : bits;
  case IR_POPCOUNT: return (uint64_t)__builtin_popcountll(a);
  case IR_BITREVERSE: return reverse_bits(bits, a);
  case IR_BYTESWAP: return __builtin_bswap64(a) >> (64 - bits);
  case IR_FDIV:
  case IR_FMIN:
  case IR_FMAX:
  case IR_FABS:
  case IR_FMA:
  case IR_DOT4:
  case IR_DOT4_S:
  case IR_DOT4_U:
  case IR_DOT2:
  case IR_FDOT2: break;
  }
  HD_PANIC("%s is not an operation of integers", ir_op_table[op].text);
}

uint64_t eval_int(IrOp op, uint32_t bits, uint64_t a, uint64_t b) {
  if (ir_op_table[op].family == FAMILY_COMPARE)
    return eval_int_compare(op, bits, a, b);
  return unmasked(op, bits, a, b) & eval_mask(bits);
}

uint64_t eval_dot(IrOp op, uint64_t sum, uint64_t a, uint64_t b) {
  uint32_t bits = op == IR_DOT2 ? 16 : 8;
  for (uint32_t at = 0; at < 32; at += bits) {
    uint64_t x = a >> at & eval_mask(bits), y = b >> at & eval_mask(bits);
    if (op == IR_DOT2 || op == IR_DOT4_S)
      x = (uint64_t)eval_signed(x, bits);
    if (op != IR_DOT4_U)
      y = (uint64_t)eval_signed(y, bits);
    sum += x * y;
  }
  return sum & eval_mask(32);
}
