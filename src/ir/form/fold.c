// SPDX-License-Identifier: Apache-2.0
// All arithmetic is unsigned, so nothing here overflows.
#include "ir/form/fold.h"

static uint64_t mask_of(uint32_t width) {
  return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

static int64_t as_signed(uint64_t bits, uint32_t width) {
  uint64_t sign = UINT64_C(1) << (width - 1);
  return (int64_t)((bits ^ sign) - sign);
}

static bool fold_is_whole(IrType type) {
  return ir_type_is_int(type) || (type.kind == IR_TYPE_BOOL && type.lanes == 1);
}

static bool fold_divide(IrOp op, uint32_t width, uint64_t a, uint64_t b,
                        uint64_t *result) {
  if (b == 0)
    return false;
  if (op == IR_UDIV || op == IR_UREM) {
    *result = op == IR_UDIV ? a / b : a % b;
    return true;
  }
  int64_t x = as_signed(a, width), y = as_signed(b, width);
  if (y == -1 && a == UINT64_C(1) << (width - 1))
    return false;
  if (y == -1)
    *result = op == IR_SDIV ? (uint64_t)0 - a : 0;
  else
    *result = (uint64_t)(op == IR_SDIV ? x / y : x % y);
  return true;
}

static uint64_t fold_shift(IrOp op, uint32_t width, uint64_t a,
                           uint64_t count) {
  count %= width;
  switch ((int)op) {
  case IR_SHL: return a << count;
  case IR_LSHR: return a >> count;
  case IR_ASHR: return (uint64_t)(as_signed(a, width) >> count);
  case IR_ROTL: return count ? a << count | a >> (width - count) : a;
  default: return count ? a >> count | a << (width - count) : a;
  }
}

static bool fold_pair(IrOp op, uint32_t width, uint64_t a, uint64_t b,
                      uint64_t *result) {
  int64_t x = as_signed(a, width), y = as_signed(b, width);
  switch ((int)op) {
  case IR_ADD: *result = a + b; break;
  case IR_SUB: *result = a - b; break;
  case IR_MUL: *result = a * b; break;
  case IR_SDIV:
  case IR_UDIV:
  case IR_SREM:
  case IR_UREM: return fold_divide(op, width, a, b, result);
  case IR_AND: *result = a & b; break;
  case IR_OR: *result = a | b; break;
  case IR_XOR: *result = a ^ b; break;
  case IR_SHL:
  case IR_LSHR:
  case IR_ASHR:
  case IR_ROTL:
  case IR_ROTR: *result = fold_shift(op, width, a, b); break;
  case IR_SMIN: *result = x < y ? a : b; break;
  case IR_SMAX: *result = x > y ? a : b; break;
  case IR_UMIN: *result = a < b ? a : b; break;
  case IR_UMAX: *result = a > b ? a : b; break;
  case IR_EQ: *result = a == b; break;
  case IR_NE: *result = a != b; break;
  case IR_SLT: *result = x < y; break;
  case IR_SLE: *result = x <= y; break;
  case IR_ULT: *result = a < b; break;
  case IR_ULE: *result = a <= b; break;
  default: return false;
  }
  return true;
}

static bool fold_one(IrOp op, uint32_t width, uint64_t a, uint64_t *result) {
  switch ((int)op) {
  case IR_NEG: *result = (uint64_t)0 - a; break;
  case IR_NOT: *result = ~a; break;
  case IR_SABS: *result = as_signed(a, width) < 0 ? (uint64_t)0 - a : a; break;
  case IR_POPCOUNT: *result = (uint64_t)__builtin_popcountll(a); break;
  case IR_CLZ:
    *result = a ? (uint64_t)__builtin_clzll(a) - (64 - width) : width;
    break;
  case IR_CTZ: *result = a ? (uint64_t)__builtin_ctzll(a) : width; break;
  case IR_TRUNC:
  case IR_ZEXT: *result = a; break;
  case IR_SEXT: *result = (uint64_t)as_signed(a, width); break;
  default: return false;
  }
  return true;
}

// The exact result of a signed operation is another one.
static bool fold_overflows(IrOp op, uint32_t width, uint64_t a, uint64_t b) {
  int64_t x = as_signed(a, width), y = as_signed(b, width), exact;
  bool is_beyond = false;
  switch ((int)op) {
  case IR_ADD: is_beyond = __builtin_add_overflow(x, y, &exact); break;
  case IR_SUB: is_beyond = __builtin_sub_overflow(x, y, &exact); break;
  case IR_MUL: is_beyond = __builtin_mul_overflow(x, y, &exact); break;
  case IR_NEG: is_beyond = __builtin_sub_overflow(0, x, &exact); break;
  case IR_SHL:
    exact = as_signed((uint64_t)x << y % width & mask_of(width), width);
    return exact >> y % width != x;
  default: return false;
  }
  return is_beyond ||
         as_signed((uint64_t)exact & mask_of(width), width) != exact;
}

bool ir_fold(const IrNode *node, uint64_t *bits) {
  if (node->n_args == 0 || node->n_args > 2 || !fold_is_whole(node->type))
    return false;
  for (uint32_t i = 0; i < node->n_args; i++)
    if (node->args[i]->op != IR_CONST || !fold_is_whole(node->args[i]->type))
      return false;
  uint32_t width = ir_type_bits(node->args[0]->type);
  uint64_t a = node->args[0]->u.constant.bits & mask_of(width);
  uint64_t b = node->args[node->n_args - 1]->u.constant.bits & mask_of(width);
  if ((node->flags & NODE_NO_SIGNED_WRAP) &&
      fold_overflows(node->op, width, a, b))
    return false; // told where it is run
  bool is_folded;
  if (node->n_args == 2)
    is_folded = fold_pair(node->op, width, a, b, bits);
  else
    is_folded = fold_one(node->op, width, a, bits);
  *bits &= mask_of(ir_type_bits(node->type));
  return is_folded;
}

static bool fold_choice(const IrNode *node, IrValueOf value, void *context,
                        uint64_t *bits) {
  uint64_t which;
  return value(context, node->args[0], &which) &&
         value(context, node->args[which & 1 ? 1 : 2], bits);
}

bool ir_fold_by(const IrNode *node, IrValueOf value, void *context,
                uint64_t *bits) {
  IrNode copy = *node, constants[2];
  IrNode *args[2] = {&constants[0], &constants[1]};
  if (node->op == IR_CONST) {
    *bits = node->u.constant.bits;
    return true;
  }
  if (node->op == IR_SELECT)
    return fold_choice(node, value, context, bits);
  if (node->n_args == 0 || node->n_args > 2 ||
      !(ir_op_info(node)->flags & OPF_PURE))
    return false;
  for (uint32_t i = 0; i < node->n_args; i++) {
    constants[i] = (IrNode){.op = IR_CONST, .type = node->args[i]->type};
    if (!value(context, node->args[i], &constants[i].u.constant.bits))
      return false;
  }
  copy.args = args;
  return ir_fold(&copy, bits);
}
