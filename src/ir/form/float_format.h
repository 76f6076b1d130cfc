// SPDX-License-Identifier: Apache-2.0
// The float format of an IR type, for exact conversions.
#ifndef HD_IR_FORM_FLOAT_FORMAT_H
#define HD_IR_FORM_FLOAT_FORMAT_H

#include "base/float_bits.h"
#include "base/panic.h"
#include "ir/form/ir.h"

// `type` is a scalar floating-point type, fp8 and narrow ones included.
static inline FloatFormat ir_float_format(IrType type) {
  switch ((int)type.kind) {
  case IR_TYPE_F16: return FLOAT_F16;
  case IR_TYPE_BF16: return FLOAT_BF16;
  case IR_TYPE_F32: return FLOAT_F32;
  case IR_TYPE_E4M3: return FLOAT_E4M3;
  case IR_TYPE_E5M2: return FLOAT_E5M2;
  case IR_TYPE_TF32: return FLOAT_TF32;
  case IR_TYPE_E2M1: return FLOAT_E2M1;
  case IR_TYPE_E2M3: return FLOAT_E2M3;
  case IR_TYPE_E3M2: return FLOAT_E3M2;
  case IR_TYPE_E8M0: return FLOAT_E8M0;
  default: break;
  }
  HD_ASSERT(type.kind == IR_TYPE_F64);
  return FLOAT_F64;
}

#endif
