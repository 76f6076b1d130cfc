// SPDX-License-Identifier: Apache-2.0
#include "codegen/nvptx/nvptx_tensor.h"

enum { ROW_GROUP = 8 }; // rows that a swizzle repeats after

// Bits 61 to 63.
static uint64_t tensor_swizzle(uint32_t bytes) {
  return bytes == 128 ? 2 : bytes == 64 ? 4 : 6;
}

// Bits 16 to 29 are the leading dimension, 32 to 45 the stride of 8 rows, both
// in units of 16 bytes; bits 46 to 48 are 1.
uint64_t nvptx_tensor_operand(uint32_t swizzle_bytes, uint64_t panel_bytes,
                              bool is_across) {
  uint64_t leading = is_across ? panel_bytes >> 4 : 1;
  uint64_t stride = (uint64_t)swizzle_bytes * ROW_GROUP >> 4;
  return (leading & 0x3FFF) << 16 | (stride & 0x3FFF) << 32 |
         UINT64_C(1) << 46 | tensor_swizzle(swizzle_bytes) << 61;
}

static uint32_t tensor_element(IrType type, bool is_unsigned) {
  switch ((int)type.kind) {
  case IR_TYPE_BF16:
  case IR_TYPE_E5M2: return 1;
  case IR_TYPE_I8: return !is_unsigned;
  default: return 0; // F16, E4M3
  }
}

static uint32_t tensor_sum(IrType type) {
  return type.kind == IR_TYPE_F32 ? 1 : type.kind == IR_TYPE_F16 ? 0 : 2;
}

uint32_t nvptx_tensor_product(const NvptxTensorProduct *p) {
  return tensor_sum(p->sum) << 4 | tensor_element(p->a, p->a_unsigned) << 7 |
         tensor_element(p->b, p->b_unsigned) << 10 |
         (uint32_t)p->a_is_across << 15 | (uint32_t)p->b_is_across << 16 |
         p->columns / 8 << 17 | p->rows / 16 << 24;
}

const char *nvptx_tensor_kind(IrType element) {
  switch ((int)element.kind) {
  case IR_TYPE_I8: return "i8";
  case IR_TYPE_E4M3:
  case IR_TYPE_E5M2: return "f8f6f4";
  default: return "f16";
  }
}
