// SPDX-License-Identifier: Apache-2.0
// The bits of every floating-point type, and exact conversion to and from
// double: nearest, ties to even. Overflow gives infinity; the fp8 types
// saturate to their largest finite number instead, as GPUs convert (E4M3 has no
// infinity at all), and keep NaN.
#ifndef HD_IR_FLOAT_BITS_H
#define HD_IR_FLOAT_BITS_H

#include "ir/ir.h"

// `kind` is one of F16 BF16 F32 F64 E4M3 E5M2.
uint64_t float_bits_from_double(IrTypeKind kind, double value);
double float_bits_to_double(IrTypeKind kind, uint64_t bits);

#endif
