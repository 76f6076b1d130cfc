// SPDX-License-Identifier: Apache-2.0
// What the tensor cores of sm_90 add, bit by bit.
//
// Note [Sums of tensor cores]
// An instruction takes the sum C and as many products as its depth, all of them
// at once. Products are exact; the largest exponent among them and C is found
// from the exponents of the operands, without normalising anything; the
// magnitude of each is cut toward zero to a fixed number of bits below that;
// what is left is added exactly, and the result is rounded. Zeros take no part.
// What a chain of instructions gives is that of each, one after the other.
// docs/reference/accuracy.md has the model in full, and where it was measured.
#ifndef HD_INTERP_TENSOR_SUM_H
#define HD_INTERP_TENSOR_SUM_H

#include "ir/form/ir.h"

enum { TENSOR_MOST_DEPTH = 32 };

// The instruction: of elements F16, BF16, TF32 (as F32), E4M3, E5M2; sums F32,
// F16 (of F16, fp8).
typedef struct {
  bool is_wgmma; // else mma.sync
  IrTypeKind a, b, sum;
} TensorForm;

// A number as the unit reads it: significand * 2^(exponent - bits of the
// type's fraction). Numbers that have no leading one keep the least exponent.
typedef struct {
  int32_t significand; // with its sign
  int16_t exponent;
  uint8_t kind; // TENSOR_FINITE …
  bool is_negative;
} TensorNumber;

// Elements of K of an instruction.
uint32_t tensor_depth(const TensorForm *form);
// From the bits of operand 0 or 1.
TensorNumber tensor_number(const TensorForm *form, uint32_t operand,
                           uint32_t bits);
// The bits of one element of the instruction's result: of `depth` numbers each,
// at most as many as it takes, the rest being zeros, and the bits of C.
uint32_t tensor_sum(const TensorForm *form, const TensorNumber *a,
                    const TensorNumber *b, uint32_t depth, uint32_t c);

#endif
