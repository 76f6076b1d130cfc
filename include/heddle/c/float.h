// SPDX-License-Identifier: Apache-2.0
// <float.h> of Heddle C: IEEE 754 binary32 and binary64. There is no
// long double. The names HALF_ and BF16_ are those of half and bfloat16.
#ifndef HEDDLE_C_FLOAT_H
#define HEDDLE_C_FLOAT_H

#define FLT_RADIX       2
#define FLT_ROUNDS      1
#define FLT_EVAL_METHOD 0
#define DECIMAL_DIG     17

#define FLT_MANT_DIG    24
#define FLT_DIG         6
#define FLT_DECIMAL_DIG 9
#define FLT_MIN_EXP     (-125)
#define FLT_MIN_10_EXP  (-37)
#define FLT_MAX_EXP     128
#define FLT_MAX_10_EXP  38
#define FLT_MAX         0x1.fffffep127f
#define FLT_MIN         0x1p-126f
#define FLT_EPSILON     0x1p-23f
#define FLT_TRUE_MIN    0x1p-149f
#define FLT_HAS_SUBNORM 1

#define DBL_MANT_DIG    53
#define DBL_DIG         15
#define DBL_DECIMAL_DIG 17
#define DBL_MIN_EXP     (-1021)
#define DBL_MIN_10_EXP  (-307)
#define DBL_MAX_EXP     1024
#define DBL_MAX_10_EXP  308
#define DBL_MAX         0x1.fffffffffffffp1023
#define DBL_MIN         0x1p-1022
#define DBL_EPSILON     0x1p-52
#define DBL_TRUE_MIN    0x1p-1074
#define DBL_HAS_SUBNORM 1

#define HALF_MANT_DIG 11
#define HALF_MAX      0x1.ffcp15f16
#define HALF_MIN      0x1p-14f16
#define HALF_EPSILON  0x1p-10f16
#define HALF_TRUE_MIN 0x1p-24f16

#define BF16_MANT_DIG 8
#define BF16_MAX      0x1.fep127bf16
#define BF16_MIN      0x1p-126bf16
#define BF16_EPSILON  0x1p-7bf16
#define BF16_TRUE_MIN 0x1p-133bf16

#endif
