// SPDX-License-Identifier: Apache-2.0
// Mathematical functions for devices without a C library. This folder is
// compiled twice: to LLVM bitcode that the compiler carries and links into
// kernels (codegen/nvptx/llvm_nvptx_library.c), and for the host by tests,
// which measure the errors that docs/reference/accuracy.md states.
//
// Special values are those of ISO C's annex F; there is no errno, nor are there
// floating-point exceptions.
#ifndef HD_DEVICEMATH_DEVICEMATH_H
#define HD_DEVICEMATH_DEVICEMATH_H

#include <stdint.h>

#define HD_DECLARE_ONE(name)                                                   \
  float hdm_##name##_f32(float);                                               \
  double hdm_##name##_f64(double);
#define HD_DECLARE_TWO(name)                                                   \
  float hdm_##name##_f32(float, float);                                        \
  double hdm_##name##_f64(double, double);
#define HD_DECLARE_SCALE(name)                                                 \
  float hdm_##name##_f32(float, int32_t);                                      \
  double hdm_##name##_f64(double, int32_t);
#define HD_DECLARE_EXPONENT(name)                                              \
  int32_t hdm_##name##_f32(float);                                             \
  int32_t hdm_##name##_f64(double);
#define FUNCTION(op, text, kind, family) HD_DECLARE_##kind(text)
#include "devicemath/devicemath.def"
#undef FUNCTION

// The neighbour of a 16-bit float, by its bits and those of its infinity.
uint16_t hdm_nextafter_16(uint16_t x, uint16_t y, uint16_t infinity);

#undef HD_DECLARE_ONE
#undef HD_DECLARE_TWO
#undef HD_DECLARE_SCALE
#undef HD_DECLARE_EXPONENT

#endif
