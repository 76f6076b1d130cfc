// SPDX-License-Identifier: Apache-2.0
// Numbers that tensor cores of sm_100 read: how operands lie in shared memory,
// and what a product multiplies.
#ifndef HD_CODEGEN_NVPTX_NVPTX_TENSOR_H
#define HD_CODEGEN_NVPTX_NVPTX_TENSOR_H

#include "ir/form/ir.h"

// A swizzled operand. Where neighbours are along K, `is_across` is false, and
// the leading dimension is not used; else panels of `panel_bytes` follow each
// other along the rows or columns of the result. All but the address.
uint64_t nvptx_tensor_operand(uint32_t swizzle_bytes, uint64_t panel_bytes,
                              bool is_across);

typedef struct {
  IrType a, b, sum;            // of elements
  bool a_unsigned, b_unsigned; // 8-bit integers
  bool a_is_across, b_is_across;
  uint32_t rows, columns; // of the result
} NvptxTensorProduct;

uint32_t nvptx_tensor_product(const NvptxTensorProduct *product);
// "f16", of an instruction tcgen05.mma.
const char *nvptx_tensor_kind(IrType element);

#endif
